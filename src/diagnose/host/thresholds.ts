/** When a number of a machine is worth a finding. DATA; each with its reason. */
export const THRESHOLDS = {
  /**
   * Percent of a file system in use, as df counts it (root's reserve is not free). Node's and Prometheus' common alerts warn at
   * 10 % and 5 % free; at 99 % programs already fail to write.
   */
  disk: { medium: 90, high: 95, critical: 99 },
  /** On large disks a few percent are plenty: with more than this free, the finding is one grade milder. In KiB: 100 GiB. */
  diskRoomKib: 100 * 1024 * 1024,
  /** The same for inodes; a file system without inodes refuses new files. */
  inodes: { medium: 90, high: 95, critical: 99 },
  /** Percent of memory that the kernel calls available. Below 5 % reclaim dominates on usual servers. */
  memoryAvailable: { medium: 10, high: 5 },
  /** Percent of swap left, which matters only while available memory is short, too. */
  swapFree: 10,
  memoryShortWithSwap: 20,
  /**
   * PSI, percent of the last minute. full: nothing could run. The kernel's documentation has no limits; systemd-oomd kills at 60 %
   * of full memory pressure, so a tenth and a third of that deserve a look.
   */
  pressure: { memorySome: 20, memoryFull: 6, memoryFullHigh: 20, ioFull: 20, ioFullHigh: 50 },
  /** Load of 5 minutes for each CPU. 1 is a busy machine without a queue; from 2 on, work waits as long as it runs. */
  load: { medium: 2, high: 4 },
  /** Open files of a process, percent of its own limit; of the machine, percent of fs.file-max. At 100 open() fails. */
  openFiles: { medium: 80, high: 95 },
  /** Tracked connections, percent of nf_conntrack_max. At 100 new connections are dropped. */
  conntrack: { medium: 80, high: 95 },
  /** Processes that ended and that nobody waited for. A few are normal, they cost only their ids. */
  zombies: { low: 10, medium: 200 },
  /** Seconds that the clock may be off. Kerberos refuses at 300; certificates, tokens and logs suffer earlier. */
  clockOffset: { medium: 1, high: 60 },
  /** A machine that booted in this time, in seconds, may be why something was down. */
  freshBoot: 3600,
  /** What the kernel said longer ago than this, in seconds, says little about now: one day. */
  old: 86_400,
  /** Segmentation faults of one program that are more than bad luck. */
  segfaults: 3,
} as const;

/** File systems that are always full (images) or that nobody fills (kernel interfaces). */
export const IGNORED_FILE_SYSTEMS: ReadonlySet<string> = new Set([
  'squashfs',
  'iso9660',
  'udf',
  'erofs',
  'cramfs',
  'romfs',
  'fuse.snapfuse',
  'fuse.squashfuse',
  'devtmpfs',
  'efivarfs',
  'ramfs',
  'autofs',
  'proc',
  'sysfs',
  'cgroup',
  'cgroup2',
]);

import { expect, test } from 'vitest';
import { parseKernel } from '../../src/diagnose/host/kernel.js';

const read = (text: string) =>
  parseKernel(text, 0).map(({ kind, what, pid, inGroup, group }) => [kind, what, pid, inGroup, group]);

test.each([
  'usb 1-1: new high-speed USB device number 2 using xhci_hcd',
  'blk_update_request: I/O error, dev fd0, sector 0 op 0x0:(READ)',
  'Buffer I/O error on dev sr0, logical block 0, async page read',
  'EXT4-fs (sda1): mounted filesystem with ordered data mode. Opts: errors=remount-ro',
  'EXT4-fs (sda1): re-mounted. Opts: (null)',
  'oom_reaper: reaped process 1234 (java), now anon-rss:0kB',
  'audit: type=1400 apparmor="DENIED" operation="open"',
  'Memory: 8043424K/8388096K available',
])('this is no trouble: %s', (line) => {
  expect(read(`[    1.000000] ${line}`)).toEqual([]);
});

test.each([
  ['Out of memory: Kill process 1234 (java) score 912 or sacrifice child', 'oom', 'java'],
  ['Out of memory: Killed process 1234 (mysqld) total-vm:5242880kB, anon-rss:4000000kB', 'oom', 'mysqld'],
  ['blk_update_request: I/O error, dev sda, sector 2056 op 0x1:(WRITE) flags 0x0', 'io-error', 'sda'],
  ['end_request: I/O error, dev vdb, sector 99', 'io-error', 'vdb'],
  ['Buffer I/O error on device dm-3, logical block 12', 'io-error', 'dm-3'],
  ['Buffer I/O error on dev nvme0n1p2, logical block 12, lost async page write', 'io-error', 'nvme0n1p2'],
  ['critical medium error, dev sdc, sector 17 op 0x0:(READ) flags 0x80700', 'io-error', 'sdc'],
  ['nvme nvme0: I/O 12 QID 3 timeout, aborting', 'io-error', 'nvme0'],
  ['ata1.00: failed command: READ FPDMA QUEUED', 'io-error', 'ata1.00'],
  [
    'EXT4-fs error (device sda1): ext4_find_entry:1455: inode #2: comm ls: reading directory lblock 0',
    'file-system-error',
    'sda1',
  ],
  ['EXT4-fs (sda1): Remounting filesystem read-only', 'read-only', 'sda1'],
  ['BTRFS info (device sda2 state E): forced readonly', 'read-only', 'sda2'],
  ['XFS (dm-0): Log I/O Error Detected.  Shutting down filesystem', 'read-only', 'dm-0'],
  ['XFS (dm-1): Corruption detected. Unmount and run xfs_repair', 'file-system-error', 'dm-1'],
  ['INFO: task jbd2/sda1-8:234 blocked for more than 120 seconds.', 'hung-task', 'jbd2/sda1-8'],
  ['watchdog: BUG: soft lockup - CPU#1 stuck for 22s! [kworker/1:2:99]', 'lockup', 'kworker/1'],
  ['rcu: INFO: rcu_sched detected stalls on CPUs/tasks:', 'lockup', ''],
  ['node[32633]: segfault at a0 ip 00007f6e0e8598ee sp 00007fff827d2850 error 4 in libc.so.6', 'segfault', 'node'],
  ['traps: php-fpm[33] general protection fault ip:55 sp:7f error:0', 'segfault', 'php-fpm'],
  ['nf_conntrack: nf_conntrack: table full, dropping packet', 'conntrack-full', ''],
  ['VFS: file-max limit 1024 reached', 'file-max', ''],
  ['mce: [Hardware Error]: Machine check events logged', 'hardware', ''],
  [
    "clocksource: timekeeping watchdog on CPU1: Marking clocksource 'tsc' as unstable because the skew is too large:",
    'clocksource',
    'tsc',
  ],
])('%s', (line, kind, what) => {
  expect(read(`[12345.678901] ${line}`).map((event) => event.slice(0, 2))).toEqual([[kind, what]]);
});

test('a kill inside a control group names the group that ran out', () => {
  const text = `[ 99.1] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/docker/ab,task_memcg=/docker/ab,task=java,pid=7,uid=0
[ 99.2] Memory cgroup out of memory: Killed process 7 (java) total-vm:1kB, anon-rss:1kB
[ 99.3] Out of memory: Killed process 8 (perl) total-vm:1kB
`;
  expect(read(text)).toEqual([
    ['oom', 'java', '7', true, '/docker/ab'],
    ['oom', 'perl', '8', false, ''],
  ]);
});

test('times are read from every form of dmesg and journal', () => {
  const line = 'VFS: file-max limit 1024 reached';
  const boot = Date.parse('2024-05-01T00:00:00Z');
  const times = [
    '2024-05-01T10:00:00,123456+02:00',
    '2024-05-01T10:00:00+0200 db1 kernel:',
    '[28800.000000]',
    'May  1 10:00:00 db1 kernel:',
  ].map((prefix) => parseKernel(`${prefix} ${line}`, boot)[0]?.timeMs);
  const eight = Date.parse('2024-05-01T08:00:00Z');
  expect(times).toEqual([eight, eight, eight, undefined]);
});

test('endless output is read from its end, in lines of bounded length', () => {
  const flood = `${'x'.repeat(5_000_000)}\n[ 1.0] VFS: file-max limit 1024 reached\n${'[Hardware '.repeat(1000)}`;
  expect(read(flood)).toEqual([['file-max', '', '', false, '']]);
});

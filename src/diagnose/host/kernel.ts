/** What a line of the kernel means. */
export type KernelKind =
  | 'oom'
  | 'io-error'
  | 'file-system-error'
  | 'read-only'
  | 'hung-task'
  | 'lockup'
  | 'segfault'
  | 'conntrack-full'
  | 'file-max'
  | 'hardware'
  | 'clocksource';

interface KernelSignature {
  readonly kind: KernelKind;
  /** Groups `what` (device, process …), `pid` and `group` (control group) where the line names them. Linear time. */
  readonly pattern: RegExp;
}

/** DATA: the first that matches counts. Wordings of kernels 3.10 to 6.x. */
const SIGNATURES: readonly KernelSignature[] = [
  {
    kind: 'oom',
    pattern: /(?:Out of memory|out of memory)[^\n]{0,20}: Kill(?:ed)? process (?<pid>\d+) \((?<what>[^)]{1,60})\)/,
  },
  { kind: 'io-error', pattern: /I\/O error(?:,)? (?:on )?dev(?:ice)? (?<what>[\w!-]{1,40})/ },
  { kind: 'io-error', pattern: /critical (?:medium|target|space allocation|nexus) error, dev (?<what>[\w-]{1,40})/ },
  { kind: 'io-error', pattern: /(?<what>nvme\d+(?:n\d+)?): I\/O (?:tag )?\d+ [^\n]{0,60}timeout/ },
  { kind: 'io-error', pattern: /(?<what>ata\d+(?:\.\d+)?): (?:failed command|exception Emask)/ },
  { kind: 'read-only', pattern: /\((?:device )?(?<what>[\w-]{1,40})\): Remounting filesystem read-only/ },
  { kind: 'read-only', pattern: /BTRFS[^\n]{0,20}\(device (?<what>[\w-]{1,40})[^)]{0,40}\)[^\n]{0,60}forced readonly/ },
  {
    kind: 'read-only',
    pattern: /XFS \((?<what>[\w-]{1,40})\): [^\n]{0,80}(?:Shutting down filesystem|Filesystem has been shut down)/i,
  },
  { kind: 'file-system-error', pattern: /EXT[234]-fs error \(device (?<what>[\w-]{1,40})\)/ },
  {
    kind: 'file-system-error',
    pattern: /XFS \((?<what>[\w-]{1,40})\): (?:Corruption|Metadata (?:corruption|CRC error))/,
  },
  { kind: 'file-system-error', pattern: /BTRFS (?:error|critical) \(device (?<what>[\w-]{1,40})/ },
  { kind: 'hung-task', pattern: /INFO: task (?<what>\S{1,60}):(?<pid>\d+) blocked for more than \d+ seconds/ },
  { kind: 'lockup', pattern: /BUG: soft lockup - CPU#\d+ stuck for \d+s! \[(?<what>[^\]:]{1,60})/ },
  { kind: 'lockup', pattern: /hard LOCKUP on cpu|rcu[^\n]{0,40}detected (?:expedited )?stalls/i },
  { kind: 'segfault', pattern: /(?<what>[^\s[\]]{1,60})\[(?<pid>\d+)\]: segfault at/ },
  { kind: 'segfault', pattern: /traps: (?<what>[^\s[\]]{1,60})\[(?<pid>\d+)\] (?:general protection|trap)/ },
  { kind: 'conntrack-full', pattern: /nf_conntrack: (?:nf_conntrack: )?table full, dropping packet/ },
  { kind: 'file-max', pattern: /VFS: file-max limit \d+ reached/ },
  {
    kind: 'hardware',
    pattern:
      /\[Hardware Error\]|mce: [^\n]{0,40}Machine check events logged|EDAC [^\n]{0,40}\d+ UE|Uncorrected (?:error|ECC)/i,
  },
  { kind: 'clocksource', pattern: /Marking clocksource '(?<what>\w{1,20})' as unstable/ },
];

/** Drives without a medium and devices that are made up report errors that mean nothing. */
const NO_DISK = /^(?:fd|sr|loop|ram|zram)\d+$/;

export interface KernelEvent {
  readonly kind: KernelKind;
  /** Device, process …; empty when the line names none. */
  readonly what: string;
  readonly pid: string;
  /** True for an OOM kill inside the limit of a control group (a container, a unit). */
  readonly inGroup: boolean;
  /** The control group that ran out, when a line before says so. */
  readonly group: string;
  /** Milliseconds since the epoch; undefined when unknown. */
  readonly timeMs: number | undefined;
  readonly line: string;
}

/** Longest output of the kernel that is looked at, from its end, in characters; its buffer is rarely over 1 MiB. */
const MAX_TEXT = 4 * 1024 * 1024;

/** What the kernel said that matters, in order. `bootMs` turns seconds since boot into times. */
export function parseKernel(text: string, bootMs: number): readonly KernelEvent[] {
  const found: KernelEvent[] = [];
  let group = '';
  for (const raw of text.slice(-MAX_TEXT).split('\n')) {
    const line = raw.slice(0, 1000);
    // The line before the kill names the group: `oom-kill:constraint=CONSTRAINT_MEMCG,…,task_memcg=/docker/ab,task=…`.
    const named = /oom-kill:constraint=\w+[^\n]{0,200}?,task_memcg=([^,\s]{1,300})/.exec(line)?.[1];
    if (named !== undefined) group = named;
    const event = eventOf(line, group, bootMs);
    if (event === undefined) continue;
    found.push(event);
    if (event.kind === 'oom') group = '';
  }
  return found;
}

function eventOf(line: string, group: string, bootMs: number): KernelEvent | undefined {
  for (const { kind, pattern } of SIGNATURES) {
    const match = pattern.exec(line);
    if (match === null) continue;
    const what = match.groups?.what ?? '';
    if (kind === 'io-error' && NO_DISK.test(what)) return undefined;
    const inGroup = kind === 'oom' && /Memory cgroup out of memory/i.test(line);
    return {
      kind,
      what,
      pid: match.groups?.pid ?? '',
      inGroup,
      group: kind === 'oom' ? group : '',
      timeMs: timeOf(line, bootMs),
      line,
    };
  }
  return undefined;
}

/** `2024-05-01T10:00:00,123456+00:00`, `2024-05-01T10:00:00+0000`, `[ 1515.526092]`. */
function timeOf(line: string, bootMs: number): number | undefined {
  const iso = /^(\d{4}-\d\d-\d\dT\d\d:\d\d:\d\d)(?:[,.]\d+)?([+-]\d\d):?(\d\d)/.exec(line);
  if (iso) return Date.parse(`${iso[1]}${iso[2]}:${iso[3]}`);
  const seconds = /^\[\s*(\d{1,12}\.\d+)\]/.exec(line)?.[1];
  return seconds === undefined || bootMs === 0 ? undefined : bootMs + Number(seconds) * 1000;
}

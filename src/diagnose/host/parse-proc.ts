/** A line of `grep -H`: the file it stands in, and the line itself. */
const NAMED = /^(\/[^:\n]+):(.*)$/;

/** `grep -H` over several files → their lines by file. */
export function parseNamed(text: string): ReadonlyMap<string, readonly string[]> {
  const files = new Map<string, string[]>();
  for (const line of text.split('\n')) {
    const [, file, rest] = NAMED.exec(line) ?? [];
    if (file !== undefined && rest !== undefined) files.set(file, [...(files.get(file) ?? []), rest]);
  }
  return files;
}

export interface Memory {
  /** All in KiB. */
  readonly total: number;
  readonly available: number;
  readonly swapTotal: number;
  readonly swapFree: number;
  /** Lines to quote. */
  readonly lines: readonly string[];
}

/** `/proc/meminfo`; kernels before 3.14 have no MemAvailable, so free memory and caches stand in. */
export function parseMemory(text: string): Memory | undefined {
  const values = new Map<string, number>();
  for (const [, key, value] of text.matchAll(/^(\w+(?:\(\w+\))?):\s+(\d+) kB$/gm)) {
    if (key !== undefined) values.set(key, Number(value));
  }
  const of = (key: string): number => values.get(key) ?? 0;
  const total = of('MemTotal');
  if (total === 0) return undefined;
  return {
    total,
    available: values.get('MemAvailable') ?? of('MemFree') + of('Buffers') + of('Cached'),
    swapTotal: of('SwapTotal'),
    swapFree: of('SwapFree'),
    lines: ['MemTotal', 'MemAvailable', 'SwapTotal', 'SwapFree']
      .filter((key) => values.has(key))
      .map((key) => `${key}: ${of(key)} kB`),
  };
}

export interface Load {
  readonly one: number;
  readonly five: number;
  readonly fifteen: number;
  readonly cpus: number;
  /** Seconds. */
  readonly uptime: number;
  /** Seconds since the epoch; 0 when unknown. */
  readonly bootTime: number;
  /** Processes that wait for I/O. */
  readonly blocked: number;
  readonly line: string;
  readonly uptimeLine: string;
}

/** `grep -H` over /proc/loadavg, /proc/uptime and /proc/stat. */
export function parseLoad(text: string): Load | undefined {
  const files = parseNamed(text);
  const [line = ''] = files.get('/proc/loadavg') ?? [];
  const [uptimeLine = ''] = files.get('/proc/uptime') ?? [];
  const stat = files.get('/proc/stat') ?? [];
  const [one, five, fifteen] = line.split(' ').map(Number);
  if (one === undefined || five === undefined || fifteen === undefined || Number.isNaN(one + five + fifteen))
    return undefined;
  const counter = (name: string): number => Number(stat.find((l) => l.startsWith(`${name} `))?.split(' ')[1] ?? 0) || 0;
  return {
    one,
    five,
    fifteen,
    cpus: Math.max(1, stat.filter((l) => /^cpu\d/.test(l)).length),
    uptime: Number(uptimeLine.split(' ')[0]) || 0,
    bootTime: counter('btime'),
    blocked: counter('procs_blocked'),
    line,
    uptimeLine,
  };
}

export interface Pressure {
  /** Percent of the last minute in which something, or everything, waited. */
  readonly some: number;
  readonly full: number;
  readonly line: string;
}

/** `grep -H` over /proc/pressure → by resource: cpu, memory, io. */
export function parsePressure(text: string): ReadonlyMap<string, Pressure> {
  const found = new Map<string, Pressure>();
  for (const [file, lines] of parseNamed(text)) {
    const minute = (kind: string): number =>
      Number(/avg60=([\d.]+)/.exec(lines.find((l) => l.startsWith(`${kind} `)) ?? '')?.[1] ?? 0);
    const line = lines.findLast((l) => l.includes('avg60=')) ?? '';
    if (line !== '') found.set(file.split('/').at(-1) ?? '', { some: minute('some'), full: minute('full'), line });
  }
  return found;
}

export interface Process {
  readonly pid: number;
  readonly parent: number;
  readonly user: string;
  readonly state: string;
  /** Percent of one CPU since its start. */
  readonly cpu: number;
  /** Percent of memory. */
  readonly memory: number;
  readonly name: string;
  readonly line: string;
}

const PROCESS = /^\s*(\d+)\s+(\d+)\s+(\S+)\s+(\S+)\s+([\d.]+)\s+([\d.]+)\s+\d+\s+\d+\s+(.+)$/;

/** `ps -eo pid,ppid,user,stat,pcpu,pmem,rss,etimes,comm`; a name may hold blanks. */
export const parseProcesses = (text: string): readonly Process[] =>
  text.split('\n').flatMap((line) => {
    const found = PROCESS.exec(line);
    if (!found) return [];
    const [, pid, parent, user = '', state = '', cpu, memory, name = ''] = found;
    return [
      {
        pid: Number(pid),
        parent: Number(parent),
        user,
        state,
        cpu: Number(cpu),
        memory: Number(memory),
        name: name.trim(),
        line: line.trim(),
      },
    ];
  });

export interface OpenFiles {
  readonly count: number;
  readonly limit: number;
  readonly percent: number;
  readonly pid: number;
  readonly name: string;
  readonly line: string;
}

/** Output of host_open_files: processes that have a limit. `unreadable`: processes whose files may not be seen. */
export function parseOpenFiles(text: string): {
  readonly processes: readonly OpenFiles[];
  readonly unreadable: number;
} {
  const processes = text.split('\n').flatMap((line) => {
    const [, permille, count, limit, pid, name] = /^(\d+) (\d+) (\d+) (\d+) (.*)$/.exec(line) ?? [];
    if (name === undefined) return [];
    const percent = Math.round(Number(permille) / 10);
    return [{ count: Number(count), limit: Number(limit), percent, pid: Number(pid), name, line }];
  });
  return { processes, unreadable: Number(/^-1 unreadable (\d+)$/m.exec(text)?.[1] ?? 0) };
}

export interface Limits {
  readonly openFiles?: { readonly used: number; readonly max: number; readonly line: string };
  readonly conntrack?: { readonly used: number; readonly max: number; readonly line: string };
  /** Processes killed for want of memory since boot; kernels from 4.13 on count them. */
  readonly oomKills?: number;
}

/** Output of host_limits. */
export function parseLimits(text: string): Limits {
  const files = parseNamed(text);
  const first = (file: string): string | undefined => files.get(file)?.[0];
  const [used, , max] = (first('/proc/sys/fs/file-nr') ?? '').split(/\s+/).map(Number);
  const tracked = first('/proc/sys/net/netfilter/nf_conntrack_count');
  const most = first('/proc/sys/net/netfilter/nf_conntrack_max');
  const kills = files.get('/proc/vmstat')?.find((line) => line.startsWith('oom_kill '));
  return {
    ...(used !== undefined && max !== undefined && max > 0
      ? { openFiles: { used, max, line: first('/proc/sys/fs/file-nr') ?? '' } }
      : {}),
    ...(tracked !== undefined && most !== undefined && Number(most) > 0
      ? {
          conntrack: {
            used: Number(tracked),
            max: Number(most),
            line: `nf_conntrack_count ${tracked}, nf_conntrack_max ${most}`,
          },
        }
      : {}),
    ...(kills === undefined ? {} : { oomKills: Number(kills.split(' ')[1]) }),
  };
}

/** Processes that listen on a port, from `ss -tulpn`: `nginx` of `users:(("nginx",pid=12,fd=6))`. */
export const listenersOf = (text: string, port: string): readonly { line: string; name: string }[] =>
  text.split('\n').flatMap((line) => {
    const columns = line.trim().split(/\s+/);
    // Netid State Recv-Q Send-Q Local:Port
    if (!columns[4]?.endsWith(`:${port}`)) return [];
    return [{ line: line.trim().replaceAll(/\s+/g, ' '), name: /users:\(\("([^"]{1,60})"/.exec(line)?.[1] ?? '' }];
  });

import type { StoredResult } from '../../domain/ports.js';
import { type KernelEvent, parseKernel } from './kernel.js';
import { type FileSystem, type Mount, parseDisks, parseInodes, parseMounts } from './parse-disk.js';
import {
  type Limits,
  type Load,
  type Memory,
  type OpenFiles,
  type Pressure,
  type Process,
  parseLimits,
  parseLoad,
  parseMemory,
  parseNamed,
  parseOpenFiles,
  parsePressure,
  parseProcesses,
} from './parse-proc.js';
import {
  type ClockState,
  type FailedUnit,
  hasJournal,
  parseChrony,
  parseFacilities,
  parseFailedUnits,
  parseProperties,
  parseTimedatectl,
} from './parse-systemd.js';

/** A value and the call whose output says so. */
export interface Seen<T> {
  readonly value: T;
  readonly callId: string;
}

/** A call that did not bring what it was made for. */
export interface Missing {
  readonly tool: string;
  readonly callId: string;
  readonly text: string;
}

/** What one look at a machine brought. Absent: not asked for, or not seen; `missing` says which. */
export interface HostFacts {
  readonly name: string;
  /** Milliseconds since the epoch, as the machine itself says; 0 when unknown. */
  readonly nowMs: number;
  /** Which programs it has, and `systemd`: whether that runs it. */
  readonly facilities: Seen<ReadonlyMap<string, boolean>> | undefined;
  readonly disks: Seen<readonly FileSystem[]> | undefined;
  readonly inodes: Seen<readonly FileSystem[]> | undefined;
  readonly mounts: Seen<readonly Mount[]> | undefined;
  readonly memory: Seen<Memory> | undefined;
  readonly load: Seen<Load> | undefined;
  readonly pressure: Seen<ReadonlyMap<string, Pressure>> | undefined;
  readonly processes: Seen<readonly Process[]> | undefined;
  readonly openFiles: Seen<{ readonly processes: readonly OpenFiles[]; readonly unreadable: number }> | undefined;
  readonly limits: Seen<Limits> | undefined;
  readonly sockets: Seen<string> | undefined;
  readonly kernel: Seen<readonly KernelEvent[]> | undefined;
  readonly units: Seen<readonly FailedUnit[]> | undefined;
  readonly clock: Seen<ClockState> | undefined;
  /** Messages of the whole machine, from the journal or syslog. */
  readonly journal: Seen<string> | undefined;
  /** By unit. */
  readonly unitStates: ReadonlyMap<string, Seen<ReadonlyMap<string, string>>>;
  readonly unitLogs: ReadonlyMap<string, Seen<string>>;
  readonly missing: readonly Missing[];
}

/** Largest output of one call that is read, in bytes. */
const MAX_BYTES = 8 * 1024 * 1024;

interface Read {
  readonly result: StoredResult;
  readonly text: string;
}

const filled = <T>(items: readonly T[]): readonly T[] | undefined => (items.length > 0 ? items : undefined);

/** Reads the results of host tools; those of other tools are left alone. */
export async function readFacts(results: readonly StoredResult[]): Promise<HostFacts> {
  const missing: Missing[] = [];
  const reads = await Promise.all(results.map(readOne));
  const lack = (result: StoredResult): void => {
    const text = result.errorText.trim().split('\n')[0] || result.error?.message || result.text;
    missing.push({ tool: result.tool, callId: result.callId, text: text.slice(0, 500) });
  };
  /** The first readable result of a tool that its parser understands; all that was asked for and is not readable is missing. */
  const first = <T>(tools: readonly string[], parse: (read: Read) => T | undefined): Seen<T> | undefined => {
    const asked = tools.flatMap((tool) => reads.filter(({ result }) => result.tool === tool));
    for (const read of asked) {
      const value = read.result.status === 'ok' ? parse(read) : undefined;
      if (value !== undefined) return { value, callId: read.result.callId };
    }
    for (const { result } of asked) lack(result);
    return undefined;
  };
  const load = first(['host_load'], ({ text }) => parseLoad(text));
  const bootMs = (load?.value.bootTime ?? 0) * 1000;
  return {
    name: first(['host_release'], ({ text }) => parseNamed(text).get('/proc/sys/kernel/hostname')?.[0])?.value ?? '',
    nowMs: bootMs === 0 ? 0 : bootMs + (load?.value.uptime ?? 0) * 1000,
    facilities: first(['host_facilities'], ({ text }) => withEntries(parseFacilities(text))),
    load,
    disks: first(['host_disk'], ({ text }) => filled(parseDisks(text))),
    inodes: first(['host_inodes'], ({ text }) => filled(parseInodes(text))),
    mounts: first(['host_mounts'], ({ text }) => filled(parseMounts(text))),
    memory: first(['host_memory'], ({ text }) => parseMemory(text)),
    pressure: first(['host_pressure'], ({ text }) => withEntries(parsePressure(text))),
    processes: first(['host_top_cpu', 'host_top_memory'], ({ text }) => filled(parseProcesses(text))),
    openFiles: first(['host_open_files'], ({ text }) => parseOpenFiles(text)),
    limits: first(['host_limits'], ({ text }) => parseLimits(text)),
    sockets: first(['host_listening'], ({ text }) => text),
    kernel: first(['host_kernel_messages', 'host_kernel_journal'], ({ text, result }) =>
      result.tool === 'host_kernel_journal' && !hasJournal(text, result.errorText)
        ? undefined
        : parseKernel(text, bootMs),
    ),
    units: first(['host_failed_units'], ({ text }) => parseFailedUnits(text)),
    clock: first(['host_chrony', 'host_time_sync'], ({ text }) => parseTimedatectl(text) ?? parseChrony(text)),
    journal: first(['host_journal', 'host_syslog'], ({ text, result }) =>
      hasJournal(text, result.errorText) ? text : undefined,
    ),
    unitStates: byUnit(reads, 'host_unit_status', ({ text }) => parseProperties(text)),
    unitLogs: byUnit(reads, 'host_unit_journal', ({ text, result }) =>
      hasJournal(text, result.errorText) ? text : undefined,
    ),
    missing,
  };
}

async function readOne(result: StoredResult): Promise<Read> {
  return { result, text: (await result.readText(MAX_BYTES)) ?? result.text };
}

const withEntries = <K, V>(map: ReadonlyMap<K, V>): ReadonlyMap<K, V> | undefined => (map.size > 0 ? map : undefined);

function byUnit<T>(
  reads: readonly Read[],
  tool: string,
  parse: (read: Read) => T | undefined,
): ReadonlyMap<string, Seen<T>> {
  return new Map(
    reads.flatMap((read) => {
      const { result } = read;
      const unit = result.args.unit;
      if (result.tool !== tool || result.status !== 'ok' || typeof unit !== 'string') return [];
      const value = parse(read);
      return value === undefined ? [] : [[unit, { value, callId: result.callId }] as const];
    }),
  );
}

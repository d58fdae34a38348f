import type { StoredResult } from '../../domain/ports.js';
import type { Json } from '../../domain/types.js';
import { at, num, str } from '../json.js';
import { isoMs } from '../times.js';
import { type Container, containerOf, type Row, rowOf } from './container.js';

/** More of one output is not looked at, in bytes. */
const MAX_TEXT = 32 * 1024 * 1024;
/** More lines of one log are not looked at. */
const MAX_LOG_LINES = 5_000;

export interface LogLine {
  /** Milliseconds since the epoch; undefined when the line has no time. */
  readonly ms: number | undefined;
  readonly text: string;
}

export interface ContainerLog {
  readonly callId: string;
  readonly lines: readonly LogLine[];
}

export interface Usage {
  readonly callId: string;
  readonly cpuPercent: number | undefined;
  readonly memoryPercent: number | undefined;
  readonly memory: string;
}

export interface DockerEvent {
  readonly callId: string;
  readonly container: string;
  readonly action: string;
  readonly exitCode: string;
  readonly signal: string;
  readonly ms: number;
}

/** A call that did not bring back what it should, with the words of the failure. */
export interface Gap {
  readonly callId: string;
  readonly what: string;
  readonly status: StoredResult['status'];
  readonly message: string;
  readonly hint: string;
}

/** Everything that calls of docker tools showed. */
export interface DockerSnapshot {
  readonly rows: readonly Row[];
  readonly containers: readonly Container[];
  readonly logs: ReadonlyMap<string, ContainerLog>;
  readonly usage: ReadonlyMap<string, Usage>;
  readonly events: readonly DockerEvent[];
  /** Id of an image → its architecture. */
  readonly images: ReadonlyMap<string, { readonly architecture: string; readonly callId: string }>;
  readonly host: { readonly architecture: string; readonly callId: string } | undefined;
  readonly gaps: readonly Gap[];
  /** Tool → the calls that went well. */
  readonly calls: ReadonlyMap<string, readonly string[]>;
  /** The daemon's clock, or the newest time seen; 0 when there is none. */
  readonly nowMs: number;
}

/** Reads the results of docker tools; those of other tools, and lines that are no JSON, say nothing. */
export async function readDocker(results: readonly StoredResult[]): Promise<DockerSnapshot> {
  const ok = results.filter((r) => r.status === 'ok');
  const of = async (tool: string) =>
    Promise.all(
      ok.filter((r) => r.tool === tool).map(async (r) => ({ result: r, text: (await r.readText(MAX_TEXT)) ?? '' })),
    );
  const jsonOf = async (tool: string) =>
    (await of(tool)).flatMap(({ result, text }) => jsonLines(text).map((value) => ({ value, callId: result.callId })));
  const rows = (await jsonOf('docker_ps')).flatMap(({ value, callId }) => rowOf(value, callId) ?? []);
  const containers = (await jsonOf('docker_inspect')).flatMap(({ value, callId }) => containerOf(value, callId) ?? []);
  const logs = (await of('docker_logs')).map(
    ({ result, text }) => [str(result.args, 'name'), { callId: result.callId, lines: logLines(text) }] as const,
  );
  const usage = (await jsonOf('docker_stats')).map(
    ({ value, callId }) => [str(value, 'Name'), usageOf(value, callId)] as const,
  );
  const events = (await jsonOf('docker_events')).flatMap(({ value, callId }) => eventOf(value, callId) ?? []);
  const images = (await jsonOf('docker_inspect_image')).map(
    ({ value, callId }) => [str(value, 'Id'), { architecture: str(value, 'Architecture'), callId }] as const,
  );
  const [info] = await jsonOf('docker_info');
  const calls = new Map(
    [...new Set(ok.map((r) => r.tool))].map((tool) => [tool, ok.filter((r) => r.tool === tool).map((r) => r.callId)]),
  );
  const times = containers.flatMap((c) => [c.startedMs ?? 0, c.finishedMs ?? 0]);
  return {
    rows,
    containers,
    logs: new Map(logs),
    usage: new Map(usage),
    events,
    images: new Map(images),
    host: info && { architecture: str(info.value, 'Architecture'), callId: info.callId },
    gaps: results.filter((r) => r.status !== 'ok').map(gapOf),
    calls,
    nowMs: isoMs(str(info?.value, 'SystemTime')) ?? Math.max(0, ...times, ...events.map((e) => e.ms)),
  };
}

function jsonLines(text: string): readonly Json[] {
  return text.split('\n').flatMap((line) => {
    if (!line.startsWith('{')) return [];
    try {
      return [JSON.parse(line) as Json];
    } catch {
      // A line that was cut off; what it would have said stays unknown.
      return [];
    }
  });
}

const STAMP = /^(\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}(?:\.\d{1,9})?(?:Z|[+-]\d{2}:\d{2}))(?: |$)/;

/** The two streams come by two ways; their times put them into order again. */
function logLines(text: string): readonly LogLine[] {
  const lines = text
    .split('\n')
    .slice(-MAX_LOG_LINES)
    .filter((line) => line !== '')
    .map((line): LogLine => {
      const stamp = STAMP.exec(line.slice(0, 40));
      return stamp?.[1] === undefined
        ? { ms: undefined, text: line }
        : { ms: isoMs(stamp[1]), text: line.slice(stamp[0].length) };
    });
  return lines.every((line) => line.ms !== undefined) ? lines.toSorted((a, b) => (a.ms ?? 0) - (b.ms ?? 0)) : lines;
}

const percentOf = (text: string): number | undefined => {
  const found = /^(\d+(?:\.\d+)?)%$/.exec(text.trim())?.[1];
  return found === undefined ? undefined : Number(found);
};

const usageOf = (value: Json, callId: string): Usage => ({
  callId,
  cpuPercent: percentOf(str(value, 'CPUPerc')),
  memoryPercent: percentOf(str(value, 'MemPerc')),
  memory: str(value, 'MemUsage'),
});

function eventOf(value: Json, callId: string): DockerEvent | undefined {
  if (str(value, 'Type') !== 'container') return undefined;
  const attributes = at(value, 'Actor', 'Attributes');
  return {
    callId,
    container: str(value, 'Actor', 'ID'),
    action: str(value, 'Action'),
    exitCode: str(attributes, 'exitCode'),
    signal: str(attributes, 'signal'),
    ms: Math.round((num(value, 'timeNano') ?? 0) / 1e6),
  };
}

function gapOf(result: StoredResult): Gap {
  const words = result.error?.message ?? (result.errorText.trim().split('\n')[0] || result.status);
  return {
    callId: result.callId,
    what:
      result.tokens.length > 0 ? [...result.tokens.filter((t) => !t.startsWith('--format='))].join(' ') : result.tool,
    status: result.status,
    message: words,
    hint: result.error?.hint ?? '',
  };
}

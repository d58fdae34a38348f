import { diagnoseBuiltins } from '../../src/diagnose/builtins.js';
import type { RunOutcome, StoredResult } from '../../src/domain/ports.js';
import type { Json, JsonObject } from '../../src/domain/types.js';
import { result } from '../diagnose/fixtures/cluster.js';
import { aRunContext } from '../helpers/run-context.js';

/** The daemon's clock in these tests. */
export const NOW = '2026-01-31T10:00:00Z';
export const ago = (seconds: number): string => new Date(Date.parse(NOW) - seconds * 1000).toISOString();
const NEVER = '0001-01-01T00:00:00Z';

export const idOf = (name: string): string => Buffer.from(name).toString('hex').padEnd(64, '0');

/** What docker_inspect prints of one container; it runs without a fault unless told otherwise. */
export const inspected = (name: string, state: JsonObject = {}, more: JsonObject = {}): StoredResult =>
  result(`i-${name}`, {
    tool: 'docker_inspect',
    args: { name },
    text: `${JSON.stringify({
      Id: idOf(name),
      Name: `/${name}`,
      Image: 'shop/base:1',
      ImageId: 'sha256:abc123',
      State: {
        Status: 'running',
        ExitCode: 0,
        Error: '',
        OOMKilled: false,
        StartedAt: ago(3600),
        FinishedAt: NEVER,
        ...state,
      },
      RestartCount: 0,
      Path: 'app',
      ArgCount: 0,
      EnvNames: ['DB_USER'],
      RestartPolicy: { Name: 'no', MaximumRetryCount: 0 },
      Memory: 0,
      NanoCpus: 0,
      ...more,
    })}\n`,
  });

export const always: JsonObject = { RestartPolicy: { Name: 'always', MaximumRetryCount: 0 } };
/** Waits for its next start after `count` restarts. */
export const looping = (name: string, exitCode: number, count = 7, more: JsonObject = {}): StoredResult =>
  inspected(
    name,
    { Status: 'restarting', ExitCode: exitCode, StartedAt: ago(12), FinishedAt: ago(10) },
    { RestartCount: count, ...always, ...more },
  );
export const exited = (name: string, exitCode: number, state: JsonObject = {}, more: JsonObject = {}): StoredResult =>
  inspected(name, { Status: 'exited', ExitCode: exitCode, StartedAt: ago(120), FinishedAt: ago(60), ...state }, more);

/** A log whose last line was written `seconds` ago, each line a second after the one before. */
export const log = (name: string, text: string, seconds = 11): StoredResult => {
  const lines = text.split('\n');
  const stamped = lines.map((line, at) => `${ago(seconds + (lines.length - 1 - at) * 0.1)} ${line}`);
  return result(`l-${name}`, { tool: 'docker_logs', args: { name }, text: `${stamped.join('\n')}\n` });
};

/** One line of docker ps. */
export const row = (name: string, state: string, status: string, more: JsonObject = {}): JsonObject => ({
  ID: idOf(name),
  Names: name,
  Image: 'shop/base:1',
  State: state,
  Status: status,
  Ports: '',
  Project: '',
  Service: '',
  ...more,
});
export const ps = (...rows: readonly JsonObject[]): StoredResult =>
  result('ps', { tool: 'docker_ps', text: rows.map((r) => `${JSON.stringify(r)}\n`).join('') });

export const event = (name: string, action: string, seconds: number, attributes: JsonObject = {}): JsonObject => ({
  Type: 'container',
  Action: action,
  Actor: { ID: idOf(name), Attributes: { name, ...attributes } },
  timeNano: (Date.parse(NOW) - seconds * 1000) * 1e6,
});
export const events = (...items: readonly JsonObject[]): StoredResult =>
  result('ev', { tool: 'docker_events', text: items.map((e) => `${JSON.stringify(e)}\n`).join('') });
export const stats = (name: string, usage: JsonObject): StoredResult =>
  result('st', { tool: 'docker_stats', text: `${JSON.stringify({ Name: name, ...usage })}\n` });
export const host = (architecture = 'x86_64'): StoredResult =>
  result('in', { tool: 'docker_info', text: JSON.stringify({ Architecture: architecture, SystemTime: NOW }) });
export const image = (architecture: string): StoredResult =>
  result('im', {
    tool: 'docker_inspect_image',
    text: JSON.stringify({ Id: 'sha256:abc123', Architecture: architecture }),
  });

/** Runs a builtin over results. */
export async function runBuiltin(
  name: string,
  results: readonly StoredResult[],
  args: JsonObject = {},
): Promise<{ outcome: RunOutcome; output: Json }> {
  const builtin = diagnoseBuiltins.find((b) => b.name === name);
  if (builtin === undefined) throw new Error(`there is no builtin ${name}`);
  const context = aRunContext({ result: (id) => results.find((r) => r.callId === id) });
  const outcome = await builtin.run({ results: results.map((r) => r.callId), ...args }, context);
  return { outcome, output: context.seen.stdout === '' ? null : JSON.parse(context.seen.stdout) };
}

export interface Found {
  readonly title: string;
  readonly rule: string;
  readonly severity: string;
  readonly certainty: string;
  readonly detail: string;
  readonly cause?: { readonly text: string };
  readonly evidence: readonly { readonly callId: string; readonly quote: string }[];
  readonly symptoms: readonly Found[];
  readonly stopgap: readonly { readonly command?: readonly string[] }[];
  readonly checks: readonly { readonly text: string; readonly command?: readonly string[] }[];
}
export interface Report {
  readonly text: string;
  readonly healthy: boolean;
  readonly findings: readonly Found[];
  readonly unseen: readonly { readonly what: string; readonly why: string; readonly hint: string }[];
}

/** The report over results, with the daemon's clock among them. */
export async function diagnose(results: readonly StoredResult[], args: JsonObject = {}): Promise<Report> {
  const { outcome, output } = await runBuiltin('docker_diagnose', [...results, host()], args);
  if (outcome.status !== 'ok') throw new Error(outcome.error?.message);
  return output as unknown as Report;
}

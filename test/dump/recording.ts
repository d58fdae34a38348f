import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import type { JsonObject } from '../../src/domain/types.js';
import { answerKubectl } from '../../src/dump/answer.js';
import { openDump } from '../../src/dump/open.js';
import type { RecordDeps, RecordedCall } from '../../src/dump/record-deps.js';

/** The argv of the tools that a recording uses. */
export function argvOf(tool: string, args: JsonObject): string[] {
  const where =
    args.all_namespaces === true ? ['-A'] : typeof args.namespace === 'string' ? ['-n', args.namespace] : [];
  switch (tool) {
    case 'kubectl_get':
      return ['get', String(args.kind), ...where, '-o', String(args.output)];
    case 'kubectl_secret_keys':
      return ['get', 'secrets', ...where, '-o', 'go-template={{x}}'];
    case 'kubectl_logs':
      return [
        'logs',
        String(args.pod_name),
        ...where,
        '-c',
        String(args.container),
        `--tail=${args.tail}`,
        ...(args.previous === true ? ['-p'] : []),
      ];
    default:
      return ['top', tool === 'kubectl_top_nodes' ? 'nodes' : 'pods', ...where];
  }
}

/** What was asked of the cluster, and what the person was told. */
export interface Seen {
  readonly calls: [string, JsonObject][];
  readonly said: string[];
}

/** A cluster that answers from a dump, but for what `fault` answers. */
export async function aCluster(
  dir: string,
  fault: (tool: string, args: JsonObject) => Partial<RecordedCall> | undefined = () => undefined,
): Promise<RecordDeps & Seen> {
  const dump = await openDump(dir);
  const seen: Seen = { calls: [], said: [] };
  return {
    ...seen,
    now: () => new Date('2024-07-10T14:29:10Z'),
    progress: (text) => void seen.said.push(text),
    async call(tool, args) {
      seen.calls.push([tool, args]);
      const broken = fault(tool, args);
      if (broken) return { status: 'failed', stdout: '', errorText: '', ...broken };
      const { stdout, stderr, exitCode } = await answerKubectl(
        dump,
        ['kubectl', ...argvOf(tool, args)],
        new AbortController().signal,
      );
      return { status: exitCode === 0 ? 'ok' : 'failed', exitCode, stdout, errorText: stderr };
    },
  };
}

/** The files of a dump, sorted. */
export const filesOf = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .filter((file) => statSync(join(dir, file)).isFile())
    .sort();
export const manifestOf = (dir: string): JsonObject =>
  JSON.parse(readFileSync(join(dir, 'opsagent-dump.json'), 'utf8'));

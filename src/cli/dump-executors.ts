import type { Executor, RunContext, RunOutcome } from '../domain/ports.js';
import type { ClearedCall } from '../domain/types.js';
import type { Dump } from '../dump/holdings.js';
import { openDump } from '../dump/open.js';

/**
 * The executors of a session with `--dump`: kubectl is answered from the dump, builtins, workflows and the sandbox run as ever, and
 * nothing reaches this machine or a network, whatever a tool says.
 * @throws OpsError usage when the folder is no dump.
 */
export async function answerFromDump(
  live: ReadonlyMap<string, Executor>,
  dir: string,
): Promise<ReadonlyMap<string, Executor>> {
  const dump = await openDump(dir);
  const harmless = new Set(['builtin', 'workflow', 'python', 'wasm']);
  return new Map(
    [...live].map(([kind, executor]) => [
      kind,
      harmless.has(kind)
        ? executor
        : { ...executor, run: (call: ClearedCall, context: RunContext) => answer(dump, call, context) },
    ]),
  );
}

async function answer(dump: Dump, call: ClearedCall, context: RunContext): Promise<RunOutcome> {
  const { kind, tokens } = call.action;
  if (kind !== 'command' || tokens[0] !== 'kubectl') {
    const message = `a dump answers kubectl only, and cannot run ${kind === 'command' ? tokens[0] : `a ${kind} tool`}`;
    return {
      status: 'failed',
      error: { category: 'execution', message, hint: 'Work without --dump to use this tool.' },
    };
  }
  const { answerKubectl } = await import('../dump/answer.js');
  const { stdout, stderr, exitCode, error } = await answerKubectl(dump, tokens, context.signal);
  context.write(stdout);
  context.writeError(stderr);
  if (context.signal.aborted) return { status: 'cancelled', error: { category: 'cancelled', message: 'interrupted' } };
  if (exitCode === 0) return { status: 'ok', exitCode };
  const said = stderr.trim().split('\n').at(-1)?.slice(0, 300) ?? '';
  return { status: 'failed', exitCode, error: error ?? { category: 'execution', message: `kubectl: ${said}` } };
}

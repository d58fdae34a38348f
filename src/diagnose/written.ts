import type { RunContext, RunOutcome } from '../domain/ports.js';
import type { Json } from '../domain/types.js';

/** Writes the output of a builtin as one line of JSON; the outcome says when the store of the session is full. */
export function written(context: RunContext, output: object): RunOutcome {
  const json: Json = JSON.parse(JSON.stringify(output));
  if (context.write(`${JSON.stringify(json)}\n`)) return { status: 'ok' };
  return {
    status: 'failed',
    error: {
      category: 'execution',
      message: 'the result could not be stored: the store of this session is full',
      hint: 'free disk space, or start a new session',
    },
  };
}

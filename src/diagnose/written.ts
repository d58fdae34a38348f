import type { RunContext, RunOutcome } from '../domain/ports.js';
import type { Json } from '../domain/types.js';
import { MESSAGES } from './messages.js';
import { fill } from './say.js';
import type { Language } from './types.js';

/** Writes the output of a builtin as one line of JSON; the outcome says when the store of the session is full. */
export function written(context: RunContext, output: object, language: Language = 'en'): RunOutcome {
  const json: Json = JSON.parse(JSON.stringify(output));
  if (context.write(`${JSON.stringify(json)}\n`)) return { status: 'ok' };
  return {
    status: 'failed',
    error: {
      category: 'execution',
      message: fill(MESSAGES['error.store-full'], language, {}),
      hint: fill(MESSAGES['error.store-full.hint'], language, {}),
    },
  };
}

import { messageOf } from '../domain/errors.js';
import type { Json, JsonObject } from '../domain/types.js';
import { isList, isObject } from '../lib/json-values.js';

/** Biggest arguments text of one call. */
export const MAX_ARGUMENT_BYTES = 256 * 1024;
const MAX_DEPTH = 64;

export type ParsedArguments =
  | { readonly ok: true; readonly args: JsonObject }
  | { readonly ok: false; readonly message: string };

/**
 * Reads the arguments text of a model. Refuses, with the reason: too much text, text that is not JSON, a value that is
 * not an object, keys that stand twice, `__proto__`, too deep nesting, and text that no program can be given. Blank
 * text is an object without keys.
 */
export function parseArguments(text: string): ParsedArguments {
  const bytes = Buffer.byteLength(text);
  if (bytes > MAX_ARGUMENT_BYTES) {
    return refuse(`Arguments are too large: ${bytes} bytes; at most ${MAX_ARGUMENT_BYTES} are read.`);
  }
  if (text.trim() === '') return { ok: true, args: {} };
  let value: Json;
  try {
    value = JSON.parse(text);
  } catch (error) {
    return refuse(`Arguments are not JSON: ${explainSyntax(text, messageOf(error))}`);
  }
  if (!isObject(value))
    return refuse(`Arguments must be a JSON object such as {"name": "value"}, not ${kindOf(value)}.`);
  const problem = inspect(value, text);
  return problem === undefined ? { ok: true, args: value } : refuse(problem);
}

const refuse = (message: string): ParsedArguments => ({ ok: false, message });

const kindOf = (value: Json): string => (value === null ? 'null' : isList(value) ? 'a list' : `a ${typeof value}`);

function explainSyntax(text: string, message: string): string {
  const shown = message.replaceAll(/\s+/g, ' ').slice(0, 200);
  const cutOff = /end of JSON|unterminated/i.test(message) ? ' The text ends too early; it may have been cut off.' : '';
  const position = /position/.test(shown) ? '' : ` (${text.length} characters)`;
  return `${shown}${position}.${cutOff} Write strict JSON: double quotes, no comments, no trailing comma.`;
}

/** Walks without recursion: nesting is what it guards against. */
function inspect(root: JsonObject, text: string): string | undefined {
  let level: Json[] = [root];
  let keys = 0;
  for (let depth = 0; level.length > 0; depth++) {
    if (depth > MAX_DEPTH) return `Arguments are nested more than ${MAX_DEPTH} levels deep.`;
    const next: Json[] = [];
    for (const value of level) {
      if (typeof value === 'string') {
        const problem = textProblem(value);
        if (problem) return problem;
      } else if (isList(value)) for (const item of value) next.push(item);
      else if (isObject(value)) {
        for (const [key, inner] of Object.entries(value)) {
          if (key === '__proto__') return 'Arguments may not have a key "__proto__".';
          const problem = textProblem(key);
          if (problem) return problem;
          keys++;
          next.push(inner);
        }
      }
    }
    level = next;
  }
  return keys === countKeys(text)
    ? undefined
    : 'A key stands twice in the arguments, so that it is not clear which value is meant.';
}

/** Keys in a text that is known to be JSON. */
function countKeys(text: string): number {
  let count = 0;
  for (const match of text.matchAll(/"(?:[^"\\]|\\.)*"(\s*:)?/g)) if (match[1] !== undefined) count++;
  return count;
}

function textProblem(value: string): string | undefined {
  if (value.includes('\0')) return 'Arguments may not hold the character NUL (\\u0000).';
  return /\p{Surrogate}/u.test(value) ? 'Arguments hold half of a surrogate pair, which is not text.' : undefined;
}

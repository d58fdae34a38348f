import { createHash } from 'node:crypto';
import type { Json } from '../domain/types.js';
import { isList, isObject } from './json-values.js';

/** A piece of a word of a shell command: fixed text, the value of a variable that holds an argument, or what only the run will know. */
export type WordPart = string | { readonly arg: string } | { readonly any: true };

/** One simple command of a script: its words, each in pieces. */
export type ScriptCommand = readonly (readonly WordPart[])[];

/** Stands for a word that only the run will know. No table takes it for anything harmless. */
export const UNKNOWN_WORD = '--\u{fffd}';

/** What binds commands to the script that they were read from. */
export const commandsDigest = (interpreter: readonly string[], code: string, commands: Json): string =>
  createHash('sha256')
    .update(JSON.stringify([interpreter, code, commands]))
    .digest('hex');

/** The argv of a command with the values of its arguments. A word with an unknown piece is `UNKNOWN_WORD` as a whole. */
export const fillCommand = (command: ScriptCommand, values: Readonly<Record<string, Json>>): string[] =>
  command.map((word) => {
    const parts = word.map((part) => {
      if (typeof part === 'string') return part;
      const value = 'arg' in part && Object.hasOwn(values, part.arg) ? values[part.arg] : undefined;
      return typeof value === 'string' ? value : undefined;
    });
    return parts.includes(undefined) ? UNKNOWN_WORD : parts.join('');
  });

/** Commands out of JSON; undefined when it is anything else. */
export function readCommands(json: Json | undefined): readonly ScriptCommand[] | undefined {
  const isPart = (part: Json) =>
    typeof part === 'string' || (isObject(part) && (typeof part.arg === 'string' || part.any === true));
  const isWord = (word: Json) => isList(word) && word.every(isPart);
  const isCommand = (command: Json) => isList(command) && command.length > 0 && command.every(isWord);
  return isList(json) && json.every(isCommand) ? (json as unknown as readonly ScriptCommand[]) : undefined;
}

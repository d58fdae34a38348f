import { OpsError } from '../domain/errors.js';
import type { Json, JsonObject } from '../domain/types.js';
import { isObject } from '../lib/json-values.js';
import { commandsDigest, readCommands, type ScriptCommand } from '../lib/script-commands.js';

/** One text of an imported script, with the commands in it. A tool file cannot hold one: nobody vouches for commands but the import. */
export interface ScriptVariant {
  /** The optional parameters that have a value. */
  readonly present: readonly string[];
  readonly code: string;
  readonly commands: Json;
  /** Binds the commands to the code. */
  readonly digest: string;
  /** Its last command looks for lines: exit code 1 without a word means that there are none. */
  readonly ends_in_search?: boolean;
}

/**
 * The text for the parameters that have a value, which its commands must belong to.
 * @throws OpsError usage when there is none, or a value would be read as an option.
 */
export function chooseVariant(
  variants: readonly ScriptVariant[],
  optional: readonly string[],
  interpreter: readonly string[],
  args: JsonObject,
): { variant: ScriptVariant; args: JsonObject } {
  const lacks = (name: string) => optional.includes(name) && !isPresent(args[name]);
  const given = Object.fromEntries(Object.entries(args).filter(([name]) => !lacks(name)));
  const present = optional.filter((name) => isPresent(args[name]));
  const variant = variants.find(
    (one) => one.present.length === present.length && present.every((name) => one.present.includes(name)),
  );
  const commands = variant && readCommands(variant.commands);
  if (!variant || !commands || variant.digest !== commandsDigest(interpreter, variant.code, variant.commands))
    throw new OpsError('usage', 'The script of this tool is not what was imported; import it again.');
  for (const [name, value] of Object.entries(given)) checkValue(name, value, commands);
  return { variant, args: given };
}

const isPresent = (value: Json | undefined): boolean =>
  value !== undefined && value !== null && value !== false && value !== '';

/** A word that begins with a value would be an option if the value begins with a hyphen, unless `--` stands before it. */
function checkValue(name: string, value: Json, commands: readonly ScriptCommand[]): void {
  if (typeof value !== 'string' && typeof value !== 'number') return;
  if (!`${value}`.startsWith('-')) return;
  const variable = `ARG_${name.toUpperCase()}`;
  for (const command of commands) {
    const end = command.findIndex(([part]) => part === '--');
    const words = end < 0 ? command : command.slice(0, end);
    if (words.some(([part]) => isObject(part as Json) && (part as { arg?: string }).arg === variable))
      throw new OpsError(
        'usage',
        `${name} begins with "-", and would be an option of ${typeof command[0]?.[0] === 'string' ? command[0][0] : 'a program'}.`,
      );
  }
}

import type { Classification } from '../../domain/types.js';
import { type FlagTable, flagTable, type Parsed, parseFlags } from './flags.js';
import { type Draft, high, low, type Mark, type Maybe, worst } from './verdict.js';

/** How one verb of a program is read. */
export interface Verb {
  readonly flags: string;
  /** Words that name what it is about: all, the first, or none of them. */
  readonly names: 'all' | 'first' | 'none';
  /** Options end at the first word: what follows belongs to another program. */
  readonly stops?: boolean;
  readonly reversible?: boolean;
  /** It means everything there is, though it names nothing. */
  readonly meansAll?: boolean;
  /** The first mark is the risk that the verb has at least. */
  readonly marks: (call: Parsed) => readonly [Mark, ...Maybe[]];
}

/** Marks beside the first. */
export type Extra = (call: Parsed) => readonly Maybe[];

/** A change that the same program can take back. */
export const UNDO = { reversible: true };

/** A verb that reads. */
export const reads = (names: Verb['names'], flags: string, marks: Extra = () => []): Verb => ({
  names,
  flags,
  reversible: true,
  marks: (call) => [low(), ...marks(call)],
});

/** A verb that changes something. */
export const changes = (
  names: Verb['names'],
  reason: string,
  flags: string,
  marks: Extra = () => [],
  more: Partial<Verb> = {},
): Verb => ({ names, flags, marks: (call) => [high(reason), ...marks(call)], ...more });

/** Splits an argv at its first word. A `--` before it makes the program's reading of the rest uncertain. */
export function splitVerb(
  items: readonly string[],
  table: FlagTable,
): { before: Parsed; word: string; after: readonly string[] } {
  const before = parseFlags(items, table, true);
  const unknown = before.rest.length > 0 ? [...before.unknown, '--'] : before.unknown;
  return { before: { ...before, unknown }, word: items[before.length] ?? '', after: items.slice(before.length + 1) };
}

/** What a verb and the items after it come to. A verb that is not known is at least high: it may be a plug-in or an alias. */
export function draftOf(
  spec: Verb | undefined,
  verb: string,
  items: readonly string[],
  globals = '',
): Omit<Draft, 'program'> {
  const parsed = parseFlags(items, flagTable(globals, spec?.flags ?? '', '-h,--help'), spec?.stops === true);
  if (!spec) {
    const mark =
      verb === ''
        ? low('it prints help')
        : high(`"${verb}" is no verb that is known here; it may be a plug-in, which can do anything`);
    return { verb, mark, scope: verb === '' ? 'none' : 'unknown', reversible: verb === '', parsed: [parsed] };
  }
  const tail = spec.stops
    ? items
        .slice(parsed.length)
        .filter((item, at) => at > 0 || item !== '--')
        .concat(parsed.rest)
    : [...parsed.words, ...parsed.rest];
  const targets = spec.names === 'none' ? [] : spec.names === 'first' ? tail.slice(0, 1) : tail;
  const [first, ...others] = spec.marks(parsed);
  const mark = worst(first, ...others);
  return {
    verb,
    mark,
    targets,
    scope: scopeOf(spec, targets),
    reversible: spec.reversible === true,
    parsed: [parsed],
  };
}

function scopeOf({ meansAll }: Verb, targets: readonly string[]): Classification['scope'] {
  if (targets.length === 0) return meansAll ? 'all' : 'none';
  return targets.length === 1 ? 'one' : 'several';
}

/** The entry of a table, own keys only: a verb may be called `constructor`. */
export const entryOf = <T>(table: Readonly<Record<string, T>>, name: string): T | undefined =>
  Object.hasOwn(table, name) ? table[name] : undefined;

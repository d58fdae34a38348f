/** What a flag takes: nothing, one value, or values that add up over repetitions. */
export type FlagKind = 'switch' | 'value' | 'list';

export interface FlagSpec {
  readonly name: string;
  readonly kind: FlagKind;
  readonly short?: string;
  /** Value when the flag stands alone, for a `value` flag that may. */
  readonly alone?: string;
  /** The flag is kubectl's, but a dump cannot do what it asks; the words end "a dump cannot …". */
  readonly cannot?: string;
}

/** argv after the program's name, taken apart. */
export interface ParsedArgs {
  /** Words that are no flags, the verb first. */
  readonly words: readonly string[];
  /** Each flag by its long name, with its values in order. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
}

export type FlagProblem =
  /** Not a flag that is known here. */
  | { readonly status: 'unknown-flag'; readonly flag: string }
  | { readonly status: 'cannot'; readonly flag: string; readonly why: string }
  /** kubectl's own complaint, such as a flag without its value. */
  | { readonly status: 'bad'; readonly message: string };

export type ArgsResult =
  | { readonly status: 'ok'; readonly args: ParsedArgs }
  /** `verb` is the first word before the flag that could not be taken; '' when there was none. */
  | (FlagProblem & { readonly verb: string });

/**
 * Takes argv apart as kubectl does: flags before and after the verb, `--name=value`, `--name value`, grouped short
 * flags, `-nvalue`, `-n=value`, and words only after `--`. `specsOf` gives the flags of a verb; it is asked with
 * undefined for those that may stand before it.
 */
export function parseArgs(
  argv: readonly string[],
  specsOf: (verb: string | undefined) => readonly FlagSpec[],
): ArgsResult {
  const words: string[] = [];
  const flags = new Map<string, string[]>();
  for (let index = 0; index < argv.length; index += 1) {
    const word = argv[index] ?? '';
    if (word === '--') {
      words.push(...argv.slice(index + 1));
      break;
    }
    if (!word.startsWith('-') || word === '-') {
      words.push(word);
      continue;
    }
    const read = readFlags(word, argv[index + 1], specsOf(words[0]));
    if (read.status !== 'ok') return { ...read, verb: words[0] ?? '' };
    if (read.usedNext) index += 1;
    for (const [name, value] of read.values) flags.set(name, [...(flags.get(name) ?? []), value]);
  }
  return { status: 'ok', args: { words, flags } };
}

type Read =
  | { readonly status: 'ok'; readonly values: readonly [string, string][]; readonly usedNext: boolean }
  | FlagProblem;

function readFlags(word: string, next: string | undefined, specs: readonly FlagSpec[]): Read {
  if (!word.startsWith('--')) return readShort(word.slice(1), next, specs);
  const equals = word.indexOf('=');
  const name = word.slice(2, equals < 0 ? undefined : equals);
  const spec = specs.find((each) => each.name === name);
  if (spec === undefined) return { status: 'unknown-flag', flag: `--${name}` };
  return take(spec, `--${name}`, equals < 0 ? undefined : word.slice(equals + 1), next);
}

function readShort(letters: string, next: string | undefined, specs: readonly FlagSpec[]): Read {
  const values: [string, string][] = [];
  for (let index = 0; index < letters.length; index += 1) {
    const letter = letters.charAt(index);
    const spec = specs.find((each) => each.short === letter);
    if (spec === undefined) return { status: 'unknown-flag', flag: `-${letter}` };
    const rest = letters.slice(index + 1);
    const attached = rest.startsWith('=') ? rest.slice(1) : spec.kind === 'switch' || rest === '' ? undefined : rest;
    const read = take(spec, `-${letter}`, attached, next);
    if (read.status !== 'ok') return read;
    values.push(...read.values);
    if (spec.kind !== 'switch' || attached !== undefined) return { ...read, values };
  }
  return { status: 'ok', values, usedNext: false };
}

function take(spec: FlagSpec, flag: string, attached: string | undefined, next: string | undefined): Read {
  if (spec.kind === 'switch') {
    const value = attached ?? 'true';
    if (!/^(true|false|1|0|t|f|T|F|TRUE|FALSE|True|False)$/.test(value)) {
      return bad(
        `invalid argument "${value}" for "${flag}" flag: strconv.ParseBool: parsing "${value}": invalid syntax`,
      );
    }
    const on = /^(t|1)/i.test(value);
    if (on && spec.cannot !== undefined) return { status: 'cannot', flag, why: spec.cannot };
    return { status: 'ok', values: [[spec.name, on ? 'true' : 'false']], usedNext: false };
  }
  if (spec.cannot !== undefined) return { status: 'cannot', flag, why: spec.cannot };
  const alone = attached === undefined && spec.alone !== undefined;
  const value = alone ? spec.alone : (attached ?? next);
  if (value === undefined)
    return bad(`flag needs an argument: ${flag.startsWith('--') ? flag : `'${flag.slice(1)}' in ${flag}`}`);
  return { status: 'ok', values: [[spec.name, value]], usedNext: attached === undefined && !alone };
}

const bad = (message: string): Read => ({ status: 'bad', message });

/** The last value of a flag; undefined when it was not given. */
export const flagValue = (args: ParsedArgs, name: string): string | undefined => args.flags.get(name)?.at(-1);
export const flagOn = (args: ParsedArgs, name: string): boolean => flagValue(args, name) === 'true';

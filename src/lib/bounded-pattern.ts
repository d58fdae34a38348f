import { type Context, createContext, Script } from 'node:vm';

/** What a validator uses of a regular expression. */
export interface Pattern {
  test(text: string): boolean;
  /** Tells patterns apart. */
  toString(): string;
}

/** How long one look at a text may take, in ms: a pattern that goes through all ways to match would hold everything up. */
const MAX_MS = 250;
/** A pattern with so few choices is quick for texts of this length, and looked at without a clock. */
const FEW_CHOICES = 3;
const SHORT = 200;
/** So many answers for short texts are remembered by each pattern: the words of commands come again and again, and a clock is a thread. */
const REMEMBERED = 256;

let place: Context | undefined;
let look: Script | undefined;

/**
 * A regular expression of a schema that somebody else wrote, and whose text a model chose. A text that takes too long to look at does
 * not match.
 * @throws SyntaxError for one that is none.
 */
export function boundedPattern(source: string, flags: string): Pattern {
  const pattern = new RegExp(source, flags);
  const isPlain = !/\)[*+{?]|\\[1-9k]/.test(source) && (source.match(/[*+{?|]/g) ?? []).length <= FEW_CHOICES;
  const answers = new Map<string, boolean>();
  return {
    toString: () => String(pattern),
    test(text) {
      if (text.length > SHORT) return looked(pattern, text) ?? false;
      if (isPlain) return pattern.test(text);
      const known = answers.get(text);
      if (known !== undefined) return known;
      if (answers.size >= REMEMBERED) answers.clear();
      const answer = looked(pattern, text);
      // That time ran out says something of the machine too, so that is not remembered.
      if (answer !== undefined) answers.set(text, answer);
      return answer ?? false;
    },
  };
}
// ajv writes this into stand-alone code, which is not made here.
boundedPattern.code = 'boundedPattern';

/** Undefined when time ran out. */
function looked(pattern: RegExp, text: string): boolean | undefined {
  place ??= createContext({});
  look ??= new Script('pattern.test(text)');
  Object.assign(place, { pattern, text });
  try {
    return look.runInContext(place, { timeout: MAX_MS }) === true;
  } catch {
    return undefined;
  } finally {
    Object.assign(place, { pattern: undefined, text: '' });
  }
}

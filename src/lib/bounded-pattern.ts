import { createContext, Script } from 'node:vm';

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

const place = createContext({ pattern: /^/u, text: '' });
const look = new Script('pattern.test(text)');

/**
 * A regular expression of a schema that somebody else wrote, and whose text a model chose. A text that takes too long to look at does
 * not match.
 * @throws SyntaxError for one that is none.
 */
export function boundedPattern(source: string, flags: string): Pattern {
  const pattern = new RegExp(source, flags);
  const isPlain = !/\)[*+{?]|\\[1-9k]/.test(source) && (source.match(/[*+{?|]/g) ?? []).length <= FEW_CHOICES;
  return {
    toString: () => String(pattern),
    test: (text) => (isPlain && text.length <= SHORT ? pattern.test(text) : looked(pattern, text)),
  };
}
// ajv writes this into stand-alone code, which is not made here.
boundedPattern.code = 'boundedPattern';

function looked(pattern: RegExp, text: string): boolean {
  Object.assign(place, { pattern, text });
  try {
    return look.runInContext(place, { timeout: MAX_MS }) === true;
  } catch {
    return false;
  } finally {
    Object.assign(place, { pattern: undefined, text: '' });
  }
}

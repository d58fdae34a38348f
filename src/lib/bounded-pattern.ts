import { type Context, createContext, Script } from 'node:vm';

/** What a validator uses of a regular expression. */
export interface Pattern {
  test(text: string): boolean;
  /** Tells patterns apart. */
  toString(): string;
}

/** How long one look at a text may take, in ms: a pattern that goes through all ways to match would hold everything up. */
const MAX_MS = 250;
/** Looks that a busy machine cut short are taken again, so often. */
const MAX_TRIES = 20;
/** Lengths of texts, in characters, and so many ways through one that a look at it needs no clock. */
const SHORT = [200, 100, 60, 30, 15, 8];
const FEW_WAYS = 1_000_000;
/** So many answers for short texts are remembered by each pattern: the words of commands come again and again, and a clock is a thread. */
const REMEMBERED = 256;
const REMEMBERED_LENGTH = 200;

let place: Context | undefined;
let look: Script | undefined;

let unanswered = 0;

/** How many looks ran out of time so far in this process: whoever asks before and after knows whether an answer is one. */
export const unansweredLooks = (): number => unanswered;

/**
 * A regular expression of a schema that somebody else wrote, and whose text a model chose. For a text that takes too long to look at
 * the answer is no, and it is counted as unanswered.
 * @throws SyntaxError for one that is none.
 */
export function boundedPattern(source: string, flags: string): Pattern {
  const pattern = new RegExp(source, flags);
  const quick = quickLength(source);
  const answers = new Map<string, boolean>();
  return {
    toString: () => String(pattern),
    test(text) {
      if (text.length <= quick) return pattern.test(text);
      const known = answers.get(text);
      if (known !== undefined) return known;
      const answer = looked(pattern, text);
      // That time ran out says something of the machine too, so that is not remembered.
      if (answer === undefined) unanswered += 1;
      else if (text.length <= REMEMBERED_LENGTH) {
        if (answers.size >= REMEMBERED) answers.clear();
        answers.set(text, answer);
      }
      return answer ?? false;
    },
  };
}
// ajv writes this into stand-alone code, which is not made here.
boundedPattern.code = 'boundedPattern';

/** Up to which length of text a pattern is quick, whatever the text: 0 when that cannot be seen. */
export function quickLength(source: string): number {
  const parts = source.match(PARTS) ?? [];
  return SHORT.find((length) => waysThrough(parts, length) * (length + 1) <= FEW_WAYS) ?? 0;
}

/** Escapes, classes, beginnings of groups, quantifiers, and single characters. */
const PARTS =
  /\\[pPu]\{[^}]*\}|\\.|\[(?:\\.|[^\]\\])*\]|\((?:\?(?:[:=!]|<[=!]|<[^>]*>))?|[*+?]\??|\{\d+(?:,\d*)?\}\??|./gsu;

/**
 * At most so many ways lead from one place in a text through a pattern: those of parts behind each other multiply, those of alternatives
 * add up. A group that repeats has as many as there are texts, as far as can be seen here, and so has a reference back.
 */
function waysThrough(parts: readonly string[], length: number): number {
  let at = 0;
  const alternatives = (): number => {
    let [sum, product] = [0, 1];
    for (; at < parts.length && parts[at] !== ')'; ) {
      if (parts[at] !== '|') product *= item();
      else {
        at += 1;
        sum += product;
        product = 1;
      }
    }
    return sum + product;
  };
  const item = (): number => {
    const part = parts[at++] ?? '';
    const isGroup = part.startsWith('(');
    const once = isGroup ? alternatives() : /^\\[1-9k]/.test(part) ? Number.POSITIVE_INFINITY : 1;
    if (isGroup) at += 1;
    const quantifier = /^(?:[*+?]|\{\d)/.exec(parts[at] ?? '')?.[0];
    if (quantifier === undefined) return once;
    at += 1;
    if (quantifier === '?') return once + 1;
    return isGroup ? Number.POSITIVE_INFINITY : once * (length + 1);
  };
  return alternatives();
}

/** Undefined when time ran out. */
function looked(pattern: RegExp, text: string): boolean | undefined {
  place ??= createContext({});
  look ??= new Script('pattern.test(text)');
  Object.assign(place, { pattern, text });
  try {
    for (let tries = 0; tries < MAX_TRIES; tries += 1) {
      const before = workedMs();
      try {
        return look.runInContext(place, { timeout: MAX_MS }) === true;
      } catch {
        // The clock goes on while a busy machine does something else: what has hardly worked has not been looked at.
        if (workedMs() - before > MAX_MS / 2) return undefined;
      }
    }
    return undefined;
  } finally {
    Object.assign(place, { pattern: undefined, text: '' });
  }
}

function workedMs(): number {
  const { user, system } = process.cpuUsage();
  return (user + system) / 1000;
}

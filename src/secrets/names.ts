import { levelsOf, type Span, span } from './spans.js';
import { type Family, isSecretValue, type Place } from './values.js';

/** Words that tell what stands behind them; longer ones first. */
const WORD =
  /pass(?:w(?:or)?d|phrase|code|wort)|pwd|(?:api|secret[_-]?access|shared[_-]?access|access|secret|private|account|encryption|signing|shared|master|auth|service|client)[_.-]?key|docker(?:config(?:json)?|cfg)|connection[_-]?string|authorization|credentials?|session[_-]?id|sessid|secret|token|auth|pass/gi;
/**
 * What may follow such a word in a name without changing what it means: `PASSWORD_2`, `SECRET_KEY_BASE`, `client-key-data`. There
 * is one way only to read any text so (digits as a whole, `base64` as `base` and `64`): with two, long names would take for ever.
 */
const SUFFIX =
  /(?:[_.-]?(?:\d+(?!\d)|base|b64|hash(?:ed)?|value|data|plain|prod(?:uction)?|stag(?:e|ing)|dev|test|old|new|current|prev(?:ious)?|primary|secondary))*(?![\w-]|\.\w)/iy;
const SIGN = /(\\*["'`])?(?:(\s*(?:=>|:=|={1,2})\s*|\s*:(?![:/])\s*|(?:>|\\+u003e)(?=[^<\s\\]))|(,\s*(?=\\*["'])|\s+))/;
/** Colours of a terminal may stand behind a name and before a value. */
const COLOUR = '(?:(?:\u001b|\\\\+u001[bB])\\[[\\d;]*m)*';
const OPENING = /(\[\s*(?=\\*["'])|&?(?=\\*["']))?(\\*)(["'])?/;
const SEPARATOR = new RegExp(COLOUR + SIGN.source + COLOUR + OPENING.source, 'y');
/** A value without quotes: to a blank, a quote, `;` or `&`, a comma before the next name, or an escaped line end. */
const BARE = /(?:[^\s"'`;&,\\<]|<(?!\/)|,(?![\w.-]+[=:]|\s)|\\(?![nrt"'u]|$))+/y;
const NAME_CHARACTER = /[\w.-]/;
const MAX_NAME = 100;
/** Further in, no name is the first thing of its line. */
const MAX_INDENT = 1_000;
const SCHEME =
  /^(Bearer|Basic|Token|Digest|ApiKey|Api-Key|Key|Negotiate|NTLM|Splunk|GoogleLogin|AWS4-HMAC-SHA256)\s+(?=\S)/i;

/** A telling name in a line. */
export interface Found {
  readonly text: string;
  readonly start: number;
  readonly family: Family;
  /** Just behind the name, with its suffix. */
  readonly end: number;
  /** The word of the list in it. */
  readonly word: string;
}

/** Values that stand behind a telling name: `password=…`, `"token": "…"`, `--api-key …`, `DB_PASSWORD: …`. */
export function namedSpans(line: string, names: readonly Found[] = namesIn(line)): Span[] {
  const spans: Span[] = [];
  let done = 0;
  patience = 64 * 1024 + 16 * line.length;
  for (const name of names) {
    // What stands inside a value that is hidden already is hidden with it.
    const found = name.end < done ? undefined : spanOf(line, name);
    if (!found) continue;
    spans.push(found);
    done = found.end;
  }
  return spans;
}

/** Characters of values that are still judged in this line; after that each value counts as a secret: no line may take for ever. */
let patience = 0;

/** Whether a whole text is a telling name: `DB_PASSWORD`. */
export const isTellingName = (text: string): boolean => namesIn(text).some(({ end }) => end === text.length);

/** The telling names in a line, from left to right. */
export function namesIn(line: string): Found[] {
  const found: Found[] = [];
  WORD.lastIndex = 0;
  for (let match = WORD.exec(line); match; match = WORD.exec(line)) {
    const [word] = match;
    if (word.length <= 4 && isInsideWord(line, match.index, word)) continue;
    SUFFIX.lastIndex = match.index + word.length;
    const suffix = SUFFIX.exec(line);
    if (!suffix) continue;
    const end = match.index + word.length + suffix[0].length;
    let start = match.index;
    while (start > 0 && match.index - start < MAX_NAME && NAME_CHARACTER.test(line[start - 1] ?? '')) start--;
    const text = line.slice(start, end);
    // A lone `pass` counts tests.
    if (text.length === 4 && /^pass$/i.test(text) && line[start - 1] !== '"') continue;
    found.push({ text, start, end, family: familyOf(word), word: word.toLowerCase() });
  }
  return found;
}

const familyOf = (word: string): Family =>
  /^(?:pass\w|pwd)/i.test(word) ? 'password' : /key|docker|connection/i.test(word) ? 'key' : 'token';

/** `bypass`, `OLDPWD` and `oauth`, but not `dbPass`. */
function isInsideWord(line: string, at: number, word: string): boolean {
  const before = line[at - 1] ?? '';
  return /[A-Za-z]/.test(before) && !(/[a-z0-9]/.test(before) && /^[A-Z][a-z]/.test(word));
}

function spanOf(line: string, name: Found): Span | undefined {
  SEPARATOR.lastIndex = name.end;
  const match = SEPARATOR.exec(line);
  if (!match) return undefined;
  const [whole, close, sign, loose, , backslashes = '', quote] = match;
  const isTag = sign === '>' || sign?.endsWith('u003e') === true;
  // Behind a closing tag stands no value.
  if (isTag && line[name.start - 1] === '/') return undefined;
  const isFlag = name.text.startsWith('-');
  if (loose !== undefined) {
    const isItem = loose.startsWith(',') && close !== undefined && quote !== undefined && isFlag;
    const isOption = isFlag && close === undefined && !loose.startsWith(',') && line[name.end + loose.length] !== '-';
    const isSql = name.family === 'password' && quote !== undefined && !loose.startsWith(',') && close === undefined;
    if (!isItem && !isOption && !isSql) return undefined;
  }
  const at = name.end + whole.length;
  const place = placeOf(line, name, sign, close, isFlag);
  if (quote !== undefined) return quoted(line, name, at, `${backslashes}${quote}`, place);
  const start = at - backslashes.length;
  const opened = close === undefined && sign?.includes('=') ? openingQuote(line, name.start) : undefined;
  if (opened !== undefined) return quoted(line, name, start, opened, place);
  return bare(line, name, start, place, close);
}

/** Headers of one's own hold nothing but values. */
const OWN_HEADER = /^x-/i;

function placeOf(
  line: string,
  name: Found,
  sign: string | undefined,
  close: string | undefined,
  isFlag: boolean,
): Place {
  if (OWN_HEADER.test(name.text)) return 'environment';
  if (sign?.includes('='))
    return /^[A-Z][A-Z0-9_]*$/.test(name.text) && name.text !== 'AUTH' ? 'environment' : 'assigned';
  if (isFlag || sign === undefined) return 'assigned';
  if (close !== undefined || sign === '>' || sign?.endsWith('u003e')) return 'field';
  return name.start <= MAX_INDENT && /^[\s\-?*<>{]*$/.test(line.slice(0, name.start)) ? 'field' : 'prose';
}

/** The quote before a name, when the value ends with the same one: `"DB_PASSWORD=…"`. */
const openingQuote = (line: string, start: number): string | undefined =>
  /\\*["']$/.exec(line.slice(Math.max(0, start - 8), start))?.[0];

function quoted(line: string, name: Found, start: number, quote: string, place: Place): Span | undefined {
  const end = closing(line, start, quote);
  const levels = quote.endsWith('"') ? levelsOf(quote.length - 1) : 0;
  return accepted(line, name, start, end, place, levels);
}

/** Where a text ends that was opened with a quote: at the next one with as many backslashes, or at the end of the line. */
export function closing(line: string, start: number, quote: string): number {
  const mark = quote.at(-1) ?? '"';
  const wanted = quote.length - 1;
  for (let at = line.indexOf(mark, start); at >= 0; at = line.indexOf(mark, at + 1)) {
    let backslashes = 0;
    while (at - backslashes > start && line[at - backslashes - 1] === '\\') backslashes++;
    const closes = wanted === 0 ? backslashes % 2 === 0 : backslashes <= wanted;
    if (closes) return at - (wanted === 0 ? 0 : backslashes);
  }
  return line.trimEnd().length;
}

function bare(line: string, name: Found, start: number, place: Place, close: string | undefined): Span | undefined {
  if (close?.endsWith('"')) return numberSpan(line, name, start, close);
  const rest = line.slice(start).trimEnd();
  // A field of YAML or `describe`, and a line of `env`, hold the value to the end of the line.
  const isFirst = name.start <= MAX_INDENT && /^[\s-]*$/.test(line.slice(0, name.start));
  const toEnd = isFirst && (place === 'field' || place === 'environment');
  if (name.word === 'authorization' && SCHEME.test(rest)) {
    const length = /^[^"'`\\]*/.exec(rest)?.[0].length ?? 0;
    return accepted(line, name, start, start + length, place, 0);
  }
  if (toEnd && /^(?:[!&]\S*\s+)*[|>][-+\d]*(?:\s+#.*)?$/.test(rest)) return undefined;
  if (toEnd) {
    const value = place === 'field' ? rest.replace(/\s+#.*$/, '').replace(/,$/, '') : rest;
    return accepted(line, name, start, start + value.length, place, 0);
  }
  BARE.lastIndex = start;
  let end = start + (BARE.exec(line)?.[0].length ?? 0);
  while (end > start && ',.;:)]}>'.includes(line[end - 1] ?? '')) end--;
  return accepted(line, name, start, end, place, 0);
}

/** A password of digits in JSON; it becomes text there. */
function numberSpan(line: string, name: Found, start: number, close: string): Span | undefined {
  const [digits = ''] = /^\d{4,18}(?=\s*[,}\]]|\s*$)/.exec(line.slice(start, start + 24)) ?? [];
  if (digits === '' || name.family !== 'password') return undefined;
  return { ...span(start, start + digits.length, 0, name.start), quote: close };
}

function accepted(
  line: string,
  name: Found,
  start: number,
  end: number,
  place: Place,
  levels: number,
): Span | undefined {
  const value = line.slice(start, end);
  const scheme = SCHEME.exec(value)?.[0] ?? '';
  if (scheme !== '' && (name.word === 'authorization' || /^(?:Bearer|Basic) /i.test(scheme))) {
    const credential = value.slice(scheme.length);
    const wins = /^(?:Digest|AWS4)/i.test(scheme)
      ? credential.length > 20
      : isSecretValue(credential, 'token', 'assigned');
    return wins ? span(start + scheme.length, end, levels, name.start) : undefined;
  }
  patience -= value.length;
  if (patience < 0) return span(start, end, levels, name.start);
  const isPathOfShell = name.word === 'pwd' && value.startsWith('/');
  return isSecretValue(value, name.family, place) && !isPathOfShell ? span(start, end, levels, name.start) : undefined;
}

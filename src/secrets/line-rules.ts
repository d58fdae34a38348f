import { objectSpans } from './compact-objects.js';
import { undisguised } from './lookalikes.js';
import { closing, type Found, namedSpans, namesIn } from './names.js';
import { CLIENT_OPTIONS, ENCODED_PEM, HOOK_SHAPES, TOKEN_SHAPES } from './shapes.js';
import { levelsOf, type Span, sorted, span } from './spans.js';
import { MAY_HOLD } from './triggers.js';
import { isPlaceholder, isSecretValue } from './values.js';

const BEARER = /(?:\b|(?<=\\[nrt]))Bearer(?:[\s:]|\\+[nrt])+([A-Za-z0-9._~+/=-]{8,})/dgi;
const BASIC = /(?:\b|(?<=\\[nrt]))Basic(?:\s|\\+[nrt])+([A-Za-z0-9+/]{8,}={0,2})/dgi;
const COOKIE = /\b(?:set-)?cookie\d?(?:\\*["'])?(?:\s*[:=]|,|\s)\s*(\[\s*)?(\\*["'])?/gi;
const COOKIE_PART = /([\w.!#$%&*+^|~-]+)=([^;,\s"'\\]{6,})/dg;
const COOKIE_ATTRIBUTE = /^(?:path|domain|expires|max-age|samesite|version|priority)$/i;
const URL_PASSWORD = /\b[a-z][a-z0-9+.-]{0,30}:\/\/[^\s:@/?#"'<>\\]{0,256}:([^\s/?#"'<>\\]{1,1024})@(?=[^\s"'<>])/dgi;
const DATABASE_PASSWORD =
  /\b(?:postgres(?:ql)?|mysql|mariadb|mongodb|rediss?|amqps?|mssql|sqlserver|oracle|clickhouse|nats|kafka|ldaps?)(?:\+\w+)?:\/\/[^\s:@/"'<>\\]{0,256}:((?!\d{2,5}\/)[^\s"'<>\\]{1,1024})@(?=[^\s"'<>])/dgi;
const URL_TOKEN = /\bhttps?:\/\/([A-Za-z0-9_-]{20,256})@(?=[\w.-])/dgi;
/** Blanks of SQL, in JSON and over the fold of a YAML text too. */
const GAP = String.raw`(?:\s|\\+[nrt]|\\+(?=\s))+`;
const IDENTIFIED = new RegExp(
  `(?:\\b|(?<=\\\\[nrt]))identified${GAP}(?:with${GAP}[^\\s\\\\]+${GAP})?(?:by|as)${GAP}\\\\*(?:["']|'')([^"'\\\\\\r\\n]{1,200})`,
  'dgi',
);
const SQL_PASSWORD = new RegExp(`\\bpassword(?:${GAP}|\\()'{1,2}(?!')([^"'\\\\\\r\\n]{1,200})`, 'dgi');
const NETRC = /\b(?:machine\s+\S+|default)(?:\s+(?:login|account)\s+\S+){0,2}\s+password\s+([^\s"'\\]{1,200})/dg;
const PAIR = /(\\*")name\1\s*:\s*\1([^"\\]{1,120})\1(?:\s|\\+[nrt])*,(?:\s|\\+[nrt])*\1value\1\s*:\s*\1/g;
const PAIR_TURNED =
  /(\\*")value\1\s*:\s*\1((?:[^"\\]|\\(?!"))*)\1(?:\s|\\+[nrt])*,(?:\s|\\+[nrt])*\1name\1\s*:\s*\1([^"\\]{1,120})\1/dg;
const PEM_INLINE = /-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/g;
/** Servers take no longer header. */
const MAX_HEADER = 16 * 1024;
const PEM_PADDING = /^(?:\\+[nr]|\s)+/;

/**
 * Everything in one line (or a piece of a long one) that is hidden, in order. `bits` are those of the triggers in it, `names` the
 * telling names where they are known.
 */
export function lineSpans(line: string, bits: number, names?: readonly Found[]): Span[] {
  const has = (bit: number) => (bits & bit) !== 0;
  const spans: Span[] = [];
  if (has(MAY_HOLD.name)) spans.push(...named(line, names ?? namesIn(line)));
  if (has(MAY_HOLD.disguise)) spans.push(...disguised(line));
  if (has(MAY_HOLD.scheme)) spans.push(...schemes(line), ...groups(line, IDENTIFIED));
  if (has(MAY_HOLD.shape)) spans.push(...shapes(line));
  if (has(MAY_HOLD.url) && has(MAY_HOLD.at)) spans.push(...addresses(line));
  if (has(MAY_HOLD.client)) spans.push(...clientOptions(line));
  if (has(MAY_HOLD.pem)) spans.push(...armour(line));
  if (has(MAY_HOLD.object)) spans.push(...objectSpans(line));
  return spans.length > 1 ? sorted(spans) : spans;
}

/** The first group that matched, of each match. */
function groups(line: string, pattern: RegExp): Span[] {
  return [...line.matchAll(pattern)].flatMap((match) => {
    const place = match.indices?.slice(1).find((indices) => indices !== undefined);
    if (!place || isPlaceholder(line.slice(...place))) return [];
    return [span(place[0], place[1], 0, match.index)];
  });
}

function named(line: string, names: readonly Found[]): Span[] {
  const spans = [...namedSpans(line, names), ...pairs(line)];
  const isSql =
    line.includes("'") && names.some(({ word, end }) => word === 'password' && /[\s\\(]/.test(line[end] ?? ''));
  if (isSql) spans.push(...groups(line, SQL_PASSWORD));
  if (line.includes('machine ') || line.includes('default login ')) spans.push(...groups(line, NETRC));
  return spans;
}

/** Values behind names with letters that only look like those of a telling one. */
function disguised(line: string): Span[] {
  const found = undisguised(line);
  if (!found) return [];
  const { text, at } = found;
  return namedSpans(text).map((one) => span(at[one.start] ?? 0, at[one.end] ?? line.length, one.levels, at[one.from]));
}

const clientOptions = (line: string): Span[] =>
  CLIENT_OPTIONS.flatMap(([programs, option]) =>
    programs.some((program) => line.includes(program)) ? groups(line, option) : [],
  );

function shapes(line: string): Span[] {
  const tokens = [...line.matchAll(TOKEN_SHAPES)].map((match) => span(match.index, match.index + match[0].length));
  const encoded = [...line.matchAll(ENCODED_PEM)].flatMap((match) =>
    /^-----BEGIN [A-Z0-9 ]*PRIVATE/.test(Buffer.from(match[0].slice(0, 80), 'base64').toString('latin1'))
      ? [span(match.index, match.index + match[0].length)]
      : [],
  );
  return [...tokens, ...encoded, ...groups(line, HOOK_SHAPES)];
}

function schemes(line: string): Span[] {
  const bearer = groups(line, BEARER).filter((one) => {
    const value = line.slice(one.start, one.end);
    // `Bearer realm="…"` is a challenge.
    return isSecretValue(value, 'token', 'prose') && !(/^\w+=$/.test(value) && line[one.end] === '"');
  });
  const basic = groups(line, BASIC).filter((one) => {
    const pair = Buffer.from(line.slice(one.start, one.end), 'base64').toString('latin1');
    return /^[\x20-\x7e\x80-\xff]*:[\x20-\x7e\x80-\xff]*$/.test(pair);
  });
  return [...bearer, ...basic, ...cookies(line)];
}

function cookies(line: string): Span[] {
  let done = 0;
  return [...line.matchAll(COOKIE)].flatMap((match) => {
    const [whole, list, quote] = match;
    const start = match.index + whole.length;
    if (start < done) return [];
    const close = list !== undefined ? line.indexOf(']', start) : quote !== undefined ? line.indexOf(quote, start) : -1;
    done = Math.min(close < 0 ? line.length : close, start + MAX_HEADER);
    return [...line.slice(start, done).matchAll(COOKIE_PART)].flatMap(({ 1: name = '', 2: value = '', indices }) => {
      const [from = 0, to = 0] = indices?.[2] ?? [];
      if (COOKIE_ATTRIBUTE.test(name) || isPlaceholder(value) || /^[a-z]+$/i.test(value)) return [];
      return [span(start + from, start + to, 0, match.index)];
    });
  });
}

function addresses(line: string): Span[] {
  const isFiller = ({ start, end }: Span) =>
    /^(?:x{3,}|\*+|%\w+|(?:your[-_ ]?)?pass(?:word)?|\.{3})$/i.test(line.slice(start, end));
  return [URL_PASSWORD, DATABASE_PASSWORD, URL_TOKEN]
    .flatMap((pattern) => groups(line, pattern))
    .filter((one) => !isFiller(one));
}

/** `"name": "DB_PASSWORD", "value": "…"` in one line. */
function pairs(line: string): Span[] {
  if (!line.includes('value')) return [];
  const ahead = [...line.matchAll(PAIR)].flatMap((match) => {
    const [whole, quote = '"', name = ''] = match;
    const levels = levelsOf(quote.length - 1);
    const start = match.index + whole.length;
    // As `NAME="value"`, so that one rule speaks of all environments.
    const [found] = namedSpans(`${name}=${quote}${line.slice(start, closing(line, start, quote) + quote.length)}`);
    const shift = start - (name.length + 1 + quote.length);
    return found?.start === start - shift ? [span(start, found.end + shift, levels, match.index)] : [];
  });
  const turned = [...line.matchAll(PAIR_TURNED)].flatMap((match) => {
    const { 1: quote = '"', 2: value = '', 3: name = '', indices } = match;
    const [start = 0, end = 0] = indices?.[2] ?? [];
    const [found] = namedSpans(`${name}="${value}"`);
    return found ? [span(start, end, levelsOf(quote.length - 1), match.index)] : [];
  });
  return [...ahead, ...turned];
}

/** A private key whose lines stand in one, with `\n` between them: its body, or what there is of it. */
function armour(line: string): Span[] {
  return [...line.matchAll(PEM_INLINE)].flatMap((match) => {
    const after = match.index + match[0].length;
    const start = after + (PEM_PADDING.exec(line.slice(after, after + 64))?.[0].length ?? 0);
    const stop = line.indexOf('-----END', start);
    const rest = /^[^"'`<]*/.exec(line.slice(start, stop < 0 ? undefined : stop))?.[0] ?? '';
    const body = rest.replace(/(?:\\+[nr]|\\|\s)+$/, '');
    const slashes = /\\+(?=n)/.exec(body)?.[0].length ?? 0;
    return body === ''
      ? []
      : [span(start, start + body.length, slashes === 0 ? 0 : Math.log2(slashes) + 1, match.index)];
  });
}

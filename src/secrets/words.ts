import { lineSpans } from './line-rules.js';
import { type Span, span } from './spans.js';
import { MAY_HOLD } from './triggers.js';

/** Words that the next line goes on with. */
export interface Words {
  readonly said: string;
  readonly bits: number;
  /** The next line is indented more than this; or, of a list of arguments, as much. */
  readonly indent: number;
  readonly isList: boolean;
}

const SQL =
  /\bidentified(?:\s+with(?:\s+\S+)?)?(?:\s+(?:by|as))?$|\b(?:with|(?:un)?encrypted|(?:user|role)\s+\S+)\s+password$/i;
const NETRC = /\b(?:machine\s+\S+|default)(?:\s+(?:login|account)\s+\S+)*$/i;
/** A scheme of HTTP, or an option that does not begin its line: such a line is a list's, or a manual's. */
const FOLDED = /\b(?:bearer|basic|authorization:\s*token)$|\S\s+-{1,2}[\w.-]{1,100}$/i;
/** A program of the list in shapes.ts as the first item of a list. */
const PROGRAM =
  /^(?:[\w./-]{0,200}\/)?(?:mysql|mariadb|sshpass|curl|wget|redis-cli|mongo|ldap|smbclient|htpasswd)[\w-]{0,40}$/;
/** Last words of a line after which one of the patterns above may match. */
const LAST = new Set(['identified', 'with', 'by', 'as', 'password', 'bearer', 'basic', 'token']);
const ITEM = /^(\s*(?:- +)?)(\\*["']|)(.*?)\2,?\s*$/;
/** Lines between the command and its arguments. */
const BETWEEN = /^\s*(?:\\*["'])?args(?:\\*["'])?\s*:\s*\[?\s*$|^\s*\],?\s*$/i;
const MAX_SAID = 300;
const TELLING = MAY_HOLD.name | MAY_HOLD.scheme | MAY_HOLD.client;

const indentOf = (line: string): number => line.length - line.trimStart().length;

/** What is hidden in a line because of the words before it. */
export function wordsIn(line: string, words: Words | undefined): Span[] {
  if (!words || !goesOn(line, words)) return [];
  const [, before = '', quote = '', item = ''] = (words.isList && ITEM.exec(line)) || [];
  const start = words.isList ? before.length + quote.length : (/^\s*(?:\\(?=\s)\s*)?/.exec(line)?.[0].length ?? 0);
  const text = words.isList ? item : line.slice(start);
  const shift = start - words.said.length;
  return lineSpans(words.said + text, words.bits)
    .filter((one) => one.start >= words.said.length)
    .map((one) => span(one.start + shift, one.end + shift, one.levels));
}

function goesOn(line: string, { indent, isList }: Words): boolean {
  if (line.trim() === '') return false;
  return isList ? ITEM.exec(line)?.[1]?.length === indent : indentOf(line) > indent;
}

/** The words that the line after this one goes on with. `bits` are the triggers of this one. */
export function wordsAfter(line: string, bits: number, words: Words | undefined): Words | undefined {
  if (words?.isList) {
    if (BETWEEN.test(line)) return words;
    if (goesOn(line, words)) {
      const [program = ''] = words.said.split(' ', 1);
      const rest = `${words.said.slice(program.length + 1)}${ITEM.exec(line)?.[3] ?? ''} `;
      return { ...words, said: `${program} ${rest.slice(-MAX_SAID)}` };
    }
  }
  const before = words && !words.isList && goesOn(line, words) ? words : undefined;
  if (!before && (bits & TELLING) === 0) return undefined;
  const isClient = (bits & MAY_HOLD.client) !== 0;
  const [, column = '', , item = ''] = (isClient && line.length <= MAX_SAID && ITEM.exec(line)) || [];
  if (PROGRAM.test(item)) return { said: `${item} `, bits: TELLING, indent: column.length, isList: true };
  const end = withoutJoint(line.slice(-MAX_SAID).trimEnd());
  // Most lines end with something else; asking for no more keeps them cheap.
  if (!before && !isClient && (!/[\w.-]$/.test(end.slice(-1)) || !isOpen(end))) return undefined;
  const said = before ? `${before.said}${end.trimStart()}` : end;
  const isSql = SQL.test(said);
  if (!isSql && !NETRC.test(said) && !FOLDED.test(said)) return undefined;
  const indent = isSql ? -1 : (before?.indent ?? indentOf(line));
  return { said: `${said.slice(-MAX_SAID)} `, bits: TELLING, indent, isList: false };
}

/** A backslash goes on in the next line, in a shell and in a YAML text. */
const withoutJoint = (line: string): string => (line.endsWith('\\') ? line.slice(0, -1).trimEnd() : line);

function isOpen(line: string): boolean {
  const word = line.slice(line.lastIndexOf(' ') + 1).replace(/^["']/, '');
  return word.startsWith('-') || LAST.has(word.toLowerCase());
}

import { stripTerminal } from '../lib/visible.js';

/** Longest quote of cluster output, in characters. */
export const MAX_QUOTE = 200;
/** More of one text is never looked at here. */
const MAX_LOOKED_AT = 8192;

/** One printable line: no terminal escapes, no control characters; white space is squeezed. Looks at the first 8192 characters only. */
export const plainLine = (untrusted: string): string =>
  stripTerminal(untrusted.slice(0, MAX_LOOKED_AT))
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();

/** The text as one printable line of at most `max` characters. */
export function quoteOf(untrusted: string, max = MAX_QUOTE): string {
  const line = plainLine(untrusted);
  const characters = [...line];
  return characters.length > max ? `${characters.slice(0, max - 1).join('')}…` : line;
}

/** A quote of at most 200 characters that shows what stands at an index of a long line. */
export const quoteAround = (untrusted: string, index: number): string =>
  index < MAX_QUOTE - 80 ? quoteOf(untrusted) : quoteOf(`…${untrusted.slice(index - 40)}`);

/**
 * Text safe inside a Markdown sentence: what would start emphasis, a link, HTML, code or a heading is escaped. What Markdown
 * leaves alone (an underscore inside a word, lone brackets) stays, since the report is also read as plain text.
 */
export const escapeMarkdown = (untrusted: string): string =>
  plainLine(untrusted)
    .replaceAll(/[\\`*<]|~(?=~)|\](?=[([])|(?<![\p{L}\p{N}])_|_(?![\p{L}\p{N}])/gu, (c) => `\\${c}`)
    .replace(/^(#|>|\+|-|=|\[)/, '\\$1')
    .replace(/^(\d{1,9})([.)])/, '$1\\$2');

/** A Markdown code span that its content cannot close. */
export function codeSpan(untrusted: string, max = MAX_QUOTE): string {
  const line = quoteOf(untrusted, max);
  const longest = Math.max(0, ...[...line.matchAll(/`+/g)].map((run) => run[0].length));
  if (longest === 0) return `\`${line}\``;
  const fence = '`'.repeat(longest + 1);
  return `${fence} ${line} ${fence}`;
}

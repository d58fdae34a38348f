import { stripTerminal } from '../lib/visible.js';

/** The beginning of a body, by which its kind is told and its error quoted. */
export interface BodyStart {
  take(chunk: Uint8Array): void;
  text(): string;
}

const MAX_START_BYTES = 4096;
const MAX_QUOTE = 200;

/** Remembers the first 4 KiB of what passes. */
export function rememberStart(): BodyStart {
  let start = Buffer.alloc(0);
  return {
    take(chunk) {
      if (start.length < MAX_START_BYTES)
        start = Buffer.concat([start, chunk.subarray(0, MAX_START_BYTES - start.length)]);
    },
    text: () =>
      start
        .toString('utf8')
        .replace(/^\uFEFF/, '')
        .trimStart(),
  };
}

const JSON_TYPE = /^[\w.+-]+\/(?:[\w.-]+\+)?json\b/i;

/** What a body is: by its type and, since servers err there, by how it begins. */
export function kindOfBody(contentType: string, start: string): 'empty' | 'json' | 'html' | 'binary' | 'other' {
  if (start === '') return 'empty';
  if (start.includes('\0')) return 'binary';
  if (/^<(?:!doctype html|html|head|body|!--)/i.test(start)) return 'html';
  if (JSON_TYPE.test(contentType) || /^[[{]/.test(start)) return 'json';
  return /^text\/html\b/i.test(contentType) ? 'html' : 'other';
}

/** Where a cut does no harm: half a token is not known for one, and would be shown. */
const HALF_WORD = /[^\s/?&=,;:"']*$/;

/** One printable line of an untrusted text. A longer one ends between two words. */
export function lineOf(untrusted: string, max = MAX_QUOTE): string {
  const line = stripTerminal(untrusted)
    .replaceAll(/[\s\p{Cc}]+/gu, ' ')
    .trim();
  const characters = [...line];
  return characters.length > max
    ? `${characters
        .slice(0, max - 1)
        .join('')
        .replace(HALF_WORD, '')}…`
    : line;
}

/** The title of an HTML page, or ''. */
export const titleOf = (html: string): string => lineOf(/<title[^>]*>([^<]{1,300})/i.exec(html)?.[1] ?? '', 80);

/** What an error answer says in its own words: the usual fields of a JSON error, the title of a page, or the first line of a text. */
export function wordsOf(contentType: string, start: string): string {
  const kind = kindOfBody(contentType, start);
  if (kind === 'html') return titleOf(start);
  if (kind === 'other') return lineOf(start.split('\n')[0] ?? '');
  if (kind !== 'json') return '';
  try {
    const data: unknown = JSON.parse(start);
    if (typeof data === 'string') return lineOf(data);
    if (typeof data !== 'object' || data === null) return '';
    const fields = new Map<string, unknown>(Object.entries(data));
    const found = ['error', 'message', 'error_description', 'detail', 'title'].map((name) => fields.get(name));
    const text = found.find((value) => typeof value === 'string' && value !== '');
    return typeof text === 'string' ? lineOf(text) : '';
  } catch {
    // It is longer than its beginning, or no JSON after all: the whole of it follows the message anyway.
    return '';
  }
}

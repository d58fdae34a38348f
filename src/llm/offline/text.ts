export type Language = 'en' | 'zh';

/** Longest request that is read; in characters. What stands behind it is not looked at, and nothing is changed then. */
export const MAX_REQUEST = 2_000;

export interface RequestText {
  /** One form of every quote, width and blank; no control, format or private characters. */
  readonly text: string;
  readonly language: Language;
  readonly truncated: boolean;
}

const QUOTES = /[“”„«»「」『』《》]/g;
const APOSTROPHES = /[‘’´]/g;
/** Stands for a quotation of more than a name: a person who quotes a sentence does not say it. */
export const QUOTATION_MARK = '\uE002';
const QUOTATION = /(["`])(?!["`])[^"`\n]*[^"`\n\w.:@/=-][^"`\n]*\1/g;
// Private characters stand for masked parts of a request later on; a person's text must not hold any.
const UNSEEN = /[\p{Cc}\p{Co}\p{Cs}]/gu;
// These take no room on a screen: what looks like one word is one.
const WIDTHLESS = /\p{Cf}/gu;

/** Brings a request into the one form that the rules are written for. */
export function readRequest(raw: string): RequestText {
  const cut = raw.slice(0, MAX_REQUEST);
  const text = cut
    .normalize('NFKC')
    .replaceAll(QUOTES, '"')
    .replaceAll(APOSTROPHES, "'")
    .replaceAll('\n', '\uFFFF')
    .replaceAll(WIDTHLESS, '')
    .replaceAll(UNSEEN, ' ')
    .replaceAll(/[^\S\uFFFF]+/g, ' ')
    .replaceAll(/\s*\uFFFF\s*/g, '\n')
    .replaceAll(QUOTATION, ` ${QUOTATION_MARK} `)
    .trim();
  return { text, language: /\p{Script=Han}/u.test(text) ? 'zh' : 'en', truncated: raw.length > MAX_REQUEST };
}

/** The parts of a request between punctuation marks. A dot ends a part only before a blank or the end: names hold dots. */
export const clausesOf = (text: string): string[] =>
  text
    .split(/[;!?\n。;,、]+|\.+(?=\s|$)|(?<![\w-])(?:and then|then)(?![\w-])|然后|接着|并且/i)
    .map((clause) => clause.trim())
    .filter((clause) => clause !== '');

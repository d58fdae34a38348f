import { KIND_OF, pluralOf, STOP_WORDS } from './words.js';

/** Stands in a masked request for `in namespace x`; the value is kept beside the text. */
export const SCOPE_MARK = '\uE000';
/** Stands for a bare `namespace x`, which may be where to look or the object itself. */
export const NAMESPACE_MARK = '\uE001';

export const escapeRegExp = (text: string): string => text.replaceAll(/[.*+?^${}()|[\]\\/-]/g, '\\$&');

/** A pattern for one of several words; a word of letters must not be part of a longer one or of a name. */
export const anyOf = (words: readonly string[]): string =>
  `(?:${[...words]
    .sort((a, b) => b.length - a.length)
    .map(wordPattern)
    .join('|')})`;

const wordPattern = (word: string): string =>
  `${/^\w/.test(word) ? '(?<![\\w-])' : ''}${escapeRegExp(word).replaceAll(' ', '\\s+')}${/\w$/.test(word) ? '(?![\\w-])' : ''}`;

const KINDS = anyOf([...KIND_OF.keys()]);
/** `certificates.cert-manager.io`: a kind with its group. */
const GROUPED_KIND = '(?<![\\w.-])[a-z]+(?:\\.[a-z0-9-]+){2,}(?![\\w-])';
export const KIND_PATTERN = `(?:${GROUPED_KIND}|${KINDS})`;

const RESERVED = anyOf([...STOP_WORDS, ...KIND_OF.keys()].filter((word) => /^[\w ]+$/.test(word)));
const BARE = '[a-z0-9](?:[a-z0-9._-]*[a-z0-9])?';
const AFTER_NAME = '(?![\\w/-]|\\.\\w)';
/** An object's name that nobody quoted: no common word, no kind, no number. */
export const NAME_PATTERN = `(?<![\\w./-])(?!${RESERVED})(?!\\d+(?![\\w.-]))${BARE}${AFTER_NAME}`;
/** A name, quoted or not. Capture nothing; take the quotes off with `unquote`. */
export const ANY_NAME_PATTERN = `(?:"${BARE}"|'${BARE}'|\`${BARE}\`|${NAME_PATTERN})`;

export const unquote = (name: string): string => name.replaceAll(/["'`]/g, '').toLowerCase();

/** The kind that a word means, singular; a kind with a group is itself. */
export const kindOf = (word: string): string =>
  KIND_OF.get(word.toLowerCase().replaceAll(/\s+/g, ' ')) ?? word.toLowerCase();

/** The kind as kubectl prints it: one object, or several. */
export const kindWord = (kind: string, plural: boolean): string =>
  plural && !kind.includes('.') ? pluralOf(kind) : kind;

/** An object that a request speaks of. */
export interface ObjectRef {
  readonly name: string;
  /** Singular; absent when the request does not say. */
  readonly kind?: string;
}

/** The names of pods of a ReplicaSet end in its hash and five letters. */
export const looksLikePod = (name: string): boolean => /-[a-f0-9]{5,10}-[a-z0-9]{5}$/.test(name);

/** `pod web-1`, `deployment/web`, `the web deployment`, `order-service服务`, `web`. Groups: kind before, name, kind after. */
export const REF_PATTERN = `(?:(${KIND_PATTERN})\\s*(?:[/:]\\s*|(?:called|named|叫做|叫|名为)\\s*)?)?(${ANY_NAME_PATTERN.replace(
  '(?<![\\w./-])',
  '(?<![\\w.-])',
)})(?:\\s*(${KIND_PATTERN}))?`;

/**
 * Every object that a text names, each once, in order. Among English words only those count that are quoted, or hold a
 * dash or a digit, or, unless `strict`, stand beside a kind.
 */
export function refsIn(text: string, strict = false): ObjectRef[] {
  const found = new Map<string, ObjectRef>();
  for (const match of text.matchAll(new RegExp(REF_PATTERN, 'gi'))) {
    const ref = refOf(match[1], match[2] ?? '', match[3]);
    const isClear =
      (!strict && ref.kind !== undefined) ||
      /["'`]/.test(match[2] ?? '') ||
      /[-\d]/.test(ref.name) ||
      /\p{Script=Han}/u.test(text);
    if (isClear && !found.has(ref.name)) found.set(ref.name, ref);
  }
  return [...found.values()];
}

/** The object that a name means, from the kind word before or after it. */
export function refOf(before: string | undefined, name: string, after: string | undefined): ObjectRef {
  const kind = before ?? after;
  return { name: unquote(name), ...(kind !== undefined && { kind: kindOf(kind) }) };
}

import type { Json, JsonObject, ToolCall } from '../domain/types.js';
import { isObject, objectAt } from '../lib/json-values.js';

/** Remembers what a session has read and what the person has said, and tells which of both an argument comes from. */
export interface Taint {
  /** The person's own words: a request, an answer, arguments they typed. */
  say(text: string): void;
  /** Output of a tool, as the model and the screen got it. */
  read(text: string): void;
  /** Whether this stood in what was read; true when that cannot be told any more. */
  hasRead(text: string): boolean;
  /** Why the arguments of a call cannot be the person's; undefined when they can. `targets` are the names of what it acts on. */
  judge(call: ToolCall, targets: readonly string[]): string | undefined;
}

/** Characters of output that are remembered; a session that has read more trusts no argument that the person did not say. */
const MAX_READ = 8 * 1024 * 1024;
/** Shorter values are in every text. */
const MIN_VALUE = 3;
/** A shorter word, turned by 13 letters, may be another one. */
const MIN_TURNED = 6;
/** Keys of a manifest whose values are the same in every manifest. */
const BOILERPLATE = new Set(['kind', 'apiVersion']);

/**
 * A session's memory of where words came from. A value is the person's when it stands in their words as a whole; it is output's
 * when it occurs anywhere in what was read, plain, encoded (base64, hex, percent, rot13) or in another case.
 * A name that acts on something and stands in neither, after output was read, was made of it or made up.
 */
export function createTaint(): Taint {
  let words = '';
  let read = '';
  let isFull = false;
  const isSaid = (value: string) => saidAsWhole(words, value);
  const isRead = (value: string) =>
    isFull || read.includes(value) || (value.length >= MIN_TURNED && read.includes(turned(value)));
  return {
    say: (text) => {
      words += `\n${plain(text)}`;
    },
    read: (text) => {
      if (isFull) return;
      read += `\n${plain(text)}${decoded(text)}`;
      isFull = read.length > MAX_READ;
      if (isFull) read = '';
    },
    hasRead: (text) => isFull || read.includes(plain(text)),
    judge(call, targets) {
      if (read === '' && !isFull) return undefined;
      const values = valuesOf(call).filter((value) => !isSaid(plain(value)));
      const fromOutput = values.find((value) => isRead(plain(value)));
      if (fromOutput !== undefined) return because(fromOutput, 'comes from output that was read in this session');
      // A namespace names what is acted on as much as a name does.
      const { namespace } = call.args;
      const places = typeof namespace === 'string' ? [namespace] : [];
      const names = [...targets.map((target) => target.split('/').at(-1) ?? target), ...places];
      const unknown = names.find((name) => name.length >= MIN_VALUE && !isSaid(plain(name)) && values.includes(name));
      return unknown === undefined ? undefined : because(unknown, 'was named by nobody, after output was read');
    },
  };
}

const because = (value: string, why: string): string =>
  `${JSON.stringify(value.length > 60 ? `${value.slice(0, 60)}…` : value)} ${why}, not from your own words`;

/** One spelling for what looks the same. */
const plain = (text: string): string =>
  text
    .normalize('NFKC')
    .replaceAll(/\p{Cf}/gu, '')
    .toLowerCase();

/** A letter, digit or joint of a name on either side makes it another name: `web` is not said by `web-2`. */
function saidAsWhole(words: string, value: string): boolean {
  for (let at = words.indexOf(value); at >= 0; at = words.indexOf(value, at + 1)) {
    const before = words[at - 1] ?? '';
    const after = words.slice(at + value.length, at + value.length + 2);
    if (!/[a-z0-9_-]/.test(before) && !/^(?:[a-z0-9_-]|\.[a-z0-9])/.test(after)) return true;
  }
  return false;
}

/** Letters turned by 13 places (rot13). */
const turned = (lower: string): string =>
  lower.replaceAll(/[a-z]/g, (letter) => String.fromCharCode(((letter.charCodeAt(0) - 97 + 13) % 26) + 97));

const HEX = /(?:[0-9a-f]{2}){3,4096}|(?:[0-9a-f]{2}[ :]){2,4096}[0-9a-f]{2}|(?:\\x[0-9a-f]{2}){3,4096}/gi;
/** Texts, with their line ends; bytes that are none decode to something else. */
const TEXT = /^(?:[^\p{Cc}\ufffd]|\s){3,}$/u;

/** What encoded words of a text say. All patterns take time linear in the text. */
function decoded(text: string): string {
  const base64 = [...text.matchAll(/[A-Za-z0-9+/_-]{8,4096}={0,2}/g)].map(([word]) =>
    Buffer.from(word, 'base64').toString(),
  );
  const hex = [...text.matchAll(HEX)].map(([word]) => Buffer.from(word.replaceAll(/[ :]|\\x/gi, ''), 'hex').toString());
  const percent = text
    .split(/[^\w.%-]+/)
    .filter((word) => word.includes('%') && word.length <= 4_096)
    .map(percentDecoded);
  return [...base64, ...hex, ...percent]
    .filter((word) => TEXT.test(word))
    .map((word) => `\n${plain(word)}`)
    .join('');
}

function percentDecoded(word: string): string {
  try {
    return decodeURIComponent(word);
  } catch {
    return '';
  }
}

/** The texts among the arguments that somebody had to come up with: no choices of a list, no defaults. Of a manifest, its values. */
function valuesOf(call: ToolCall): string[] {
  const properties = objectAt(call.tool.parameters, 'properties');
  const free = Object.entries(call.args).filter(([name, value]) => {
    const schema = objectAt(properties, name);
    return (
      schema.enum === undefined &&
      JSON.stringify(schema.default) !== JSON.stringify(value) &&
      !isFromSession(call, name)
    );
  });
  return free
    .flatMap(([, value]) => textsIn(value))
    .flatMap((text) => (/^\s*\{/.test(text) ? manifestTexts(text) : [text, ...piecesOf(text)]))
    .map((text) => text.trim())
    .filter((text) => text.length >= MIN_VALUE);
}

/** What prepare filled in from the session, which says so. */
const isFromSession = (call: ToolCall, name: string): boolean =>
  call.repairs.some((repair) => repair.startsWith(`${name} = `) && repair.endsWith(', from the session'));

/** `deployment/web`, `app=web,tier=db`, `rm -rf /data`: their parts are values too. */
const piecesOf = (text: string): string[] => text.split(/[\s,;=:/@|&"'()]+/).filter((piece) => piece !== text);

const manifestTexts = (text: string): string[] =>
  text.split('\n---\n').flatMap((document) => {
    try {
      return textsIn(JSON.parse(document) as Json);
    } catch {
      return [text, ...piecesOf(text)];
    }
  });

function textsIn(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (Array.isArray(value)) return value.flatMap(textsIn);
  if (!isObject(value)) return [];
  return Object.entries(value as JsonObject).flatMap(([key, inner]) => (BOILERPLATE.has(key) ? [] : textsIn(inner)));
}

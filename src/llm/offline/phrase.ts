import type { ToolDefinition } from '../../domain/types.js';
import {
  anyOf,
  escapeRegExp,
  KIND_PATTERN,
  kindOf,
  NAMESPACE_MARK,
  type ObjectRef,
  REF_PATTERN,
  refOf,
  SCOPE_MARK,
} from './names.js';
import { changes, hasParameter, propertyOf } from './schema.js';
import { KIND_OF, ORDER_ENDINGS, ORDER_FILLERS, ORDER_OPENINGS, READ_FILLERS, wordsForKind } from './words.js';

/** `look`: the phrase may stand anywhere. `order`: it must be the whole of the text, but for politeness. */
export type Mode = 'look' | 'order';

/** What a phrase found in a text. */
export interface PhraseMatch {
  readonly ref?: ObjectRef;
  /** The parameter that the object is for: `name`, `pod_name`, `node`. */
  readonly refParam?: string;
  readonly kind?: string;
  readonly values: Readonly<Record<string, string | number>>;
  /** The phrase names the namespace itself. */
  readonly takesNamespace: boolean;
  /** More fixed words and more of the text covered make a better match. */
  readonly score: number;
  /** What stands before the match. */
  readonly before: string;
  /** What stands behind the match. */
  readonly rest: string;
}

const REF_PARAMS = ['name', 'pod_name', 'node'];
const MARKS = `[${SCOPE_MARK}${NAMESPACE_MARK}]`;
const LOOK_GAP = `(?:\\s|${MARKS}|${anyOf(READ_FILLERS)})*`;
const ORDER_GAP = `(?:\\s|${MARKS}|${anyOf(ORDER_FILLERS)})*`;
const BEFORE_ORDER = `^(?:\\s|${MARKS}|${anyOf(ORDER_OPENINGS)})*`;
const AFTER_ORDER = `(?:\\s|${MARKS}|${anyOf(ORDER_ENDINGS)})*$`;
const DIGITS = '零一二两三四五六七八九十';
const NUMBER = `(?<![\\w.-])(\\d{1,6}(?![\\w.%-])|\\d{1,6}(?=[个台副实])|[${DIGITS}]{1,3})\\s*(?:个|台|副本|实例|replicas?|instances?|pods?)*`;
const TEXT = '("[^"\\n]{1,200}"|(?<![\\w./:@-])[a-z0-9][\\w./:@-]*)';

type Piece = { readonly literal: string } | { readonly slot: string };

/** The fixed and the open parts of a phrase, in order. */
export function piecesOf(phrase: string): Piece[] {
  const parts = phrase.matchAll(/(?:(?:in|of|from)\s+)?\{(namespace)\}|\{(\w+)\}|[\w'-]+|\p{Script=Han}+/gu);
  return [...parts].map((part) => {
    const slot = part[1] ?? part[2];
    return slot === undefined ? { literal: part[0].toLowerCase() } : { slot };
  });
}

const literalPattern = (literal: string): string => {
  const kind = KIND_OF.get(literal);
  if (kind !== undefined) return anyOf(wordsForKind(kind));
  if (!/^\w/.test(literal)) return escapeRegExp(literal).replace(/^的(?=.)/, '的?');
  const singular = literal.length > 3 && /[^s]s$/.test(literal) ? literal.slice(0, -1) : literal;
  return singular === literal ? anyOf([literal]) : anyOf([literal, singular]);
};

const usable = new Map<string, RegExp>();
const cached = (pattern: string): RegExp => {
  const known = usable.get(pattern) ?? new RegExp(pattern, 'i');
  usable.set(pattern, known);
  return known;
};

/** Looks for a phrase of a tool in a masked text; undefined when it is not there. */
export function matchPhrase(tool: ToolDefinition, phrase: string, text: string, mode: Mode): PhraseMatch | undefined {
  const pieces = piecesOf(phrase);
  const literals = pieces.flatMap((piece) => ('literal' in piece ? [piece.literal] : []));
  // The whole pattern is costly to build; most phrases are out after this.
  if (!literals.every((literal) => cached(literalPattern(literal)).test(text))) return undefined;
  const slots = pieces.flatMap((piece) => ('slot' in piece ? [piece.slot] : []));
  const body = pieces
    .map((piece) => ('literal' in piece ? literalPattern(piece.literal) : slotPattern(tool, piece.slot)))
    .join(mode === 'look' ? LOOK_GAP : ORDER_GAP);
  const found = cached(mode === 'look' ? body : `${BEFORE_ORDER}${body}${AFTER_ORDER}`).exec(text);
  if (!found) return undefined;
  const slotValues = readSlots(tool, slots, found.slice(1));
  if (!slotValues) return undefined;
  const read = { ...slotValues, ...withKind(slotValues.ref, literals) };
  const fixed = literals.reduce((sum, literal) => sum + weigh(literal), 0);
  return {
    ...read,
    score: 3 * fixed + weigh(found[0]),
    before: text.slice(0, found.index),
    rest: text.slice(found.index + found[0].length),
  };
}

/** `delete pod {pod_name}` says the kind itself. */
function withKind(ref: ObjectRef | undefined, literals: readonly string[]): Pick<PhraseMatch, 'ref'> {
  const kind = literals.map((literal) => KIND_OF.get(literal)).find((k) => k !== undefined);
  return ref && ref.kind === undefined && kind !== undefined ? { ref: { ...ref, kind } } : {};
}

/** A Chinese character says as much as two letters. */
export const weigh = (text: string): number =>
  [...text].reduce((sum, c) => sum + (/\p{Script=Han}/u.test(c) ? 2 : 1), 0);

function slotPattern(tool: ToolDefinition, slot: string): string {
  if (slot === 'namespace') return `(${MARKS})`;
  if (slot === 'kind') return `(${KIND_PATTERN})`;
  if (REF_PARAMS.includes(slot)) return takesNamespaces(tool) ? `(?:(${NAMESPACE_MARK})|${REF_PATTERN})` : REF_PATTERN;
  const schema = propertyOf(tool, slot);
  if (Array.isArray(schema.enum)) return `(${anyOf(schema.enum.map(String))})`;
  return schema.type === 'integer' || schema.type === 'number' ? NUMBER : TEXT;
}

/** Whether the object itself may be a namespace: the tool has a kind that is not restricted to a few. */
const takesNamespaces = (tool: ToolDefinition): boolean => {
  const kind = propertyOf(tool, 'kind');
  return kind.type === 'string' && !Array.isArray(kind.enum);
};

type Slots = Pick<PhraseMatch, 'ref' | 'refParam' | 'kind' | 'values' | 'takesNamespace'>;

function readSlots(
  tool: ToolDefinition,
  slots: readonly string[],
  captured: readonly (string | undefined)[],
): Slots | undefined {
  const groups = [...captured];
  let read: Slots = { values: {}, takesNamespace: false };
  for (const slot of slots) {
    if (REF_PARAMS.includes(slot)) {
      const isNamespace = takesNamespaces(tool) && groups.shift() !== undefined;
      const [before, name, after] = groups.splice(0, 3);
      const ref = isNamespace ? { name: '', kind: 'namespace' } : refOf(before, name ?? '', after);
      // `restart deployment web service` names two objects, or nobody knows which.
      if (changes(tool) && before !== undefined && after !== undefined) return undefined;
      if (!fits(tool, slot, ref)) return undefined;
      read = { ...read, ref, refParam: slot };
    } else {
      const value = groups.shift() ?? '';
      if (slot === 'namespace') read = { ...read, takesNamespace: true };
      else if (slot === 'kind') read = { ...read, kind: kindOf(value) };
      else read = { ...read, values: { ...read.values, [slot]: slotValueOf(tool, slot, value) } };
    }
  }
  return read;
}

/** Objects that have pods: for a look, one of these pods will do. */
const HAS_PODS = ['pod', 'deployment', 'statefulset', 'daemonset', 'replicaset', 'service', 'job'];

/** `drain pod x` names no node. */
function fits(tool: ToolDefinition, slot: string, { kind }: ObjectRef): boolean {
  if (kind === undefined) return true;
  if (slot === 'name') return !changes(tool) || hasParameter(tool, 'kind');
  if (slot === 'node') return kind === 'node';
  return changes(tool) ? kind === 'pod' : HAS_PODS.includes(kind);
}

function slotValueOf(tool: ToolDefinition, slot: string, value: string): string | number {
  const { type } = propertyOf(tool, slot);
  return type === 'integer' || type === 'number' ? numberOf(value) : value;
}

/** 12, 三, 十二, 二十; NaN for anything else. */
export function numberOf(word: string): number {
  if (/^\d+$/.test(word)) return Number(word);
  const digit = (c: string): number => (c === '两' ? 2 : c > '' ? DIGITS.replace('两', '').indexOf(c) : Number.NaN);
  if (!word.includes('十')) return word.length === 1 ? digit(word) : Number.NaN;
  const [tens = '', ones = ''] = word.split('十');
  return (tens === '' ? 1 : digit(tens)) * 10 + (ones === '' ? 0 : digit(ones));
}

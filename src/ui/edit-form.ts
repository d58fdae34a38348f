import { messageOf } from '../domain/errors.js';
import type { Json, JsonObject, ToolCall } from '../domain/types.js';
import { isList, objectAt, textsAt } from '../lib/json-values.js';
import { graphemesOf } from '../lib/width.js';
import type { CardKey } from './card-keys.js';

/** One parameter in the form. */
export interface Field {
  readonly name: string;
  readonly schema: JsonObject;
  readonly required: boolean;
  /** How what is typed is read: as it stands, as JSON, as JSON where it is some and else as it stands; `locked` is not changed here. */
  readonly reads: 'text' | 'json' | 'either' | 'locked';
  readonly before?: Json;
  /** What `before` looks like in the form; empty when there is none. */
  readonly shown: string;
}

export interface EditForm {
  readonly fields: readonly Field[];
  /** What stands in each field. An empty one leaves its parameter out. */
  readonly texts: readonly string[];
  /** The row that keys go to; behind the last field is the row that finishes. */
  readonly at: number;
  /** Characters before the cursor. */
  readonly cursor: number;
  /** Inside a bracketed paste. */
  readonly pasting: boolean;
  readonly problem?: Problem;
}

/** Why the form did not do what was asked. */
export type Problem =
  | { readonly type: 'locked' | 'too-long' }
  | { readonly type: 'not-json'; readonly name: string; readonly message: string }
  | { readonly type: 'invalid'; readonly message: string };

/** Says what is wrong with arguments; undefined when nothing is. */
export type CheckArguments = (call: ToolCall, args: JsonObject) => string | undefined;

/** Characters of one value; a longer one is not changed here. */
const MAX_VALUE = 4_000;

/** The form of a call with its arguments as they are; undefined when it has none. */
export function newForm({ tool, args }: ToolCall): EditForm | undefined {
  const properties = objectAt(tool.parameters, 'properties');
  const required = textsAt(tool.parameters, 'required');
  const names = [...new Set([...Object.keys(properties), ...Object.keys(args)])];
  if (names.length === 0) return undefined;
  const fields = names.map((name) => {
    const before = Object.hasOwn(args, name) ? args[name] : undefined;
    return fieldOf(name, objectAt(properties, name), required.includes(name), before);
  });
  const form = { fields, texts: fields.map(({ shown }) => shown), at: 0, cursor: 0, pasting: false };
  return goTo(form, 0);
}

/**
 * What a key does to the form. Pure. It never approves anything: it ends cancelled, also when nothing was changed, or with
 * all arguments of another call, which is judged from the beginning.
 */
export function pressForm(
  before: EditForm,
  key: CardKey,
  check: (args: JsonObject) => string | undefined,
): EditForm | 'cancelled' | { readonly edited: JsonObject } {
  const { problem: _, ...form } = before;
  if (form.pasting) {
    if (key.type === 'paste-end') return { ...form, pasting: false };
    return key.type === 'text' ? insert(form, key.text) : key.type === 'enter' ? insert(form, ' ') : form;
  }
  const rows = form.fields.length + 1;
  switch (key.type) {
    case 'escape':
      return 'cancelled';
    case 'save':
      return finish(form, check);
    case 'enter':
      return form.at === rows - 1 ? finish(form, check) : goTo(form, form.at + 1);
    case 'tab':
      return goTo(form, (form.at + 1) % rows);
    case 'back-tab':
      return goTo(form, (form.at + rows - 1) % rows);
    case 'scroll':
      return moved(form, key.by);
    case 'paste-start':
      return { ...form, pasting: true };
    case 'text':
      return insert(form, key.text);
    default:
      return changed(form, key.type);
  }
}

function fieldOf(name: string, schema: JsonObject, required: boolean, before: Json | undefined): Field {
  const type = schema.type;
  const values = isList(schema.enum ?? null) ? (schema.enum as readonly Json[]) : [];
  const onlyText = type === 'string' || (type === undefined && values.length > 0 && values.every(isText));
  const maybeText = type === undefined || (isList(type) && type.includes('string'));
  const reads = onlyText ? 'text' : maybeText ? 'either' : 'json';
  const shown = before === undefined ? '' : isText(before) && reads !== 'json' ? before : JSON.stringify(before);
  const base = { name, schema, required, shown, ...(before !== undefined && { before }) };
  return { ...base, reads: /[\r\n]/.test(shown) || shown.length > MAX_VALUE ? 'locked' : reads };
}

const isText = (value: Json): value is string => typeof value === 'string';

/** Goes to a row, behind what stands in it. */
const goTo = (form: EditForm, at: number): EditForm => ({
  ...form,
  at,
  cursor: graphemesOf(form.texts[at] ?? '').length,
});

function moved(form: EditForm, by: Extract<CardKey, { type: 'scroll' }>['by']): EditForm {
  const last = form.fields.length;
  if (by === 'start') return { ...form, cursor: 0 };
  if (by === 'end') return goTo(form, form.at);
  if (by === 'page-up' || by === 'page-down') return goTo(form, by === 'page-up' ? 0 : last);
  return goTo(form, Math.max(0, Math.min(last, form.at + by)));
}

/** The keys that change the text or move inside it. */
function changed(form: EditForm, type: CardKey['type']): EditForm {
  const { cursor } = form;
  const characters = graphemesOf(form.texts[form.at] ?? '');
  switch (type) {
    case 'left':
      return { ...form, cursor: Math.max(0, cursor - 1) };
    case 'right':
      return { ...form, cursor: Math.min(characters.length, cursor + 1) };
    case 'clear':
      return write(form, '', '');
    case 'backspace':
      return write(form, characters.slice(0, Math.max(0, cursor - 1)).join(''), characters.slice(cursor).join(''));
    default:
      return form;
  }
}

/** Puts text in at the cursor. A value is one line, and a control character that came with it is a key that was pressed too fast. */
function insert(form: EditForm, text: string): EditForm {
  const characters = graphemesOf(form.texts[form.at] ?? '');
  const clean = text.replaceAll(/[\r\n\t]+/g, ' ').replaceAll(/\p{Cc}/gu, '');
  return write(form, characters.slice(0, form.cursor).join('') + clean, characters.slice(form.cursor).join(''));
}

function write(form: EditForm, left: string, right: string): EditForm {
  const field = form.fields[form.at];
  if (!field) return form;
  if (field.reads === 'locked') return { ...form, problem: { type: 'locked' } };
  if (left.length + right.length > MAX_VALUE) return { ...form, problem: { type: 'too-long' } };
  const texts = form.texts.map((text, index) => (index === form.at ? left + right : text));
  return { ...form, texts, cursor: graphemesOf(left).length };
}

function finish(form: EditForm, check: (args: JsonObject) => string | undefined): ReturnType<typeof pressForm> {
  const values: [string, Json][] = [];
  for (const [index, field] of form.fields.entries()) {
    const read = readField(field, form.texts[index] ?? '');
    if ('message' in read) return { ...goTo(form, index), problem: { type: 'not-json', name: field.name, ...read } };
    if (read.value !== undefined) values.push([field.name, read.value]);
  }
  if (form.fields.every(({ shown }, index) => form.texts[index] === shown)) return 'cancelled';
  const edited = Object.fromEntries(values);
  const message = check(edited);
  return message === undefined ? { edited } : { ...form, problem: { type: 'invalid', message } };
}

/** What a field stands for. One that was not changed keeps its value, with its type. */
function readField(field: Field, text: string): { readonly value: Json | undefined } | { readonly message: string } {
  if (text === field.shown) return { value: field.before };
  if (text.trim() === '') return { value: undefined };
  if (field.reads === 'text') return { value: text };
  try {
    return { value: JSON.parse(text) as Json };
  } catch (error) {
    return field.reads === 'either' ? { value: text } : { message: messageOf(error) };
  }
}

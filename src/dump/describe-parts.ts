import type { Json } from '../domain/types.js';
import { at, isObject, listAt, nameOf, namespaceOf, pairsAt, textAt } from './json.js';

/** A description before its columns are aligned: lines whose cells are separated by tabs. */
export type Lines = readonly string[];

/** A title and its value. */
export const line = (title: string, value: string): string => `${title}:\t${value}`;
/** The lines, moved to the right by `level` steps. */
export const indent = (lines: Lines, level = 1): string[] => lines.map((each) => '  '.repeat(level) + each);

/** Pairs under one title, one a line: labels, annotations, selectors. */
export function pairLines(title: string, pairs: readonly (readonly [string, string])[], between = '='): string[] {
  if (pairs.length === 0) return [line(title, '<none>')];
  return pairs.map(([key, value], index) => `${index === 0 ? `${title}:` : ''}\t${key}${between}${oneLine(value)}`);
}

/** Long values and line breaks would tear the columns. */
const oneLine = (value: string): string => {
  const flat = value.replaceAll(/\s*[\n\t]\s*/g, ' ');
  return flat.length > 140 ? `${flat.slice(0, 140)}...` : flat;
};

/** The labels of an object. */
export const labelLines = (object: Json): string[] => pairLines('Labels', pairsAt(object, 'metadata', 'labels'));

/** The annotations of an object, without the copy of itself that `kubectl apply` leaves there. */
export function annotationLines(object: Json): string[] {
  const pairs = pairsAt(object, 'metadata', 'annotations');
  const shown = pairs.filter(([key]) => key !== 'kubectl.kubernetes.io/last-applied-configuration');
  return pairLines('Annotations', shown, ': ');
}

/** Name and namespace. */
export const headLines = (object: Json): string[] => [
  line('Name', nameOf(object)),
  ...(namespaceOf(object) === '' ? [] : [line('Namespace', namespaceOf(object))]),
];

/** `Wed, 10 Jul 2024 14:19:00 +0000`, as kubectl writes times; '' for none. */
export function longTime(timestamp: string): string {
  const ms = Date.parse(timestamp);
  return Number.isNaN(ms) ? '' : new Date(ms).toUTCString().replace('GMT', '+0000');
}

/** What controls an object; no line when nothing does. */
export function ownerLines(object: Json): string[] {
  const owner = listAt(object, 'metadata', 'ownerReferences').find((each) => at(each, 'controller') === true);
  return owner === undefined ? [] : [line('Controlled By', `${textAt(owner, 'kind')}/${textAt(owner, 'name')}`)];
}

/** Lines under a title, or `<none>`. */
export const section = (title: string, lines: Lines): string[] =>
  lines.length === 0 ? [line(title, '<none>')] : [`${title}:`, ...indent(lines)];

/** Lines of a table under a title; `<none>` when it has no rows. */
export function tableSection(title: string, header: readonly string[], rows: readonly (readonly string[])[]): string[] {
  if (rows.length === 0) return [line(title, '<none>')];
  const rule = header.map((cell) => '-'.repeat(Math.max(4, cell.length)));
  return [`${title}:`, ...indent([header, rule, ...rows].map((cells) => cells.map(oneLineCell).join('\t')))];
}

const oneLineCell = (text: string): string => text.replaceAll(/[\n\t]+/g, ' ');

/** One row a condition: type, status and the fields asked for. */
export const conditionRows = (object: Json, ...fields: readonly string[]): string[][] =>
  listAt(object, 'status', 'conditions').map((condition) =>
    ['type', 'status', ...fields].map((f) => textAt(condition, f)),
  );

/** `cpu:  250m` lines of a resource list. */
export const resourceLines = (title: string, resources: Json | undefined): string[] =>
  isObject(resources)
    ? section(
        title,
        pairsAt(resources).map(([key, value]) => line(key, value)),
      )
    : [];

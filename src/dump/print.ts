import type { Json, JsonObject } from '../domain/types.js';
import { stringifyYaml } from '../lib/yaml.js';
import { alignCells, cellText, TABLE } from './align.js';
import type { Column } from './column.js';
import { columnsOf } from './columns.js';
import { isObject, nameOf, namespaceOf, pairsAt, sortKeys, textAt } from './json.js';
import { printValue, valuesAtPath } from './jsonpath.js';
import type { Kind } from './kinds.js';
import { complaint } from './outcome.js';
import { qualified } from './question.js';
import type { Group } from './select.js';

export interface TableStyle {
  readonly wide: boolean;
  readonly headers: boolean;
  readonly namespaces: boolean;
  /** Names as `pod/web`. */
  readonly kinds: boolean;
  readonly showLabels: boolean;
  readonly labelColumns: readonly string[];
  readonly nowMs: number;
}

/** The tables of kubectl, one a group of objects, separated by an empty line; '' when there are no objects. */
export function printTables(groups: readonly Group[], style: TableStyle): string {
  const tables = groups.filter((group) => group.objects.length > 0).map((group) => printTable(group, style));
  return tables.join('\n');
}

function printTable({ kind, objects }: Group, style: TableStyle): string {
  const columns: Column[] = [
    ...(style.namespaces && kind.namespaced ? [{ header: 'NAMESPACE', cell: (o: JsonObject) => namespaceOf(o) }] : []),
    ...columnsOf(kind).filter((column) => style.wide || column.wide !== true),
    ...style.labelColumns.map((label) => labelColumn(label)),
    ...(style.showLabels ? [{ header: 'LABELS', cell: labelsText }] : []),
  ];
  const prefix = style.kinds ? `${qualified(kind.singular, kind)}/` : '';
  const rows = objects.map((object) =>
    columns.map((column) => (column.header === 'NAME' ? prefix : '') + cellText(column.cell(object, style.nowMs))),
  );
  return tableText(style.headers ? [columns.map((column) => column.header), ...rows] : rows);
}

/** Rows of cells as aligned lines, each ended. */
export const tableText = (rows: readonly (readonly string[])[]): string =>
  alignCells(
    rows.map((cells) => cells.join('\t')),
    TABLE,
  )
    .map((line) => `${line}\n`)
    .join('');

const labelColumn = (label: string): Column => ({
  header: (label.split('/').at(-1) ?? label).toUpperCase(),
  cell: (object) => textAt(object, 'metadata', 'labels', label),
});

const labelsText = (object: JsonObject): string =>
  pairsAt(object, 'metadata', 'labels')
    .map(([key, value]) => `${key}=${value}`)
    .join(',') || '<none>';

/** Prints one object, or the objects as a List. `format` is json or yaml. */
export function printObjects(
  groups: readonly Group[],
  single: boolean,
  format: 'json' | 'yaml',
  managed: boolean,
): string {
  const objects = groups.flatMap((group) => group.objects).map((object) => (managed ? object : withoutManaged(object)));
  const [first] = objects;
  const value = sortKeys(single && first !== undefined ? first : listOf(objects));
  return format === 'json' ? `${JSON.stringify(value, null, 4)}\n` : stringifyYaml(value);
}

/** Objects as the List that kubectl makes of them. */
export const listOf = (objects: readonly JsonObject[]): JsonObject => ({
  apiVersion: 'v1',
  items: objects,
  kind: 'List',
  metadata: { resourceVersion: '' },
});

function withoutManaged(object: JsonObject): JsonObject {
  const { metadata, ...rest } = object;
  if (!isObject(metadata) || !('managedFields' in metadata)) return object;
  const { managedFields: _, ...kept } = metadata;
  return { ...rest, metadata: kept };
}

/** `pod/web` a line. */
export const printNames = (groups: readonly Group[]): string =>
  groups
    .flatMap(({ kind, objects }) => objects.map((object) => `${qualified(kind.singular, kind)}/${nameOf(object)}\n`))
    .join('');

/** The table of `-o custom-columns=NAME:.metadata.name,…`. Throws AnswerError for a specification that cannot be read. */
export function printCustomColumns(groups: readonly Group[], spec: string, headers: boolean): string {
  if (spec === '') throw complaint('error: custom-columns format specified but no custom columns given');
  const columns = spec.split(/,(?![^[]*\])/).map((part) => {
    const colon = part.indexOf(':');
    if (colon < 1 || colon === part.length - 1) {
      throw complaint(`error: unexpected custom-columns spec: ${part}, expected <header>:<json-path-expr>`);
    }
    return { header: part.slice(0, colon), values: valuesAtPath(part.slice(colon + 1)) };
  });
  const rows = groups
    .flatMap((group) => group.objects)
    .map((object) => columns.map(({ values }) => cellText(values(object).map(printValue).join(',') || '<none>')));
  return tableText(headers ? [columns.map((column) => column.header), ...rows] : rows);
}

/** Sorts objects by the value at a path: numbers and quantities by size, times by time, text as people sort it. */
export function sortObjects(objects: readonly JsonObject[], path: string): JsonObject[] {
  if (path === '') return [...objects];
  const values = valuesAtPath(path);
  const keyed = objects.map((object) => ({ object, key: values(object)[0] ?? null }));
  if (objects.length > 0 && keyed.every(({ key }) => key === null)) {
    throw complaint(`error: couldn't find any field with path "${path}" in the list of objects`);
  }
  return keyed.toSorted((a, b) => compare(a.key, b.key)).map(({ object }) => object);
}

function compare(a: Json, b: Json): number {
  if (a === null || b === null) return Number(a !== null) - Number(b !== null);
  const [left, right] = [sizeOf(a), sizeOf(b)];
  if (left !== undefined && right !== undefined) return left - right;
  return String(a).localeCompare(String(b), 'en', { numeric: true });
}

const UNITS: Readonly<Record<string, number>> = {
  n: 1e-9,
  u: 1e-6,
  m: 1e-3,
  '': 1,
  k: 1e3,
  M: 1e6,
  G: 1e9,
  T: 1e12,
  P: 1e15,
  E: 1e18,
  Ki: 2 ** 10,
  Mi: 2 ** 20,
  Gi: 2 ** 30,
  Ti: 2 ** 40,
  Pi: 2 ** 50,
  Ei: 2 ** 60,
};

/** A number or a quantity such as `100m` or `2Gi` as a number; undefined when it is neither. */
export function sizeOf(value: Json): number | undefined {
  if (typeof value === 'number') return value;
  const [, digits, unit = ''] = /^([+-]?\d+(?:\.\d+)?)([numkMGTPE]|[KMGTPE]i)?$/.exec(String(value)) ?? [];
  const factor = UNITS[unit];
  return digits === undefined || factor === undefined ? undefined : Number(digits) * factor;
}

/** The kinds of a message such as "No resources found". */
export const noneFound = (kinds: readonly Kind[], namespace: string | undefined): string =>
  namespace === undefined || kinds.every((kind) => !kind.namespaced)
    ? 'No resources found\n'
    : `No resources found in ${namespace} namespace.\n`;

import { ageOf, type Column } from './cells.js';
import type { Fields, KubeObject } from './objects.js';
import type { ResourceType } from './resources.js';
import { COLUMNS } from './table-columns.js';

const DEFAULT_COLUMNS: readonly Column[] = [
  { name: 'Name', value: (object) => object.metadata.name },
  { name: 'Age', value: (object) => ageOf(object.metadata.creationTimestamp) },
];

/** Which Table version an Accept header asks for, or undefined when it wants plain objects. */
export function tableVersion(accept: string): 'v1' | 'v1beta1' | undefined {
  const first = accept.split(',')[0] ?? '';
  if (!first.includes('as=Table')) return undefined;
  return first.includes('v=v1beta1') ? 'v1beta1' : 'v1';
}

/** The Table of these objects. `includeObject` is the query parameter (`Object`, `None`, else metadata). */
export function renderTable(
  type: ResourceType,
  objects: readonly KubeObject[],
  options: { version: 'v1' | 'v1beta1'; includeObject: string; metadata: Fields; header: boolean },
): Fields {
  const columns = COLUMNS[type.kind] ?? DEFAULT_COLUMNS;
  const apiVersion = `meta.k8s.io/${options.version}`;
  const embedded = (object: KubeObject): unknown => {
    if (options.includeObject === 'None') return undefined;
    if (options.includeObject === 'Object') return object;
    return { kind: 'PartialObjectMetadata', apiVersion, metadata: object.metadata };
  };
  const definitions = columns.map((column) => ({
    name: column.name,
    type: 'string',
    format: column.name === 'Name' ? 'name' : '',
    description: `${column.name} of the ${type.kind}.`,
    priority: column.wide === true ? 1 : 0,
  }));
  return {
    kind: 'Table',
    apiVersion,
    metadata: options.metadata,
    columnDefinitions: options.header ? definitions : null,
    rows: objects.map((object) => ({ cells: columns.map((column) => column.value(object)), object: embedded(object) })),
  };
}

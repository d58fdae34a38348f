import { AGE, type Column, NAME } from './column.js';
import { CLUSTER_COLUMNS } from './columns-cluster.js';
import { NETWORK_COLUMNS } from './columns-network.js';
import { WORKLOAD_COLUMNS } from './columns-workload.js';
import type { Kind } from './kinds.js';

const TABLES: ReadonlyMap<string, readonly Column[]> = new Map([
  ...WORKLOAD_COLUMNS,
  ...NETWORK_COLUMNS,
  ...CLUSTER_COLUMNS,
]);

/** Columns of a kind; NAME and AGE for one without columns of its own. */
export const columnsOf = (kind: Kind): readonly Column[] => TABLES.get(kind.plural) ?? [NAME, AGE];

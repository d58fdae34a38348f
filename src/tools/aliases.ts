/**
 * Names that models use for a parameter, and the parameters that may be meant; exactly one of them must exist in the
 * tool.
 */
export const KEY_ALIASES: Readonly<Record<string, readonly string[]>> = {
  ns: ['namespace'],
  pod: ['pod_name'],
  node_name: ['node'],
  selector: ['label_selector'],
  label: ['label_selector'],
  labels: ['label_selector'],
  field: ['field_selector'],
  container_name: ['container'],
  resource: ['kind'],
  resource_type: ['kind'],
  resource_kind: ['kind'],
  resource_name: ['name'],
  replica_count: ['replicas'],
  lines: ['tail'],
  tail_lines: ['tail'],
  limit: ['tail'],
  cmd: ['command'],
  promql: ['query'],
  lang: ['language'],
  all: ['all_namespaces'],
  output_format: ['output'],
  format: ['output'],
};

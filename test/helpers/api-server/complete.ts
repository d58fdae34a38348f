import { type Fields, isFields, type KubeObject, textAt } from './objects.js';
import { BUILT_IN_TYPES } from './resources.js';

/** Completes an object of a dump or a test: kind, apiVersion and metadata may be missing. Throws when it has no name. */
export function completeObject(
  raw: unknown,
  hint: { kind?: string; apiVersion?: string; namespace?: string },
): KubeObject {
  const fields: Fields = isFields(raw) ? structuredClone(raw) : {};
  const kind = textAt(fields, 'kind') || hint.kind || '';
  const known = BUILT_IN_TYPES.find((type) => type.kind === kind && type.group !== 'events.k8s.io');
  const knownVersion =
    known === undefined ? '' : known.group === '' ? known.version : `${known.group}/${known.version}`;
  const apiVersion = textAt(fields, 'apiVersion') || hint.apiVersion || knownVersion;
  const metadata = isFields(fields.metadata) ? fields.metadata : {};
  const name = textAt(metadata, 'name');
  if (name === '' || kind === '')
    throw new Error(`an object of the test cluster has no name or no kind: ${kind} ${name}`);
  const namespaced = known?.namespaced ?? true;
  const namespace = textAt(metadata, 'namespace') || hint.namespace || 'default';
  return {
    ...fields,
    apiVersion,
    kind,
    metadata: {
      ...metadata,
      name,
      ...(namespaced && (known !== undefined || 'namespace' in metadata) ? { namespace } : {}),
      uid: textAt(metadata, 'uid'),
      resourceVersion: textAt(metadata, 'resourceVersion'),
      creationTimestamp: textAt(metadata, 'creationTimestamp'),
    },
  };
}

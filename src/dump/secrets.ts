import type { JsonObject } from '../domain/types.js';
import { listAt, nameOf, namespaceOf, textAt } from './json.js';

/**
 * Answers the go-template with which opsagent asks a cluster for Secrets: a SecretList in which each key has an empty
 * value. A dump holds the keys of Secrets and no value, so no other template can be evaluated on them.
 */
export function secretTemplate(secrets: readonly JsonObject[]): string {
  const items = secrets.map((secret) => ({
    kind: 'Secret',
    metadata: { namespace: namespaceOf(secret), name: nameOf(secret) },
    type: textAt(secret, 'type'),
    data: Object.fromEntries(listAt(secret, 'keys').map((key) => [String(key), ''])),
  }));
  return JSON.stringify({ kind: 'SecretList', apiVersion: 'v1', items });
}

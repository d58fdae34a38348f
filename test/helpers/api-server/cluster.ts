import type { LogTexts } from './dump.js';
import { forbidden } from './failures.js';
import type { ResourceType } from './resources.js';
import type { Store } from './store.js';

/** A permission that the test takes away. `*` stands for every verb or resource; without a namespace it holds everywhere. */
export interface ForbidRule {
  readonly verb: string;
  /** Plural, with a subresource where one is meant: `pods`, `pods/log`. */
  readonly resource: string;
  readonly namespace?: string;
}

/** What a command in a container prints and how it ends. */
export interface ExecResult {
  readonly stdout?: string;
  readonly stderr?: string;
  readonly exitCode?: number;
}

/** Answers `kubectl exec`; undefined means that this container cannot run it. */
export type ExecHandler = (call: {
  namespace: string;
  pod: string;
  container: string;
  command: readonly string[];
}) => ExecResult | undefined;

/** Everything that the request handlers share. */
export interface Cluster {
  readonly store: Store;
  readonly logs: LogTexts;
  readonly user: string;
  readonly forbid: readonly ForbidRule[];
  readonly gitVersion: string;
  /** How long a deleted pod stays in Terminating, in milliseconds. */
  readonly podGraceMs: number;
  readonly hasMetrics: boolean;
  readonly openApiV3: boolean;
  readonly exec: ExecHandler | undefined;
}

/** One request for a resource, taken apart. */
export interface Target {
  readonly type: ResourceType;
  readonly namespace: string;
  readonly name: string;
  readonly subresource: string;
}

/** Whether the test took this permission away. */
export function isForbidden(cluster: Cluster, verb: string, resource: string, namespace: string): boolean {
  return cluster.forbid.some(
    (rule) =>
      (rule.verb === '*' || rule.verb === verb) &&
      (rule.resource === '*' || rule.resource === resource) &&
      (rule.namespace === undefined || rule.namespace === namespace),
  );
}

/** Throws 403 with the wording of RBAC when the test took this permission away. */
export function authorize(cluster: Cluster, verb: string, target: Target): void {
  const { type, subresource, namespace } = target;
  const resource = subresource === '' ? type.plural : `${type.plural}/${subresource}`;
  if (isForbidden(cluster, verb, resource, namespace)) throw forbidden(cluster.user, verb, type, target);
}

import { isReady } from '../cluster.js';
import { type RuleContext, say } from '../draft.js';
import type { LogMatch } from '../log-match.js';
import { plainLine } from '../plain-text.js';
import type { KubeObject } from '../snapshot.js';
import { getStep } from '../steps.js';
import type { Finding, NextStep } from '../types.js';

const NETWORK = new Set([
  'dns',
  'connection-refused',
  'connection-reset',
  'timed-out',
  'no-route',
  'kafka-unavailable',
  'amqp-refused',
]);
const UNRESOLVED =
  /(?:lookup|ENOTFOUND|EAI_AGAIN|host name|resolve host:?|UnknownHostException:) ?"?([a-z0-9][a-z0-9.-]{0,252})/i;

/** The service that a network failure names, when the snapshot shows that it is missing or has no ready pod. */
export function dependencyOf(
  context: RuleContext,
  pod: KubeObject,
  match: LogMatch,
): { readonly cause: NonNullable<Finding['cause']>; readonly checks: readonly NextStep[] } | undefined {
  if (!NETWORK.has(match.signature.id)) return undefined;
  const { cluster, language } = context;
  // "postgres", "postgres:5432", "postgres.shop", "postgres.shop.svc.cluster.local"
  const hosts = new Set(match.line.split(/[^A-Za-z0-9.-]+/));
  const namesIt = (service: KubeObject): boolean =>
    (service.namespace === pod.namespace && hosts.has(service.name)) ||
    [...hosts].some(
      (h) => h === `${service.name}.${service.namespace}` || h.startsWith(`${service.name}.${service.namespace}.`),
    );
  const service = cluster.ofKind('Service').find((s) => namesIt(s) && !cluster.servicesOf(pod).includes(s));
  if (service !== undefined) {
    const down = cluster.listedAll('Pod', service.namespace) && !cluster.selectedBy(service).some(isReady);
    if (!down) return undefined;
    const text = say(context, 'step.dependency', { name: service.name });
    const check = getStep(
      language,
      'step.dependency',
      { name: service.name },
      { kind: 'Service', namespace: service.namespace, name: service.name },
    );
    return { cause: { text, certainty: 'likely' }, checks: [check] };
  }
  return missingService(context, pod, match);
}

function missingService(context: RuleContext, pod: KubeObject, match: LogMatch): ReturnType<typeof dependencyOf> {
  const host = match.signature.id === 'dns' ? UNRESOLVED.exec(match.line)?.[1] : undefined;
  const [name = '', namespace = pod.namespace, ...rest] = (host ?? '').replace(/\.$/, '').split('.');
  const inCluster = rest.length === 0 || rest[0] === 'svc';
  // Two labels may be an outside domain; only a name the cluster would look up itself can be said to lack a service.
  const judged = name !== '' && inCluster && (host?.includes('.') !== true || rest[0] === 'svc');
  if (!judged || !context.cluster.listedAll('Service', namespace)) return undefined;
  if (context.cluster.get({ kind: 'Service', namespace, name }) !== undefined) return undefined;
  const text = say(context, 'step.dependency-missing', { name: plainLine(name), namespace: plainLine(namespace) });
  return {
    cause: { text, certainty: 'likely' },
    checks: [
      getStep(
        context.language,
        'step.dependency-missing',
        { name, namespace },
        { kind: 'services', namespace, name: '' },
      ),
    ],
  };
}

import { quoteOf } from '../plain-text.js';
import type { LogSignature } from '../signatures/signature.js';
import type { Finding, NextStep } from '../types.js';
import type { Container } from './container.js';
import { type DockerContext, say, step } from './context.js';
import { platformStep } from './start-failure.js';
import type { WordKey } from './words.js';

/** The shared signatures speak of Kubernetes in places; there Docker has other words. */
const KUBERNETES =
  /\bpods?\b|ConfigMap|\bSecrets?\b|CoreDNS|Endpoints|Service\b|namespace|kube|\bnode\b|Pod|命名空间|节点|副本|集群 DNS/;
const CAUSES: Readonly<Record<string, WordKey>> = {
  dns: 'cause.dns',
  'port-in-use': 'cause.listen',
  'config-missing': 'cause.setting',
  'exec-format': 'cause.platform',
};
/** What a wrong or missing setting looks like from outside. */
const SETTINGS = new Set(['config-missing', 'database-authentication', 'redis-auth']);
const MAX_NAMES = 20;

/** What a log signature means for a container. */
export function explainSignature(
  context: DockerContext,
  container: Container,
  signature: LogSignature,
): {
  readonly title: string;
  readonly cause?: NonNullable<Finding['cause']>;
  readonly checks: readonly NextStep[];
  readonly helps: boolean;
} {
  const { language } = context;
  const own = CAUSES[signature.id];
  const text = own ? say(context, own) : signature.cause[language];
  const fits = (words: { readonly en: string; readonly zh: string }): boolean =>
    !KUBERNETES.test(words.en) && !KUBERNETES.test(words.zh);
  const names = container.envNames.slice(0, MAX_NAMES).map((name) => quoteOf(name, 60));
  return {
    title: signature.title[language],
    /** Whether a restart brings it back for now. */
    helps: signature.helps === 'restart',
    ...((own || fits(signature.cause)) && { cause: { text, certainty: 'likely' as const } }),
    checks: [
      ...(signature.id === 'exec-format' ? [platformStep(context, container.imageId)] : []),
      ...(signature.id === 'disk-full' ? [step(context, 'step.df', { command: ['docker', 'system', 'df'] })] : []),
      ...(SETTINGS.has(signature.id) && names.length > 0
        ? [step(context, 'step.env', { values: { names: names.join(' ') } })]
        : []),
      ...signature.checks.filter(fits).map((check): NextStep => ({ text: check[language], risk: 'low' })),
    ],
  };
}

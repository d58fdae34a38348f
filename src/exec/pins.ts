import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import type { PlanContext } from '../domain/ports.js';
import { homeFolder } from '../lib/paths.js';

/** What a session has fixed, for programs that would find it out by themselves. */
export interface Pins {
  readonly kubeContext?: string;
  readonly kubeNamespace?: string;
  /** What the context says of itself when the session starts: a name of a cluster, and of a user. */
  readonly kubeCluster?: string;
  readonly kubeUser?: string;
  readonly dockerHost?: string;
  readonly dockerContext?: string;
}

/** What the session has fixed, out of its context. */
export function pinsOf({ context, kube }: Pick<PlanContext, 'context' | 'kube'>): Pins {
  const pins = {
    kubeContext: context.kube_context,
    // Only in a context that is there can a namespace be fixed.
    kubeNamespace: kube?.cluster && (context.namespace ?? context.kube_namespace),
    kubeCluster: kube?.cluster,
    kubeUser: kube?.cluster && kube.user,
    dockerHost: context.docker_host,
    dockerContext: context.docker_context,
  };
  return Object.fromEntries(Object.entries(pins).filter(([, value]) => value !== undefined && value !== ''));
}

const SWITCHES = ['--all-namespaces', '-A'];

/**
 * What holds a kubectl or helm to the session where its argv leaves something open: the context, the namespace, or, when its tool
 * file does not list KUBECONFIG, which files are read. Undefined where nothing is open, for other programs and files, and for
 * `kubectl config`, which would write to the overlay. A word is taken for what it may not be only towards "open": an overlay too many does no harm.
 */
export function commandPins(
  tokens: readonly string[],
  env: readonly string[],
  context: Pick<PlanContext, 'context' | 'kube'>,
): Pins | undefined {
  const program = tokens[0]?.split('/').at(-1);
  if (program !== 'kubectl' && program !== 'helm') return undefined;
  const { dockerHost: _, dockerContext: _context, ...pins } = pinsOf(context);
  const own = ownItems(tokens);
  // What follows an option without a value may be its value.
  const sure = own.filter((_item, i) => !/^-[^=]*$/.test(own[i - 1] ?? '') || SWITCHES.includes(own[i - 1] ?? ''));
  const isConfig = program === 'kubectl' && sure.find((item) => !item.startsWith('-')) === 'config';
  const says = (option: RegExp) => sure.some((item) => option.test(item));
  if (pins.kubeContext === undefined || isConfig || says(/^--kubeconfig(=|$)/)) return undefined;
  const isWhole = says(/^--(kube-)?context=/) && says(/^(--namespace=.*|--all-namespaces|-A)$/);
  return isWhole && env.includes('KUBECONFIG') ? undefined : pins;
}

/** What a person has to know of pins that the argv does not show: a line, or nothing. */
export function pinsLine(tokens: readonly string[], { kubeContext, kubeNamespace }: Pins = {}): string {
  const own = ownItems(tokens);
  if (kubeContext === undefined || own.some((item) => /^--(kube-)?context(=|$)/.test(item))) return '';
  const isOpen =
    kubeNamespace !== undefined && !own.some((item) => /^(-n|--namespace|--all-namespaces|-A$)/.test(item));
  return `\nwith the session's context ${kubeContext}${isOpen ? `, namespace ${kubeNamespace}` : ''}`;
}

/** The items of the program itself: what follows `--` is another's. */
function ownItems(tokens: readonly string[]): readonly string[] {
  const end = tokens.indexOf('--');
  return tokens.slice(1, end < 0 ? undefined : end);
}

/**
 * Variables that make programs keep to what the session is fixed to, whatever their files say meanwhile. A kubeconfig that has only
 * the context stands before the person's own: the first file that names a current context wins, and so does the first that has an
 * entry, as a whole (seen with kubectl 1.27 to 1.33 and helm 4.1). `folder` is private to the call, and goes with it.
 */
export async function pinnedEnv(pins: Pins, folder: string): Promise<Record<string, string>> {
  const {
    kubeContext,
    kubeNamespace: namespace,
    kubeCluster: cluster,
    kubeUser: user,
    dockerHost,
    dockerContext,
  } = pins;
  const file = join(folder, 'kubeconfig');
  const contexts = cluster === undefined ? [] : [{ name: kubeContext, context: { cluster, user, namespace } }];
  const overlay = { apiVersion: 'v1', kind: 'Config', 'current-context': kubeContext, contexts };
  if (kubeContext !== undefined) await writeFile(file, JSON.stringify(overlay), { mode: 0o600 });
  const own = process.env.KUBECONFIG || join(homeFolder(process.env), '.kube', 'config');
  return {
    KUBECONFIG: kubeContext === undefined ? own : `${file}${delimiter}${own}`,
    // For helm it would stand above the context's.
    ...(namespace !== undefined && { HELM_NAMESPACE: namespace }),
    ...(dockerHost !== undefined && { DOCKER_HOST: dockerHost }),
    ...(dockerContext !== undefined && { DOCKER_CONTEXT: dockerContext }),
  };
}

/** Does `work` with the variables of `pinnedEnv`; without pins, with none. */
export async function withPins<T>(
  pins: Pins | undefined,
  work: (env: Readonly<Record<string, string>>) => Promise<T>,
): Promise<T> {
  if (!pins) return work({});
  const folder = await mkdtemp(join(tmpdir(), 'opsagent-pins-'));
  try {
    return await work(await pinnedEnv(pins, folder));
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

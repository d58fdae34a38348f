import { basename } from 'node:path';
import { flagOn, flagValue } from './flags.js';
import type { Dump } from './holdings.js';
import { textAt } from './json.js';
import { type Kind, knownKind } from './kinds.js';
import { answerOf, cannot, type KubectlAnswer } from './outcome.js';
import { tableText } from './print.js';
import { type Question, qualified } from './question.js';

/** The name by which a dump goes in the place of a kube context: that of the recorded cluster, else its folder's. */
export const contextOf = (dump: Dump): string => dump.manifest?.context ?? `dump:${basename(dump.dir)}`;

/** Answers `kubectl version`: the recorded nodes tell the cluster's version; there is no client. */
export async function answerVersion(question: Question): Promise<KubectlAnswer> {
  const versions = await kubeletVersions(question.dump);
  if (flagValue(question.args, 'output') === 'json') {
    return answerOf(`${JSON.stringify({ clientVersion: null, nodeVersions: versions }, null, 2)}\n`);
  }
  const client = 'Client Version: none, a dump is being read\n';
  if (flagOn(question.args, 'client')) return answerOf(client);
  return answerOf(`${client}Node Versions: ${versions.join(', ') || 'not recorded'}\n`);
}

async function kubeletVersions(dump: Dump): Promise<string[]> {
  const nodes = knownKind('nodes');
  const listing = nodes === undefined ? undefined : await dump.list(nodes);
  const all = listing?.items.map((node) => textAt(node, 'status', 'nodeInfo', 'kubeletVersion')) ?? [];
  return [...new Set(all.filter((version) => version !== ''))].sort();
}

/** Answers `kubectl config current-context` and `get-contexts`; other questions about configuration cannot be answered. */
export function answerConfig(question: Question): KubectlAnswer {
  const [what = ''] = question.words;
  const context = contextOf(question.dump);
  if (what === 'current-context') return answerOf(`${context}\n`);
  if (what !== 'get-contexts') throw cannot(`answer "kubectl config ${what}": it has no kubeconfig`);
  if (flagValue(question.args, 'output') === 'name') return answerOf(`${context}\n`);
  return answerOf(
    tableText([
      ['CURRENT', 'NAME', 'CLUSTER', 'AUTHINFO', 'NAMESPACE'],
      ['*', context, context, '', ''],
    ]),
  );
}

/** Answers `kubectl api-resources` with the recorded kinds. */
export function answerApiResources(question: Question): KubectlAnswer {
  const kinds = question.dump.kinds.toSorted((a, b) => (a.plural < b.plural ? -1 : 1));
  const scope = flagValue(question.args, 'namespaced');
  const shown = kinds.filter((kind) => scope === undefined || String(kind.namespaced) === scope);
  if (flagValue(question.args, 'output') === 'name') {
    return answerOf(shown.map((kind) => `${qualified(kind.plural, kind)}\n`).join(''));
  }
  const row = (kind: Kind): string[] => [
    kind.plural,
    kind.shortNames.join(','),
    kind.apiVersion || '<unknown>',
    String(kind.namespaced),
    kind.kind,
  ];
  const header = ['NAME', 'SHORTNAMES', 'APIVERSION', 'NAMESPACED', 'KIND'];
  return answerOf(tableText(flagOn(question.args, 'no-headers') ? shown.map(row) : [header, ...shown.map(row)]));
}

/** Answers `kubectl cluster-info` with what the dump is. */
export async function answerClusterInfo(question: Question): Promise<KubectlAnswer> {
  const { dump, words, nowMs } = question;
  if (words.length > 0) throw cannot(`answer "kubectl cluster-info ${words.join(' ')}"`);
  const versions = await kubeletVersions(dump);
  const lines = [
    `No control plane: this is a dump of ${contextOf(dump)}.`,
    `Newest moment in it: ${nowMs === 0 ? 'unknown' : new Date(nowMs).toISOString()}`,
    `Namespaces: ${dump.namespaces.join(', ') || 'none'}`,
    `Node versions: ${versions.join(', ') || 'not recorded'}`,
  ];
  return answerOf(`${lines.join('\n')}\n`);
}

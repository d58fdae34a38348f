import type { JsonObject } from '../domain/types.js';
import { flagValue } from './flags.js';
import { at, listAt, nameOf, numberAt, textAt } from './json.js';
import { type Kind, knownKind } from './kinds.js';
import { answerOf, cannot, complaint, type KubectlAnswer } from './outcome.js';
import { tableText } from './print.js';
import { type Question, qualified, unrecorded } from './question.js';
import { selectObjects } from './select.js';

/** Answers `kubectl rollout status` and `history`; what changes a workload cannot be done to a dump. */
export async function answerRollout(question: Question): Promise<KubectlAnswer> {
  const [what = '', ...words] = question.words;
  if (what !== 'status' && what !== 'history')
    throw cannot(`run "kubectl rollout ${what}": nothing in it can be changed`);
  const { groups, notFound } = await selectObjects({ ...question, words });
  if (notFound.length > 0) throw complaint(notFound.join('\n'));
  const targets = groups.flatMap(({ kind, objects }) => objects.map((object) => ({ kind, object })));
  if (what === 'status') return answerOf(targets.map(({ kind, object }) => status(kind, object)).join(''));
  const histories = await Promise.all(targets.map(({ kind, object }) => history(question, kind, object)));
  return answerOf(histories.join('\n'));
}

function status(kind: Kind, object: JsonObject): string {
  const name = nameOf(object);
  const waiting = waitingFor(kind, object);
  if (waiting === undefined) return `${kind.singular} "${name}" successfully rolled out\n`;
  if (waiting === '') throw complaint(`error: no status viewer has been implemented for ${kind.kind}`);
  throw complaint(
    `error: the rollout of ${kind.singular} "${name}" was not complete when the dump was made: ${waiting}`,
    `Waiting for ${kind.singular} "${name}" rollout to finish: ${waiting}...\n`,
  );
}

/** What a rollout still waits for; undefined when it is complete, '' when the kind has no rollout. */
function waitingFor(kind: Kind, object: JsonObject): string | undefined {
  const n = (field: string): number => numberAt(object, 'status', field);
  const replicas = Number(textAt(object, 'spec', 'replicas') || '1');
  if (numberAt(object, 'metadata', 'generation') > n('observedGeneration')) return 'its spec was not yet observed';
  switch (kind.plural) {
    case 'deployments': {
      const late = listAt(object, 'status', 'conditions').some(
        (c) => textAt(c, 'reason') === 'ProgressDeadlineExceeded',
      );
      if (late) return 'it exceeded its progress deadline';
      if (n('updatedReplicas') < replicas)
        return `${n('updatedReplicas')} out of ${replicas} new replicas have been updated`;
      if (n('replicas') > n('updatedReplicas'))
        return `${n('replicas') - n('updatedReplicas')} old replicas are pending termination`;
      return n('availableReplicas') < n('updatedReplicas')
        ? `${n('availableReplicas')} of ${n('updatedReplicas')} updated replicas are available`
        : undefined;
    }
    case 'statefulsets':
      if (n('readyReplicas') < replicas) return `${n('readyReplicas')} of ${replicas} pods are ready`;
      return n('updatedReplicas') < replicas &&
        at(object, 'status', 'currentRevision') !== at(object, 'status', 'updateRevision')
        ? `${n('updatedReplicas')} of ${replicas} pods are updated`
        : undefined;
    case 'daemonsets': {
      const wanted = n('desiredNumberScheduled');
      if (n('updatedNumberScheduled') < wanted)
        return `${n('updatedNumberScheduled')} out of ${wanted} new pods have been updated`;
      return n('numberAvailable') < wanted
        ? `${n('numberAvailable')} of ${wanted} updated pods are available`
        : undefined;
    }
    default:
      return '';
  }
}

const REVISION = 'deployment.kubernetes.io/revision';

async function history(question: Question, kind: Kind, object: JsonObject): Promise<string> {
  const title = `${qualified(kind.singular, kind)}/${nameOf(object)}`;
  const plural = kind.plural === 'deployments' ? 'replicasets' : 'controllerrevisions';
  const source = knownKind(plural);
  if (source === undefined) return '';
  if (flagValue(question.args, 'revision') !== undefined) throw cannot('show one revision of a rollout');
  const listing = await question.dump.list(source, question.namespace);
  if (!listing.recorded) throw unrecorded(question.dump, source, question.namespace);
  const uid = textAt(object, 'metadata', 'uid');
  const mine = listing.items.filter((item) =>
    listAt(item, 'metadata', 'ownerReferences').some((owner) => textAt(owner, 'uid') === uid && uid !== ''),
  );
  const rows = mine
    .map((item) => [
      kind.plural === 'deployments' ? textAt(item, 'metadata', 'annotations', REVISION) : textAt(item, 'revision'),
      textAt(item, 'metadata', 'annotations', 'kubernetes.io/change-cause') || '<none>',
    ])
    .toSorted((a, b) => Number(a[0]) - Number(b[0]));
  return `${title} \n${tableText([['REVISION', 'CHANGE-CAUSE'], ...rows])}`;
}

import type { JsonObject } from '../domain/types.js';
import { alignCells, cellText, DESCRIPTION, visibleEscapes } from './align.js';
import { describeNode } from './describe-node.js';
import {
  describeConfigMap,
  describeEndpoints,
  describeGeneric,
  describeSecret,
  describeService,
} from './describe-other.js';
import { line, tableSection } from './describe-parts.js';
import { describePod } from './describe-pod.js';
import { describeWorkload } from './describe-workload.js';
import { byLastSeen, eventInterval } from './event-text.js';
import { flagValue } from './flags.js';
import { nameOf, namespaceOf, textAt } from './json.js';
import { type Kind, knownKind } from './kinds.js';
import { answerOf, complaint, type KubectlAnswer } from './outcome.js';
import { noneFound } from './print.js';
import type { Question } from './question.js';
import { type Selection, selectObjects } from './select.js';

/** Answers `kubectl describe`, with events at the end of each object. */
export async function answerDescribe(question: Question): Promise<KubectlAnswer> {
  const selection = await withPrefixes(question, await selectObjects(question));
  const objects = selection.groups.flatMap(({ kind, objects: all }) => all.map((object) => ({ kind, object })));
  const texts = await Promise.all(objects.map(({ kind, object }) => describe(question, kind, object)));
  const stdout = texts.join('\n');
  const problems = [...selection.gaps, ...selection.notFound];
  if (problems.length > 0) throw complaint(problems.join('\n'), stdout);
  const kinds = selection.groups.map((group) => group.kind);
  return texts.length === 0 ? answerOf('', noneFound(kinds, question.namespace)) : answerOf(stdout);
}

/** A name that is not there may be the beginning of names, as `kubectl describe` allows. */
async function withPrefixes(question: Question, selection: Selection): Promise<Selection> {
  const [group, ...others] = selection.groups;
  const [prefix, ...more] = question.words.slice(1);
  const single = group !== undefined && others.length === 0 && prefix !== undefined && more.length === 0;
  if (!single || selection.notFound.length === 0) return selection;
  const { items } = await question.dump.list(group.kind, question.namespace);
  const found = items.filter((item) => nameOf(item).startsWith(prefix));
  return found.length === 0
    ? selection
    : { ...selection, groups: [{ kind: group.kind, objects: found }], notFound: [] };
}

async function describe(question: Question, kind: Kind, object: JsonObject): Promise<string> {
  const lines = await linesOf(question, kind, object);
  const events = flagValue(question.args, 'show-events') === 'false' ? [] : await eventLines(question, object);
  // A line break inside a value must not pass for a line of its own.
  const safe = [...lines, ...events].map((text) => visibleEscapes(text.replaceAll('\n', ' ')));
  const aligned = alignCells(safe, DESCRIPTION);
  return aligned.map((text) => `${text.trimEnd()}\n`).join('');
}

async function linesOf(question: Question, kind: Kind, object: JsonObject): Promise<string[]> {
  const namespace = namespaceOf(object);
  const near = (plural: string, where?: string) => recordedList(question, plural, where);
  switch (kind.plural) {
    case 'pods':
      return describePod(object);
    case 'deployments':
    case 'replicasets':
    case 'replicationcontrollers':
    case 'statefulsets':
    case 'daemonsets':
    case 'jobs':
    case 'cronjobs':
      return describeWorkload(object, {
        pods: await near('pods', namespace),
        replicaSets: await near('replicasets', namespace),
      });
    case 'services': {
      const all = await near('endpoints', namespace);
      return describeService(
        object,
        all?.find((each) => nameOf(each) === nameOf(object)),
        all !== undefined,
      );
    }
    case 'nodes':
      return describeNode(object, await near('pods'), question.nowMs);
    case 'endpoints':
      return describeEndpoints(object);
    case 'configmaps':
      return describeConfigMap(object);
    case 'secrets':
      return describeSecret(object);
    default:
      return describeGeneric(object);
  }
}

async function recordedList(
  question: Question,
  plural: string,
  namespace?: string,
): Promise<readonly JsonObject[] | undefined> {
  const kind = knownKind(plural);
  const listing = kind === undefined ? undefined : await question.dump.list(kind, namespace);
  return listing?.recorded === true ? listing.items : undefined;
}

async function eventLines(question: Question, object: JsonObject): Promise<string[]> {
  const namespace = namespaceOf(object);
  const events = await recordedList(question, 'events', namespace === '' ? undefined : namespace);
  if (events === undefined) return [line('Events', '<events are not recorded>')];
  const mine = events.filter((event) => concerns(event, object)).toSorted(byLastSeen);
  const rows = mine.map((event) => [
    textAt(event, 'type'),
    textAt(event, 'reason'),
    eventInterval(event, question.nowMs),
    textAt(event, 'source', 'component') || textAt(event, 'reportingComponent'),
    cellText(textAt(event, 'message').trim()),
  ]);
  return tableSection('Events', ['Type', 'Reason', 'Age', 'From', 'Message'], rows);
}

/** Events of an earlier object of the same name have another uid. Those of a node carry its name in place of the uid. */
function concerns(event: JsonObject, object: JsonObject): boolean {
  const [kind, name, uid] = ['kind', 'name', 'uid'].map((field) => textAt(event, 'involvedObject', field));
  const own = textAt(object, 'metadata', 'uid');
  const same = uid === '' || own === '' || uid === own || uid === name;
  return kind === textAt(object, 'kind') && name === nameOf(object) && same;
}

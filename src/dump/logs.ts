import type { JsonObject } from '../domain/types.js';
import { flagOn, flagValue } from './flags.js';
import { at, listAt, nameOf, namespaceOf, numberAt, textAt } from './json.js';
import { knownKind, resolveKind } from './kinds.js';
import { chooseLines, type LineChoice } from './log-lines.js';
import { pickPod } from './log-pod.js';
import { containerNames, logTitle, recordedLog } from './log-store.js';
import { AnswerError, answerOf, complaint, type KubectlAnswer, notRecorded } from './outcome.js';
import { type Question, qualified, unrecorded } from './question.js';
import { labelSelector, labelsOf, podSelectorOf } from './selectors.js';
import { parseDuration } from './time.js';

/** Answers `kubectl logs`. Of several containers, those without a recorded log are told after the others are shown. */
export async function answerLogs(question: Question): Promise<KubectlAnswer> {
  const choice = choiceOf(question);
  const { pods, note } = await podsOf(question);
  const targets = pods.map((pod) => ({ pod, ...containersOf(question, pod) }));
  const notes = [note, ...targets.map((target) => target.note)];
  if (flagOn(question.args, 'timestamps'))
    notes.push('The dump holds logs without timestamps; --timestamps adds none.');
  const parts: string[] = [];
  const failed: AnswerError[] = [];
  for (const { pod, container } of targets.flatMap(({ pod, names }) =>
    names.map((container) => ({ pod, container })),
  )) {
    try {
      const { lines, timed } = chooseLines(await logOf(question, pod, container), choice);
      if (!timed) notes.push(`The lines of container ${container} begin with no time: --since leaves nothing out.`);
      parts.push(withPrefix(lines, flagOn(question.args, 'prefix') ? `[pod/${nameOf(pod)}/${container}] ` : ''));
    } catch (thrown) {
      if (!(thrown instanceof AnswerError)) throw thrown;
      failed.push(thrown);
    }
  }
  const stdout = parts.map((part, index) => endLine(part, index < parts.length - 1)).join('');
  const stderr = [...new Set(notes)]
    .filter((text) => text !== '')
    .map((text) => `${text}\n`)
    .join('');
  const [first] = failed;
  if (first === undefined) return answerOf(stdout, stderr);
  throw new AnswerError(stderr + failed.map((each) => each.stderr).join(''), first.callError, stdout);
}

const withPrefix = (lines: readonly string[], prefix: string): string =>
  prefix === '' ? lines.join('') : lines.map((text) => prefix + text).join('');

/** A log that does not end with its line must not run into the next one. */
const endLine = (text: string, more: boolean): string =>
  more && text !== '' && !text.endsWith('\n') ? `${text}\n` : text;

function choiceOf({ args, nowMs }: Question): LineChoice {
  const since = flagValue(args, 'since');
  const sinceTime = flagValue(args, 'since-time');
  if (since !== undefined && sinceTime !== undefined)
    throw complaint('error: at most one of `sinceTime` or `sinceSeconds` may be specified');
  const duration = since === undefined ? undefined : parseDuration(since);
  if (since !== undefined && duration === undefined) {
    throw complaint(`error: invalid argument "${since}" for "--since" flag: time: invalid duration "${since}"`);
  }
  const moment = sinceTime === undefined ? undefined : Date.parse(sinceTime);
  if (moment !== undefined && Number.isNaN(moment))
    throw complaint(`error: parsing time "${sinceTime}" as RFC3339: cannot parse it`);
  const sinceMs = duration === undefined || duration === 0 ? moment : nowMs - duration;
  const tail = numberFlag(args, 'tail', flagValue(args, 'selector') === undefined ? -1 : 10);
  const limitBytes = numberFlag(args, 'limit-bytes', 0);
  return { tail: tail < 0 ? undefined : tail, sinceMs, limitBytes: limitBytes > 0 ? limitBytes : undefined };
}

function numberFlag(args: Question['args'], name: string, otherwise: number): number {
  const text = flagValue(args, name);
  if (text === undefined) return otherwise;
  if (!/^-?\d{1,15}$/.test(text)) {
    throw complaint(
      `error: invalid argument "${text}" for "--${name}" flag: strconv.ParseInt: parsing "${text}": invalid syntax`,
    );
  }
  const value = Number(text);
  if (name === 'tail' && value < -1) throw complaint('error: --tail must be greater than or equal to -1');
  return value;
}

const PODS = knownKind('pods');

async function podsOf(question: Question): Promise<{ pods: JsonObject[]; note: string }> {
  const selector = flagValue(question.args, 'selector');
  const [target, container] = question.words;
  if (selector !== undefined) {
    if (target !== undefined) throw complaint('error: only a selector (-l) or a POD name is allowed');
    const test = labelSelector(selector);
    const pods = (await allPods(question)).filter((pod) => test(labelsOf(pod)));
    return { pods, note: pods.length === 0 ? `No resources found in ${question.namespace ?? ''} namespace.` : '' };
  }
  if (target === undefined || question.words.length > 2)
    throw complaint(
      "error: expected 'logs [-f] [-p] (POD | TYPE/NAME) [-c CONTAINER]'.\nPOD or TYPE/NAME is a required argument for the logs command",
    );
  if (container !== undefined && flagValue(question.args, 'container') !== undefined) {
    throw complaint('error: only one of -c or an inline [CONTAINER] arg is allowed');
  }
  const [kindWord = '', name = ''] = target.includes('/') ? target.split('/') : ['pods', target];
  const kind = resolveKind(kindWord, question.dump.kinds);
  const listing = await question.dump.list(kind, question.namespace);
  if (!listing.recorded) throw unrecorded(question.dump, kind, question.namespace);
  const object = listing.items.find((item) => nameOf(item) === name);
  if (object === undefined)
    throw complaint(`Error from server (NotFound): ${qualified(kind.plural, kind)} "${name}" not found`);
  if (kind.plural === 'pods') return { pods: [object], note: '' };
  return podOfWorkload(question, object, `${kindWord}/${name}`);
}

async function allPods(question: Question): Promise<readonly JsonObject[]> {
  if (PODS === undefined) return [];
  const listing = await question.dump.list(PODS, question.namespace);
  if (!listing.recorded) throw unrecorded(question.dump, PODS, question.namespace);
  return listing.items;
}

async function podOfWorkload(
  question: Question,
  object: JsonObject,
  target: string,
): Promise<{ pods: JsonObject[]; note: string }> {
  const test = podSelectorOf(object);
  if (test === undefined) throw complaint(`error: cannot get the logs from ${target}: selector is required`);
  const mine = (await allPods(question)).filter((pod) => test(labelsOf(pod)));
  const chosen = pickPod(mine);
  if (chosen === undefined) throw complaint(`error: no pod of ${target} is in the dump`);
  return { pods: [chosen], note: mine.length > 1 ? `Found ${mine.length} pods, using pod/${nameOf(chosen)}` : '' };
}

function containersOf({ args, words }: Question, pod: JsonObject): { names: string[]; note: string } {
  const names = containerNames(pod);
  if (flagOn(args, 'all-containers')) return { names, note: '' };
  const asked = flagValue(args, 'container') ?? words[1];
  if (asked !== undefined) {
    if (names.includes(asked)) return { names: [asked], note: '' };
    throw complaint(
      `error: container ${asked} is not valid for pod ${nameOf(pod)}`,
      '',
      `The containers of this pod: ${containerList(pod)}.`,
    );
  }
  const main = listAt(pod, 'spec', 'containers').map((container) => textAt(container, 'name'));
  const annotated = textAt(pod, 'metadata', 'annotations', 'kubectl.kubernetes.io/default-container');
  const first = names.includes(annotated) ? annotated : (main[0] ?? '');
  const several = names.length > 1 && first !== annotated;
  return { names: [first], note: several ? `Defaulted container "${first}" out of: ${containerList(pod)}` : '' };
}

const containerList = (pod: JsonObject): string => {
  const init = listAt(pod, 'spec', 'initContainers').map((container) => `${textAt(container, 'name')} (init)`);
  return [...listAt(pod, 'spec', 'containers').map((container) => textAt(container, 'name')), ...init].join(', ');
};

async function logOf(question: Question, pod: JsonObject, container: string): Promise<string> {
  const previous = flagOn(question.args, 'previous');
  const log = await recordedLog(question.dump, pod, container, previous);
  const which = logTitle(namespaceOf(pod), nameOf(pod), container, previous);
  if (log?.failed !== undefined) throw notRecorded(`the ${which} is not recorded, because: ${log.failed}`, MORE);
  if (log !== undefined) return log.text;
  const status = ['initContainerStatuses', 'containerStatuses', 'ephemeralContainerStatuses']
    .flatMap((field) => listAt(pod, 'status', field))
    .find((each) => textAt(each, 'name') === container);
  if (previous && status !== undefined && numberAt(status, 'restartCount') === 0) {
    throw complaint(
      `Error from server (BadRequest): previous terminated container "${container}" in pod "${nameOf(pod)}" not found`,
    );
  }
  const waiting = textAt(status, 'state', 'waiting', 'reason');
  if (!previous && waiting !== '' && at(status, 'lastState', 'terminated') === undefined) {
    throw complaint(
      `Error from server (BadRequest): container "${container}" in pod "${nameOf(pod)}" is waiting to start: ${waiting}`,
    );
  }
  const missing = question.dump.manifest?.missing.find((each) => each.what === which);
  throw notRecorded(`the ${which} is not recorded${missing === undefined ? '' : `, because: ${missing.why}`}`, MORE);
}

const MORE = 'Record the dump again with this log, or ask a live cluster without --dump.';

import type { JsonObject } from '../domain/types.js';
import { cellText } from './align.js';
import { byLastSeen, eventInterval } from './event-text.js';
import { flagOn, flagValue } from './flags.js';
import { namespaceOf, textAt } from './json.js';
import { type Kind, knownKind, resolveKind } from './kinds.js';
import { answerOf, complaint, type KubectlAnswer } from './outcome.js';
import { printNames, printObjects, tableText } from './print.js';
import { type Question, unrecorded, unrecordedText } from './question.js';
import type { Group } from './select.js';

const EVENTS: Kind = knownKind('events') ?? resolveKind('events', []);

/** Answers `kubectl events`: oldest first. */
export async function answerEvents(question: Question): Promise<KubectlAnswer> {
  if (question.words.length > 0) throw complaint(`error: unexpected arguments: ${question.words.join(' ')}`);
  const listing = await question.dump.list(EVENTS, question.namespace);
  if (!listing.recorded) throw unrecorded(question.dump, EVENTS, question.namespace);
  const wanted = [typesTest(question), objectTest(question)];
  const events = listing.items.filter((event) => wanted.every((test) => test(event))).toSorted(byLastSeen);
  const stdout = print(question, [{ kind: EVENTS, objects: events }]);
  if (listing.unrecordedNamespaces.length > 0) {
    throw complaint(unrecordedText(question.dump, EVENTS, listing.unrecordedNamespaces.join(', ')), stdout);
  }
  const where =
    question.namespace === undefined ? 'No events found.' : `No events found in ${question.namespace} namespace.`;
  return events.length === 0 && (flagValue(question.args, 'output') ?? '') === ''
    ? answerOf('', `${where}\n`)
    : answerOf(stdout);
}

function typesTest({ args }: Question): (event: JsonObject) => boolean {
  const types = (args.flags.get('types') ?? []).flatMap((list) => list.split(',')).map((type) => type.toLowerCase());
  const odd = types.find((type) => type !== 'normal' && type !== 'warning');
  if (odd !== undefined) throw complaint('error: valid --types are Normal or Warning');
  return (event) => types.length === 0 || types.includes(textAt(event, 'type').toLowerCase());
}

function objectTest({ args, dump }: Question): (event: JsonObject) => boolean {
  const target = flagValue(args, 'for');
  if (target === undefined) return () => true;
  const [word = '', name = '', ...more] = target.split('/');
  if (word === '' || name === '' || more.length > 0) {
    throw complaint('error: --for must be in resource/name form');
  }
  const kind = resolveKind(word, dump.kinds);
  return (event) => {
    const sameKind = textAt(event, 'involvedObject', 'kind').toLowerCase() === kind.singular;
    return sameKind && textAt(event, 'involvedObject', 'name') === name;
  };
}

function print({ args, namespace, nowMs }: Question, groups: readonly Group[]): string {
  const output = flagValue(args, 'output') ?? '';
  if (output === 'json' || output === 'yaml') return printObjects(groups, false, output, false);
  if (output === 'name') return printNames(groups);
  if (!['', 'wide'].includes(output)) {
    throw complaint(
      `error: unable to match a printer suitable for the output format "${output}", allowed formats are: json,name,yaml`,
    );
  }
  const rows = groups
    .flatMap((group) => group.objects)
    .map((event) => [
      ...(namespace === undefined ? [namespaceOf(event)] : []),
      eventInterval(event, nowMs),
      ...[textAt(event, 'type'), textAt(event, 'reason'), objectText(event), textAt(event, 'message').trim()].map(
        cellText,
      ),
    ]);
  const header = [
    ...(namespace === undefined ? ['NAMESPACE'] : []),
    'LAST SEEN',
    'TYPE',
    'REASON',
    'OBJECT',
    'MESSAGE',
  ];
  return tableText(flagOn(args, 'no-headers') ? rows : [header, ...rows]);
}

/** `Pod/web-1`: unlike `kubectl get events`, this table keeps the kind's own spelling. */
const objectText = (event: JsonObject): string =>
  `${textAt(event, 'involvedObject', 'kind')}/${textAt(event, 'involvedObject', 'name')}`;

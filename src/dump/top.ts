import { cellText } from './align.js';
import { flagOn, flagValue } from './flags.js';
import { nameOf, namespaceOf } from './json.js';
import { type Kind, knownKind, resolveKind } from './kinds.js';
import { answerOf, cannot, complaint, type KubectlAnswer, notRecorded } from './outcome.js';
import { sizeOf, tableText } from './print.js';
import { type Question, unrecorded } from './question.js';
import { labelSelector, labelsOf } from './selectors.js';

/** A recorded table: its column names and rows. */
interface Recorded {
  readonly header: readonly string[];
  readonly rows: readonly (readonly string[])[];
}

/** Answers `kubectl top pods` and `kubectl top nodes` from recorded tables. */
export async function answerTop(question: Question): Promise<KubectlAnswer> {
  const [word = '', name, ...more] = question.words;
  const kind = resolveKind(word, []);
  if (word === '' || !['pods', 'nodes'].includes(kind.plural))
    throw complaint(`error: unknown command "${word}" for "top": use pods or nodes`);
  if (more.length > 0) throw complaint('error: only one name is allowed');
  const table = kind.plural === 'nodes' ? await nodeTable(question) : await podTable(question);
  const named = table.header.indexOf('NAME') < 0 ? table.header.indexOf('POD') : table.header.indexOf('NAME');
  const chosen = table.rows.filter((row) => name === undefined || row[named] === name);
  if (name !== undefined && chosen.length === 0) {
    throw complaint(`Error from server (NotFound): ${kind.plural} "${name}" not found`);
  }
  const labelled = await byLabel(question, kind, table.header, named, chosen);
  return printTop(question, table.header, sorted(question, table.header, labelled));
}

async function nodeTable(question: Question): Promise<Recorded> {
  const text = await question.dump.text('top-nodes.txt');
  if (text === undefined) throw notHeld(question, 'top nodes');
  return readTable(text);
}

async function podTable(question: Question): Promise<Recorded> {
  const { dump, namespace, args } = question;
  const all = await dump.text('top-pods.txt');
  const own = namespace === undefined ? undefined : await dump.text(namespace, 'top-pods.txt');
  if (all === undefined && own === undefined) throw notHeld(question, 'top pods');
  const table = readTable(all ?? own ?? '');
  if (flagOn(args, 'containers') && !table.header.includes('POD')) {
    throw notRecorded(
      'the usage of single containers is not recorded: the dump holds that of whole pods',
      'Leave --containers out.',
    );
  }
  const column = table.header.indexOf('NAMESPACE');
  if (column < 0 && own === undefined && namespace !== undefined) throw notHeld(question, 'top pods');
  if (column < 0 || namespace === undefined) return table;
  const without = (row: readonly string[]): string[] => row.filter((_, index) => index !== column);
  return { header: without(table.header), rows: table.rows.filter((row) => row[column] === namespace).map(without) };
}

function notHeld({ dump }: Question, what: string): Error {
  const why = dump.manifest?.missing.find((missing) => missing.what === what)?.why;
  return notRecorded(
    `${what} is not recorded: the dump holds no usage of ${what.slice(4)}${why === undefined ? '' : `, because: ${why}`}`,
    `Record it with kubectl ${what}${what === 'top pods' ? ' -A' : ''} > ${what.replace(' ', '-')}.txt in the dump's folder, or ask a live cluster without --dump.`,
  );
}

function readTable(text: string): Recorded {
  const rows = text
    .split('\n')
    .filter((line) => line.trim() !== '')
    .map((line) => line.trim().split(/\s+/));
  const [header = [], ...rest] = rows;
  return { header, rows: rest.map((row) => row.map(cellText)) };
}

async function byLabel(
  question: Question,
  kind: Kind,
  header: readonly string[],
  named: number,
  rows: readonly (readonly string[])[],
): Promise<readonly (readonly string[])[]> {
  const selector = flagValue(question.args, 'selector');
  const objects = knownKind(kind.plural);
  if (selector === undefined || objects === undefined) return rows;
  const listing = await question.dump.list(objects, question.namespace);
  if (!listing.recorded) throw unrecorded(question.dump, objects, question.namespace);
  const test = labelSelector(selector);
  const space = header.indexOf('NAMESPACE');
  const key = (namespace: string, name: string): string => (space < 0 ? name : `${namespace}/${name}`);
  const wanted = new Set(
    listing.items.filter((item) => test(labelsOf(item))).map((item) => key(namespaceOf(item), nameOf(item))),
  );
  return rows.filter((row) => wanted.has(key(row[space] ?? '', row[named] ?? '')));
}

function sorted(
  { args }: Question,
  header: readonly string[],
  rows: readonly (readonly string[])[],
): readonly (readonly string[])[] {
  const by = flagValue(args, 'sort-by') ?? '';
  if (by === '') return rows;
  if (by !== 'cpu' && by !== 'memory') throw complaint('error: --sort-by accepts only cpu or memory');
  const column = header.findIndex((title) => title.startsWith(by.toUpperCase()));
  return rows.toSorted((a, b) => (sizeOf(b[column] ?? '') ?? 0) - (sizeOf(a[column] ?? '') ?? 0));
}

function printTop(question: Question, header: readonly string[], rows: readonly (readonly string[])[]): KubectlAnswer {
  if (flagOn(question.args, 'show-capacity')) throw cannot('answer "kubectl top --show-capacity"');
  if (rows.length === 0) {
    const where =
      question.namespace === undefined
        ? 'No resources found'
        : `No resources found in ${question.namespace} namespace.`;
    return answerOf('', `${where}\n`);
  }
  return answerOf(tableText(flagOn(question.args, 'no-headers') ? rows : [header, ...rows]));
}

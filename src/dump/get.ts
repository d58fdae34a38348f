import { flagOn, flagValue } from './flags.js';
import { renderTemplate } from './jsonpath.js';
import { answerOf, cannot, complaint, type KubectlAnswer } from './outcome.js';
import {
  listOf,
  noneFound,
  printCustomColumns,
  printNames,
  printObjects,
  printTables,
  sortObjects,
  type TableStyle,
} from './print.js';
import type { Question } from './question.js';
import { secretTemplate } from './secrets.js';
import { type Group, type Selection, selectObjects } from './select.js';

/** Answers `kubectl get`. */
export async function answerGet(question: Question): Promise<KubectlAnswer> {
  const output = outputOf(question);
  const selection = await selectObjects(question);
  const path = flagValue(question.args, 'sort-by') ?? '';
  const groups = selection.groups.map(({ kind, objects }) => ({ kind, objects: sortObjects(objects, path) }));
  const stdout = print(question, selection, groups, output);
  const quiet = flagOn(question.args, 'ignore-not-found');
  const notFound = quiet ? [] : selection.notFound;
  const problems = [...selection.gaps, ...notFound];
  if (problems.length > 0) throw complaint(problems.join('\n'), stdout);
  const isTable = ['', 'wide', 'table'].includes(output.format);
  const empty = isTable && !quiet && groups.every((group) => group.objects.length === 0);
  return answerOf(
    stdout,
    empty
      ? noneFound(
          groups.map((group) => group.kind),
          question.namespace,
        )
      : '',
  );
}

interface Output {
  readonly format: string;
  /** What follows `=` in `-o jsonpath=…`. */
  readonly template: string;
}

const FORMATS = [
  '',
  'table',
  'wide',
  'json',
  'yaml',
  'name',
  'jsonpath',
  'jsonpath-as-json',
  'custom-columns',
  'go-template',
  'template',
];

function outputOf({ args }: Question): Output {
  const raw = flagValue(args, 'output') ?? '';
  const equals = raw.indexOf('=');
  const format = equals < 0 ? raw : raw.slice(0, equals);
  const template = equals < 0 ? (flagValue(args, 'template') ?? '') : raw.slice(equals + 1);
  if (FORMATS.includes(format)) return { format, template };
  if (/^(jsonpath|go-template|template|templatefile|custom-columns)-?file$/.test(format)) {
    throw cannot(
      `answer "kubectl get --output=${format}"`,
      'Give the template itself: --output=jsonpath=… or custom-columns=…',
    );
  }
  throw complaint(
    `error: unable to match a printer suitable for the output format "${format}", allowed formats are: ` +
      'custom-columns,json,jsonpath,name,wide,yaml',
  );
}

function print(
  question: Question,
  selection: Selection,
  groups: readonly Group[],
  { format, template }: Output,
): string {
  const objects = groups.flatMap((group) => group.objects);
  const single = selection.byName && objects.length + selection.notFound.length === 1;
  const nothing = selection.byName && objects.length === 0;
  if (format === 'go-template' || format === 'template') return goTemplate(groups);
  if (['json', 'yaml', 'jsonpath', 'jsonpath-as-json', 'custom-columns'].includes(format))
    refuseSecrets(groups, format);
  if (nothing) return '';
  const [first] = objects;
  const root = single && first !== undefined ? first : listOf(objects);
  switch (format) {
    case 'json':
    case 'yaml':
      return printObjects(groups, single, format, flagOn(question.args, 'show-managed-fields'));
    case 'name':
      return printNames(groups);
    case 'jsonpath':
      return renderTemplate(template, root);
    case 'custom-columns':
      return printCustomColumns(groups, template, !flagOn(question.args, 'no-headers'));
    case 'jsonpath-as-json':
      throw cannot('answer "kubectl get --output=jsonpath-as-json"', 'Use --output=jsonpath=… or --output=json.');
    default:
      return printTables(groups, styleOf(question, selection, format));
  }
}

function styleOf({ args, namespace, nowMs }: Question, selection: Selection, format: string): TableStyle {
  return {
    wide: format === 'wide',
    headers: !flagOn(args, 'no-headers'),
    namespaces: namespace === undefined,
    kinds: selection.manyKinds || flagOn(args, 'show-kind'),
    showLabels: flagOn(args, 'show-labels'),
    labelColumns: (args.flags.get('label-columns') ?? []).flatMap((labels) => labels.split(',')),
    nowMs,
  };
}

function goTemplate(groups: readonly Group[]): string {
  const onlySecrets = groups.length > 0 && groups.every((group) => group.kind.plural === 'secrets');
  if (onlySecrets) return secretTemplate(groups.flatMap((group) => group.objects));
  throw cannot('evaluate a go-template', 'Use --output=jsonpath=…, custom-columns=… or json.');
}

function refuseSecrets(groups: readonly Group[], format: string): void {
  if (!groups.some((group) => group.kind.plural === 'secrets')) return;
  throw cannot(
    `show Secrets as ${format}: their values are never part of a dump`,
    'Use the table, or --output=name; kubectl describe secret NAME lists the keys.',
  );
}

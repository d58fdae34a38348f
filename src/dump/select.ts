import type { JsonObject } from '../domain/types.js';
import { flagValue } from './flags.js';
import { nameOf } from './json.js';
import { ALL_CATEGORY, type Kind, resolveKind } from './kinds.js';
import { complaint } from './outcome.js';
import { type Question, qualified, unrecorded, unrecordedText } from './question.js';
import { fieldSelector, labelSelector, labelsOf } from './selectors.js';

export interface Group {
  readonly kind: Kind;
  readonly objects: readonly JsonObject[];
}

/** The objects that a question is about. */
export interface Selection {
  readonly groups: readonly Group[];
  /** Names that were asked for and are not there, in the server's words. */
  readonly notFound: readonly string[];
  /** What this dump cannot say about the question, one line each. */
  readonly gaps: readonly string[];
  readonly byName: boolean;
  /** More than one kind was named, so that names alone would not be clear. */
  readonly manyKinds: boolean;
}

interface Request {
  readonly kind: Kind;
  /** Undefined when every object is asked for. */
  readonly names: readonly string[] | undefined;
}

/**
 * Finds what `KIND[,KIND] [NAME…]` or `KIND/NAME…` with -n, -A, -l and --field-selector mean. Throws AnswerError for
 * what kubectl refuses, and when nothing that was asked about was recorded.
 */
export async function selectObjects(question: Question): Promise<Selection> {
  const requests = requestsOf(question);
  const byName = requests.some((request) => request.names !== undefined);
  const labels = flagValue(question.args, 'selector') ?? '';
  const fields = flagValue(question.args, 'field-selector') ?? '';
  refuseMixed(question, byName, labels !== '' || fields !== '');
  const test = labelSelector(labels);
  const parts = await Promise.all(
    requests.map(async ({ kind, names }) => {
      const listing = await question.dump.list(kind, question.namespace);
      if (!listing.recorded) return { kind, gap: unrecordedText(question.dump, kind, question.namespace) };
      const matches = fieldSelector(fields, kind.plural);
      const found = names?.map((name) => ({ name, object: listing.items.find((item) => nameOf(item) === name) }));
      const objects =
        found?.map(({ object }) => object).filter((object) => object !== undefined) ??
        listing.items.filter((item) => test(labelsOf(item)) && matches(item));
      const gone = found?.filter(({ object }) => object === undefined) ?? [];
      const partly = listing.unrecordedNamespaces.join(', ');
      return {
        kind,
        group: { kind, objects },
        notFound: gone.map(
          ({ name }) => `Error from server (NotFound): ${qualified(kind.plural, kind)} "${name}" not found`,
        ),
        gap: partly === '' ? undefined : unrecordedText(question.dump, kind, partly),
      };
    }),
  );
  const [first] = parts;
  if (first !== undefined && parts.every((part) => part.group === undefined)) {
    throw unrecorded(question.dump, first.kind, question.namespace);
  }
  return {
    groups: parts.flatMap((part) => part.group ?? []),
    notFound: parts.flatMap((part) => part.notFound ?? []),
    gaps: parts.flatMap((part) => part.gap ?? []),
    byName,
    manyKinds: new Set(requests.map((request) => request.kind.plural)).size > 1,
  };
}

function requestsOf({ dump, words }: Question): Request[] {
  const [first, ...rest] = words;
  if (first === undefined || first === '') {
    throw complaint(
      'error: Required resource not specified.\nUse "kubectl api-resources" for the kinds this dump holds.',
    );
  }
  const slashed = words.filter((word) => word.includes('/'));
  if (slashed.length > 0) return words.map((word) => pairRequest(word, dump.kinds));
  const kinds = first.split(',').filter((word) => word !== '');
  const plurals = kinds.flatMap((word) => (word === 'all' ? ALL_CATEGORY : [word]));
  const names = rest.length === 0 ? undefined : rest;
  return plurals.map((word) => ({ kind: resolveKind(word, dump.kinds), names }));
}

function pairRequest(word: string, kinds: readonly Kind[]): Request {
  const [kind = '', name = '', ...more] = word.split('/');
  if (!word.includes('/')) {
    throw complaint(
      'error: there is no need to specify a resource type as a separate argument when passing arguments in resource/name form',
    );
  }
  if (kind === '' || name === '' || more.length > 0) {
    throw complaint('error: arguments in resource/name form must have a single resource and name');
  }
  return { kind: resolveKind(kind, kinds), names: [name] };
}

function refuseMixed(question: Question, byName: boolean, selects: boolean): void {
  if (!byName) return;
  if (selects) throw complaint('error: name cannot be provided when a selector is specified');
  if (question.namespace === undefined)
    throw complaint('error: a resource cannot be retrieved by name across all namespaces');
}

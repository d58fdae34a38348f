import type { StoredResult } from '../domain/ports.js';
import type { CallError } from '../domain/types.js';
import { editDistance, nearest } from '../lib/nearest.js';
import { relate } from './cluster.js';
import { at, list, str, strings } from './json.js';
import { kindOf } from './kinds.js';
import { MESSAGES } from './messages.js';
import { plainLine, quoteOf } from './plain-text.js';
import { fill, joinWords } from './say.js';
import { rootsOf, TARGET_KINDS } from './scope.js';
import { type KubeObject, namespaceOf, type Snapshot } from './snapshot.js';
import type { Language } from './types.js';

export interface Target {
  readonly found: boolean;
  readonly name: string;
  readonly namespace: string;
  readonly kind: string;
  readonly kinds: readonly string[];
  /** Label selector of its pods. */
  readonly selector?: string;
}

export type TargetOutcome = { readonly target: Target } | { readonly error: CallError };

const TARGET_NAMES: readonly string[] = TARGET_KINDS;
const MAX_NAMES_BYTES = 2 * 1024 * 1024;
const MAX_NAMESPACES = 10;

/**
 * Finds the namespace and kind of a name in what was read. Several namespaces: an error that lists them. Not there: `found: false`
 * after a look-up by exact name; an error with the nearest names once a list of names was read.
 */
export async function findTarget(
  snapshot: Snapshot,
  results: readonly StoredResult[],
  name: string,
  namespace: string,
  language: Language = 'en',
): Promise<TargetOutcome> {
  const wanted = name.includes('/') ? (name.split('/').at(-1) ?? name) : name;
  const roots = rootsOf(relate(snapshot), wanted, namespace === '' ? [] : [namespace]);
  const namespaces = [...new Set(roots.map((o) => o.namespace))].sort();
  if (namespaces.length > 1) return { error: ambiguous(wanted, namespaces, language) };
  if (roots.length > 0) return { target: targetOf(wanted, roots) };
  const names = await namesListed(snapshot, results);
  if (names === undefined) return { target: { found: false, name: wanted, namespace, kind: '', kinds: [] } };
  return { error: notFound(wanted, namespace, names, language) };
}

function targetOf(name: string, roots: readonly KubeObject[]): Target {
  const kinds = TARGET_KINDS.filter((kind) => roots.some((o) => o.kind === kind));
  const [kind = ''] = kinds;
  const main = roots.find((o) => o.kind === kind);
  const selector = main === undefined ? '' : selectorText(main);
  return {
    found: true,
    name,
    namespace: main?.namespace ?? '',
    kind,
    kinds,
    ...(selector === '' ? {} : { selector }),
  };
}

/** The selector as kubectl writes it; '' when the object has none or one that kubectl cannot write. */
function selectorText(object: KubeObject): string {
  if (object.kind === 'Service') return pairs(strings(object.raw, 'spec', 'selector'));
  const expressions = list(object.raw, 'spec', 'selector', 'matchExpressions').map((e) => {
    const values = list(e, 'values')
      .filter((v) => typeof v === 'string')
      .join(',');
    const key = str(e, 'key');
    const words: Readonly<Record<string, string>> = {
      In: `${key} in (${values})`,
      NotIn: `${key} notin (${values})`,
      Exists: key,
      DoesNotExist: `!${key}`,
    };
    return words[str(e, 'operator')] ?? '';
  });
  return [pairs(strings(object.raw, 'spec', 'selector', 'matchLabels')), ...expressions]
    .filter((s) => s !== '')
    .join(',');
}

const pairs = (labels: Readonly<Record<string, string>>): string =>
  Object.entries(labels)
    .map(([k, v]) => `${k}=${v}`)
    .join(',');

const ambiguous = (name: string, namespaces: readonly string[], language: Language): CallError => ({
  category: 'validation',
  message: fill(MESSAGES['error.ambiguous'], language, {
    name: quoteOf(name, 80),
    count: namespaces.length,
    namespaces: shorten(namespaces.map(plainLine), language),
  }),
  hint: fill(MESSAGES['error.ambiguous.hint'], language, { namespace: plainLine(namespaces[0] ?? '') }),
  exit: 'usage',
});

function shorten(names: readonly string[], language: Language): string {
  const shown = joinWords(names.slice(0, MAX_NAMESPACES), language);
  const more = names.length - MAX_NAMESPACES;
  return more > 0 ? shown + fill(MESSAGES['error.more'], language, { count: more }) : shown;
}

interface Listed {
  readonly name: string;
  readonly namespace: string;
}

interface Names {
  readonly listed: readonly Listed[];
  /** The kinds whose names were read. */
  readonly kinds: readonly string[];
}

/** The names that were listed, or undefined when every read asked for one name only. */
async function namesListed(snapshot: Snapshot, results: readonly StoredResult[]): Promise<Names | undefined> {
  // A call that failed in part listed the kinds that it could.
  const listings = snapshot.listings.filter((l) => TARGET_NAMES.includes(l.kind));
  const read = (r: StoredResult): boolean => r.status === 'ok' || listings.some((l) => l.callId === r.callId);
  const listing = results.filter((r) => read(r) && !asksForOneName(r));
  if (listing.length === 0) return undefined;
  const ids = new Set(listing.map((r) => r.callId));
  const objects = snapshot.objects.filter((o) => ids.has(o.callId) && TARGET_NAMES.includes(o.kind));
  const printed = await Promise.all(listing.map(namesPrinted));
  const known = new Set(listings.filter((l) => ids.has(l.callId)).map((l) => l.kind));
  return {
    listed: [...objects.map((o) => ({ name: workloadName(o), namespace: o.namespace })), ...printed.flat()],
    kinds: known.size > 0 ? TARGET_KINDS.filter((kind) => known.has(kind)) : TARGET_KINDS,
  };
}

/** The names of pods end in hashes; people know the name before them. */
const workloadName = (object: KubeObject): string =>
  object.kind === 'Pod' && object.owner?.kind === 'ReplicaSet'
    ? object.owner.name.replace(/-[a-z0-9]{6,12}$/, '')
    : object.name;

const asksForOneName = (result: StoredResult): boolean =>
  result.tool === 'kubectl_find' ||
  str(result.args, 'name') !== '' ||
  /metadata\.name=/.test(str(result.args, 'field_selector')) ||
  result.tokens.some((t) => t.includes('metadata.name='));

/** Lines of `kubectl get … --output=name`: `deployment.apps/web`. */
async function namesPrinted(result: StoredResult): Promise<readonly Listed[]> {
  if (at(await result.readData(), 'items') !== undefined) return [];
  const text = (await result.readText(MAX_NAMES_BYTES)) ?? '';
  return text.split('\n').flatMap((line) => {
    const match = /^([a-z][a-z0-9.-]{0,120})\/([a-z0-9][a-z0-9.-]{0,252})$/.exec(line.trim());
    const [, kind = '', name = ''] = match ?? [];
    return match !== null && TARGET_NAMES.includes(kindOf(kind)) ? [{ name, namespace: namespaceOf(result) }] : [];
  });
}

function notFound(name: string, namespace: string, { listed, kinds }: Names, language: Language): CallError {
  const known = [...new Set(listed.map((l) => l.name))];
  const near = nearNames(name, known);
  const where =
    namespace === ''
      ? fill(MESSAGES['error.all-namespaces'], language, {})
      : fill(MESSAGES['error.namespace'], language, { namespace: quoteOf(namespace, 80) });
  const places = near.map((n) => {
    const found = listed.find((l) => l.name === n)?.namespace ?? '';
    return found !== '' && found !== namespace ? `${found}/${n}` : n;
  });
  return {
    category: 'validation',
    message: fill(MESSAGES['error.no-such-name'], language, {
      name: quoteOf(name, 80),
      count: known.length,
      kinds: joinWords(kinds, language),
      where,
    }),
    hint:
      near.length > 0
        ? fill(MESSAGES['error.near'], language, {
            names: places.map(plainLine).join(fill(MESSAGES['error.near-or'], language, {})),
          })
        : fill(MESSAGES['error.none-near'], language, {}),
    exit: 'usage',
  };
}

/** Near by spelling; else names that share a word with it. */
function nearNames(name: string, known: readonly string[]): readonly string[] {
  const spelled = nearest(name, known);
  if (spelled.length > 0) return spelled;
  const words = name
    .toLowerCase()
    .split(/[-_.]/)
    .filter((w) => w.length > 2);
  const shares = (candidate: string): boolean =>
    candidate.split('-').some((c) => words.some((w) => editDistance(c, w, 1) <= 1));
  return known.filter(shares).slice(0, 3);
}

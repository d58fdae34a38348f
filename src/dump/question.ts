import { flagOn, flagValue, type ParsedArgs } from './flags.js';
import type { Dump } from './holdings.js';
import { groupOf, type Kind } from './kinds.js';
import { type AnswerError, notRecorded } from './outcome.js';

/** One question to a dump: argv taken apart, and what every verb needs to answer it. */
export interface Question {
  readonly dump: Dump;
  readonly args: ParsedArgs;
  /** Words after the verb. */
  readonly words: readonly string[];
  /** The namespace asked about; undefined for all. */
  readonly namespace: string | undefined;
  /** The dump's own time. */
  readonly nowMs: number;
}

/** Makes the question that argv asks. Without -n it is about `default`, as in kubectl without a context. */
export async function questionOf(dump: Dump, args: ParsedArgs): Promise<Question> {
  const namespace = flagOn(args, 'all-namespaces') ? undefined : flagValue(args, 'namespace') || 'default';
  return { dump, args, words: args.words.slice(1), namespace, nowMs: await dump.now() };
}

/** `deployments.apps`, as a server names a kind in its messages. */
export const qualified = (name: string, kind: Kind): string =>
  groupOf(kind) === '' ? name : `${name}.${groupOf(kind)}`;

/** `ingresses are not recorded: the dump holds no ingresses of namespace a`, with the reason where one is known. */
export function unrecordedText(dump: Dump, kind: Kind, namespace: string | undefined): string {
  const plural = kind.plural;
  const where = namespace === undefined || !kind.namespaced ? '' : ` of namespace ${namespace}`;
  const what = [kind.plural, `${kind.plural} of namespace ${namespace ?? ''}`];
  const why = dump.manifest?.missing.find((missing) => what.includes(missing.what))?.why;
  const interrupted = dump.manifest?.complete === false ? ', because the recording was interrupted' : '';
  return `${plural} are not recorded: the dump holds no ${plural}${where}${why ? `, because: ${why}` : interrupted}`;
}

/** The error for a kind that was not recorded; the hint says what was. */
export function unrecorded(dump: Dump, kind: Kind, namespace: string | undefined): AnswerError {
  const known = namespace === undefined || dump.namespaces.includes(namespace) || !kind.namespaced;
  const kinds = dump.kinds.map((each) => each.plural).sort();
  const hint = known
    ? `Recorded kinds: ${kinds.join(', ')}. Record ${kind.plural} too, or ask a live cluster without --dump.`
    : `Recorded namespaces: ${dump.namespaces.join(', ') || 'none'}.`;
  return notRecorded(unrecordedText(dump, kind, namespace), hint);
}

import type { Builtin, RunContext, RunOutcome, StoredResult } from '../domain/ports.js';
import type { CallError, JsonObject } from '../domain/types.js';
import { diagnose } from './diagnose.js';
import { dockerBuiltins } from './docker/builtins.js';
import { nothingReadError } from './gaps.js';
import { hostBuiltins } from './host/builtins.js';
import { list, str } from './json.js';
import { logTargets } from './log-targets.js';
import { metricsBuiltins } from './metrics/builtins.js';
import { renderDiagnosis } from './render.js';
import { buildSnapshot, type Snapshot } from './snapshot.js';
import { findTarget } from './target.js';
import { touches } from './touches.js';
import type { Language } from './types.js';
import { written } from './written.js';

/** `{name, namespace?, results}` → where the named service is: `{found, name, namespace, kind, kinds, selector?}`. */
const target: Builtin = {
  name: 'kubernetes_target',
  async run(args, context) {
    const { results, snapshot } = await read(args, context);
    const unreadable = unreadableError(results, snapshot);
    if (unreadable !== undefined) return failed(unreadable);
    const outcome = await findTarget(snapshot, results, str(args, 'name'), str(args, 'namespace'));
    return 'error' in outcome ? failed(outcome.error) : written(context, outcome.target);
  },
};

/** `{name?, namespace?, results}` → `{targets: [{pod_name, namespace, container, previous}]}`, at most 8, the most telling first. */
const logs: Builtin = {
  name: 'kubernetes_log_targets',
  async run(args, context) {
    const { results, snapshot } = await read(args, context);
    const unreadable = unreadableError(results, snapshot);
    if (unreadable !== undefined) return failed(unreadable);
    return written(context, { targets: logTargets(snapshot, str(args, 'name'), str(args, 'namespace')) });
  },
};

/** `{name?, namespace?, results, language}` → `{text, healthy, findings, unseen, looked}`. Without a name: all that was read. */
const diagnosis: Builtin = {
  name: 'kubernetes_diagnose',
  async run(args, context) {
    const { results, snapshot } = await read(args, context);
    const language: Language = str(args, 'language') === 'zh' ? 'zh' : 'en';
    const unreadable = unreadableError(results, snapshot, language);
    // What may not be read is part of the report; a cluster that does not answer leaves nothing to report on.
    if (unreadable !== undefined) return failed(unreadable);
    // A name in several namespaces, or in none of those listed, has no diagnosis; the error says what there is.
    const asked =
      str(args, 'name') === ''
        ? undefined
        : await findTarget(snapshot, results, str(args, 'name'), str(args, 'namespace'), language);
    if (asked !== undefined && 'error' in asked) return failed(asked.error);
    const name = str(args, 'name');
    const namespace = str(args, 'namespace') || (asked?.target.namespace ?? '');
    const found = diagnose(snapshot, {
      language,
      ...(name === '' ? {} : { name }),
      ...(namespace === '' ? {} : { namespaces: [namespace] }),
    });
    if (name === '' && namespace !== '' && isEmpty(snapshot, namespace))
      return failed(emptyNamespace(namespace, language));
    const { healthy, findings, unseen, looked } = found;
    return written(context, { text: renderDiagnosis(found), healthy, findings, unseen, looked }, language);
  },
};

/** `{kind, name, namespace?, results}` → `{text}`: what a change of the object would touch. */
const touched: Builtin = {
  name: 'kubernetes_touches',
  async run(args, context) {
    const { results, snapshot } = await read(args, context);
    const unreadable = unreadableError(results, snapshot);
    if (unreadable !== undefined) return failed(unreadable);
    const lines = touches(snapshot, str(args, 'kind'), str(args, 'name'), str(args, 'namespace'));
    return written(context, { text: lines.join('\n') });
  },
};

/** Kinds that every namespace has, used or not. */
const EVERYWHERE = ['ConfigMap', 'ServiceAccount', 'Secret', 'Node', 'Namespace'];

/** For kubectl a namespace that does not exist is an empty one: neither has anything to be well or ill. */
const isEmpty = (snapshot: Snapshot, namespace: string): boolean =>
  !snapshot.objects.some((object) => object.namespace === namespace && !EVERYWHERE.includes(object.kind));

const emptyNamespace = (namespace: string, language: Language): CallError => ({
  category: 'validation',
  message:
    language === 'zh'
      ? `命名空间 ${namespace} 中没有任何工作负载、Service 或 Pod；它可能并不存在`
      : `there is no workload, service or pod in namespace ${namespace}; it may not exist`,
  hint: language === 'zh' ? '请检查名称：kubectl get namespaces' : 'check the name: kubectl get namespaces',
});

/** The builtins of this room. */
export const builtinRuns: readonly Builtin[] = [
  target,
  logs,
  diagnosis,
  touched,
  ...hostBuiltins,
  ...dockerBuiltins,
  ...metricsBuiltins,
];

async function read(
  args: JsonObject,
  context: RunContext,
): Promise<{ results: readonly StoredResult[]; snapshot: Snapshot }> {
  const ids = [
    ...new Set(
      list(args, 'results')
        .flat()
        .filter((id): id is string => typeof id === 'string' && id !== ''),
    ),
  ];
  const results = ids.map((id) => context.result(id)).filter((r) => r !== undefined);
  const absent = ids.filter((id) => context.result(id) === undefined);
  const snapshot = await buildSnapshot(results);
  const gaps = absent.map((id) => ({ callId: id, reason: 'no-such-result' as const, what: id, quote: '' }));
  return { results, snapshot: { ...snapshot, gaps: [...snapshot.gaps, ...gaps] } };
}

/** Every read failed: the reason of the reads is the reason of this call. */
const unreadableError = (
  results: readonly StoredResult[],
  snapshot: Snapshot,
  language: Language = 'en',
): CallError | undefined =>
  nothingReadError(
    results,
    snapshot.gaps,
    snapshot.listings.length + snapshot.objects.length + snapshot.logs.length > 0 ||
      results.some((r) => r.status === 'ok'),
    language,
  );

const failed = (error: CallError): RunOutcome => ({ status: 'failed', error });

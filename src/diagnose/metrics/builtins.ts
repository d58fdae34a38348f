import { OpsError } from '../../domain/errors.js';
import type { Builtin, RunContext, RunOutcome, StoredResult } from '../../domain/ports.js';
import type { CallError, JsonObject } from '../../domain/types.js';
import { list, num, str } from '../json.js';
import { renderDiagnosis } from '../render.js';
import { written } from '../written.js';
import { diagnoseMetrics } from './diagnose.js';
import { MAX_SERIES, rangeReport } from './range-report.js';
import { readMetrics } from './snapshot.js';
import { readSeries } from './statistics.js';
import { planWindow } from './window.js';

/** `{start, end, step?}` → `{start, end, step, points}` in unix seconds. */
const window: Builtin = {
  name: 'prometheus_window',
  async run(args, context) {
    try {
      return written(context, planWindow(str(args, 'start'), str(args, 'end'), str(args, 'step'), Date.now()));
    } catch (error) {
      if (!(error instanceof OpsError)) throw error;
      const hint = error.hint === undefined ? {} : { hint: error.hint };
      return failed({ category: 'validation', message: error.message, ...hint, exit: 'usage' });
    }
  },
};

/** `{results, query?}` → `{text, series, total}` of the samples that were read. */
const statistics: Builtin = {
  name: 'prometheus_statistics',
  async run(args, context) {
    const result = resultsOf(args, context).find((r) => r.tool === 'prometheus_samples');
    if (result?.status !== 'ok') {
      const message =
        result === undefined ? 'there are no samples among the results given' : 'the samples could not be read';
      return failed(result?.error ?? { category: 'validation', message, hint: 'call prometheus_query_range' });
    }
    const data = await result.readData();
    const series = readSeries(data);
    if (series === undefined) {
      return failed({
        category: 'execution',
        message: `the answer of ${result.callId} holds no samples of a range query`,
        hint: 'is the address that of Prometheus? A large answer can be narrowed with a selector or topk',
      });
    }
    const asked = {
      query: str(args, 'query') || str(result.args, 'query'),
      start: num(result.args, 'start') ?? 0,
      end: num(result.args, 'end') ?? 0,
      step: num(result.args, 'step') ?? 1,
      callId: result.callId,
      warnings: list(data, 'warnings').filter((w): w is string => typeof w === 'string'),
    };
    const shown = series.slice(0, MAX_SERIES).map((one) => one.statistics);
    return written(context, { text: rangeReport(asked, series), total: series.length, series: shown });
  },
};

/** `{results, language}` → `{text, healthy, findings, unseen, looked}`. */
const diagnosis: Builtin = {
  name: 'metrics_diagnose',
  async run(args, context) {
    const results = resultsOf(args, context);
    const snapshot = await readMetrics(results);
    const readAny = [snapshot.alerts, snapshot.targets, snapshot.rules, snapshot.managers].some(
      (part) => part !== undefined,
    );
    // Nothing at all came back: the reason of the reads is the reason of this call.
    if (!readAny) return failed(unreadable(results));
    const found = diagnoseMetrics(snapshot, str(args, 'language') === 'zh' ? 'zh' : 'en', Date.now());
    const { healthy, findings, unseen, looked } = found;
    return written(context, { text: renderDiagnosis(found), healthy, findings, unseen, looked });
  },
};

/** The builtins about metrics. */
export const metricsBuiltins: readonly Builtin[] = [window, statistics, diagnosis];

function unreadable(results: readonly StoredResult[]): CallError {
  const errors = results.flatMap(({ error }) => (error === undefined ? [] : [error]));
  return (
    errors.find(({ exit }) => exit !== undefined) ??
    errors[0] ?? { category: 'execution', message: 'no alerts, rules or targets are among the results given' }
  );
}

const resultsOf = (args: JsonObject, context: RunContext): StoredResult[] => {
  const ids = list(args, 'results')
    .flat()
    .filter((id): id is string => typeof id === 'string');
  return [...new Set(ids)].flatMap((id) => context.result(id) ?? []);
};

const failed = (error: CallError): RunOutcome => ({ status: 'failed', error });

import type { Builtin, RunContext, StoredResult } from '../../domain/ports.js';
import type { JsonObject } from '../../domain/types.js';
import { list, str } from '../json.js';
import { renderDiagnosis } from '../render.js';
import { written } from '../written.js';
import { diagnoseHost } from './diagnose.js';
import { readFacts } from './facts.js';

/** More failed units than this are rarely separate problems. */
const MAX_UNITS = 6;

/** `{results}` → `{units, needs_syslog}`: the failed units to read more about, and whether the journal said nothing. */
const logTargets: Builtin = {
  name: 'host_log_targets',
  async run(args, context) {
    const facts = await readFacts(resultsOf(args, context));
    const units = (facts.units?.value ?? []).slice(0, MAX_UNITS).map((unit) => unit.name);
    return written(context, { units, needs_syslog: facts.journal === undefined });
  },
};

/** `{results, language}` → `{text, healthy, findings, unseen, looked}`. */
const diagnosis: Builtin = {
  name: 'host_diagnose',
  async run(args, context) {
    const results = resultsOf(args, context);
    const facts = await readFacts(results);
    const sawNothing = [facts.disks, facts.memory, facts.load, facts.kernel, facts.processes].every(
      (x) => x === undefined,
    );
    // Where not one look succeeded (a dump of a cluster, a policy) there is nothing to report on.
    const failure = results.find((result) => result.error !== undefined)?.error;
    if (sawNothing && failure !== undefined) return { status: 'failed', error: failure };
    const found = diagnoseHost(facts, str(args, 'language') === 'zh' ? 'zh' : 'en');
    const { healthy, findings, unseen, looked } = found;
    return written(context, { text: renderDiagnosis(found), healthy, findings, unseen, looked });
  },
};

/** The builtins about a machine. */
export const hostBuiltins: readonly Builtin[] = [logTargets, diagnosis];

const resultsOf = (args: JsonObject, context: RunContext): readonly StoredResult[] => {
  const ids = list(args, 'results')
    .flat()
    .filter((id): id is string => typeof id === 'string' && id !== '');
  return [...new Set(ids)].map((id) => context.result(id)).filter((result) => result !== undefined);
};

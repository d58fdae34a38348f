import type { Builtin, RunContext, RunOutcome, StoredResult } from '../../domain/ports.js';
import type { CallError, Json, JsonObject } from '../../domain/types.js';
import { list, str } from '../json.js';
import { renderDiagnosis } from '../render.js';
import type { Language } from '../types.js';
import { diagnoseDocker } from './diagnose.js';
import { readDocker } from './snapshot.js';
import { chooseLogs, findContainers } from './target.js';

/** `{name?, results, language}` → `{found, names, running, images}`; fails with the nearest names. */
const target: Builtin = {
  name: 'docker_target',
  async run(args, context) {
    const { snapshot, error } = await read(args, context);
    if (error !== undefined) return failed(error);
    const found = findContainers(snapshot.rows, str(args, 'name'), languageOf(args));
    return 'error' in found ? failed(found.error) : written(context, found.target);
  },
};

/** `{results}` → `{names}` of the containers whose logs are worth reading. */
const logs: Builtin = {
  name: 'docker_log_targets',
  async run(args, context) {
    const { snapshot, error } = await read(args, context);
    return error === undefined ? written(context, { names: chooseLogs(snapshot.containers) }) : failed(error);
  },
};

/** `{name?, results, language}` → `{text, healthy, findings, unseen, looked}`. Without a name: all that was read. */
const diagnosis: Builtin = {
  name: 'docker_diagnose',
  async run(args, context) {
    const { snapshot, error } = await read(args, context);
    if (error !== undefined) return failed(error);
    const language = languageOf(args);
    const name = str(args, 'name');
    const asked = name === '' ? undefined : findContainers(snapshot.rows, name, language);
    // Without a list the inspected containers are what was asked about.
    if (asked && 'error' in asked && snapshot.rows.length > 0) return failed(asked.error);
    const names = asked && 'target' in asked ? asked.target.names : [];
    const found = diagnoseDocker(snapshot, { target: name, names, language });
    const { healthy, findings, unseen, looked } = found;
    return written(context, { text: renderDiagnosis(found), healthy, findings, unseen, looked });
  },
};

/** The builtins about Docker. */
export const dockerBuiltins: readonly Builtin[] = [target, logs, diagnosis];

const languageOf = (args: JsonObject): Language => (str(args, 'language') === 'zh' ? 'zh' : 'en');

/** What the named results show. When not one of them could be read, their error is the error of this call. */
async function read(args: JsonObject, context: RunContext) {
  const ids = [...new Set(list(args, 'results').flat())].filter(
    (id): id is string => typeof id === 'string' && id !== '',
  );
  const results = ids.flatMap((id) => context.result(id) ?? []);
  return { snapshot: await readDocker(results), error: nothingRead(ids, results) };
}

function nothingRead(ids: readonly string[], results: readonly StoredResult[]): CallError | undefined {
  if (results.some((result) => result.status === 'ok')) return undefined;
  const error = results.find((r) => r.error?.exit === 'unavailable')?.error ?? results.find((r) => r.error)?.error;
  return (
    error ?? {
      category: 'validation',
      message: `none of the results ${ids.join(', ') || '(none)'} can be read`,
      hint: 'Give the ids of calls of this session, of docker_ps and docker_inspect at least.',
    }
  );
}

const failed = (error: CallError): RunOutcome => ({ status: 'failed', error });

function written(context: RunContext, output: object): RunOutcome {
  const json: Json = JSON.parse(JSON.stringify(output));
  if (context.write(`${JSON.stringify(json)}\n`)) return { status: 'ok' };
  return failed({
    category: 'execution',
    message: 'the result could not be stored: the store of this session is full',
    hint: 'free disk space, or start a new session',
  });
}

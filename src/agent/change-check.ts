import { messageOf } from '../domain/errors.js';
import type { Json, ToolCall, ToolResult } from '../domain/types.js';
import { compileSchema, type SchemaProblem } from '../lib/json-schema.js';
import { formatPath, valueAt } from '../lib/json-values.js';
import { type Care, messageIn, readByArgv, readByTool } from './change-reads.js';
import { type ReadSpec, readSpecOf, undoOf } from './change-spec.js';

/** Characters of a check's own words that are shown. */
const MAX_SAID = 200;

/**
 * Runs a tool's `verify` after its change; undefined when it has none for these arguments. Never throws for what the check
 * finds, and an interrupted check is a failed one: nobody knows whether the change works.
 */
export async function checkChange(
  care: Care,
  call: ToolCall,
  signal: AbortSignal,
  approved: boolean,
): Promise<{ readonly ok: boolean; readonly text: string } | undefined> {
  const spec = readSpecOf(call.tool.verify, call.args);
  if (!spec) return undefined;
  const result = spec.argv
    ? await readByArgv(care, call, { ...spec, what: 'verify' }, call.args, { signal, approved })
    : await readByTool(care, call, spec, { signal, approved });
  const problem = await problemOf(care, spec, result);
  const said = result.text.trim().split('\n').at(-1) ?? '';
  const shown = !result.text.trim().includes('{') && said.length <= MAX_SAID ? said : spec.tool;
  if (problem === undefined) return { ok: true, text: `Checked (${result.callId}): ${shown}` };
  const undo = undoOf(call.tool, call.args);
  const back =
    'none' in undo
      ? `There is no way back: ${undo.none}.`
      : `To undo: opsagent undo ${care.deps.actor.sessionId}/${call.id}`;
  return { ok: false, text: `It ran, but the check after it failed (${result.callId}): ${problem}. ${back}` };
}

/** What was wanted, with the values that the schema's own words leave out. */
function wanted({ params, message }: SchemaProblem): string {
  if ('allowedValue' in params) return `must be ${JSON.stringify(params.allowedValue)}`;
  return Array.isArray(params.allowedValues) ? `must be one of ${JSON.stringify(params.allowedValues)}` : message;
}

/** What is there instead; '' for what is no single value. */
function found(path: SchemaProblem['path'], data: Json): string {
  const value = valueAt(data, path);
  const text = ['string', 'number', 'boolean'].includes(typeof value) ? JSON.stringify(value) : '';
  return text === '' || text.length > MAX_SAID ? '' : `, and is ${text}`;
}

async function problemOf({ deps }: Care, spec: ReadSpec, result: ToolResult): Promise<string | undefined> {
  if (result.status !== 'ok') return messageIn(result).replace(/[.\s]+$/, '');
  if (!spec.expect) return undefined;
  const data = await deps.results.get(result.callId)?.readData();
  if (data === undefined) return 'its output is not the JSON that was expected';
  try {
    const [first] = compileSchema(spec.expect)(data);
    return first && `${formatPath(first.path) || 'the output'} ${wanted(first)}${found(first.path, data)}`;
  } catch (error) {
    return messageOf(error);
  }
}

import { messageOf } from '../domain/errors.js';
import type { ToolCall, ToolResult } from '../domain/types.js';
import { compileSchema } from '../lib/json-schema.js';
import { formatPath } from '../lib/json-values.js';
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

async function problemOf({ deps }: Care, spec: ReadSpec, result: ToolResult): Promise<string | undefined> {
  if (result.status !== 'ok') return messageIn(result).replace(/[.\s]+$/, '');
  if (!spec.expect) return undefined;
  const data = await deps.results.get(result.callId)?.readData();
  if (data === undefined) return 'its output is not the JSON that was expected';
  try {
    const [first] = compileSchema(spec.expect)(data);
    return first && `${formatPath(first.path) || 'the output'} ${first.message}`;
  } catch (error) {
    return messageOf(error);
  }
}

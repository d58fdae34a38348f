import type { Inspection } from '../domain/ports.js';
import type { ToolCall, ToolResult } from '../domain/types.js';
import { quoteArgv } from '../lib/quote.js';
import { diffLines } from './change-diff.js';
import {
  type Care,
  messageIn,
  READ_DEADLINE_MS,
  readByArgv,
  readByTool,
  readState,
  type StateRead,
} from './change-reads.js';
import { restoresOf } from './change-restore.js';
import { namesOnly, type ReadSpec, readSpecOf, type UndoSpec, undoOf } from './change-spec.js';
import { isAbsent, stateOf, wanted } from './change-state.js';

/** Lines of a dry run or preview that a card gets. */
const MAX_LINES = 40;

/** What the dry run and the preview of a call say, and how it could be undone: reads that run at the same time, 10 s each. */
export async function inspectChange(care: Care, call: ToolCall, signal: AbortSignal): Promise<Inspection> {
  const { tool, args } = call;
  const [dry, look] = [readSpecOf(tool.dryRun, args), readSpecOf(tool.preview, args)];
  const undo = tool.undo || tool.dryRun || tool.preview || tool.verify ? undoOf(tool, args) : undefined;
  const [dryRun, preview, now] = await Promise.all([
    dry && run(care, call, dry, 'dry_run', signal),
    look && run(care, call, look, 'preview', signal),
    undo && !('none' in undo) ? readState(care, call, undo.save, namesOnly(tool, args), { signal }) : undefined,
  ]);
  return {
    ...(dryRun && { dryRun: await describeDryRun(care, dryRun, now) }),
    ...(preview && { preview: describePreview(preview) }),
    ...(undo && describeUndo(care, call, undo, now)),
  };
}

const run = (care: Care, call: ToolCall, spec: ReadSpec, what: string, signal: AbortSignal): Promise<ToolResult> => {
  const options = { signal, deadlineMs: READ_DEADLINE_MS };
  return spec.argv
    ? readByArgv(care, call, { ...spec, what }, call.args, options)
    : readByTool(care, call, spec, options);
};

async function describeDryRun(
  care: Care,
  result: ToolResult,
  now: StateRead | undefined,
): Promise<NonNullable<Inspection['dryRun']>> {
  const { callId, status } = result;
  if (status === 'ok')
    return { callId, ok: true, text: (await changedFields(care, result, now)) ?? short(result.text) };
  if (status !== 'failed') return { callId, ok: false, skipped: true, text: `no dry run: ${messageIn(result)}` };
  const isRefusal = result.error?.category === 'execution' && result.exitCode !== undefined;
  if (!isRefusal) return { callId, ok: false, skipped: true, text: `dry run failed: ${messageIn(result)}` };
  return { callId, ok: false, text: `dry run failed: ${messageIn(result)}: the change would be refused` };
}

/** The fields that a dry run would change, when it and what was read before are the same kind of object. */
async function changedFields(care: Care, result: ToolResult, now: StateRead | undefined): Promise<string | undefined> {
  const data = await care.deps.results.get(result.callId)?.readData();
  if (data === undefined || !now?.ok) return undefined;
  const [after] = stateOf(JSON.stringify(data)).objects;
  // What was read holds true values: they are hidden as those of the dry run are.
  const [before] = stateOf(care.deps.redactor.hide(now.output, 'output')).objects;
  if (!before || !after || before.kind === undefined || before.kind !== after.kind) return undefined;
  const lines = diffLines(wanted(before), wanted(after)).map((line) => line.replace(/^\./, ''));
  return lines.length === 0 ? 'it would change nothing' : lines.join('\n');
}

function describePreview(result: ToolResult): NonNullable<Inspection['preview']> {
  const { callId, status } = result;
  if (status === 'ok') return { callId, ok: true, text: short(result.text) };
  return { callId, ok: false, text: `what it touches is not known: ${messageIn(result)}` };
}

/** At most 40 lines, and how many are left out. */
function short(text: string): string {
  const lines = text.trimEnd().split('\n');
  if (lines.length <= MAX_LINES) return lines.join('\n');
  return [...lines.slice(0, MAX_LINES - 1), `… ${lines.length - MAX_LINES + 1} more lines left out`].join('\n');
}

function describeUndo(
  care: Care,
  call: ToolCall,
  undo: UndoSpec,
  now: StateRead | undefined,
): Pick<Inspection, 'undo' | 'undoable'> {
  if ('none' in undo) return { undo: `no way back: ${undo.none}`, undoable: false };
  if (!now?.ok)
    return { undo: `not looked up: the present state could not be read before the answer (${now?.message})` };
  const before = stateOf(now.output);
  // What the change will have made of it is not known yet: something else, or nothing where only that can be undone.
  const later = { objects: [], text: isAbsent(before) || undo.restore ? '(changed)' : '' };
  const restores = restoresOf(care, { ...call, args: namesOnly(call.tool, call.args) }, undo, before, later);
  if (typeof restores === 'string') return { undo: `no way back: ${restores}`, undoable: false };
  const argvs = restores.map(({ action }) => quoteArgv(action.tokens)).join(', then ');
  const note = undo.note === undefined ? '' : ` (${undo.note})`;
  // The session stands there too: another shell has one of its own, with a call of the same id.
  const command = `opsagent undo ${care.deps.actor.sessionId}/${call.id}`;
  return { undo: `${command}${argvs && `: ${argvs}`}${note}`, undoable: true };
}

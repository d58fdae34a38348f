import { messageOf } from '../domain/errors.js';
import type { ChangeGuard, Inspection } from '../domain/ports.js';
import type { CallError, Decision, ToolCall } from '../domain/types.js';
import { rank } from '../policy/rank.js';
import { checkChange } from './change-check.js';
import { inspectChange } from './change-inspect.js';
import { movedCluster, pinOf, unsaved } from './change-pin.js';
import { type Care, readState } from './change-reads.js';
import { namesOnly, undoOf } from './change-spec.js';
import { stateOf } from './change-state.js';
import { savedOf, type UndoEntry } from './change-store.js';

/** What is known of a change between `save` and `verify`. */
interface Open {
  readonly entry: UndoEntry;
  /** A person said yes to it. */
  readonly approved: boolean;
}

/** What an undo adds to the care of its own call. */
export interface SaveOptions {
  readonly undoOf?: UndoEntry['undoOf'];
  /** Says why the saved state is not the one that the undo was made for; the call does not run then. */
  readonly check?: (state: ReturnType<typeof stateOf>) => string | undefined;
}

export interface ChangeCare extends ChangeGuard {
  save(call: ToolCall, decision: Decision, signal: AbortSignal, options?: SaveOptions): Promise<CallError | undefined>;
  /** What was written down of a call of this session. */
  entry(callId: string): UndoEntry | undefined;
}

/** The care of changes: dry run and preview before the question, the way back saved before the change, a check after it. */
export function createChangeCare(care: Care): ChangeCare {
  const open = new Map<string, Open>();
  return {
    inspect: (call, _decision, signal): Promise<Inspection> => inspectChange(care, call, signal),
    async save(call, decision, signal, options = {}) {
      const moved = await movedCluster(care, call);
      if (moved || !isChange(call, decision)) return moved;
      const approved = decision.effect === 'confirm';
      try {
        const entry = await saveEntry(care, call, approved, signal, options);
        if ('category' in entry) return entry;
        // A change without a way back is written down when it has ended well: until then there is nothing to know of it.
        if (entry.before) care.store.write(entry);
        open.set(call.id, { entry, approved });
        return undefined;
      } catch (error) {
        return unsaved(`what undoes it could not be stored: ${messageOf(error)}`);
      }
    },
    async verify(call, _result, signal) {
      const known = open.get(call.id);
      const problem = known && (await complete(care, call, known, open));
      const checked = await checkChange(care, call, signal, known?.approved ?? false);
      if (problem === undefined) return checked;
      return { ok: checked?.ok ?? true, text: [checked?.text, problem].filter(Boolean).join('\n') };
    },
    entry: (callId) => open.get(callId)?.entry,
  };
}

/** Calls that are written down with their way back. A workflow is none: its steps are. */
const isChange = ({ tool }: ToolCall, { risk }: Pick<Decision, 'risk'>): boolean =>
  tool.run.kind !== 'workflow' && (tool.undo !== undefined || rank(risk) >= rank('high'));

async function saveEntry(
  care: Care,
  call: ToolCall,
  approved: boolean,
  signal: AbortSignal,
  { undoOf: undone, check }: SaveOptions,
): Promise<UndoEntry | CallError> {
  const { deps } = care;
  const pin = pinOf(care.planContext, call);
  const server = await care.server?.atStart;
  const spec = undoOf(call.tool, call.args);
  const entry: UndoEntry = {
    v: 1,
    session: deps.actor.sessionId,
    call: call.id,
    tool: call.tool.name,
    // Arguments that no restore needs are not kept: they may hold secrets.
    args: 'none' in spec ? {} : namesOnly(call.tool, call.args),
    action: deps.redactor.hide(call.action.display.split('\n')[0] ?? '', 'words'),
    user: deps.actor.user,
    time: deps.clock.now().toISOString(),
    pin: { ...pin, ...(pin.kube_context !== undefined && server !== undefined && { kube_server: server }) },
    state: 'begun',
    ...(undone && { undoOf: undone }),
  };
  if ('none' in spec) return { ...entry, noWayBack: spec.none };
  const read = await readState(care, call, spec.save, entry.args, { signal, approved });
  if (!read.ok) return unsaved(`its way back could not be saved (${read.callId}): ${read.message}`);
  const changed = check?.(stateOf(read.output));
  if (changed !== undefined) return unsaved(changed);
  return { ...entry, before: savedOf(read.output) };
}

/** Writes down that a change ended well and what it left behind, an interrupt or not. Returns what went wrong, in words. */
async function complete(care: Care, call: ToolCall, known: Open, open: Map<string, Open>): Promise<string | undefined> {
  try {
    const { approved } = known;
    const spec = undoOf(call.tool, call.args);
    const signal = new AbortController().signal;
    const read =
      'none' in spec || !known.entry.before
        ? undefined
        : await readState(care, call, spec.save, known.entry.args, { signal, approved });
    const after = read?.ok ? { after: savedOf(read.output) } : {};
    const entry: UndoEntry = { ...known.entry, state: 'done', ...after };
    open.set(call.id, { entry, approved });
    care.store.write(entry);
    return read?.ok === false ? `What it left behind could not be read (${read.callId}): ${read.message}` : undefined;
  } catch (error) {
    return `What it left behind could not be stored: ${messageOf(error)}`;
  }
}

import { openUndoStore, type UndoEntry } from '../agent/change-store.js';
import type { Undone } from '../agent/change-undo.js';
import { EXIT, type ExitName, OpsError } from '../domain/errors.js';
import { undoFolder, userName } from '../lib/paths.js';
import { stripTerminal, visibleLine } from '../lib/visible.js';
import { reservedName } from '../tools/reserved.js';
import type { OutputFormat } from './commands/ask.js';
import type { Io } from './io.js';
import { callReport, refusals } from './report.js';
import { exitOfResult } from './run-tool.js';
import { openSession, type Session } from './session.js';
import { type RawSessionOptions, toSessionOptions } from './session-options.js';
import { formatTable } from './table.js';
import { startUi } from './ui.js';

export interface UndoOptions extends RawSessionOptions {
  readonly session?: string;
  readonly list?: boolean;
  readonly output: OutputFormat;
}

/** `undo [CALL]`: takes one change back, or lists the changes. */
export async function runUndo(io: Io, call: string | undefined, options: UndoOptions): Promise<ExitName> {
  const mine = openUndoStore(undoFolder(io.paths))
    .list()
    .filter(({ user }) => user === userName() || user === '')
    // What a person accepted changes nothing out there, and must not hide the last change that did.
    .filter(({ tool }) => reservedName(tool) === undefined);
  if (options.list) {
    await list(io, mine, options);
    return 'ok';
  }
  if (options.dump !== undefined)
    throw new OpsError('usage', 'A dump is a record of the past: nothing on it can be changed.', 'Leave --dump out.');
  const entry = pick(mine, call, options.session);
  if (entry.undone) throw new OpsError('failed', `${nameOf(entry)} was undone already, by ${nameOf(entry.undone)}.`);
  if (entry.noWayBack !== undefined)
    throw new OpsError('failed', `There is no way back from ${describe(entry)}: ${entry.noWayBack}.`);
  return undo(io, entry, options);
}

/** The change that is meant: the one named, or the last one that is not undone and is no undo itself. */
function pick(entries: readonly UndoEntry[], call: string | undefined, sessionOption: string | undefined): UndoEntry {
  const [callId, session = sessionOption] = (call ?? '').split('/').reverse();
  const found = entries.findLast(
    (entry) =>
      (session === undefined || entry.session === session) &&
      (call === undefined ? !entry.undone && !entry.undoOf : entry.call === callId),
  );
  if (found) return found;
  const what = call === undefined ? 'no change' : `no change ${visibleLine(call)}`;
  const where = session === undefined ? '' : ` in session ${visibleLine(session)}`;
  throw new OpsError('usage', `There is ${what} to undo${where}.`, 'See what there is with: opsagent undo --list');
}

async function undo(io: Io, entry: UndoEntry, options: UndoOptions): Promise<ExitName> {
  const ui = await startUi(io, options.output);
  try {
    const session = await openSession(io, toSessionOptions(options), ui);
    try {
      const tool = session.registry.get(entry.tool);
      if (!tool)
        throw new OpsError(
          'usage',
          `The tool ${visibleLine(entry.tool)}, with which ${entry.call} was made, is not loaded.`,
          'Name its folder with --tools DIR.',
        );
      session.emit({ type: 'notice', text: `Undoing ${describe(entry)}` });
      const { undoChange } = await import('../agent/change-undo.js');
      const undone = await undoChange(await session.care(), tool, entry, io.signal);
      await ui.stop();
      return report(io, session, entry, undone, options.output);
    } finally {
      session.close();
    }
  } finally {
    await ui.stop();
  }
}

function report(io: Io, session: Session, entry: UndoEntry, { results, nothingToDo }: Undone, output: OutputFormat) {
  const last = results.at(-1);
  const exit = io.signal.aborted ? 'interrupted' : last ? exitOfResult(last) : 'ok';
  if (output !== 'text') {
    const calls = results.map((result) => ({ ...callReport(session, result), text: result.text }));
    const of = { session_id: entry.session, call_id: entry.call };
    const all = { type: 'undo', session_id: session.id, exit_code: EXIT[exit], undo_of: of, calls };
    io.out(`${JSON.stringify(all, null, output === 'json' ? 2 : undefined)}\n`);
    return exit;
  }
  if (nothingToDo) io.out(`Nothing to undo: it is as it was before ${nameOf(entry)}.\n`);
  for (const result of results) {
    const text = `${stripTerminal(refusals([result])[0] ?? result.text).trimEnd()}\n`;
    if (result.status === 'ok' || result.status === 'suggested') io.out(text);
    else io.say(text);
  }
  if (exit !== 'ok' && results.length > 1)
    io.say(
      `Only a part of ${nameOf(entry)} is undone: ${results.length - 1} of its calls ran. Run undo again for the rest.\n`,
    );
  return exit;
}

const nameOf = ({ session, call }: { readonly session: string; readonly call: string }): string => `${session}/${call}`;

const describe = (entry: UndoEntry): string =>
  visibleLine(`${nameOf(entry)}, ${entry.time.replace('T', ' ').slice(0, 19)}, ${entry.action}`);

async function list(io: Io, entries: readonly UndoEntry[], { output, session }: UndoOptions): Promise<void> {
  const shown = entries.filter((entry) => session === undefined || entry.session === session).reverse();
  if (output !== 'text') {
    const rows = shown.map((entry) => ({
      session_id: entry.session,
      call_id: entry.call,
      time: entry.time,
      tool: entry.tool,
      action: entry.action,
      state: stateWord(entry),
    }));
    io.out(`${JSON.stringify(rows, null, 2)}\n`);
    return;
  }
  if (shown.length === 0) return io.say('No changes were made here.\n');
  const rows = shown.map((entry) => [
    entry.time.replace('T', ' ').slice(0, 19),
    nameOf(entry),
    stateWord(entry),
    visibleLine(entry.action).slice(0, 300),
  ]);
  io.out(await formatTable(['TIME', 'CHANGE', 'UNDO', 'ACTION'], rows, io.outIsTerminal ? io.width : 400));
}

function stateWord(entry: UndoEntry): string {
  if (entry.undone) return `undone by ${entry.undone.session}/${entry.undone.call}`;
  if (entry.noWayBack !== undefined) return `no way back: ${visibleLine(entry.noWayBack)}`;
  if (entry.state === 'begun' || !entry.after) return 'possible; unknown whether it ran';
  return entry.undoOf ? `possible; it undid ${entry.undoOf.session}/${entry.undoOf.call}` : 'possible';
}

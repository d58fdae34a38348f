import { OpsError } from '../domain/errors.js';
import type { ChangeGuard } from '../domain/ports.js';
import type { RawCall, ToolCall, ToolDefinition, ToolResult } from '../domain/types.js';
import type { Prepared } from '../tools/prepare.js';
import { type ChangeCare, createChangeCare } from './change.js';
import { diffLines } from './change-diff.js';
import { pinOf } from './change-pin.js';
import { type Care, readState } from './change-reads.js';
import { type Restore, restoresOf } from './change-restore.js';
import { manifestNames, undoOf } from './change-spec.js';
import { comparable, identityOf, isSame, type State, stateOf } from './change-state.js';
import type { UndoEntry } from './change-store.js';
import { runToolCall } from './tool-call.js';

/** How an undo ended: one result for each call it took, the last one not ok when it did not end well. */
export interface Undone {
  readonly results: readonly ToolResult[];
  /** Nothing was done, for nothing differs from what was before. */
  readonly nothingToDo: boolean;
}

/** What an undo is about, read and compared. */
interface Plan {
  readonly entry: UndoEntry;
  readonly values: Readonly<Record<string, string>>;
  /** The values that must be again what they were: those that only move on are not among them. */
  readonly settled: Readonly<Record<string, string>>;
  readonly before: State;
  readonly now: State;
  /** Of the read of the present state. */
  readonly readId: string;
}

/**
 * Takes a change back: reads the present state, refuses when it is not the one that the change left behind, and runs what
 * leads back as calls on the path, each asked for and recorded like any other.
 * @throws OpsError when there is no way back, the context differs, or the state changed since; nothing was changed then.
 */
export async function undoChange(
  care: Care,
  tool: ToolDefinition,
  entry: UndoEntry,
  signal: AbortSignal,
): Promise<Undone> {
  await refuseOtherContext(care, tool, entry);
  const spec = undoOf(tool, entry.args);
  const reason = entry.noWayBack ?? ('none' in spec ? spec.none : undefined);
  if (reason !== undefined || 'none' in spec || !entry.before)
    throw new OpsError('failed', `There is no way back from ${entry.call}: ${reason ?? 'nothing was saved for it'}.`);
  const ids = [care.deps.nextCallId()];
  const subject = subjectOf(tool, entry, ids[0] ?? '');
  const read = await readState(care, subject, spec.save, entry.args, { signal, approved: true });
  if (!read.ok)
    throw new OpsError('failed', `The present state cannot be read: ${read.message}.`, 'Nothing was changed.');
  const [before, now] = [stateOf(entry.before.output), stateOf(read.output)];
  const settled = Object.fromEntries(Object.entries(spec.values).filter(([name]) => !spec.advancing.includes(name)));
  const plan = { entry, values: spec.values, settled, before, now, readId: read.callId };
  refuseChanged(plan);
  const restores = restoresOf(care, { tool, args: entry.args }, spec, before, now);
  if (typeof restores === 'string')
    throw new OpsError('failed', `There is no way back from ${entry.call}: ${restores}.`);
  const guard = createChangeCare(care);
  const results: ToolResult[] = [];
  for (const restore of restores) {
    const result = await runRestore(care, guard, plan, restore, ids.pop() ?? care.deps.nextCallId(), signal);
    results.push(result);
    if (result.status !== 'ok') break;
  }
  const last = results.at(-1)?.callId ?? '';
  // One that ran is undone, whatever its check has found.
  if (results.length === restores.length && (last === '' || guard.entry(last)?.state === 'done')) {
    const by = { session: care.deps.actor.sessionId, call: last, time: care.deps.clock.now().toISOString() };
    care.store.write({ ...entry, undone: by });
  }
  return { results, nothingToDo: restores.length === 0 };
}

async function refuseOtherContext(care: Care, tool: ToolDefinition, entry: UndoEntry): Promise<void> {
  const { planContext, server } = care;
  const { context } = planContext;
  const { call } = entry;
  const { kube_server: address, ...pin } = entry.pin;
  for (const [name, value] of Object.entries(pin)) {
    if (context[name] === value) continue;
    const flag =
      name === 'kube_context'
        ? `--context ${value}`
        : name === 'docker_host'
          ? `DOCKER_HOST=${value}`
          : `DOCKER_CONTEXT=${value}`;
    throw new OpsError(
      'usage',
      `${call} was made with ${name} ${value}, and this session has ${context[name] ?? 'none'}. Nothing was changed.`,
      `Run it again with ${flag}.`,
    );
  }
  const added = Object.entries(pinOf(planContext, subjectOf(tool, entry, ''))).find(([name]) => !(name in pin));
  if (added)
    throw new OpsError(
      'usage',
      `${call} was made without a ${added[0]}, and this session has ${added[1]}. Nothing was changed.`,
      'Run it again in the surroundings that the change was made in.',
    );
  const now = address === undefined ? undefined : await server?.now();
  if (now !== address)
    throw new OpsError(
      'usage',
      `${call} was made on ${address}, and ${pin.kube_context} leads to ${now ?? 'nowhere'} now. Nothing was changed.`,
      'Run it again with the KUBECONFIG of that cluster.',
    );
}

/** What is there must be what the change left behind; where that was never read, only a person can tell. */
function refuseChanged({ entry, values, before, now }: Plan): void {
  const after = entry.after && stateOf(entry.after.output);
  const life = { sameLife: true };
  if (!after || isSame(after, now, values, life) || isSame(before, now, values, { sameLife: false })) return;
  const lines = diffLines(comparable(after, values, life), comparable(now, values, life));
  const shown = lines.map((line) => `  ${line.replace(/^\./, '')}`).join('\n');
  throw new OpsError(
    'failed',
    `It has changed since ${entry.call}: undoing that would undo more. Nothing was changed.\n${shown}`,
    'Look at it as it is now, and change it by hand or by a request of its own.',
  );
}

/** The change as a call, as far as the read of its state needs one. */
function subjectOf(tool: ToolDefinition, entry: UndoEntry, id: string): ToolCall {
  const action = { kind: 'command', tokens: [], display: entry.action, payload: {} };
  return { id, tool, args: entry.args, repairs: [], action };
}

async function runRestore(
  care: Care,
  guard: ChangeCare,
  plan: Plan,
  restore: Restore,
  id: string,
  signal: AbortSignal,
): Promise<ToolResult> {
  const { entry } = plan;
  const isKnown = entry.state === 'done' && entry.after !== undefined;
  const tool: ToolDefinition = isKnown ? restore.tool : { ...restore.tool, riskLevel: 'critical' };
  const repairs = [
    `undo of ${entry.call} (${entry.tool}) of session ${entry.session}, ${entry.time}`,
    ...(isKnown ? [] : [UNKNOWN]),
  ];
  const call: ToolCall = { id, tool, args: restore.args, repairs, action: restore.action };
  const raw: RawCall = { id, name: tool.name, rawArguments: JSON.stringify(call.args) };
  const prepare = (asked: RawCall): Prepared =>
    asked.rawArguments === raw.rawArguments
      ? { ok: true, call }
      : {
          ok: false,
          status: 'invalid-arguments',
          message: 'An undo puts back what was saved: nothing of it can be changed.',
        };
  // Secrets in what was saved go back where they were: nobody uses them for anything else.
  const decide = (asked: ToolCall) => care.deps.decide({ ...asked, action: { ...asked.action, payload: {} } });
  return runToolCall({ ...care.deps, prepare, decide, change: careOf(guard, plan, call) }, raw, signal);
}

const UNKNOWN =
  'it is unknown whether the change itself ran, and what it left behind: look at what differs before you say yes';

/** The care of an undo: the card shows what it brings back, and it runs only on the state that the card showed. */
function careOf(base: ChangeCare, { entry, values, settled, before, now, readId }: Plan, call: ToolCall): ChangeGuard {
  const life = { sameLife: false };
  const [from, to] = [partOf(now, call), partOf(before, call)];
  return {
    inspect: async () => ({
      preview: { callId: readId, ok: true, text: fields(from, to, values).join('\n') },
      undo: `opsagent undo ${call.id}`,
    }),
    save: (saved, decision, signal) =>
      base.save(saved, decision, signal, {
        undoOf: { session: entry.session, call: entry.call },
        check: (state) =>
          isSame(state, from, values, { sameLife: true })
            ? undefined
            : 'what it would change has changed while you were asked',
      }),
    async verify(changed, result, signal) {
      const checked = await base.verify(changed, result, signal);
      const left = base.entry(call.id)?.after;
      if (!left) return checked;
      const after = stateOf(left.output);
      const isBack = isSame(after, to, settled, life);
      const text = isBack
        ? `It is again as it was before ${entry.call}.`
        : `It is not entirely as it was before ${entry.call}:\n${fields(to, after, settled).join('\n')}`;
      // Admission and defaults of today may add to an object; a value is what it was or it is not.
      const isWell = (isBack || Object.keys(values).length === 0) && (checked?.ok ?? true);
      return { ok: isWell, text: [text, checked?.text].filter(Boolean).join('\n') };
    },
  };
}

/** What differs between two states as far as an undo is concerned, a line a field. */
const fields = (a: State, b: State, values: Plan['values']): string[] =>
  diffLines(comparable(a, values, { sameLife: false }), comparable(b, values, { sameLife: false })).map((line) =>
    line.replace(/^\./, ''),
  );

/** Of the objects of a manifest, those that this call of the undo speaks of: each has its own. */
function partOf(state: State, { tool, args }: ToolCall): State {
  const [manifest] = manifestNames(tool);
  const text = manifest === undefined ? undefined : args[manifest];
  if (typeof text !== 'string') return state;
  const names = new Set(text.split('\n---\n').map((document) => identityOf(JSON.parse(document))));
  return { ...state, objects: state.objects.filter((object) => names.has(identityOf(object))) };
}

import type { AgentEvent, TurnEnd } from '../domain/events.js';
import type { CallError, Mode, ToolCall, ToolStatus } from '../domain/types.js';

/** One call as the screen shows it. */
export interface CallView {
  readonly id: string;
  readonly parentId?: string;
  /** 0 for a call of the turn, 1 for a step of a workflow, and so on. */
  readonly depth: number;
  /** What runs, in one line for people; untrusted. */
  readonly label: string;
  /** The kind of its action; undefined while it is only a request. */
  readonly kind?: string;
  readonly stage: 'checking' | 'inspecting' | 'asking' | 'running' | 'finished';
  /** When it began to run, in the clock of `reduce`. */
  readonly startedAtMs?: number;
  readonly durationMs?: number;
  readonly status?: ToolStatus;
  /** What went wrong, for people. */
  readonly problem?: string;
  /** Output so far. */
  readonly bytes: number;
  /** How far it is, in its own words; untrusted. */
  readonly progress?: string;
  readonly repairs: readonly string[];
  /** The latest time that it was tried again: which try comes, when, and why. */
  readonly retry?: { readonly attempt: number; readonly untilMs: number; readonly reason: string };
}

export interface UiState {
  /** The latest calls, each followed by its steps. */
  readonly calls: readonly CallView[];
  /** Text of the model since the last call or answer; its tail when it is long. */
  readonly text: string;
  /** The model that is asked at the moment. */
  readonly waitingFor?: string;
  /** The latest notices. */
  readonly notices: readonly string[];
  /** Ids of the calls that wait for the person, first come first. */
  readonly asking: readonly string[];
  /** What the request took so far, in words. */
  readonly spent?: string;
  /** How the session acts; undefined where it cannot be switched. */
  readonly mode?: Mode;
  readonly ended?: TurnEnd;
}

/** The events of the core, and the two that only the screen knows. */
export type UiEvent =
  | AgentEvent
  | { readonly type: 'approval-asked'; readonly call: ToolCall }
  | { readonly type: 'approval-closed'; readonly callId: string };

export const MAX_CALLS = 200;
const MAX_NOTICES = 50;
const MAX_TEXT = 8_000;
const MAX_LABEL = 1_000;

export const initialState: UiState = { calls: [], text: '', notices: [], asking: [] };

/** The state after an event that happened at `atMs` (any clock that only goes forward). Pure; memory is bounded. */
export function reduce(state: UiState, event: UiEvent, atMs: number): UiState {
  switch (event.type) {
    case 'model-waiting': {
      const { ended: _, ...going } = state;
      return { ...going, waitingFor: event.model, text: '' };
    }
    case 'model-text':
      return { ...state, text: (state.text + event.text).slice(-MAX_TEXT) };
    case 'call-requested': {
      const { id, name, parentId } = event.raw;
      return answered({ ...state, calls: insert(state.calls, newCall(id, name, parentId)) });
    }
    case 'call-repaired':
      return update(state, event.callId, (call) => ({ ...call, repairs: event.repairs }));
    case 'approval-asked':
      return { ...known(state, event.call, 'asking'), asking: [...state.asking, event.call.id] };
    case 'approval-closed':
      return update({ ...state, asking: state.asking.filter((id) => id !== event.callId) }, event.callId, (call) => ({
        ...call,
        stage: call.stage === 'asking' ? 'checking' : call.stage,
      }));
    case 'call-decided': {
      const runs = event.approval?.granted ?? event.decision.effect === 'allow';
      const next = known(state, event.call, runs ? 'running' : 'checking');
      return runs ? update(next, event.call.id, (call) => ({ ...call, startedAtMs: atMs })) : next;
    }
    case 'call-output':
      return update(state, event.callId, (call) => ({ ...call, bytes: event.bytes }));
    case 'call-progress':
      return update(state, event.callId, (call) => ({ ...call, progress: event.text }));
    case 'call-finished':
      return finish(state, event.result);
    case 'call-inspecting':
      return update(state, event.callId, (call) => ({ ...call, stage: 'inspecting' }));
    case 'call-retried': {
      const { attempt, pauseMs, reason } = event;
      const retry = { attempt, untilMs: atMs + pauseMs, reason: reason.slice(0, MAX_LABEL) };
      return update(state, event.callId, (call) => ({ ...call, retry, bytes: 0 }));
    }
    case 'spent':
      return { ...state, spent: spentInWords(event) };
    case 'mode-switched':
      return { ...state, mode: event.to };
    case 'notice':
      return { ...state, notices: [...state.notices, event.text].slice(-MAX_NOTICES) };
    case 'turn-finished':
      return { ...answered(state), ended: event.reason };
  }
}

/** `$0.0123 of $0.50 · 8.2k tokens`, or `8.2k of 1M tokens` while nothing has a price; `~` before what is estimated. */
export function spentInWords(event: Extract<AgentEvent, { type: 'spent' }>): string {
  const { usd, tokens, estimated, capUsd, capTokens } = event;
  const about = estimated ? '~' : '';
  if (capUsd !== undefined)
    return `${about}$${usd.toFixed(4)} of $${capUsd.toFixed(2)} · ${about}${short(tokens)} tokens`;
  return `${about}${short(tokens)}${capTokens === undefined ? '' : ` of ${short(capTokens)}`} tokens`;
}

/** `812`, `8.2k`, `1M`: powers of 1000. */
function short(count: number): string {
  const [size, unit] = count < 1_000 ? [1, ''] : count < 999_500 ? [1_000, 'k'] : [1_000_000, 'M'];
  return `${Number((count / size).toFixed(count / size < 100 ? 1 : 0))}${unit}`;
}

/** One line that says what a call runs: its command or request, else the tool's name with its arguments. */
export function labelOf(call: ToolCall): string {
  const { kind, display } = call.action;
  if (kind === 'command' || kind === 'http') return (display.split('\n', 1)[0] ?? '').slice(0, MAX_LABEL);
  const args = Object.entries(call.args).map(([name, value]) => `${name}=${shortJson(value)}`);
  return [call.tool.displayName, ...args].join(' ').slice(0, MAX_LABEL);
}

const shortJson = (value: unknown): string => (typeof value === 'string' ? value : (JSON.stringify(value) ?? ''));

const newCall = (id: string, label: string, parentId?: string): CallView => ({
  id,
  ...(parentId !== undefined && { parentId }),
  depth: 0,
  label,
  stage: 'checking',
  bytes: 0,
  repairs: [],
});

/** The model has answered: it is not waited for, and its text has been said. */
function answered(state: UiState): UiState {
  const { waitingFor: _, ...rest } = state;
  return { ...rest, text: '' };
}

/** Puts a call behind its parent's last step, or at the end; drops the oldest finished call when there are too many. */
function insert(calls: readonly CallView[], call: CallView): readonly CallView[] {
  if (calls.some((c) => c.id === call.id)) return calls;
  const parentAt = calls.findIndex((c) => c.id === call.parentId);
  const parent = calls[parentAt];
  if (!parent) return trim([...calls, call]);
  let end = parentAt + 1;
  while ((calls[end]?.depth ?? 0) > parent.depth) end += 1;
  return trim([...calls.slice(0, end), { ...call, depth: parent.depth + 1 }, ...calls.slice(end)]);
}

function trim(calls: readonly CallView[]): readonly CallView[] {
  if (calls.length <= MAX_CALLS) return calls;
  const oldest = Math.max(
    0,
    calls.findIndex((call) => call.stage === 'finished'),
  );
  return calls.filter((_, index) => index !== oldest);
}

/** Fills in what a checked call tells; a call that was never announced is added. */
function known(state: UiState, call: ToolCall, stage: CallView['stage']): UiState {
  const calls = insert(state.calls, newCall(call.id, call.tool.name, call.parentId));
  return update({ ...state, calls }, call.id, (view) => ({
    ...view,
    label: labelOf(call),
    kind: call.action.kind,
    stage,
    repairs: call.repairs,
  }));
}

function finish(state: UiState, result: Extract<AgentEvent, { type: 'call-finished' }>['result']): UiState {
  const calls = insert(state.calls, newCall(result.callId, result.tool));
  return update({ ...state, calls }, result.callId, (call) => ({
    ...call,
    stage: 'finished',
    status: result.status,
    durationMs: result.durationMs,
    ...(result.error && { problem: withHint(result.error) }),
  }));
}

const update = (state: UiState, id: string, change: (call: CallView) => CallView): UiState => ({
  ...state,
  calls: state.calls.map((call) => (call.id === id ? change(call) : call)),
});

/** What happened, and what to do: two sentences, or one that goes on. */
function withHint({ message, hint = '' }: CallError): string {
  if (hint === '') return message;
  const between = /[.!?。！？]$/.test(message) ? ' ' : /^[a-z]/.test(hint) ? '; ' : '. ';
  return message + between + hint;
}

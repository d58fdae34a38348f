import { OpsError } from '../domain/errors.js';
import type { AgentEvent, TurnEnd } from '../domain/events.js';
import type { ChatModel, Message, ModelCall, ModelReply } from '../domain/ports.js';
import type { RawCall, ToolDefinition, ToolResult } from '../domain/types.js';

export interface LoopDeps {
  readonly model: ChatModel;
  readonly tools: readonly ToolDefinition[];
  readonly runCall: (raw: RawCall, signal: AbortSignal) => Promise<ToolResult>;
  /** Answers a call without running it; it is recorded like any other. */
  readonly refuseCall: (raw: RawCall, why: string) => Promise<ToolResult>;
  readonly nextCallId: () => string;
  readonly emit: (event: AgentEvent) => void;
  /** Replies of the model that may hold calls. */
  readonly stepLimit: number;
}

export interface Turn {
  readonly end: TurnEnd;
  readonly answer: string;
  /** The model says itself that it could not do what was asked. */
  readonly failed: boolean;
  readonly format: 'markdown' | 'plain';
  readonly results: readonly ToolResult[];
  readonly messages: readonly Message[];
}

/** The same call with the same arguments is run this often; after that the model is told to stop repeating it. */
const MAX_REPEATS = 3;
/** More calls in one reply are answered, but not run. */
const MAX_CALLS_A_REPLY = 16;

/**
 * Asks the model, runs its calls one after another, answers each, until it stops calling. At the step limit the model is
 * asked once more, without tools, for what it has found: there is an answer always.
 * @throws OpsError unavailable when the model cannot be reached.
 */
export async function runTurn(deps: LoopDeps, history: readonly Message[], signal: AbortSignal): Promise<Turn> {
  const messages = [...history];
  const results: ToolResult[] = [];
  const seen = new Map<string, number>();
  const finish = (end: TurnEnd, reply?: ModelReply): Turn => {
    deps.emit({ type: 'turn-finished', reason: end });
    const { text: answer = '', failed = false, format = 'markdown' } = reply ?? {};
    return { end, answer, failed, format, results, messages };
  };

  for (let step = 0; step < deps.stepLimit; step++) {
    const reply = await ask(deps, messages, deps.tools, signal);
    if (!reply) return finish('cancelled');
    messages.push({ role: 'assistant', text: reply.text, calls: reply.calls });
    if (reply.calls.length === 0) return finish('answered', reply.text.trim() === '' ? NO_ANSWER : reply);
    for (const [index, call] of reply.calls.entries()) {
      const result = await runModelCall(deps, call, index, seen, signal);
      results.push(result);
      messages.push({ role: 'tool', modelCallId: call.id, result });
    }
    if (signal.aborted) return finish('cancelled');
  }
  messages.push({ role: 'user', text: LAST_WORD });
  const last = await ask(deps, messages, [], signal);
  if (!last) return finish('cancelled');
  return finish('step-limit', last.text.trim() === '' ? { ...last, text: withoutAnswer(results) } : last);
}

const NO_ANSWER: ModelReply = {
  text: 'The model answered with nothing. Ask again, or try another model.',
  calls: [],
  failed: true,
};

/** The model had its last word and used it for nothing: what was done is the answer. */
const withoutAnswer = (results: readonly ToolResult[]): string =>
  [
    'The limit of steps is reached, and the model gave no answer. These calls were made:',
    ...results.map(
      ({ callId, tool, status, text }) => `- [${callId}] ${tool}: ${status}. ${text.split('\n')[0]?.slice(0, 120)}`,
    ),
    'Their whole results: opsagent audit show CALL. Ask again with a narrower question, or a higher --max-steps.',
  ].join('\n');

const LAST_WORD =
  'The limit of steps is reached; no further tool can be called. Answer now from what you have: what you found, with call ids, what is uncertain, and what remains to be checked.';

async function ask(
  deps: LoopDeps,
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
  signal: AbortSignal,
): Promise<ModelReply | undefined> {
  if (signal.aborted) return undefined;
  deps.emit({ type: 'model-waiting', model: deps.model.name });
  const onText = (text: string) => deps.emit({ type: 'model-text', text });
  try {
    return await deps.model.reply({ messages, tools, onText }, signal);
  } catch (error) {
    if (signal.aborted) return undefined;
    deps.emit({ type: 'turn-finished', reason: 'model-failed' });
    throw error instanceof OpsError
      ? error
      : new OpsError('bug', `the model client failed: ${error}`, undefined, { cause: error });
  }
}

async function runModelCall(
  deps: LoopDeps,
  call: ModelCall,
  index: number,
  seen: Map<string, number>,
  signal: AbortSignal,
): Promise<ToolResult> {
  const key = `${call.name} ${call.rawArguments}`;
  const times = (seen.get(key) ?? 0) + 1;
  seen.set(key, times);
  const raw = { id: deps.nextCallId(), name: call.name, rawArguments: call.rawArguments };
  if (index >= MAX_CALLS_A_REPLY) {
    return deps.refuseCall(
      raw,
      `Not run: at most ${MAX_CALLS_A_REPLY} calls in one reply. Ask again for what you still need.`,
    );
  }
  if (times > MAX_REPEATS) {
    return deps.refuseCall(
      raw,
      `Not run: you made this same call ${times - 1} times; its result is above. Use it, or try something else.`,
    );
  }
  return deps.runCall(raw, signal);
}

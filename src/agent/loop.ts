import { OpsError } from '../domain/errors.js';
import type { AgentEvent, TurnEnd } from '../domain/events.js';
import type { Budget, ChatModel, Message, ModelCall, ModelReply, ModelRoom } from '../domain/ports.js';
import type { CallError, RawCall, ToolDefinition, ToolResult } from '../domain/types.js';

export interface LoopDeps {
  readonly model: ChatModel;
  readonly budget: Budget;
  /** The tools of the next step. */
  readonly tools: () => Promise<readonly ToolDefinition[]>;
  readonly runCall: (raw: RawCall, signal: AbortSignal) => Promise<ToolResult>;
  /** Answers a call without running it; it is recorded like any other. */
  readonly refuseCall: (raw: RawCall, why: string) => Promise<ToolResult>;
  readonly nextCallId: () => string;
  readonly emit: (event: AgentEvent) => void;
  /** The first message, for the tools of a step; that of the history when not given. */
  readonly system?: (tools: readonly ToolDefinition[]) => string;
  /** A result as the model gets it, when that is not the result itself. */
  readonly forModel?: (result: ToolResult, messages: readonly Message[], signal: AbortSignal) => Promise<ToolResult>;
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
  /** The cap that ended the turn. */
  readonly limit?: CallError;
}

/** The same call with the same arguments is run this often; after that the model is told to stop repeating it. */
const MAX_REPEATS = 3;
/** More calls in one reply are answered, but not run. */
const MAX_CALLS_A_REPLY = 16;

/**
 * Asks the model, runs its calls one after another, answers each, until it stops calling. At the step limit, and when the
 * budget holds no further step with an answer after it, the model is asked once more, without tools, for what it has found:
 * there is an answer always. Nothing is sent that could pass a cap.
 * @throws OpsError unavailable when the model cannot be reached, failed when what is spent cannot be written down.
 */
export async function runTurn(deps: LoopDeps, history: readonly Message[], signal: AbortSignal): Promise<Turn> {
  const messages = [...history];
  const results: ToolResult[] = [];
  const seen = new Map<string, number>();
  const finish = (end: TurnEnd, reply?: ModelReply, limit?: CallError): Turn => {
    deps.emit({ type: 'turn-finished', reason: end });
    const { text: answer = '', failed = false, format = 'markdown' } = reply ?? {};
    return { end, answer, failed, format, results, messages, ...(limit && { limit }) };
  };
  const conclude = async (why: LastWord, limit?: CallError): Promise<Turn> => {
    const said = messages.findLast((message) => message.role === 'assistant' && message.text.trim() !== '');
    messages.push({ role: 'user', text: lastWord(why) });
    const last = await ask(deps, messages, [], signal, false);
    if (!last) return finish('cancelled');
    const noAnswer = { text: withoutAnswer(why, results, said?.role === 'assistant' ? said.text : ''), calls: [] };
    if ('category' in last) return finish('budget', noAnswer, limit ?? last);
    return finish(why, last.text.trim() === '' ? noAnswer : last, limit);
  };

  for (let step = 0; step < deps.stepLimit; step++) {
    const tools = await deps.tools();
    if (deps.system) messages[0] = { role: 'system', text: deps.system(tools) };
    let reply = await ask(deps, messages, tools, signal, true);
    // Before the first step there is nothing to answer from: better a step without an answer after it than no step.
    if (reply && 'category' in reply && step === 0) reply = await ask(deps, messages, tools, signal, false);
    if (!reply) return finish('cancelled');
    if ('category' in reply) {
      return step === 0 ? finish('budget', nothingDone(reply), reply) : conclude('budget', reply);
    }
    messages.push({ role: 'assistant', text: reply.text, calls: reply.calls });
    if (reply.calls.length === 0) return finish('answered', reply.text.trim() === '' ? NO_ANSWER : reply);
    for (const [index, call] of reply.calls.entries()) {
      const result = await runModelCall(deps, call, index, seen, signal);
      results.push(result);
      const told = deps.forModel ? await deps.forModel(result, messages, signal) : result;
      messages.push({ role: 'tool', modelCallId: call.id, result: told });
    }
    if (signal.aborted) return finish('cancelled');
  }
  return conclude('step-limit');
}

const NO_ANSWER: ModelReply = {
  text: 'The model answered with nothing. Ask again, or try another model.',
  calls: [],
  failed: true,
};

const nothingDone = ({ message }: CallError): ModelReply => ({
  text: `Nothing was asked of the model. ${message}.`,
  calls: [],
  failed: true,
  format: 'plain',
});

type LastWord = 'step-limit' | 'budget';
const REACHED: Readonly<Record<LastWord, string>> = {
  'step-limit': 'The limit of steps is reached',
  budget: 'The budget is used up',
};

/** The model had no last word, or used it for nothing: what it said before and what was done is the answer. */
const withoutAnswer = (why: LastWord, results: readonly ToolResult[], said: string): string =>
  [
    ...(said === '' ? [] : [said, '']),
    `${REACHED[why]}, and the model gave no answer. These calls were made:`,
    ...results.map(
      ({ callId, tool, status, text }) => `- [${callId}] ${tool}: ${status}. ${text.split('\n')[0]?.slice(0, 120)}`,
    ),
    `Their whole results: opsagent audit show CALL. Ask again with a narrower question${why === 'budget' ? '' : ', or a higher --max-steps'}.`,
  ].join('\n');

const lastWord = (why: LastWord): string =>
  `${REACHED[why]}; no further tool can be called. Answer now from what you have: what you found, with call ids, what is uncertain, and what remains to be checked.`;

/**
 * Reserves, asks, and pays: a reply, the cap that is in the way, or nothing after an interrupt.
 * @throws OpsError unavailable when the model cannot be reached, failed when what is spent cannot be written down.
 */
export async function ask(
  deps: Pick<LoopDeps, 'model' | 'budget' | 'emit'>,
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
  signal: AbortSignal,
  thenAnswer: boolean,
): Promise<ModelReply | CallError | undefined> {
  if (signal.aborted) return undefined;
  const room = await deps.budget.reserve({ messages, tools }, thenAnswer);
  if ('category' in room) return room;
  deps.emit({ type: 'model-waiting', model: deps.model.name });
  const reply = await replyWithin(deps, room, messages, tools, signal);
  if (reply) await room.settle(reply);
  return reply;
}

async function replyWithin(
  deps: Pick<LoopDeps, 'model' | 'emit'>,
  room: ModelRoom,
  messages: readonly Message[],
  tools: readonly ToolDefinition[],
  signal: AbortSignal,
): Promise<ModelReply | undefined> {
  let heard = '';
  const onText = (text: string) => {
    heard += text;
    deps.emit({ type: 'model-text', text });
  };
  try {
    return await deps.model.reply({ messages, tools, onText, maxOutputTokens: room.maxOutputTokens }, signal);
  } catch (error) {
    // The provider charges for an answer that began, and for a prompt that it read, whatever came of it.
    await (signal.aborted || heard !== '' ? room.settle({ text: heard, calls: [] }) : room.release());
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

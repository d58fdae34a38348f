import type { ModelReply } from '../domain/ports.js';
import { createCallCollector } from './call-pieces.js';
import type { Endpoint } from './endpoint.js';
import { explainCut, explainNoAnswer, explainTooMuch } from './errors.js';
import { fieldOf } from './field.js';

/** Puts a reply together from the chunks of a chat completion, which nobody has checked. */
export interface ReplyReader {
  /** Takes one chunk; whatever is not understood in it is passed over. Throws OpsError when a limit is passed. */
  add(rawChunk: unknown): void;
  /** Whether the model said why it stopped. */
  answered(): boolean;
  /** The reply. Throws OpsError when the answer broke off; `endMark` says that the stream closed in good order. */
  finish(endMark: boolean): ModelReply;
}

const TOO_LONG = new Set(['length', 'max_tokens']);
const BROKEN = new Set(['error', 'abort', 'cancelled', 'insufficient_system_resource']);
const TRUNCATED = '[The answer is truncated: the model reached its length limit.]';
const FILTERED = "[The answer is truncated: the provider's content filter stopped it.]";

/** Makes a reader for one reply. `onText` gets the text as it comes; `takenIds` are the ids of earlier calls. */
export function createReplyReader(
  endpoint: Endpoint,
  takenIds: ReadonlySet<string>,
  onText: (delta: string) => void,
): ReplyReader {
  const collector = createCallCollector(takenIds);
  let text = '';
  let chunks = 0;
  let finishReason: string | undefined;
  let usage: ModelReply['usage'];

  const say = (delta: string): void => {
    if (delta === '') return;
    text += delta;
    onText(delta);
  };
  const add = (rawChunk: unknown): void => {
    usage = readUsage(fieldOf(rawChunk, 'usage')) ?? usage;
    const choice = firstChoice(fieldOf(rawChunk, 'choices'));
    if (choice === undefined) return;
    chunks += 1;
    // A server that does not stream sends the whole `message`.
    const delta = fieldOf(choice, 'delta') ?? fieldOf(choice, 'message');
    say(readText(fieldOf(delta, 'content')) + readText(fieldOf(delta, 'refusal')));
    for (const piece of listOf(fieldOf(delta, 'tool_calls'))) {
      const tooMuch = collector.add(piece);
      if (tooMuch !== undefined) throw explainTooMuch(endpoint, tooMuch);
    }
    const reason = fieldOf(choice, 'finish_reason');
    if (typeof reason === 'string' && reason !== '') finishReason = reason.toLowerCase();
  };
  const finish = (endMark: boolean): ModelReply => {
    if (chunks === 0) throw explainNoAnswer(endpoint, 'nothing');
    if (finishReason === undefined && !endMark) throw explainCut(endpoint);
    if (finishReason !== undefined && BROKEN.has(finishReason))
      throw explainCut(endpoint, `was given up (${finishReason})`);
    const truncated = finishReason !== undefined && TOO_LONG.has(finishReason);
    const filtered = finishReason === 'content_filter';
    if (truncated || filtered) say(`${text === '' ? '' : '\n'}${truncated ? TRUNCATED : FILTERED}`);
    const measured = usage === undefined ? {} : { usage };
    // Half of what a filter stopped is nothing to act upon.
    if (filtered) return { text, calls: [], failed: true, ...measured };
    const calls = collector.calls().map((call) => (truncated ? call : withArguments(call)));
    return { text, calls, ...(truncated && { truncated }), ...measured };
  };
  return { add, answered: () => finishReason !== undefined, finish };
}

/** A tool without parameters is often called with no arguments at all; when the reply was cut, that means nothing. */
const withArguments = <C extends { readonly rawArguments: string }>(call: C): C =>
  call.rawArguments.trim() === '' ? { ...call, rawArguments: '{}' } : call;

const listOf = (value: unknown): readonly unknown[] => (Array.isArray(value) ? value : []);

/** We ask for one choice; others are not ours. */
function firstChoice(rawChoices: unknown): unknown {
  return listOf(rawChoices).find((raw) => {
    const index = fieldOf(raw, 'index');
    return typeof raw === 'object' && raw !== null && (index === undefined || index === null || index === 0);
  });
}

/** Text, or the text of a list of parts. */
function readText(value: unknown): string {
  if (typeof value === 'string') return value;
  return listOf(value)
    .map((part) => fieldOf(part, 'text'))
    .filter((part) => typeof part === 'string')
    .join('');
}

function readUsage(value: unknown): ModelReply['usage'] {
  const promptTokens = readCount(fieldOf(value, 'prompt_tokens'));
  const completionTokens = readCount(fieldOf(value, 'completion_tokens'));
  if (promptTokens === undefined || completionTokens === undefined) return undefined;
  // OpenAI and those who follow it, else DeepSeek.
  const cachedTokens =
    readCount(fieldOf(fieldOf(value, 'prompt_tokens_details'), 'cached_tokens')) ??
    readCount(fieldOf(value, 'prompt_cache_hit_tokens'));
  return { promptTokens, completionTokens, ...(cachedTokens !== undefined && { cachedTokens }) };
}

const readCount = (value: unknown): number | undefined =>
  typeof value === 'number' && Number.isSafeInteger(value) && value >= 0 ? value : undefined;

import type { Message, ModelCall } from '../domain/ports.js';
import { framed } from '../lib/framed.js';

/** A message of the chat completions API, as far as we use it. */
export type WireMessage =
  | { role: 'system' | 'user'; content: string }
  | { role: 'assistant'; content: string | null; tool_calls?: WireCall[] }
  | { role: 'tool'; tool_call_id: string; content: string };

export interface WireCall {
  id: string;
  type: 'function';
  function: { name: string; arguments: string };
}

const MAX_WIRE_NAME = 64;
const MAX_ECHO = 2_000;

/** Maps a conversation to the chat completions API. Keeps order; answers of tools are the text of their results. */
export const toWireMessages = (messages: readonly Message[]): WireMessage[] => messages.map(toWireMessage);

/** Ids of all calls of a conversation. */
export const callIdsOf = (messages: readonly Message[]): ReadonlySet<string> =>
  new Set(messages.flatMap((message) => (message.role === 'assistant' ? message.calls.map((call) => call.id) : [])));

function toWireMessage(message: Message): WireMessage {
  switch (message.role) {
    case 'assistant': {
      const content = wellFormed(message.text);
      if (message.calls.length === 0) return { role: 'assistant', content };
      return { role: 'assistant', content: content === '' ? null : content, tool_calls: message.calls.map(toWireCall) };
    }
    case 'tool': {
      const { callId, status, text } = message.result;
      // The id is what an answer cites as evidence.
      const content = `[${callId}] ${status}\n${framed(callId, wellFormed(text) || '(no output)')}`;
      return { role: 'tool', tool_call_id: message.modelCallId, content };
    }
    default:
      return { role: message.role, content: wellFormed(message.text) };
  }
}

/**
 * A call as the model made it. Servers refuse the whole conversation for one name with a space or one broken
 * argument in its history, so what a model invented is made harmless here; its result says what was wrong.
 */
function toWireCall({ id, name, rawArguments }: ModelCall): WireCall {
  const wireName = name.replaceAll(/[^a-zA-Z0-9_-]/g, '_').slice(0, MAX_WIRE_NAME);
  return { id, type: 'function', function: { name: wireName || 'unknown', arguments: safeArguments(rawArguments) } };
}

function safeArguments(raw: string): string {
  try {
    const parsed: unknown = JSON.parse(raw);
    if (typeof parsed === 'object' && parsed !== null && !Array.isArray(parsed)) return wellFormed(raw);
  } catch (thrown) {
    if (!(thrown instanceof SyntaxError)) throw thrown;
  }
  return raw.trim() === '' ? '{}' : JSON.stringify({ invalid_arguments: wellFormed(raw.slice(0, MAX_ECHO)) });
}

/** Half of a surrogate pair, which a cut leaves behind, is not valid UTF-8 and some servers refuse it. */
const wellFormed = (text: string): string => text.replaceAll(/\p{Surrogate}/gu, '\uFFFD');

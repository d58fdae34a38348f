import type { ChatModel, Message, ModelReply, ModelRequest } from '../domain/ports.js';
import { leavesOutChange, planRequest } from './offline/plan.js';
import { sayRefusal, sayResult, sayUnchanged } from './offline/say.js';
import { readRequest } from './offline/text.js';

/**
 * Answers like a model, by rules alone: it turns the last request into one call of an offered tool, and the result of
 * that call into the answer. It calls a tool that changes something only for a plain, complete order. Says `failed`
 * when it cannot place the request or the call did not go well. Needs no network and never throws, but for the signal.
 */
export function createOfflineModel(): ChatModel {
  return {
    name: 'offline',
    async reply(request, signal) {
      signal.throwIfAborted();
      const reply = answer(request);
      if (reply.text !== '') request.onText(reply.text);
      return reply;
    },
  };
}

function answer({ messages, tools }: ModelRequest): ModelReply {
  const at = messages.findLastIndex((message) => message.role === 'user');
  const raw = textOf(messages[at]);
  const request = readRequest(raw);
  const last = messages.slice(at + 1).findLast((message) => message.role === 'tool');
  if (last?.role === 'tool') {
    const text = sayResult(last.result, request.language);
    const note = leavesOutChange(tools, raw) ? `\n\n${sayUnchanged(request.language)}` : '';
    return { text: text + note, calls: [], ...(last.result.status !== 'ok' && { failed: true }) };
  }
  const plan = planRequest(tools, raw);
  if (plan.type === 'refuse') {
    return { text: sayRefusal(plan.why, tools, request.text, request.language), calls: [], failed: true };
  }
  const earlier = messages.filter((message) => message.role === 'assistant' && message.calls.length > 0).length;
  const call = { id: `plan_${earlier + 1}`, name: plan.tool.name, rawArguments: JSON.stringify(plan.args) };
  return { text: '', calls: [call] };
}

const textOf = (message: Message | undefined): string => (message?.role === 'user' ? message.text : '');

import type { ChatModel, Message, ModelReply, ModelRequest } from '../domain/ports.js';
import type { JsonObject, ToolDefinition, ToolResult } from '../domain/types.js';
import { leavesOutChange, planRequest } from './offline/plan.js';
import { type PodQuestion, podQuestion, podsOf, sayNoPod, sayWhichPod } from './offline/pods.js';
import { sayRefusal, sayResult, sayUnchanged } from './offline/say.js';
import { type Language, readRequest } from './offline/text.js';

/**
 * Answers like a model, by rules alone: it turns the last request into one call of an offered tool, and the result of
 * that call into the answer; where a call needs a pod and the request names a workload, it lists the pods first. It calls
 * a tool that changes something only for a plain, complete order. Says `failed` when it cannot place the request or the
 * call did not go well. Needs no network and never throws, but for the signal.
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
  const results = messages.slice(at + 1).flatMap((message) => (message.role === 'tool' ? [message.result] : []));
  const plan = planRequest(tools, raw);
  const question = plan.type === 'call' ? podQuestion(tools, plan, request.text) : undefined;
  const call = (tool: ToolDefinition, args: JsonObject): ModelReply => {
    const earlier = messages.filter((message) => message.role === 'assistant' && message.calls.length > 0).length;
    return { text: '', calls: [{ id: `plan_${earlier + 1}`, name: tool.name, rawArguments: JSON.stringify(args) }] };
  };
  const [first] = results;
  const last = results.at(-1);
  if (first && last) {
    if (question && first.tool === question.lookup.tool.name && first.status === 'ok') {
      const [pod] = podsOf(first.text, question.name);
      if (pod === undefined) return { text: sayNoPod(question, request.language), calls: [], failed: true };
      if (first === last) return call(question.tool, { ...question.args, pod_name: pod });
    }
    const text = `${sayResult(last, request.language)}${podNote(question, results, request.language)}`;
    const note = leavesOutChange(tools, raw) ? `\n\n${sayUnchanged(request.language)}` : '';
    return { text: text + note, calls: [], ...(last.status !== 'ok' && { failed: true }) };
  }
  if (question) return call(question.lookup.tool, question.lookup.args);
  if (plan.type === 'call') return call(plan.tool, plan.args);
  return { text: sayRefusal(plan.why, tools, request.text, request.language), calls: [], failed: true };
}

/** Which pod the answer is about, when it was chosen here. */
function podNote(question: PodQuestion | undefined, results: readonly ToolResult[], language: Language): string {
  const [listed, shown] = results;
  if (!question || !listed || shown?.tool !== question.tool.name) return '';
  return `\n\n${sayWhichPod(podsOf(listed.text, question.name), language)}`;
}

const textOf = (message: Message | undefined): string => (message?.role === 'user' ? message.text : '');

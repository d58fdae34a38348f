import type { ChatModel, Message, ModelReply, ModelRequest } from '../domain/ports.js';
import type { JsonObject, ToolDefinition, ToolResult } from '../domain/types.js';
import { leavesOutChange, type Plan, planRequest } from './offline/plan.js';
import { type PodQuestion, podQuestion, podsOf, sayNoPod, sayWhichPod } from './offline/pods.js';
import { sayRefusal } from './offline/say.js';
import { type Ended, sayResult, sayUnchanged, sayUnmeasured } from './offline/say-result.js';
import { type Language, readRequest } from './offline/text.js';

/**
 * Answers like a model, by rules alone: it turns the last request into one call of an offered tool, and the result of
 * that call into the answer; where a call needs a pod and the request names a workload, it lists the pods first. It calls
 * a tool that changes something only for a plain, complete order. Says `failed` when it cannot place the request or the
 * call did not go well. `namespace` is that of the session. Needs no network and never throws, but for the signal.
 */
export function createOfflineModel({ namespace }: { readonly namespace?: string | undefined } = {}): ChatModel {
  return {
    name: 'offline',
    async reply(request, signal) {
      signal.throwIfAborted();
      const reply = answer(request, namespace);
      if (reply.text !== '') request.onText(reply.text);
      return reply;
    },
  };
}

function answer({ messages, tools }: ModelRequest, namespace: string | undefined): ModelReply {
  const at = messages.findLastIndex((message) => message.role === 'user');
  const raw = textOf(messages[at]);
  const request = readRequest(raw);
  const results = messages.slice(at + 1).flatMap((message) => (message.role === 'tool' ? [message.result] : []));
  const plan = narrow(planRequest(tools, raw), namespace);
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
      if (pod === undefined) return markdown(sayNoPod(question, request.language), true);
      if (first === last) return call(question.tool, { ...question.args, pod_name: pod });
    }
    const ended: Ended = {
      result: last,
      tool: tools.find((tool) => tool.name === last.tool),
      args: argsOf(last.tool, plan, question),
    };
    const notes = [
      podNote(question, results, request.language),
      sayUnmeasured(ended, request.text, request.language),
      leavesOutChange(tools, raw) ? sayUnchanged(request.language) : '',
    ];
    const text = [sayResult(ended, request.language), ...notes].filter((part) => part !== '').join('\n\n');
    // A report is Markdown; all else is what a program printed, or quotes it.
    const isReport = last.status === 'ok' && ended.tool?.run.kind === 'workflow' && REPORT.test(last.text);
    return {
      text,
      calls: [],
      format: isReport ? 'markdown' : 'plain',
      ...(last.status !== 'ok' && last.status !== 'suggested' && { failed: true }),
    };
  }
  if (question) return call(question.lookup.tool, question.lookup.args);
  if (plan.type === 'call') return call(plan.tool, plan.args);
  return markdown(sayRefusal(plan.why, tools, request.text, request.language), plan.why.type !== 'welcome');
}

/** A list of which nobody said where stays in the namespace of the session, where it has one. */
function narrow(plan: Plan, namespace: string | undefined): Plan {
  if (plan.type !== 'call' || !plan.isSpread || namespace === undefined) return plan;
  const { all_namespaces: _all, ...args } = plan.args;
  return { ...plan, args: { ...args, namespace } };
}

/** Some workflows answer with a table or a chart, which is no Markdown. */
const REPORT = /^# /m;

const markdown = (text: string, failed: boolean): ModelReply => ({
  text,
  calls: [],
  format: 'markdown',
  ...(failed && { failed }),
});

/** What the call was that has ended. */
function argsOf(tool: string, plan: Plan, question: PodQuestion | undefined): JsonObject {
  if (question?.lookup.tool.name === tool) return question.lookup.args;
  return plan.type === 'call' ? plan.args : {};
}

/** Which pod the answer is about, when it was chosen here. */
function podNote(question: PodQuestion | undefined, results: readonly ToolResult[], language: Language): string {
  const [listed, shown] = results;
  if (!question || !listed || shown?.tool !== question.tool.name) return '';
  return sayWhichPod(podsOf(listed.text, question.name), language);
}

const textOf = (message: Message | undefined): string => (message?.role === 'user' ? message.text : '');

import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createResultStore } from '../../src/agent/results.js';
import { createSummariser, type SummaryDeps } from '../../src/agent/summary.js';
import { createTaint } from '../../src/agent/taint.js';
import type { AgentEvent } from '../../src/domain/events.js';
import type { Budget, ModelRequest } from '../../src/domain/ports.js';
import type { CallError, ToolDefinition } from '../../src/domain/types.js';
import { createScriptedModel, type ScriptedReply } from '../../src/llm/scripted.js';
import { createRedactor } from '../../src/secrets/redactor.js';
import { aTool } from '../helpers/fakes.js';

const NO_ROOM: CallError = { category: 'budget', message: 'too much' };
/** 200 lines, longer than a tool of {@link summarised} sends as it is. */
export const LOG = Array.from({ length: 200 }, (_, i) => `line ${i}: all is well\n`).join('');
/** When to summarise, and with what. */
export const SUMMARIZE = { aboveChars: 1_000, prompt: 'Name what fails.' };

/** A tool whose long outputs are summarised. */
export const summarised = (more: Partial<ToolDefinition> = {}, output: Partial<ToolDefinition['output']> = {}) =>
  aTool({
    name: 'read_log',
    output: { format: 'text', keep: 'both', maxBytes: 16_384, summarize: SUMMARIZE, ...output },
    ...more,
  });

/** A budget that keeps what is reserved and paid, and has no room for the reservations that `refused` counts. */
export function aBudget(refused: readonly number[] = []) {
  const log: string[] = [];
  let count = 0;
  const budget: Budget = {
    reserve: async ({ tools }, thenAnswer) => {
      if (refused.includes(count++)) return NO_ROOM;
      log.push(`reserved ${tools.length} ${thenAnswer}`);
      return {
        maxOutputTokens: 900,
        settle: async ({ text }) => void log.push(`paid ${text}`),
        release: async () => void log.push('released'),
      };
    },
  };
  return { budget, log };
}

export interface Given {
  readonly tool?: ToolDefinition;
  readonly output?: string | Uint8Array;
  readonly status?: 'ok' | 'failed';
  readonly deps?: Partial<SummaryDeps>;
  readonly signal?: AbortSignal;
  readonly times?: number;
}

/** What the model gets of an output when the fast model answers so, and everything that happened on the way. */
export async function summary(replies: readonly ScriptedReply[], given: Given = {}) {
  const { tool = summarised(), output = LOG, status = 'ok', signal = new AbortController().signal } = given;
  const redactor = createRedactor();
  const store = createResultStore(mkdtempSync(join(tmpdir(), 'opsagent-summary-')), redactor);
  const capture = store.capture('c1', tool.output.maxBytes);
  capture.write(output);
  const ended = capture.end();
  const text = ended.stdout.head.toString();
  const result = { callId: 'c1', tool: tool.name, status, text, durationMs: 0 };
  store.add(result, { tool, args: {}, tokens: [] }, ended);
  const model = createScriptedModel(replies, 'fast-1');
  const taint = createTaint();
  const events: AgentEvent[] = [];
  const [fast, answers] = [aBudget(), aBudget()];
  const tools = new Map([tool, aTool({ name: 'python_exec' })].map((one) => [one.name, one]));
  const forModel = createSummariser({
    model,
    budget: fast.budget,
    answerBudget: answers.budget,
    tool: (name) => tools.get(name),
    stored: store.get,
    redactor,
    read: taint.read,
    emit: (event) => void events.push(event),
    ...given.deps,
  });
  const told = [];
  for (let time = 0; time < (given.times ?? 1); time++) told.push(await forModel(result, [], signal));
  const notices = events.flatMap((event) => (event.type === 'notice' ? event.text : []));
  return { result, told: told.map(({ text: one }) => one), model, taint, events, notices, fast, answers, store };
}

/** The text that the model was sent. */
export const sent = (request: Pick<ModelRequest, 'messages' | 'tools'> | undefined): string =>
  request?.messages.map((message) => ('text' in message ? message.text : '')).join('\n') ?? '';

import type { ChatModel } from '../domain/ports.js';
import type { RawCall, ToolDefinition, ToolResult } from '../domain/types.js';
import { isObject } from '../lib/json-values.js';
import { tokensOfTools } from '../limits/budget-estimate.js';
import type { Registry } from '../tools/registry.js';
import { findOnceOnPath, unmetRequirement } from '../tools/requires.js';
import type { Io } from './io.js';
import type { Session } from './session.js';

/**
 * Tokens that tools take of a prompt unless `tools.max_tokens` says otherwise. Measured with the tools that ship and 370 of other
 * systems: the right one was among those offered for 130 of 130 requests, with 4000 for 128, with 2000 for 122.
 */
const DEFAULT_MAX_TOKENS = 6_000;

/** The tools that can run here, as far as can be seen without a call. A dump answers for programs that are not installed. */
export const runnableTools =
  (io: Pick<Io, 'env'>, registry: Registry, isLive: boolean) => (): readonly ToolDefinition[] => {
    const find = findOnceOnPath(io.env.PATH ?? '');
    return registry.list().filter((tool) => !isLive || unmetRequirement(tool, io.env, find) === undefined);
  };

/** What the loop needs of the tools of a session. */
export interface Offer {
  readonly tools: () => Promise<readonly ToolDefinition[]>;
  readonly runCall: (raw: RawCall, signal: AbortSignal) => Promise<ToolResult>;
  /** What the model should know of them; empty when all are shown. */
  readonly note: string;
}

/**
 * Offers a model the tools that fit a request, and after each call those that it found or used. Whatever is offered, a call of any tool of
 * the session runs: the gate decides, not this. The planner without a model sees all, so that it can say what is missing.
 */
export async function offerTools(session: Session, model: ChatModel, request: string): Promise<Offer> {
  if (model.name === 'offline') {
    const all = session.registry.list();
    return { tools: async () => all, runCall: session.run, note: '' };
  }
  const { createSelection, FIND_TOOLS } = await import('../tools/selection.js');
  const configured = session.config.get('tools.max_tokens');
  const maxTokens = typeof configured === 'number' && configured > 0 ? configured : DEFAULT_MAX_TOKENS;
  const { runnable, finder } = session;
  const selection = createSelection({ tools: runnable, finder, tokensOf: tokensOfTools, maxTokens, request });
  const offered = await selection.offered();
  const isPart = offered.some(({ name }) => name === FIND_TOOLS);
  return {
    tools: selection.offered,
    async runCall(raw, signal) {
      const result = await session.run(raw, signal);
      selection.add(raw.name === FIND_TOOLS ? await namesIn(session, result) : [raw.name]);
      return result;
    },
    note: isPart ? `${offered.length} of ${runnable().length} tools are shown; ${FIND_TOOLS} finds the others.` : '',
  };
}

async function namesIn(session: Session, result: ToolResult): Promise<string[]> {
  const data = result.status === 'ok' ? await session.results.get(result.callId)?.readData() : undefined;
  const tools = isObject(data) && Array.isArray(data.tools) ? data.tools : [];
  return tools.flatMap((tool) => (isObject(tool) && typeof tool.name === 'string' ? tool.name : []));
}

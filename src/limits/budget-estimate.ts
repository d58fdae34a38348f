import type { Message, ModelCall, ModelRequest } from '../domain/ports.js';
import type { ToolDefinition } from '../domain/types.js';

/** Tokens around each message: its role and marks. */
const PER_MESSAGE = 4;

/**
 * About how many tokens a text has, without a tokenizer (loading one takes longer than most calls). By kind of character, with
 * weights that were measured against o200k_base: within -27 and +21 % for cluster JSON, tables, logs and Chinese.
 */
export function estimateTokens(text: string): number {
  let [letters, digits, spaces, marks, wide] = [0, 0, 0, 0, 0];
  for (let at = 0; at < text.length; at += 1) {
    const code = text.charCodeAt(at);
    if (code > 127) wide += 1;
    else if ((code | 32) >= 97 && (code | 32) <= 122) letters += 1;
    else if (code >= 48 && code <= 57) digits += 1;
    else if (code <= 32) spaces += 1;
    else marks += 1;
  }
  return Math.ceil(letters / 4 + digits / 1.6 + spaces / 8 + marks / 1.6 + wide * 0.75);
}

/** Estimates prompts, and gets better with what the provider tells of each. */
export interface Estimator {
  /** At most this many tokens, most likely. */
  prompt(request: Pick<ModelRequest, 'messages' | 'tools'>): number;
  /** What a request really took. */
  learn(request: Pick<ModelRequest, 'messages' | 'tools'>, told: number): void;
}

/** An estimate is raised by this, for a text may be denser than those before. */
const MARGIN = 1.1;
/** How far the provider's numbers may move the estimates. */
const RATIO = { least: 0.8, most: 4 };

/** Makes an estimator. Its estimates keep the ratio of the last told number to its estimate. */
export function createEstimator(): Estimator {
  const known = new WeakMap<readonly ToolDefinition[], number>();
  let ratio = 1;
  const plain = ({ messages, tools }: Pick<ModelRequest, 'messages' | 'tools'>): number => {
    const offered = known.get(tools) ?? tokensOfTools(tools);
    known.set(tools, offered);
    return messages.reduce((sum, message) => sum + PER_MESSAGE + tokensOf(message), offered);
  };
  return {
    prompt: (request) => Math.ceil(plain(request) * ratio * MARGIN),
    learn: (request, told) => {
      ratio = Math.min(RATIO.most, Math.max(RATIO.least, told / Math.max(1, plain(request))));
    },
  };
}

/** About how many tokens an answer has. */
export const answerTokens = (text: string, calls: readonly ModelCall[]): number =>
  calls.reduce((sum, call) => sum + PER_MESSAGE + estimateTokens(call.name + call.rawArguments), estimateTokens(text));

function tokensOf(message: Message): number {
  if (message.role === 'tool') return estimateTokens(message.result.text);
  return message.role === 'assistant' ? answerTokens(message.text, message.calls) : estimateTokens(message.text);
}

const tokensKnown = new WeakMap<ToolDefinition, number>();

/** About how many tokens tools take in a prompt. Each is counted once: a session asks many times, of the same tools. */
export const tokensOfTools = (tools: readonly ToolDefinition[]): number =>
  tools.reduce((sum, tool) => sum + tokensOfTool(tool), 0);

function tokensOfTool(tool: ToolDefinition): number {
  const known = tokensKnown.get(tool);
  if (known !== undefined) return known;
  const { name, description, parameters } = tool;
  const tokens = 2 * PER_MESSAGE + estimateTokens(JSON.stringify({ name, description, parameters }));
  tokensKnown.set(tool, tokens);
  return tokens;
}

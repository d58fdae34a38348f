import { onTestFinished } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import type { ChatModel, Message, ModelReply } from '../../src/domain/ports.js';
import { createOpenAiModel, type OpenAiModelOptions } from '../../src/llm/openai.js';
import { type ModelServer, type ServerScript, startModelServer } from '../helpers/model-server.js';

export const KEY = 'sk-test-0123456789abcdef';
export const QUESTION: readonly Message[] = [{ role: 'user', text: 'Why is order-service down?' }];

/** A server for one test. */
export async function serve(script: ServerScript): Promise<ModelServer> {
  const server = await startModelServer(script);
  onTestFinished(() => server.close());
  return server;
}

export const modelAt = (baseUrl: string, options: Partial<OpenAiModelOptions> = {}): ChatModel =>
  createOpenAiModel({ baseUrl, apiKey: KEY, model: 'test-model', toOpenAiTools: () => [], ...options });

export interface Heard {
  readonly reply: ModelReply;
  /** What was streamed. */
  readonly text: string;
}

/** Asks once and returns the reply with the streamed text. */
export async function ask(
  model: ChatModel,
  messages = QUESTION,
  signal = new AbortController().signal,
): Promise<Heard> {
  let text = '';
  const onText = (delta: string): void => {
    text += delta;
  };
  const reply = await model.reply({ messages, tools: [], onText }, signal);
  return { reply, text };
}

/** Asks a server that plays the script, once. */
export async function hear(script: ServerScript, options: Partial<OpenAiModelOptions> = {}): Promise<Heard> {
  const server = await serve(script);
  return ask(modelAt(server.baseUrl, options));
}

/** The OpsError that a promise rejects with; fails for anything else. `port` is replaced by PORT. */
export async function errorOf(promise: Promise<unknown>): Promise<{ exit: string; message: string; hint: string }> {
  const thrown: unknown = await promise.then(
    () => undefined,
    (reason: unknown) => reason,
  );
  if (!(thrown instanceof OpsError)) throw new Error(`expected an OpsError, got ${String(thrown)}`, { cause: thrown });
  const message = thrown.message.replaceAll(/127\.0\.0\.1:\d+/g, 'HOST');
  return { exit: thrown.exit, message, hint: thrown.hint ?? '' };
}

/** Runs `hear` and returns the error. */
export const failureOf = (script: ServerScript, options: Partial<OpenAiModelOptions> = {}) =>
  errorOf(hear(script, { maxRetries: 0, ...options }));

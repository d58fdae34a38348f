import type OpenAI from 'openai';
import { OpsError } from '../domain/errors.js';
import type { ChatModel, ModelReply, ModelRequest } from '../domain/ports.js';
import type { ToolDefinition } from '../domain/types.js';
import { describeEndpoint, type Endpoint } from './endpoint.js';
import { explainThrown, explainTimeout } from './errors.js';
import { createGuardedFetch, type GuardLimits, type Watch } from './guard-fetch.js';
import { callIdsOf, toWireMessages } from './messages.js';
import { createReplyReader } from './stream.js';

export interface OpenAiModelOptions {
  /** http(s) URL that `/chat/completions` is added to. */
  readonly baseUrl: string;
  /** Sent to the origin of `baseUrl` and nowhere else; local servers need none. */
  readonly apiKey?: string | undefined;
  readonly model: string;
  /** Maps definitions to the `tools` of a request. */
  readonly toOpenAiTools: (tools: readonly ToolDefinition[]) => readonly unknown[];
  /** Longest silence within an answer; 60 s, or OPSAGENT_MODEL_IDLE_TIMEOUT_MS. */
  readonly idleTimeoutMs?: number | undefined;
  /** Longest wait for the beginning of an answer; 180 s, or OPSAGENT_MODEL_TIMEOUT_MS. */
  readonly requestTimeoutMs?: number | undefined;
  /** Longest time of a whole reply, whatever trickles in; 15 min. */
  readonly totalTimeoutMs?: number | undefined;
  /** Bytes of one answer; 32 MiB. */
  readonly maxBytes?: number | undefined;
  /** How often a refused connection, a 429 or a 5xx is asked again; 2. */
  readonly maxRetries?: number | undefined;
  /** Environment to read the time-outs from; empty when not given. */
  readonly env?: Readonly<Record<string, string | undefined>> | undefined;
  /** Told how each answer came. */
  readonly onTransport?: ((transport: 'stream' | 'whole') => unknown) | undefined;
  /** For networks that need a proxy; the platform's own when not given. */
  readonly fetch?: typeof globalThis.fetch | undefined;
}

interface Connection {
  readonly options: OpenAiModelOptions;
  readonly endpoint: Endpoint;
  readonly limits: GuardLimits;
}

const DEFAULT_TOTAL_MS = 15 * 60_000;
/** The client insists on a key; servers without keys take any. */
const NO_KEY = 'none';
/** Longer than every guard of ours: what the client times out, it would ask again. */
const CLIENT_TIMEOUT_MS = 2 ** 31 - 1;

/**
 * A model behind an OpenAI-compatible endpoint. `reply` streams, and rejects with OpsError('unavailable') for every
 * failure of the server or the network, with the signal's reason once the signal is aborted. Throws OpsError('usage')
 * for a base URL that is none.
 */
export function createOpenAiModel(options: OpenAiModelOptions): ChatModel {
  if (!URL.canParse(options.baseUrl)) {
    throw new OpsError('usage', 'The base URL of the model is not a URL.', 'Give one like http://localhost:11434/v1.');
  }
  const connection: Connection = { options, endpoint: describeEndpoint(options), limits: readLimits(options) };
  const known = newKnowledge(connection.endpoint);
  return {
    name: options.model,
    async reply(request, signal) {
      signal.throwIfAborted();
      const watch: Watch = { stop: new AbortController(), answered: false, endMark: false };
      const cancel = (): void => watch.stop.abort(signal.reason);
      signal.addEventListener('abort', cancel, { once: true });
      const totalMs = options.totalTimeoutMs ?? DEFAULT_TOTAL_MS;
      const timer = setTimeout(() => watch.stop.abort(tooSlow(connection.endpoint, totalMs)), totalMs);
      try {
        return await ask(connection, known, request, watch);
      } finally {
        clearTimeout(timer);
        signal.removeEventListener('abort', cancel);
      }
    },
  };
}

async function ask(connection: Connection, known: Knowledge, request: ModelRequest, watch: Watch): Promise<ModelReply> {
  const { endpoint } = connection;
  const client = await createClient(connection, watch);
  const reader = createReplyReader(endpoint, callIdsOf(request.messages), request.onText);
  const chunks = withErrors(endpoint, watch, () => openStream(client, connection, known, request, watch.stop.signal));
  for await (const chunk of chunks) {
    reader.add(chunk);
    watch.answered = reader.answered();
  }
  if (watch.transport) connection.options.onTransport?.(watch.transport);
  return reader.finish(watch.endMark);
}

/** A client of its own for each reply: the guards it carries belong to one request. */
async function createClient({ options, endpoint, limits }: Connection, watch: Watch): Promise<OpenAI> {
  const { OpenAI } = await import('openai');
  // Taken now: importing Ink hides the global for a while.
  const fetch = options.fetch ?? globalThis.fetch;
  return new OpenAI({
    baseURL: options.baseUrl,
    apiKey: options.apiKey || NO_KEY,
    // null: without a value the client looks into the environment, and sends what it finds.
    adminAPIKey: null,
    organization: null,
    project: null,
    webhookSecret: null,
    maxRetries: options.maxRetries ?? 2,
    timeout: CLIENT_TIMEOUT_MS,
    logLevel: 'off',
    fetch: createGuardedFetch(fetch, endpoint, limits, watch),
  });
}

async function openStream(
  client: OpenAI,
  connection: Connection,
  known: Knowledge,
  request: ModelRequest,
  signal: AbortSignal,
): Promise<AsyncIterable<unknown>> {
  const tools = connection.options.toOpenAiTools(request.tools);
  const send = (): Promise<AsyncIterable<unknown>> =>
    client.chat.completions.create(
      {
        model: connection.options.model,
        messages: toWireMessages(request.messages),
        stream: true,
        ...(known.streamOptions ? { stream_options: { include_usage: true } } : {}),
        ...maxTokens(known, request),
        // The mapping is another room's; the server is the one to judge it.
        ...(tools.length > 0 ? { tools: [...tools] as OpenAI.ChatCompletionTool[] } : {}),
      },
      { signal },
    );
  for (;;) {
    try {
      return await send();
    } catch (thrown) {
      if (!learn(known, thrown)) throw thrown;
    }
  }
}

/** What the server takes: not every one knows everything, and what one request learns, the next need not ask again. */
interface Knowledge {
  streamOptions: boolean;
  /** Names of the longest answer that were not refused, the next one to try first; none: it cannot be told. */
  maxTokens: readonly MaxTokens[];
}

type MaxTokens = 'max_completion_tokens' | 'max_tokens';

/** OpenAI's newer models refuse the old name; others do not know the new one, and pass over it without a word. */
const newKnowledge = ({ host }: Endpoint): Knowledge => {
  const isOpenAi = host === 'api.openai.com' || host.endsWith('.openai.azure.com');
  const names: readonly MaxTokens[] = ['max_completion_tokens', 'max_tokens'];
  return { streamOptions: true, maxTokens: isOpenAi ? names : names.toReversed() };
};

function maxTokens(
  { maxTokens: [name] }: Knowledge,
  { maxOutputTokens }: ModelRequest,
): Partial<Record<MaxTokens, number>> {
  return name === undefined || maxOutputTokens === undefined ? {} : { [name]: maxOutputTokens };
}

/** Takes a refusal of what not every server knows as a lesson; false when there is nothing to learn from it. */
function learn(known: Knowledge, thrown: unknown): boolean {
  if (!(thrown instanceof Error) || !('status' in thrown)) return false;
  if (thrown.status !== 400 && thrown.status !== 422) return false;
  if (known.streamOptions && /stream_options|include_usage/.test(thrown.message)) {
    known.streamOptions = false;
    return true;
  }
  if (known.maxTokens.length === 0 || !/max_(?:completion_)?tokens/.test(thrown.message)) return false;
  known.maxTokens = known.maxTokens.slice(1);
  return true;
}

/**
 * Passes chunks on and explains what goes wrong with them. The client ends an aborted stream as if it were complete,
 * so the end is checked as well. Once the model is done, a broken line loses nothing.
 */
async function* withErrors(
  endpoint: Endpoint,
  watch: Watch,
  open: () => Promise<AsyncIterable<unknown>>,
): AsyncGenerator<unknown, void, undefined> {
  const { signal } = watch.stop;
  try {
    yield* await open();
  } catch (thrown) {
    if (signal.aborted) throw signal.reason;
    if (!watch.answered) throw explainThrown(thrown, endpoint);
  }
  if (signal.aborted) throw signal.reason;
}

const tooSlow = (endpoint: Endpoint, totalMs: number): OpsError =>
  explainTimeout(
    endpoint,
    `did not finish its answer within ${totalMs} ms`,
    'Ask for less at once, or try a faster model.',
  );

function readLimits({ env = {}, ...options }: OpenAiModelOptions): GuardLimits {
  return {
    maxBytes: options.maxBytes ?? 32 * 1024 * 1024,
    idleTimeoutMs: options.idleTimeoutMs ?? readMs(env, 'OPSAGENT_MODEL_IDLE_TIMEOUT_MS') ?? 60_000,
    requestTimeoutMs: options.requestTimeoutMs ?? readMs(env, 'OPSAGENT_MODEL_TIMEOUT_MS') ?? 180_000,
  };
}

function readMs(env: Readonly<Record<string, string | undefined>>, name: string): number | undefined {
  const text = env[name]?.trim();
  if (text === undefined || text === '') return undefined;
  const ms = Number(text);
  if (Number.isInteger(ms) && ms > 0 && ms <= CLIENT_TIMEOUT_MS) return ms;
  throw new OpsError('usage', `${name} must be a whole number of milliseconds.`, `Set it like ${name}=120000.`);
}

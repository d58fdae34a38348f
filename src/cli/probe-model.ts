import { OpsError } from '../domain/errors.js';
import type { ChatModel } from '../domain/ports.js';
import type { JsonObject, ToolDefinition } from '../domain/types.js';
import type { Config } from '../lib/config.js';
import { modelSettings, openModel } from './ask.js';
import type { Io } from './io.js';

export interface ModelProbe {
  readonly model: string;
  readonly host: string;
  readonly streaming: boolean;
  readonly tools: boolean;
  readonly parallelCalls: boolean;
  readonly seconds: number;
  readonly notices: readonly string[];
}

const REQUEST =
  'This is a test of function calling. Call both functions, probe_a with n = 1 and probe_b with n = 2, in this one reply. Say nothing else.';

/**
 * Asks the configured model once and says what of function calling works with it. Nothing is run: the two functions
 * exist for this question only.
 * @throws OpsError usage when no model is configured, unavailable when it does not answer.
 */
export async function probeModel(io: Io, config: Config): Promise<ModelProbe> {
  const settings = await modelSettings(io, config, {});
  if (!settings)
    throw new OpsError(
      'usage',
      'No model is configured.',
      'opsagent config set model.name NAME, and OPSAGENT_API_KEY or model.base_url',
    );
  const seen = new Set<'stream' | 'whole'>();
  const model: ChatModel = await openModel(io, settings, (kind) => seen.add(kind));
  const startedAt = performance.now();
  const messages = [{ role: 'user' as const, text: REQUEST }];
  const reply = await model.reply(
    { messages, tools: [aProbe('probe_a'), aProbe('probe_b')], onText: () => undefined },
    io.signal,
  );
  const right = reply.calls.filter((call) => /^probe_[ab]$/.test(call.name) && hasNumber(call.rawArguments));
  return {
    model: settings.model,
    host: new URL(settings.baseUrl).host,
    streaming: seen.has('stream'),
    tools: right.length > 0,
    parallelCalls: new Set(right.map((call) => call.name)).size === 2,
    seconds: (performance.now() - startedAt) / 1_000,
    notices: settings.notices,
  };
}

function hasNumber(rawArguments: string): boolean {
  try {
    const value: unknown = JSON.parse(rawArguments);
    return typeof value === 'object' && value !== null && 'n' in value && typeof value.n === 'number';
  } catch {
    return false;
  }
}

const PARAMETERS: JsonObject = {
  type: 'object',
  required: ['n'],
  additionalProperties: false,
  properties: { n: { type: 'integer', description: 'A number.' } },
};

const aProbe = (name: string): ToolDefinition => ({
  name,
  displayName: name,
  version: '1.0',
  description: 'A function of a test; it does nothing.',
  category: 'probe',
  riskLevel: 'low',
  parameters: PARAMETERS,
  permissions: [],
  timeoutMs: 1_000,
  memoryLimitMb: 1,
  rateLimit: 1,
  costPerUse: 0,
  retryPolicy: { maxRetries: 0, retryIntervalMs: 0 },
  dangerous: false,
  requiresAuth: false,
  sandboxed: false,
  sessionAware: false,
  idempotent: false,
  run: { kind: 'builtin', name },
  output: { format: 'text', keep: 'both', maxBytes: 1_000 },
  fields: {},
  raise: [],
  examples: [],
  intents: { phrases: [], keywords: [] },
  requires: [],
  env: [],
  source: 'doctor',
});

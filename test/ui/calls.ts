import type {
  Action,
  Decision,
  JsonObject,
  Risk,
  ToolCall,
  ToolDefinition,
  ToolResult,
} from '../../src/domain/types.js';

/** A tool with the fields that a screen shows; the others hold nothing of interest. */
export const tool = (name: string, displayName: string, riskLevel: Risk = 'low'): ToolDefinition => ({
  name,
  displayName,
  version: '1.0.0',
  description: '',
  category: 'kubernetes',
  riskLevel,
  parameters: {},
  permissions: [],
  timeoutMs: 1000,
  memoryLimitMb: 64,
  rateLimit: 60,
  costPerUse: 0,
  retryPolicy: { maxRetries: 0, retryIntervalMs: 0 },
  dangerous: false,
  requiresAuth: false,
  sandboxed: false,
  sessionAware: false,
  idempotent: false,
  run: { kind: 'command' },
  output: { format: 'text', keep: 'both', maxBytes: 1000 },
  fields: {},
  raise: [],
  examples: [],
  intents: { phrases: [], keywords: [] },
  requires: [],
  env: [],
  source: 'test.yaml:1',
});

export const command = (tokens: readonly string[], payload: JsonObject = {}): Action => ({
  kind: 'command',
  tokens,
  display: tokens.join(' '),
  payload: { env: [], successExitCodes: [0], ...payload },
});

export const deletePod = (id: string, pod = 'order-7f9c', more: Partial<ToolCall> = {}): ToolCall => ({
  id,
  tool: tool('kubectl_delete_pod', 'Delete a pod', 'high'),
  args: { pod_name: pod, namespace: 'shop' },
  repairs: [],
  action: command(['kubectl', 'delete', 'pod', pod, '--namespace=shop', '--context=prod-eu']),
  ...more,
});

export const decision = (risk: Risk, more: Partial<Decision> = {}): Decision => ({
  effect: 'confirm',
  risk,
  rules: [],
  raised: [],
  reason: 'Deleting a pod ends its processes.',
  ...more,
});

export const result = (callId: string, more: Partial<ToolResult> = {}): ToolResult => ({
  callId,
  tool: 'kubectl_get_pods',
  status: 'ok',
  text: '',
  durationMs: 412,
  ...more,
});

/** A signal that nobody aborts. */
export const calm = () => new AbortController().signal;

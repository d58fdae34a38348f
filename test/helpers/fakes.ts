import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createResultStore } from '../../src/agent/results.js';
import type { ToolCallDeps } from '../../src/agent/tool-call.js';
import type { AgentEvent } from '../../src/domain/events.js';
import type {
  Approver,
  AuditSink,
  ChangeGuard,
  Executor,
  Limits,
  Redactor,
  RunContext,
  RunOutcome,
} from '../../src/domain/ports.js';
import type {
  Action,
  Approval,
  AuditRecord,
  ClearedCall,
  Risk,
  ToolCall,
  ToolDefinition,
} from '../../src/domain/types.js';
import { decide, judgeByRules } from '../../src/policy/decide.js';
import type { Rule } from '../../src/policy/rules.js';

/** An audit log in memory; fails on one event when asked to. */
export class RecordingAudit implements AuditSink {
  readonly records: AuditRecord[] = [];
  constructor(private readonly failOn?: AuditRecord['event']) {}
  async append(record: AuditRecord) {
    if (record.event === this.failOn) throw new Error('disk full');
    this.records.push(record);
  }
}

/** Answers every question the same way and counts them. */
export class ScriptedApprover implements Approver {
  asked = 0;
  constructor(private readonly answer: Approval) {}
  async ask() {
    this.asked++;
    return this.answer;
  }
}

/** Runs nothing; remembers what it was given. */
export class FakeExecutor implements Executor {
  readonly kind = 'command';
  readonly specSchema = {};
  readonly ran: Action[] = [];
  constructor(
    private readonly outcome: RunOutcome = { status: 'ok', exitCode: 0 },
    private readonly output = 'done',
  ) {}
  plan(): Action {
    return anAction(['kubectl', 'get', 'pod', 'x']);
  }
  async run({ action }: ClearedCall, context: RunContext) {
    this.ran.push(action);
    context.write(this.output);
    return this.outcome;
  }
}

export const anAction = (tokens: readonly string[]): Action => ({
  kind: 'command',
  tokens,
  display: tokens.join(' '),
  payload: {},
});

/** A complete definition with harmless values. */
export const aTool = (overrides: Partial<ToolDefinition> = {}): ToolDefinition => ({
  name: 'tool',
  displayName: 'Tool',
  version: '1.0',
  description: 'A tool of the tests.',
  category: 'test',
  riskLevel: 'low',
  parameters: { type: 'object', properties: {} },
  permissions: [],
  timeoutMs: 5_000,
  memoryLimitMb: 128,
  rateLimit: 60,
  costPerUse: 0,
  retryPolicy: { maxRetries: 0, retryIntervalMs: 1_000 },
  dangerous: false,
  requiresAuth: false,
  sandboxed: false,
  sessionAware: false,
  idempotent: false,
  run: { kind: 'command', argv: ['kubectl', 'get', 'pod', 'x'] },
  output: { format: 'text', keep: 'both', maxBytes: 16_384 },
  fields: {},
  raise: [],
  examples: [],
  intents: { phrases: [], keywords: [] },
  requires: [],
  env: [],
  source: 'tools.d/test.yaml:1',
  ...overrides,
});

export const aCall = (
  tool: ToolDefinition,
  args: ToolCall['args'] = {},
  tokens = ['kubectl', 'get', 'pod', 'x'],
): ToolCall => ({
  id: 'c1',
  tool,
  args,
  repairs: [],
  action: anAction(tokens),
});

export const aRule = (effect: Rule['effect'], ...tokens: string[]): Rule => ({
  id: `rule.${effect}`,
  effect,
  reason: `because ${effect}`,
  tokens,
  source: 'policies/test.yaml:1',
});

/** No limits: every call has room, and none is repeated. */
export const noLimits: Limits = {
  reserve: async () => ({ release: async () => undefined, settle: async () => undefined }),
  retry: (_call, _decision, attempt) => attempt(1),
};

/** Looks at nothing, saves nothing, checks nothing. */
export const noChangeGuard: ChangeGuard = {
  inspect: async () => ({}),
  save: async () => undefined,
  verify: async () => undefined,
};

/** Hides nothing. */
export const noRedactor: Redactor = {
  hide: (text) => text,
  stream: () => ({ write: (chunk) => chunk, end: () => new Uint8Array() }),
  reveal: (text) => text,
  references: () => [],
};

export interface World {
  readonly deps: ToolCallDeps;
  readonly audit: RecordingAudit;
  readonly approver: ScriptedApprover;
  readonly executor: FakeExecutor;
  readonly events: AgentEvent[];
}

export interface WorldOptions {
  readonly risk?: Risk;
  readonly rules?: readonly Rule[];
  readonly answer?: Approval;
  readonly audit?: RecordingAudit;
  readonly executor?: FakeExecutor;
  readonly prepare?: ToolCallDeps['prepare'];
}

/** Everything one call needs, with the real path and fakes at its ends. */
export function aWorld(options: WorldOptions = {}): World {
  const audit = options.audit ?? new RecordingAudit();
  const approver = new ScriptedApprover(options.answer ?? { granted: true, by: 'user' });
  const executor = options.executor ?? new FakeExecutor();
  const events: AgentEvent[] = [];
  const tool = aTool({ riskLevel: options.risk ?? 'low' });
  let calls = 0;
  const deps: ToolCallDeps = {
    actor: { user: 'ada', ipAddress: '127.0.0.1', sessionId: 'sess_test' },
    prepare: options.prepare ?? ((raw) => ({ ok: true, call: { ...aCall(tool), id: raw.id } })),
    decide: (call) =>
      decide([judgeByRules(options.rules ?? [])], call, { user: 'ada', sessionId: 'sess_test', context: {} }),
    mode: () => 'ask',
    limits: noLimits,
    change: noChangeGuard,
    redactor: noRedactor,
    approver,
    audit,
    executors: new Map([['command', executor]]),
    results: createResultStore(mkdtempSync(join(tmpdir(), 'opsagent-test-')), noRedactor),
    clock: { now: () => new Date('2024-07-10T14:30:00Z') },
    secret: (name) => `value of ${name}`,
    nextCallId: () => `c${++calls + 1}`,
    emit: (event) => events.push(event),
  };
  return { deps, audit, approver, executor, events };
}

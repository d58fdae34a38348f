import { EXIT, type ExitName, OpsError } from '../domain/errors.js';
import type { PlanContext } from '../domain/ports.js';
import type { Decision, Effect, Json, ToolCall, ToolDefinition } from '../domain/types.js';
import { acceptExecutor } from '../exec/accept.js';
import { type Config, openConfig } from '../lib/config.js';
import { durationText } from '../lib/moment.js';
import { quoteArgv } from '../lib/quote.js';
import { visible } from '../lib/visible.js';
import { decide, type Judge, POLICY_ERROR } from '../policy/decide.js';
import { inputOf, type PolicyInput, type PolicySubject } from '../policy/input.js';
import { judgeByMode } from '../policy/modes.js';
import { isNear } from '../policy/near.js';
import { assessRisk } from '../policy/risk.js';
import { expiryMs, isExpired, matches, type Rule } from '../policy/rules.js';
import { prepare } from '../tools/prepare.js';
import { createRegistry } from '../tools/registry.js';
import { findOnPath } from '../tools/requires.js';
import { ACCEPT_TOOLS } from './acceptance.js';
import { judgesOfPins, productionOf } from './decider.js';
import type { Io } from './io.js';
import { judgesOf, loadRulebook, standingOf } from './rulebook.js';
import { modeSetting, planContextOf, productionPatternsOf, whoActs } from './session-parts.js';
import { loadExecutors, loadToolbox, type Toolbox } from './toolbox.js';

export interface CheckOptions {
  readonly args?: string;
  readonly output: 'text' | 'json';
  readonly policies?: readonly string[];
  readonly tools?: readonly string[];
  readonly context?: string;
  readonly namespace?: string;
}

const EXIT_OF: Record<Effect, ExitName> = { allow: 'ok', confirm: 'unconfirmed', deny: 'denied' };
/** Near rules are hints; more of them would hide the answer. */
const MAX_NEAR = 5;

/** `policy check`: decides a call as a session would, and runs nothing. */
export async function checkCall(io: Io, words: readonly string[], options: CheckOptions): Promise<ExitName> {
  const config = await openConfig(io.paths.config);
  const rulebook = await loadRulebook({ paths: io.paths, config, dirs: options.policies ?? [], env: io.env });
  const loaded = await loadToolbox({ ...io, config, dirs: options.tools ?? [] });
  const toolbox = { ...loaded, tools: [...ACCEPT_TOOLS, ...loaded.tools] };
  const actor = whoActs(io);
  const plan = await planContextOf(io, config, options, actor, toolbox);
  const tool = toolbox.tools.find(({ name }) => words.length === 1 && name === words[0]);
  const isArgv = !tool && options.args === undefined && isCommandLine(words, io);
  const call = isArgv ? callOfArgv(words) : await callOfTool(words.join(' '), options.args, toolbox, plan);
  const subject: PolicySubject = { ...actor, ...(await standingOf(rulebook, actor.user)), context: plan.context };
  // Permissions belong to tools: a command line has none that a role could grant.
  const judges = await judgesOf(isArgv ? { ...rulebook, bindings: [] } : rulebook);
  const ofSession = sessionJudges(config, call, plan.context, isArgv);
  const decision = await decide([...judges, ...ofSession], call, subject);
  const input = inputOf(call, decision, subject);
  const now = Date.now();
  // Where the policy itself failed, what else speaks of the call cannot be told.
  const others = decision.rules.some(({ id }) => id === POLICY_ERROR) ? [] : rulebook.rules;
  const expired = others.filter((rule) => isExpired(rule, now) && matches(rule, input));
  const near = others.filter((rule) => !isExpired(rule, now) && isNear(rule, input)).slice(0, MAX_NEAR);
  const exit = EXIT_OF[decision.effect];
  const notes = isArgv && rulebook.bindings.length > 0 ? ['roles are not asked about a command line: name a tool'] : [];
  const found: Found = { call, decision, input, expired, near, ending: ending(rulebook.rules, decision, now), notes };
  io.out(options.output === 'json' ? `${JSON.stringify(report(found, EXIT[exit]), null, 2)}\n` : describe(found));
  return exit;
}

/** What a session of this configuration adds to the rules: its mode, and the cluster that a change must name. */
function sessionJudges(config: Config, call: ToolCall, context: PlanContext['context'], isArgv: boolean): Judge[] {
  const { risk, classification: does } = assessRisk(call);
  const production = productionOf(productionPatternsOf(config), call, risk, does, context);
  const unusual = production === undefined ? undefined : `${production} is production`;
  // A command line that somebody types has no tool that could name the cluster.
  return [...(isArgv ? [] : judgesOfPins(call)), judgeByMode(modeSetting(config), unusual)];
}

interface Found {
  readonly call: ToolCall;
  readonly decision: Decision;
  readonly input: PolicyInput;
  readonly expired: readonly Rule[];
  readonly near: readonly Rule[];
  /** Which of the deciding rules end, and when. */
  readonly ending: readonly string[];
  readonly notes: readonly string[];
}

/** One word may be a tool that is written wrongly; it is a command line when there is such a program. */
const isCommandLine = (words: readonly string[], io: Io): boolean =>
  words.length > 1 || findOnPath(words[0] ?? '', io.env.PATH ?? '') !== undefined;

/** A call as a tool of this very argv would make it: high unless a classifier knows better. */
function callOfArgv(argv: readonly string[]): ToolCall {
  const tool: ToolDefinition = {
    ...{ name: '(command line)', displayName: 'Command line', version: '1', category: 'command' },
    ...{ description: 'A command line that is checked.', riskLevel: 'high', parameters: {}, permissions: [] },
    ...{ timeoutMs: 0, memoryLimitMb: 0, rateLimit: 0, costPerUse: 0 },
    retryPolicy: { maxRetries: 0, retryIntervalMs: 0 },
    ...{ dangerous: false, requiresAuth: false, sandboxed: false, sessionAware: false, idempotent: false },
    run: { kind: 'command', argv },
    output: { format: 'text', keep: 'both', maxBytes: 0 },
    ...{ fields: {}, raise: [], examples: [], intents: { phrases: [], keywords: [] }, requires: [], env: [] },
    source: 'the command line',
  };
  const action = { kind: 'command', tokens: argv, display: quoteArgv(argv), payload: {} };
  const call = { id: 'check', tool, args: {}, repairs: [], action };
  const read = { ...call, tool: { ...tool, riskLevel: 'low' as const } };
  return assessRisk(read).classification ? read : call;
}

async function callOfTool(
  name: string,
  args: string | undefined,
  { tools, adapters }: Pick<Toolbox, 'tools' | 'adapters'>,
  planContext: Awaited<ReturnType<typeof planContextOf>>,
): Promise<ToolCall> {
  const [known, manifests] = await Promise.all([
    loadExecutors(undefined, undefined, adapters),
    import('../tools/manifest.js'),
  ]);
  const executors = [...known, acceptExecutor()];
  const options = { registry: createRegistry(tools), executors, planContext, ...manifests };
  const prepared = prepare(options, { id: 'check', name, rawArguments: args ?? '{}' });
  if (prepared.ok) return prepared.call;
  throw new OpsError(
    'usage',
    prepared.message,
    'opsagent tools list shows the tools. To check a command line, write it after --, with its arguments.',
  );
}

const ending = (rules: readonly Rule[], decision: Decision, now: number): string[] =>
  rules
    .filter((rule) => decision.rules.some(({ id }) => id === rule.id))
    .flatMap((rule) => {
      const at = expiryMs(rule);
      return at === undefined ? [] : [`${rule.id} ends ${new Date(at).toISOString()}, in ${durationText(at - now)}`];
    });

function describe({ call, decision, expired, near, ending: ends, notes }: Found): string {
  const rule = ({ id, effect, source, reason }: Decision['rules'][number]) =>
    `${effect.padEnd(7)} ${id}${source === undefined ? '' : `, ${source}`}${reason === decision.reason ? '' : `\n          ${reason}`}`;
  // Where nothing else decides, what raised the risk is the reason: it stands once.
  const isRaised = decision.raised.length > 0 && decision.raised.join('; ') === decision.reason;
  const rows: [string, readonly string[]][] = [
    ['effect', [EFFECT_WORDS[decision.effect]]],
    ['call', [call.action.display]],
    ['risk', [isRaised ? decision.risk : [decision.risk, ...decision.raised].join('; ')]],
    ['why', isRaised ? decision.raised : [decision.reason]],
    [
      'rules',
      decision.rules.length > 0 ? decision.rules.map(rule) : [`none matched; this is the default for ${decision.risk}`],
    ],
    ['ending', ends],
    ['expired', expired.map(rule)],
    ['near', near.map(rule)],
    ['note', notes],
  ];
  const lines = rows.flatMap(([name, values]) =>
    values.map((value, i) => `${(i === 0 ? name : '').padEnd(8)}  ${value}\n`),
  );
  return visible(lines.join(''));
}

const EFFECT_WORDS: Record<Effect, string> = {
  allow: 'allow: it would run',
  confirm: 'confirm: a person would be asked',
  deny: 'deny: it would not run',
};

const report = ({ call, decision, input, expired, near, ending: ends, notes }: Found, exitCode: number): Json => {
  const { effect, risk, reason, raised } = decision;
  const show = ({ id, effect: says, reason: why, source, expires }: Partial<Rule> & Decision['rules'][number]) => ({
    ...{ id, effect: says, reason: why, source: source ?? null },
    ...(expires !== undefined && { expires }),
  });
  return {
    ...{ type: 'policy-check', exit_code: exitCode, effect, risk, reason, raised },
    action: call.action.display,
    rules: decision.rules.map(show),
    ...{ expired: expired.map(show), near: near.map(show), ending: ends, notes },
    input: input as unknown as Json,
  };
};

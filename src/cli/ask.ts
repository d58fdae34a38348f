import { type LoopDeps, runTurn, type Turn } from '../agent/loop.js';
import { firstMessages, systemText } from '../agent/prompt.js';
import { EXIT, type ExitName, OpsError } from '../domain/errors.js';
import type { ChatModel } from '../domain/ports.js';
import type { CallError, Json, ToolDefinition, ToolResult } from '../domain/types.js';
import type { Config } from '../lib/config.js';
import { stripTerminal, visible } from '../lib/visible.js';
import { NO_COST } from '../limits/budget.js';
import type { ModelSettings } from '../llm/settings.js';
import { budgetOfModel } from './budget.js';
import type { RawAskOptions } from './commands/ask.js';
import type { Io } from './io.js';
import { type Offer, offerTools } from './offer.js';
import { callReport, refusals } from './report.js';
import { openSession, type Session } from './session.js';
import { toSessionOptions } from './session-options.js';
import { summariesOf } from './summaries.js';
import { startUi } from './ui.js';

const DEFAULT_MAX_STEPS = 20;

/** Answers one request and prints the answer; returns the name of the exit code. */
export async function runAsk(io: Io, request: string, options: RawAskOptions): Promise<ExitName> {
  try {
    return await answerRequest(io, request, options);
  } catch (error) {
    // Who reads JSON gets the error as JSON too; the message for people is printed by main.
    if (options.output !== 'text' && error instanceof OpsError) {
      const { message, hint = null, exit } = error;
      io.out(`${JSON.stringify({ type: 'error', message, hint, exit_code: EXIT[exit] })}\n`);
    }
    throw error;
  }
}

async function answerRequest(io: Io, request: string, options: RawAskOptions): Promise<ExitName> {
  const ui = await startUi(io, options.output, request);
  try {
    const session = await openSession(io, toSessionOptions(options), ui);
    try {
      session.say(request);
      const { model, budget, ...summaries } = await chooseModel(io, session, options);
      for (const text of session.toolbox.notices) session.emit({ type: 'notice', text });
      const offer = await offerTools(session, model, request);
      const told = await runTurn(
        { ...loopDeps(session, model, offer, options), budget, ...summaries },
        // A password that was pasted into the request does not reach the model.
        firstMessages({ request: session.redactor.hide(request, 'words'), attachments: [] }),
        io.signal,
      );
      // A model may write out what it was not shown, from an encoding of it.
      const turn = { ...told, answer: session.redactor.hide(told.answer, 'output') };
      await ui.stop();
      return await printAnswer(io, session, turn, model, options);
    } finally {
      session.close();
    }
  } finally {
    await ui.stop();
  }
}

function loopDeps(session: Session, model: ChatModel, offer: Offer, options: RawAskOptions): Omit<LoopDeps, 'budget'> {
  const configured = session.config.get('model.max_steps');
  return {
    model,
    tools: offer.tools,
    system: (tools) => systemText({ setting: settingOf(session, offer, options), instructions: instructionsOf(tools) }),
    async runCall(raw, signal) {
      const result = await offer.runCall(raw, signal);
      // A model that got only a part of an output is likely to compute over the whole next: the sandbox starts while it thinks.
      if (result.outputPath !== undefined && model.name !== 'offline') session.warm();
      return result;
    },
    refuseCall: session.refuse,
    nextCallId: session.nextCallId,
    emit: session.emit,
    stepLimit: options.maxSteps ?? (typeof configured === 'number' && configured > 0 ? configured : DEFAULT_MAX_STEPS),
  };
}

/** What the authors of these tools say about them, each text once. */
const instructionsOf = (tools: readonly ToolDefinition[]): string[] => [
  ...new Set(tools.flatMap((tool) => tool.instructions ?? [])),
];

function settingOf(session: Session, offer: Offer, options: RawAskOptions): string[] {
  const { kube_context: context, namespace } = session.planContext.context;
  return [
    options.dump === undefined
      ? ''
      : 'kubectl is answered from a cluster dump of the past: nothing can be changed, and what was not recorded cannot be seen.',
    context ? `The kubeconfig context is ${context}.` : '',
    namespace ? `The namespace is ${namespace} where the request names no other.` : '',
    offer.note,
  ].filter((line) => line !== '');
}

/** The model of flags, environment and config with its budget; without one, the planner that needs none. */
async function chooseModel(
  io: Io,
  session: Session,
  options: RawAskOptions,
): Promise<Pick<LoopDeps, 'model' | 'budget' | 'forModel'>> {
  const settings = options.offline ? undefined : await modelSettings(io, session.config, options);
  if (!settings) {
    const { createOfflineModel } = await import('../llm/offline.js');
    const model = createOfflineModel({ namespace: session.planContext.context.namespace });
    return { model, budget: NO_COST };
  }
  if (settings.apiKey !== undefined) session.redactor.learn(settings.apiKey);
  const { budget, notices } = budgetOfModel(io, session.config, session.budgets, settings);
  for (const text of [...settings.notices, ...notices]) session.emit({ type: 'notice', text });
  return {
    model: await openModel(io, settings),
    budget,
    ...(await summariesOf(io, session, settings, budget, options.fastModel)),
  };
}

/** The client of a model endpoint, through a proxy where the environment names one. */
export async function openModel(
  io: Io,
  settings: ModelSettings,
  onTransport?: (transport: 'stream' | 'whole') => unknown,
): Promise<ChatModel> {
  const [{ createOpenAiModel }, { toOpenAiTools }] = await Promise.all([
    import('../llm/openai.js'),
    import('../tools/export.js'),
  ]);
  // The proxy client is large, and most networks need none.
  const proxied = ['HTTPS_PROXY', 'HTTP_PROXY', 'https_proxy', 'http_proxy'].some((name) => io.env[name]);
  const fetch = proxied ? (await import('../lib/http.js')).proxyFetch : undefined;
  return createOpenAiModel({ ...settings, toOpenAiTools, env: io.env, fetch, onTransport });
}

/** Model settings of flags, environment and config, in this order; undefined when no model is configured. */
export async function modelSettings(
  io: Io,
  config: Config,
  flags: Pick<RawAskOptions, 'model' | 'baseUrl' | 'apiKey'>,
) {
  const { resolveModelSettings } = await import('../llm/settings.js');
  const text = (key: string) => {
    const value = config.get(key);
    return typeof value === 'string' ? value : undefined;
  };
  const model = { name: text('model.name'), base_url: text('model.base_url'), api_key: text('model.api_key') };
  return resolveModelSettings({ flags, env: io.env, config: { model } });
}

async function printAnswer(
  io: Io,
  session: Session,
  turn: Turn,
  model: ChatModel,
  options: RawAskOptions,
): Promise<ExitName> {
  const exit = exitOf(turn, session.finished);
  if (options.output === 'text') {
    if (turn.answer !== '') {
      const { renderMarkdown } = await import('../ui/markdown.js');
      const answer =
        io.outIsTerminal && turn.format === 'markdown'
          ? renderMarkdown(turn.answer, { width: Math.min(io.width, 100), color: io.outColour })
          : stripTerminal(turn.answer);
      io.out(`${answer.trimEnd()}\n`);
    }
    for (const line of refusals(session.finished)) io.say(`${line}\n`);
    for (const error of turn.failed ? [] : setUpErrors(turn, session.finished)) {
      io.say(`opsagent: the answer is incomplete: ${visible(error.message)}\n${error.hint ? `${error.hint}\n` : ''}`);
    }
    if (turn.limit) io.say(`opsagent: ${sentence(turn.limit)}\n`);
    if (turn.end === 'cancelled') io.say('Interrupted. What ran is in the audit log: opsagent audit tail\n');
    return exit;
  }
  const report = {
    type: 'answer',
    request_failed: turn.failed,
    end: turn.end,
    answer: turn.answer,
    model: model.name,
    session_id: session.id,
    exit_code: EXIT[exit],
    usage: usageOf(session),
    limit: turn.limit ? { message: turn.limit.message, hint: turn.limit.hint ?? null } : null,
    diagnosis: await lastDiagnosis(session),
    calls: session.finished.map((result) => callReport(session, result)),
  };
  io.out(`${JSON.stringify(report, null, options.output === 'json' ? 2 : undefined)}\n`);
  if (options.output === 'json') for (const line of refusals(session.finished)) io.say(`${line}\n`);
  return exit;
}

/** What the models and tools of the request took. */
function usageOf({ budgets }: Session): Record<'tokens' | 'usd', number> & { readonly estimated: boolean } {
  const { tokens, usd, estimated } = budgets.spent();
  return { tokens, usd, estimated };
}

const sentence = ({ message, hint }: CallError): string =>
  `stopped before a cap: ${message}.${hint === undefined ? '' : ` ${hint}`}`;

/** One exit code for a whole request: what the person must know first wins. */
export function exitOf(turn: Pick<Turn, 'end' | 'failed'>, finished: readonly ToolResult[]): ExitName {
  if (turn.end === 'cancelled') return 'interrupted';
  if (finished.some((result) => result.status === 'rejected')) return 'unconfirmed';
  if (finished.some((result) => result.status === 'denied')) return 'denied';
  const isLimited = turn.end === 'step-limit' || turn.end === 'budget';
  if (isLimited || finished.some(reachedLimit)) return 'limit';
  const mend = setUpErrors(turn, finished)[0]?.exit;
  return mend ?? (turn.failed ? 'failed' : 'ok');
}

/** A service that failed and is left alone for a while is not there: no limit of anybody. */
const reachedLimit = ({ status, error }: ToolResult): boolean => status === 'limited' && error?.exit !== 'unavailable';

/**
 * Errors that only a person can mend: no kubectl, no cluster, a broken dump. Each once. When there is an answer all the
 * same, those of calls that ran; a tool that is not there was left out by whoever answered.
 */
function setUpErrors(turn: Pick<Turn, 'failed'>, finished: readonly ToolResult[]): CallError[] {
  const counts = (status: ToolResult['status']) =>
    status === 'failed' || status === 'timed-out' || status === 'limited' || (turn.failed && status === 'unavailable');
  const errors = finished.flatMap(({ status, error }) => (error?.exit && counts(status) ? [error] : []));
  return [...new Map(errors.map((error) => [error.message, error])).values()];
}

/** The structured findings of the last diagnosis of the session, for `--output json`. */
async function lastDiagnosis(session: Session): Promise<Json> {
  const last = session.finished.findLast((result) => result.tool.endsWith('_diagnose') && result.status === 'ok');
  const data = last && (await session.results.get(last.callId)?.readData());
  if (data === undefined || data === null || typeof data !== 'object' || Array.isArray(data)) return null;
  const { text: _text, ...findings } = data as Record<string, Json>;
  return findings;
}

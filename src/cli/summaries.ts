import type { LoopDeps } from '../agent/loop.js';
import type { Budget } from '../domain/ports.js';
import type { ModelSettings } from '../llm/settings.js';
import { openModel } from './ask.js';
import { budgetOfModel } from './budget.js';
import type { Io } from './io.js';
import type { Session } from './session.js';

/**
 * Summaries by the fast model of `--fast-model`, `OPSAGENT_FAST_MODEL` or `model.fast`, at the server and with the key of the model that
 * answers; nothing without one, and where no tool asks for summaries.
 */
export async function summariesOf(
  io: Io,
  session: Session,
  settings: ModelSettings,
  answerBudget: Budget,
  flag?: string,
): Promise<Pick<LoopDeps, 'forModel'>> {
  const configured = session.config.get('model.fast');
  const set = [flag, io.env.OPSAGENT_FAST_MODEL, typeof configured === 'string' ? configured : undefined];
  const name = set.map((one) => one?.trim()).find((one) => one !== undefined && one !== '');
  if (name === undefined || session.registry.list().every(({ output }) => output.summarize === undefined)) return {};
  const { createSummariser, SUMMARY_TOKENS } = await import('../agent/summary.js');
  const fast = { ...settings, model: name };
  const { budget, notices } = budgetOfModel(io, session.config, session.budgets, fast, SUMMARY_TOKENS);
  if (name !== settings.model) for (const text of notices) session.emit({ type: 'notice', text });
  const forModel = createSummariser({
    model: await openModel(io, fast),
    budget,
    answerBudget,
    tool: session.registry.get,
    stored: session.results.get,
    redactor: session.redactor,
    read: session.read,
    emit: session.emit,
  });
  return { forModel };
}

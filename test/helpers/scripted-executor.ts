import type { Executor, RunContext, RunOutcome } from '../../src/domain/ports.js';
import type { ClearedCall } from '../../src/domain/types.js';
import { command } from '../../src/exec/command.js';

/** What a program that is not there would print, and how it would end; well when left out. */
export interface Answer {
  readonly output?: string;
  readonly stderr?: string;
  readonly outcome?: RunOutcome;
}

/** The end of an argv that is refused, and of every argv that no table holds. */
export const REFUSED: RunOutcome = {
  status: 'failed',
  exitCode: 1,
  error: { category: 'execution', message: 'admission said no' },
};

/** Answers argvs from a table, each from its list in turn; what is not in the table is refused. */
export class ScriptedExecutor implements Executor {
  readonly kind = 'command';
  readonly specSchema = {};
  readonly plan = command.plan;
  readonly ran: string[] = [];
  constructor(private readonly answers: Readonly<Record<string, Answer | readonly Answer[]>>) {}
  async run({ action }: ClearedCall, context: RunContext): Promise<RunOutcome> {
    const line = action.tokens.join(' ');
    this.ran.push(line);
    const all = [this.answers[line] ?? []].flat();
    const answer = all[Math.min(this.ran.filter((one) => one === line).length, all.length) - 1] ?? { outcome: REFUSED };
    if (answer.output) context.write(answer.output);
    if (answer.stderr) context.writeError(answer.stderr);
    return answer.outcome ?? { status: 'ok', exitCode: 0 };
  }
}

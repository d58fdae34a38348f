import { type Command, Option } from 'commander';
import { OpsError } from '../../domain/errors.js';
import type { Io } from '../io.js';
import { addSessionOptions, parseCount, parseDollars } from '../options.js';
import type { RawSessionOptions } from '../session-options.js';

export type OutputFormat = 'text' | 'json' | 'jsonl';

export interface RawAskOptions extends RawSessionOptions {
  readonly output: OutputFormat;
  readonly model?: string;
  readonly fastModel?: string;
  readonly baseUrl?: string;
  readonly apiKey?: string;
  readonly offline?: boolean;
  readonly maxSteps?: number;
}

/** Adds `--output`, shared by the commands that answer. */
export const outputOption = (): Option =>
  new Option('-o, --output <format>', 'how the result is printed').choices(['text', 'json', 'jsonl']).default('text');

/** `opsagent ask "…"`: one request, then exit. */
export function define(command: Command, io: Io): void {
  addSessionOptions(command)
    .argument('<request...>', 'what you want to know or have done')
    .addOption(outputOption())
    .option('--model <name>', 'model to ask; without one the offline planner works')
    .option('--fast-model <name>', 'model of the same server that shortens long outputs, for tools that ask for it')
    .option('--base-url <url>', 'OpenAI-compatible endpoint of the model')
    .option('--api-key <key>', 'its key; others can see it in the process list, OPSAGENT_API_KEY is better')
    .option('--offline', 'use the offline planner even if a model is configured')
    .option('--max-steps <n>', 'replies of the model that may call tools (default 20)', parseCount)
    .option('--max-cost <usd>', 'what the request may cost at most, in US dollars (default 0.50)', parseDollars)
    .option('--max-tokens <n>', 'tokens the request may take at most (default 1000000)', parseCount)
    .action(async (words: readonly string[], options: RawAskOptions) => {
      if (words.join('').trim() === '')
        throw new OpsError(
          'usage',
          'The request is empty.',
          'Say what you want: opsagent ask "diagnose order-service"',
        );
      // Something on the screen before anything large is loaded.
      if (options.output === 'text' && io.canAsk) io.say('opsagent: starting …\r');
      const { runAsk } = await import('../session-commands.js');
      io.exit = await runAsk(io, words.join(' '), options);
    });
}

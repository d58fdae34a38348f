import { type Command, InvalidArgumentError } from 'commander';
import type { Io } from '../io.js';

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

const positive = (value: string): number => {
  const number = Number(value);
  if (!(number > 0)) throw new InvalidArgumentError('It must be a number above 0.');
  return number;
};

/** `opsagent sandbox …`: Python in the sandbox, for people. */
export function define(command: Command, io: Io): void {
  command
    .command('run')
    .description('run Python code in the sandbox, as a call of python_exec')
    .argument('<file>', 'the code, at most 1 MiB; - for stdin')
    .option(
      '--file <path>',
      'a file that the code can read as /data/<its name>; 64, and 128 MiB together (repeatable)',
      collect,
    )
    .option('--memory <MB>', 'memory it may use: 21 and more, at most WASI_MEMORY_LIMIT_MB (512)', positive)
    .option('--timeout <seconds>', 'time it may take, at most WASI_TIMEOUT_SECONDS (60)', positive)
    .option('--json', 'stdout, stderr, exit code and result as JSON')
    .action(async (file: string, options) => {
      const { runInSandbox } = await import('../sandbox-run.js');
      io.exit = await runInSandbox(io, file, options);
    });
  command
    .command('check')
    .description('try every escape and every limit of the sandbox on this machine')
    .action(async () => {
      const { checkSandbox } = await import('../sandbox-check.js');
      io.exit = await checkSandbox(io);
    });
}

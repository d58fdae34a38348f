import { Command, CommanderError } from 'commander';
import { EXIT } from '../domain/errors.js';
import { packageVersion } from '../lib/package-root.js';
import { COMMANDS } from './commands/index.js';
import type { Io } from './io.js';

const EXIT_HELP = `
Exit codes: 0 done · 1 failed · 2 usage or configuration · 3 denied by policy ·
4 not confirmed · 5 limit reached · 6 model or network unavailable · 70 bug ·
130 interrupted`;

/** The command line. Loads the file of the command that is named; `'all'` loads every one, for completion. */
export async function createProgram(io: Io, named: string | 'all' | undefined): Promise<Command> {
  const program = new Command('opsagent')
    .description('An operations agent: it investigates, asks before it changes anything, and writes down what it did.')
    .version(packageVersion(), '-V, --version', 'print the version')
    .option('--no-color', 'print without colour (NO_COLOR works too)')
    .addHelpText('after', EXIT_HELP)
    .configureOutput({ writeOut: io.out, writeErr: io.say });
  for (const entry of COMMANDS) {
    const command = program.command(entry.name).description(entry.description);
    if (named === 'all' || named === entry.name) (await entry.load()).define(command, io);
  }
  silenceExits(program);
  return program;
}

function silenceExits(command: Command): void {
  command
    .exitOverride()
    .configureHelp({ sortSubcommands: false })
    .showHelpAfterError('(--help shows what is possible)');
  for (const sub of command.commands) silenceExits(sub);
}

/** Runs one command line and returns the exit code. Throws what the command throws. */
export async function runProgram(io: Io, argv: readonly string[]): Promise<number> {
  // A bare --yes would otherwise swallow the request that follows it.
  const args = argv.map((arg) => (arg === '--yes' ? '--yes=high' : arg));
  const words = argv.filter((arg) => !arg.startsWith('-'));
  const named = words[0] === 'help' ? words[1] : words[0];
  const program = await createProgram(io, named);
  if (argv.length === 0) {
    program.outputHelp();
    return EXIT.ok;
  }
  try {
    await program.parseAsync(args, { from: 'user' });
    return EXIT[io.exit];
  } catch (error) {
    if (!(error instanceof CommanderError)) throw error;
    return error.exitCode === 0 ? EXIT.ok : EXIT.usage;
  }
}

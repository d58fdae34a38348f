import type { Command } from 'commander';
import type { Io } from '../io.js';
import { addSessionOptions } from '../options.js';
import type { UndoOptions } from '../undo.js';
import { outputOption } from './ask.js';

/** `opsagent undo [CALL]`: takes a change back, through the same gate as any other change. */
export function define(command: Command, io: Io): void {
  addSessionOptions(command)
    .argument('[call]', 'the change to take back, c3 or SESSION/c3; the last one when left out')
    .option('--session <id>', 'the session of the call; the last one that has it when left out')
    .option('--list', 'list the changes and whether they can be undone')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
It shows what it would put back and asks, like any other change. It refuses when
what the change left behind has changed since (exit code 1), when cluster or
daemon are others than they were (2), and says so when there is no way back (1).`,
    )
    .action(async (call: string | undefined, options: UndoOptions) => {
      const { runUndo } = await import('../session-commands.js');
      io.exit = await runUndo(io, call, options);
    });
}

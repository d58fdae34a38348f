import { Argument, type Command } from 'commander';
import type { Io } from '../io.js';

/** `opsagent completion SHELL`. */
export function define(command: Command, io: Io): void {
  command
    .addArgument(new Argument('<shell>').choices(['bash', 'zsh', 'fish']))
    .action(async (shell: 'bash' | 'zsh' | 'fish') => {
      const [{ completionScript }, { createProgram }] = await Promise.all([
        import('../completion.js'),
        import('../program.js'),
      ]);
      io.out(completionScript(shell, await createProgram(io, 'all')));
    });
}

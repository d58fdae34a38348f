import type { Command } from 'commander';
import type { Io } from '../io.js';
import { addSessionOptions } from '../options.js';
import type { RawSessionOptions } from '../session-options.js';

/** `opsagent dump DIR`: a dump of a live cluster; values of Secrets never enter it. */
export function define(command: Command, io: Io): void {
  addSessionOptions(command)
    .argument('<dir>', 'a new or empty folder')
    .option(
      '--only <namespace>',
      'only this namespace (repeatable)',
      (value: string, before: readonly string[] = []) => [...before, value],
    )
    .action(async (dir: string, options: RawSessionOptions & { readonly only?: readonly string[] }) => {
      const { runDump } = await import('../dump.js');
      io.exit = await runDump(io, dir, options);
    });
}

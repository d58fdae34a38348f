import type { Command } from 'commander';
import type { Io } from '../io.js';

/** `opsagent limits …`: what holds calls back, and how to let them go. */
export function define(command: Command, io: Io): void {
  const actions = () => import('../limits-commands.js');
  command
    .command('show')
    .description('services that failed, and rate limits that are in use')
    .option('--json', 'as JSON')
    .action(async (options) => (await actions()).showLimits(io, options));
  command
    .command('reset')
    .description('forget failures and calls counted so far, for all sessions of this user')
    .action(async () => (await actions()).resetLimits(io));
}

import type { Command } from 'commander';
import type { Io } from '../io.js';

/** `opsagent config …`: settings and places. */
export function define(command: Command, io: Io): void {
  const actions = () => import('../config-commands.js');
  command
    .command('get')
    .description('one setting')
    .argument('<key>')
    .action(async (key: string) => (await actions()).getSetting(io, key));
  command
    .command('set')
    .description('change a setting; without a value, remove it')
    .argument('<key>')
    .argument('[value]')
    .action(async (key: string, value: string | undefined) => (await actions()).setSetting(io, key, value));
  command
    .command('list')
    .description('every setting with its value')
    .option('--json', 'as JSON')
    .action(async (options) => (await actions()).listSettings(io, options));
  command
    .command('path')
    .description('where settings, audit log, sessions and cache are')
    .option('--json', 'as JSON')
    .action(async (options) => (await actions()).printPaths(io, options));
  command
    .command('trust')
    .description('use the tools of a folder’s .opsagent/tools.d, as they are now')
    .argument('[folder]', 'default: this one')
    .action(async (folder: string | undefined) => (await actions()).trustFolder(io, folder ?? '.'));
}

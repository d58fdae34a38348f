import { type Command, Option } from 'commander';
import { RISKS, STATUSES } from '../../domain/types.js';
import type { Io } from '../io.js';
import { parseCount } from '../options.js';

/** `opsagent audit …`: what was asked, decided and done. */
export function define(command: Command, io: Io): void {
  const actions = () => import('../audit-commands.js');
  command
    .command('tail')
    .description('the last records')
    .option('--lines <n>', 'how many', parseCount, 20)
    .option('--json', 'as JSON Lines')
    .action(async (options) => (await actions()).tailAudit(io, options));
  command
    .command('search')
    .description('records that match')
    .argument('[text]', 'anywhere in the record')
    .option('--tool <name>')
    .option('--user <name>')
    .addOption(new Option('--risk <level>').choices(RISKS))
    .addOption(new Option('--decision <effect>').choices(['allow', 'confirm', 'deny']))
    .addOption(new Option('--status <status>').choices(STATUSES))
    .option('--session <id>')
    .option('--since <when>', 'a duration back (2h, 7d) or a date')
    .option('--until <when>', 'a duration back or a date')
    .option('--lines <n>', 'at most so many, the last ones', parseCount, 100)
    .option('--json', 'as JSON Lines')
    .action(async (text: string | undefined, options) => (await actions()).searchAudit(io, text, options));
  command
    .command('show')
    .description('every record of one call, such as c3 or SESSION/c3')
    .argument('<call>')
    .option('--json', 'as JSON Lines')
    .action(async (call: string, options) => (await actions()).showCall(io, call, options));
}

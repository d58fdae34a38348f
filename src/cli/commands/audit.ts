import { type Command, Option } from 'commander';
import { RISKS, STATUSES } from '../../domain/types.js';
import type { Io } from '../io.js';
import { parseCount } from '../options.js';

/** `opsagent audit …`: what was asked, decided and done. */
export function define(command: Command, io: Io): void {
  const actions = () => import('../audit-commands.js');
  const reports = () => import('../audit-reports.js');
  command
    .command('tail')
    .description('the last records')
    .option('--lines <n>', 'how many', parseCount, 20)
    .option('--json', 'as JSON Lines')
    .action(async (options) => (await actions()).tailAudit(io, options));
  addFilters(command.command('search').description('records that match'))
    .option('--lines <n>', 'at most so many, the last ones', parseCount, 100)
    .option('--json', 'as JSON Lines')
    .action(async (text: string | undefined, options) => (await actions()).searchAudit(io, text, options));
  command
    .command('show')
    .description('every record of one call, such as c3 or SESSION/c3')
    .argument('<call>')
    .option('--json', 'as JSON Lines')
    .action(async (call: string, options) => (await actions()).showCall(io, call, options));
  command
    .command('verify')
    .description('whether the log is still what was written; exit 1 with the first broken line when not')
    .option('--head <number:hash>', 'also: a head that you noted down elsewhere must still be in it')
    .addOption(outputOption())
    .action(async (options) => (await reports()).verifyAudit(io, options));
  addFilters(command.command('stats').description('counts, durations and costs of the calls that match'))
    .addOption(outputOption())
    .action(async (text: string | undefined, options) => (await reports()).printStats(io, text, options));
  addFilters(command.command('export').description('the records that match, for other programs'))
    .addOption(new Option('--format <format>').choices(['json', 'jsonl', 'csv', 'cef']).default('json'))
    .action(async (text: string | undefined, options) => (await reports()).exportAudit(io, text, options));
}

const outputOption = () => new Option('--output <format>').choices(['text', 'json']).default('text');

const addFilters = (command: Command): Command =>
  command
    .argument('[text]', 'anywhere in the record')
    .option('--tool <name>')
    .option('--user <name>')
    .addOption(new Option('--risk <level>').choices(RISKS))
    .addOption(new Option('--event <event>').choices(['decided', 'finished', 'mode-switched']))
    .addOption(new Option('--decision <effect>').choices(['allow', 'confirm', 'deny']))
    .addOption(new Option('--status <status>').choices(STATUSES))
    .option('--session <id>')
    .option('--since <when>', 'a duration back (2h, 7d) or a date')
    .option('--until <when>', 'a duration back or a date');

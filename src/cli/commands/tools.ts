import type { Command } from 'commander';
import type { AcceptOptions } from '../accept-tools.js';
import type { Io } from '../io.js';
import { addSessionOptions } from '../options.js';
import type { RawSessionOptions } from '../session-options.js';
import { outputOption } from './ask.js';
import { collect, defineImport } from './tools-import.js';

/** `opsagent tools …`: the registry, for people and scripts. */
export function define(command: Command, io: Io): void {
  const actions = () => import('../tool-commands.js');
  const withDirs = (sub: Command) =>
    sub.option('--tools <dir>', 'a further folder of tool files (repeatable)', collect);

  withDirs(command.command('list').description('every tool with its risk'))
    .option('--category <name>', 'only this category')
    .option('--json', 'as JSON')
    .action(async (options) => (await actions()).listTools(io, options));
  withDirs(command.command('show').description('one tool: parameters, risk, how it runs'))
    .argument('<name>')
    .option('--json', 'as JSON')
    .action(async (name: string, options) => (await actions()).showTool(io, name, options));
  withDirs(
    command.command('schema').description('the JSON Schema of a tool’s arguments, or all tools as OpenAI functions'),
  )
    .argument('[name]')
    .action(async (name: string | undefined, options) => (await actions()).printSchema(io, name, options));
  withDirs(command.command('lint').description('check tool files; without a file, those in use'))
    .argument('[file...]')
    .option('--json', 'as JSON')
    .action(async (files: readonly string[], options) => {
      io.exit = await (await actions()).lintTools(io, files, options);
    });
  withDirs(command.command('export').description('write the tools as one YAML file; - for stdout'))
    .argument('<file>')
    .option('--category <name>', 'only this category')
    .action(async (file: string, options) => (await actions()).exportTools(io, file, options));
  defineAccept(command.command('accept'), io);
  defineImport(command, io);
  addSessionOptions(command.command('run').description('run one tool through the same gate'))
    .argument('<name>')
    .option('--arg <key=value>', 'one argument (repeatable)', collect)
    .option('--args <json>', 'all arguments as a JSON object')
    .addOption(outputOption())
    .action(
      async (
        name: string,
        options: RawSessionOptions & { arg?: readonly string[]; args?: string; output: 'text' | 'json' | 'jsonl' },
      ) => {
        const { runTool } = await import('../session-commands.js');
        io.exit = await runTool(io, name, options);
      },
    );
}

/** `tools accept`. */
function defineAccept(command: Command, io: Io): void {
  addSessionOptions(command)
    .description('let MCP servers and modules of adapters in, after a look at them')
    .argument('[name[/tool]]', 'an MCP server, one of its tools, or an adapter; all when left out')
    .addOption(outputOption())
    .addHelpText(
      'after',
      `
Until this is done, no server is started or visited, and no module runs. Each
step is a call of high risk, which asks, or takes --yes: mcp_connect starts or
visits a server to ask for its tools, mcp_accept accepts what it said,
adapter_accept accepts a module. Rules can name them; the audit log has them.`,
    )
    .action(async (which: string | undefined, options: AcceptOptions) => {
      const { acceptTools } = await import('../accept-tools.js');
      io.exit = await acceptTools(io, which, options);
    });
}

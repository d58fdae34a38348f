import type { Command } from 'commander';
import type { Io } from '../io.js';

/** An option that may be given again and again. */
export const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** `opsagent tools import …`: one command a kind of source. */
export function defineImport(command: Command, io: Io): void {
  const importing = command.command('import').description('add tools from elsewhere');
  importing
    .command('openapi')
    .description('one tool for each operation of an OpenAPI 3.0 or 3.1 description')
    .argument('<spec>', 'file or address, JSON or YAML')
    .option('--name <name>', 'of the tool file that is written; else the title of the API')
    .option('--base-url <url>', 'where the API is, when its description does not say')
    .option('--prefix <word>', 'put before the names of the tools')
    .option('--include <operation>', 'only this operation: its id, or METHOD /path (repeatable)', collect)
    .option('--tag <tag>', 'only operations with this tag (repeatable)', collect)
    .option('--max <number>', 'at most so many tools (200)', Number)
    .option('--dry-run', 'list the tools and write nothing')
    .action(async (spec: string, options) => {
      const { importOpenApi } = await import('../import-openapi.js');
      await importOpenApi(io, spec, options);
    });
}

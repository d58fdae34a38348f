import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { OpsError } from '../domain/errors.js';
import type { JsonObject } from '../domain/types.js';
import { openConfig } from '../lib/config.js';
import { makePrivateFolder } from '../lib/folders.js';
import { formatProblems, type Problem } from '../lib/problems.js';
import { visible } from '../lib/visible.js';
import { stringifyYaml } from '../lib/yaml.js';
import { toolNameOf } from '../tools/sources/names.js';
import type { Io } from './io.js';
import { formatTable } from './table.js';
import { loadElsewhere, loadToolbox } from './toolbox.js';

export interface NewSource {
  /** Of the tool file, without its ending. */
  readonly name: string;
  readonly source: JsonObject & { readonly kind: string };
  readonly dryRun: boolean;
  /** Where its problems are, for kinds that know one place only. */
  readonly where?: string;
}

/**
 * Where the tool file of a new source will be.
 * @throws OpsError usage when there is one already.
 */
export function fileOfSource(io: Io, name: string, dryRun: boolean): string {
  const file = join(io.paths.config, 'tools.d', `${name}.yaml`);
  if (existsSync(file) && !dryRun)
    throw new OpsError(
      'usage',
      `${file} exists already.`,
      'Choose another name with --name, or remove the file first.',
    );
  return file;
}

/**
 * Writes a tool file with one source, and lists the tools that come of it; `dryRun` only lists. Where names are taken, and no prefix is
 * given, the name of the file is the prefix.
 * @throws OpsError usage when there is nothing to add, or the file exists already; nothing is written then.
 */
export async function addSource(io: Io, { name, source, dryRun, where }: NewSource): Promise<void> {
  const file = fileOfSource(io, name, dryRun);
  const config = await openConfig(io.paths.config);
  const { tools: known } = await loadToolbox({ ...io, config, dirs: [] });
  const place = { file, line: 4, column: 5, header: { system: name }, adapters: {} };
  const load = (one: NewSource['source']) => loadElsewhere([{ kind: one.kind, source: one, ...place }], known, io);
  let used = source;
  let loaded = await load(used);
  const [first, ...others] = loaded.taken;
  if (first !== undefined && source.prefix === undefined) {
    // Left out is what nobody asked for; a prefix is what the person would have to add.
    used = { ...source, prefix: toolNameOf(name).slice(0, 32) };
    loaded = await load(used);
  }
  const { tools, accepts, warnings, failures, notices } = loaded;
  const shown = where === undefined ? {} : { file: where, line: 1, column: 1 };
  const talk: Problem[] = [...failures, ...warnings].map((problem) => ({ ...problem, ...shown }));
  if (tools.length + accepts.length === 0)
    throw new OpsError('usage', formatProblems(talk) || 'There is nothing to add.');
  const rows = tools.map((tool) => [tool.name, tool.riskLevel, visible(tool.description).split('\n', 1)[0] ?? '']);
  io.out(await formatTable(['NAME', 'RISK', 'DESCRIPTION'], rows, io.outIsTerminal ? io.width : 1_000));
  for (const problem of talk) io.say(`warning: ${visible(formatProblems([problem]))}\n`);
  for (const notice of notices) io.say(`${visible(notice)}\n`);
  if (used !== source) {
    const more = others.length > 0 ? ` and ${others.length} more` : '';
    io.say(`note: other tools are called ${first}${more} already, so all these names begin with ${used.prefix}_\n`);
    io.say('Choose another beginning with --prefix.\n');
  }
  const count = `${tools.length} ${tools.length === 1 ? 'tool' : 'tools'}`;
  if (dryRun) return io.say(`${count}; nothing was written (--dry-run)\n`);
  makePrivateFolder(join(io.paths.config, 'tools.d'));
  writeFileSync(file, stringifyYaml({ version: 1, system: name, sources: [used] }), { flag: 'wx', mode: 0o600 });
  io.say(`${count} added by ${file}\n`);
}

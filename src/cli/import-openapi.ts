import { existsSync, writeFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { OpsError } from '../domain/errors.js';
import type { JsonObject } from '../domain/types.js';
import { openConfig } from '../lib/config.js';
import { makePrivateFolder } from '../lib/folders.js';
import { formatProblems } from '../lib/problems.js';
import { visible } from '../lib/visible.js';
import { stringifyYaml } from '../lib/yaml.js';
import { toolNameOf } from '../tools/sources/names.js';
import { describeApi } from '../tools/sources/openapi/describe.js';
import type { Io } from './io.js';
import { formatTable } from './table.js';
import { loadElsewhere, loadToolbox } from './toolbox.js';

export interface ImportOptions {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly prefix?: string;
  readonly include?: readonly string[];
  readonly tag?: readonly string[];
  readonly max?: number;
  readonly dryRun?: boolean;
}

/**
 * `tools import openapi SPEC`: writes a tool file with the description as its source, and lists the tools that come of it.
 * @throws OpsError when there is nothing to add, or the file exists already; nothing is written then.
 */
export async function importOpenApi(io: Io, spec: string, options: ImportOptions): Promise<void> {
  const isUrl = /^https?:\/\//i.test(spec);
  const where = isUrl ? spec : resolve(io.cwd, spec);
  if (!isUrl && !existsSync(where)) throw new OpsError('usage', `There is no file ${where}.`, 'Mend the path.');
  const api = await describeApi(where, { place: 'the command line', env: io.env, signal: io.signal });
  const name = toolNameOf(options.name ?? (api.title || basename(spec).replace(/\.\w+$/, ''))).slice(0, 32);
  const file = join(io.paths.config, 'tools.d', `${name}.yaml`);
  if (existsSync(file) && !options.dryRun)
    throw new OpsError(
      'usage',
      `${file} exists already.`,
      'Choose another name with --name, or remove the file first.',
    );
  const auth = api.suggestAuth(name);
  const source = sourceOf(where, options, auth);
  const config = await openConfig(io.paths.config);
  const { tools: known } = await loadToolbox({ ...io, config, dirs: [] });
  const entry = { kind: 'openapi', source, file, line: 4, column: 5, header: { system: name }, adapters: {} };
  const { tools, warnings, failures } = await loadElsewhere([entry], known, io);
  const talk = [...failures, ...warnings].map((problem) => ({ ...problem, file: where, line: 1, column: 1 }));
  if (tools.length === 0) throw new OpsError('usage', formatProblems(talk) || 'There is nothing to add.');
  const rows = tools.map((tool) => [tool.name, tool.riskLevel, visible(tool.description)]);
  io.out(await formatTable(['NAME', 'RISK', 'DESCRIPTION'], rows, io.outIsTerminal ? io.width : 1_000));
  for (const problem of talk) io.say(`warning: ${visible(formatProblems([problem]))}\n`);
  if (options.dryRun) return io.say(`${tools.length} tools; nothing was written (--dry-run)\n`);
  makePrivateFolder(join(io.paths.config, 'tools.d'));
  writeFileSync(file, stringifyYaml({ version: 1, system: name, sources: [source] }), { flag: 'wx', mode: 0o600 });
  io.say(`${tools.length} tools added by ${file}\n`);
  for (const secret of secretsIn(auth)) io.say(`set the secret ${secret} before you use them\n`);
}

function sourceOf(spec: string, options: ImportOptions, auth: JsonObject | undefined): JsonObject {
  const include = {
    ...(options.include && { operations: options.include }),
    ...(options.tag && { tags: options.tag }),
    ...(options.max !== undefined && { max: options.max }),
  };
  return {
    kind: 'openapi',
    spec,
    ...(options.baseUrl !== undefined && { base_url: options.baseUrl }),
    ...(options.prefix !== undefined && { prefix: options.prefix }),
    ...(Object.keys(include).length > 0 && { include }),
    ...(auth && { auth }),
  };
}

/** Names of the secrets in an `auth:` block. */
function secretsIn(auth: JsonObject | undefined): string[] {
  return [...JSON.stringify(auth ?? {}).matchAll(/"secret":"(\w+)"/g)].map(([, name]) => name ?? '');
}

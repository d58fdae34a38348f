import { existsSync, realpathSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { OpsError } from '../domain/errors.js';
import type { Json } from '../domain/types.js';
import { configPath, openConfig, openForWriting, parseSetting, SETTINGS, settingOf, TRUST_KEY } from '../lib/config.js';
import { objectAt } from '../lib/json-values.js';
import { auditPath, budgetPath, limitsPath, pricesPath } from '../lib/paths.js';
import type { Io } from './io.js';
import { formatTable } from './table.js';

/** `config get KEY`. */
export async function getSetting(io: Io, key: string): Promise<void> {
  checkKey(key);
  const config = await openConfig(io.paths.config);
  io.out(`${shown(key, config.get(key))}\n`);
}

/** `config set KEY [VALUE]`. */
export async function setSetting(io: Io, key: string, text: string | undefined): Promise<void> {
  checkKey(key);
  const value = text === undefined ? undefined : parseSetting(key, text);
  const config = await openForWriting(io.paths.config);
  config.set(key, value);
  io.say(`${key} ${value === undefined ? 'removed' : 'set'} in ${config.path}\n`);
}

/** `config list`. */
export async function listSettings(io: Io, options: { readonly json?: boolean }): Promise<void> {
  const config = await openConfig(io.paths.config);
  const rates = Object.keys(objectAt({ rate: config.get('limits.rate') ?? null }, 'rate')).map(
    (name) => `limits.rate.${name}`,
  );
  const rows = [...new Set([...Object.keys(SETTINGS), ...rates])].map((key) => ({
    key,
    value: shown(key, config.get(key)),
    description: settingOf(key)?.description ?? '',
  }));
  if (options.json) io.out(`${JSON.stringify(rows, null, 2)}\n`);
  else
    io.out(
      await formatTable(
        ['KEY', 'VALUE', 'DESCRIPTION'],
        rows.map((r) => [r.key, r.value, r.description]),
        io.outIsTerminal ? io.width : 400,
      ),
    );
}

/** `config path`. */
export async function printPaths(io: Io, options: { readonly json?: boolean }): Promise<void> {
  const places = {
    config: configPath(io.paths.config),
    tools: join(io.paths.config, 'tools.d'),
    policies: join(io.paths.config, 'policies'),
    prices: pricesPath(io.paths),
    audit: auditPath(io.paths),
    budget: budgetPath(io.paths),
    sessions: join(io.paths.state, 'sessions'),
    limits: limitsPath(io.paths),
    cache: io.paths.cache,
  };
  if (options.json) io.out(`${JSON.stringify(places, null, 2)}\n`);
  else for (const [name, path] of Object.entries(places)) io.out(`${name.padEnd(9)} ${path}\n`);
}

/** `config trust [FOLDER]`: remembers the digest of the folder's tool files as they are now. */
export async function trustFolder(io: Io, folder: string): Promise<void> {
  const dir = join(resolve(io.cwd, folder), '.opsagent', 'tools.d');
  if (!existsSync(dir))
    throw new OpsError('usage', `There is no ${dir}.`, 'A folder with its own tools has .opsagent/tools.d/*.yaml.');
  const { readWithDigest } = await import('./trust.js');
  const config = await openForWriting(io.paths.config);
  const before = config.get(TRUST_KEY);
  const known = before !== null && typeof before === 'object' && !Array.isArray(before) ? before : {};
  config.set(TRUST_KEY, { ...known, [realpathSync(resolve(io.cwd, folder))]: (await readWithDigest(dir)).digest });
  io.say(`The tools of ${dir} are trusted as they are now. After a change they must be trusted again.\n`);
}

function checkKey(key: string): void {
  if (!settingOf(key)) parseSetting(key, '');
}

function shown(key: string, value: Json | undefined): string {
  if (value === undefined) return '(not set)';
  if (settingOf(key)?.isSecret) return '(set, not shown)';
  return Array.isArray(value) ? value.join(',') : String(value);
}

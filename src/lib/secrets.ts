import { existsSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { parseEnv } from 'node:util';
import { OpsError } from '../domain/errors.js';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * Value of a secret: environment `NAME`, file `NAME_FILE`, `/run/secrets/<name>`, `OPSAGENT_SECRETS_DIR/<name>`, then
 * `.env` in the config folder, which nobody else may read. Names of files are tried as written and in lower case.
 * @throws OpsError usage when there is none, or when `.env` is open to others.
 */
export function readSecret(name: string, env: Env, configDir: string): string {
  const direct = env[name];
  if (direct) return direct;
  const files = [env[`${name}_FILE`], ...inFolder('/run/secrets', name), ...inFolder(env.OPSAGENT_SECRETS_DIR, name)];
  const file = files.find((path) => path !== undefined && existsSync(path));
  if (file !== undefined) return readFileSync(file, 'utf8').trim();
  const fromDotEnv = readDotEnv(join(configDir, '.env'))[name];
  if (fromDotEnv) return fromDotEnv;
  throw new OpsError(
    'usage',
    `The secret ${name} is not set.`,
    `Set the environment variable ${name}, name a file in ${name}_FILE, or add it to ${join(configDir, '.env')} (mode 0600).`,
    { cause: UNSET },
  );
}

// One for every piece of the bundle: each holds this file.
const UNSET = Symbol.for('opsagent: unset secret');

/** Whether `readSecret` failed only because nobody set the secret: what is optional may go on without it. */
export const isUnsetSecret = (thrown: unknown): boolean => thrown instanceof OpsError && thrown.cause === UNSET;

const inFolder = (folder: string | undefined, name: string): string[] =>
  folder ? [join(folder, name), join(folder, name.toLowerCase())] : [];

function readDotEnv(path: string): NodeJS.Dict<string> {
  if (!existsSync(path)) return {};
  const mode = statSync(path).mode & 0o777;
  if (mode & 0o077) {
    throw new OpsError('usage', `${path} may be read by others (mode ${mode.toString(8)}).`, `Run: chmod 600 ${path}`);
  }
  return parseEnv(readFileSync(path, 'utf8'));
}

import { type UserInfo, userInfo } from 'node:os';
import { join } from 'node:path';

export interface Paths {
  /** Settings, further tools.d and policies. */
  readonly config: string;
  /** Audit log, sessions. */
  readonly state: string;
  /** What may be deleted at any time. */
  readonly cache: string;
}

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The folders of opsagent: `OPSAGENT_CONFIG_DIR`, `OPSAGENT_STATE_DIR`, `OPSAGENT_CACHE_DIR`, else the XDG base
 * directories (freedesktop.org basedir 0.8: relative values are ignored), else their defaults below the home folder.
 */
export function findPaths(env: Env): Paths {
  const home = homeFolder(env);
  const xdg = (value: string | undefined, fallback: string) =>
    join(value?.startsWith('/') ? value : join(home, fallback), 'opsagent');
  return {
    config: env.OPSAGENT_CONFIG_DIR || xdg(env.XDG_CONFIG_HOME, '.config'),
    state: env.OPSAGENT_STATE_DIR || xdg(env.XDG_STATE_HOME, '.local/state'),
    cache: env.OPSAGENT_CACHE_DIR || xdg(env.XDG_CACHE_HOME, '.cache'),
  };
}

/** The home folder: `HOME`, else the one of the user's account, else `/`, as for a container's user that has no account. */
export function homeFolder(env: Env): string {
  // os.homedir() believes an empty HOME, which would put everything into the working folder.
  return env.HOME || account()?.homedir || '/';
}

/** Name of the user's account, which no variable can change; `uid 12345` where there is no account. */
export const userName = (): string => account()?.username ?? `uid ${process.getuid?.()}`;

function account(): UserInfo<string> | undefined {
  try {
    return userInfo();
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code === 'ERR_SYSTEM_ERROR') return undefined;
    throw error;
  }
}

/** Path of what was spent on the days. */
export const budgetPath = (paths: Paths): string => join(paths.state, 'budget.json');

/** Path of the person's own prices of models. */
export const pricesPath = (paths: Paths): string => join(paths.config, 'prices.json');

/** Path of the audit log. */
export const auditPath = (paths: Paths): string => join(paths.state, 'audit.jsonl');

/** Path of the state of rate limits and circuit breakers. */
export const limitsPath = (paths: Paths): string => join(paths.state, 'limits.json');

/** Folder of what undoes changes. */
export const undoFolder = (paths: Paths): string => join(paths.state, 'undo');

import { readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';

type Env = Readonly<Record<string, string | undefined>>;

/** The daemon that docker would use: by its address, or by the name of a context. */
export interface DockerTarget {
  readonly host?: string;
  readonly context?: string;
}

const MAX_BYTES = 5 * 1024 * 1024;
/** docker's own name for "no context": the local socket. */
const NO_CONTEXT = 'default';

/**
 * The daemon that docker would use now, in docker's order: DOCKER_HOST, DOCKER_CONTEXT, the current context of
 * `$DOCKER_CONFIG/config.json` or `~/.docker/config.json`, and without any of these the context "default". Read once when a session starts, so
 * that `docker context use` cannot send a later call to another daemon. `host` holds no password: it becomes part of a
 * command line, which everyone on the machine can read.
 */
export function currentDockerHost(env: Env, home: string): DockerTarget {
  const host = (env.DOCKER_HOST ?? '').trim();
  if (host !== '') return { host: withoutCredentials(host) };
  const config = join(env.DOCKER_CONFIG || join(home, '.docker'), 'config.json');
  return { context: env.DOCKER_CONTEXT || contextIn(config) || NO_CONTEXT };
}

/**
 * What docker reads of an address, and no more: the user only of ssh://, which needs it, and neither a password nor a
 * query, which it ignores or refuses.
 */
function withoutCredentials(host: string): string {
  const [, scheme = '', rest = ''] = /^([a-z][a-z0-9+.-]*:\/\/)?(.*)$/is.exec(host) ?? [];
  if (/^(unix|npipe|fd):/i.test(scheme)) return host;
  const [address = ''] = rest.split(/[?#]/, 1);
  const [, authority = '', path = ''] = /^([^/]*)(.*)$/s.exec(address) ?? [];
  // The last "@" ends the user: a password may hold more of them.
  const at = authority.lastIndexOf('@');
  const server = authority.slice(at + 1);
  const [user = ''] = authority.slice(0, Math.max(at, 0)).split(':', 1);
  return scheme.toLowerCase() === 'ssh://' && user !== ''
    ? `${scheme}${user}@${server}${path}`
    : scheme + server + path;
}

/** As for docker, a file that is missing, unreadable or broken names no context. */
function contextIn(path: string): string | undefined {
  try {
    const stat = statSync(path);
    if (!stat.isFile() || stat.size > MAX_BYTES) return undefined;
    const config: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof config !== 'object' || config === null || !('currentContext' in config)) return undefined;
    return typeof config.currentContext === 'string' ? config.currentContext : undefined;
  } catch {
    return undefined;
  }
}

import type { Action } from '../domain/types.js';

type Env = Readonly<Record<string, string | undefined>>;

/**
 * The service that a call depends on, in words for people: the origin of a request's address, an MCP server, the cluster of
 * kubectl, the daemon of docker. Undefined for programs that depend on nothing but this machine, as far as is known.
 */
export function targetOf({ kind, tokens }: Action, env: Env): string | undefined {
  if (kind === 'http') return originOf(tokens[1] ?? '');
  if (kind === 'mcp') return `MCP server ${tokens[1]}`;
  if (kind !== 'command') return undefined;
  const program = tokens[0]?.split('/').at(-1);
  const flag = (name: string) => flagValue(tokens, name);
  if (program === 'kubectl') {
    // The same name may mean another cluster in another file.
    const file = flag('kubeconfig') ?? env.KUBECONFIG;
    const cluster = flag('server') ?? flag('cluster') ?? flag('context') ?? '(current)';
    return `cluster ${cluster}${file ? ` of ${file}` : ''}`;
  }
  if (program !== 'docker') return undefined;
  const host = flag('host') ?? (flag('context') === undefined ? env.DOCKER_HOST : undefined);
  return host
    ? `Docker daemon ${host}`
    : `Docker daemon of context ${flag('context') ?? env.DOCKER_CONTEXT ?? 'default'}`;
}

const originOf = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).origin : undefined);

/** The value of `--name=value` or `--name value`, up to `--`: what follows belongs to another program. */
function flagValue(tokens: readonly string[], name: string): string | undefined {
  const end = tokens.indexOf('--');
  const own = end === -1 ? tokens : tokens.slice(0, end);
  const at = own.findIndex((token) => token === `--${name}` || token.startsWith(`--${name}=`));
  const token = own[at];
  if (token === undefined) return undefined;
  return token.includes('=') ? token.slice(token.indexOf('=') + 1) : own[at + 1];
}

import { readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';

const MAX_BYTES = 5 * 1024 * 1024;

/** Files that kubectl merges, in its order: KUBECONFIG, else `~/.kube/config`. */
export function kubeconfigPaths(env: Readonly<Record<string, string | undefined>>, home: string): string[] {
  return (env.KUBECONFIG || join(home, '.kube', 'config')).split(delimiter).filter((path) => path !== '');
}

/**
 * The context that kubectl would use now: the first `current-context` that one of the files sets; undefined when none
 * does. Read once when a session starts, so that a later change of the kubeconfig cannot send a call to another cluster.
 */
export function currentContext(paths: readonly string[]): string | undefined {
  return paths.map(contextIn).find((name) => name !== undefined);
}

/** Reads the one key without a YAML parser: at the top level it stands at the beginning of a line; JSON is YAML too. */
function contextIn(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  if (!stat?.isFile() || stat.size > MAX_BYTES) return undefined;
  const text = readFileSync(path, 'utf8');
  const plain = /^current-context:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s#][^\n#]*))?/m.exec(text);
  const json = plain ?? /^\s*\{[\s\S]*"current-context":\s*"([^"\n]*)"/.exec(text);
  const name = (json?.[1] ?? json?.[2] ?? json?.[3] ?? '').trim();
  return name === '' ? undefined : name;
}

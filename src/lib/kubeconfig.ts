import { readFileSync, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { JsonObject } from '../domain/types.js';
import { isList, isObject, objectAt } from './json-values.js';

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

/** What a context says: names of a cluster and a user, and the namespace that kubectl uses where none is given. */
export interface KubeContext {
  readonly namespace: string;
  readonly cluster?: string;
  readonly user?: string;
}

/**
 * What kubectl takes for a context: what the first file that has it says, with `default` for no namespace. Undefined when no file
 * has the context. Read once when a session starts, like the context itself.
 */
export async function contextOf(paths: readonly string[], context: string): Promise<KubeContext | undefined> {
  for (const path of paths) {
    const text = readText(path);
    if (text === undefined) continue;
    const { parseYaml } = await import('./yaml.js');
    const file = parseYaml(text, path).data;
    const contexts = isObject(file) && isList(file.contexts) ? file.contexts.filter(isObject) : [];
    const found = contexts.find(({ name }) => name === context);
    if (!found) continue;
    const entry = objectAt(found, 'context');
    const [cluster, user] = [textAt(entry, 'cluster'), textAt(entry, 'user')];
    const namespace = textAt(entry, 'namespace') ?? 'default';
    return { namespace, ...(cluster !== undefined && { cluster }), ...(user !== undefined && { user }) };
  }
  return undefined;
}

/**
 * The address of the API server that a context leads to now, as kubectl merges the files; undefined when none has it. Two clusters
 * may have contexts of the same name.
 */
export async function serverOf(paths: readonly string[], context: string): Promise<string | undefined> {
  const { parseYaml } = await import('./yaml.js');
  const files = paths.flatMap((path) => {
    const text = readText(path);
    const file = text === undefined ? undefined : parseYaml(text, path).data;
    return isObject(file) ? [file] : [];
  });
  const first = (list: string, key: string, name: string | undefined): JsonObject | undefined => {
    const all = files.flatMap((file) => (isList(file[list]) ? file[list].filter(isObject) : []));
    const found = all.find((one) => one.name === name);
    return found && objectAt(found, key);
  };
  const cluster = textAt(first('contexts', 'context', context) ?? {}, 'cluster');
  return cluster === undefined ? undefined : textAt(first('clusters', 'cluster', cluster) ?? {}, 'server');
}

/** Differs when one of the files was written anew, or replaced, since. */
export const stampOf = (paths: readonly string[]): string =>
  paths
    .map((path) => statSync(path, { throwIfNoEntry: false }))
    .map((stat) => (stat ? `${stat.dev} ${stat.ino} ${stat.size} ${stat.mtimeMs} ${stat.ctimeMs}` : ''))
    .join('\n');

const textAt = (value: JsonObject, key: string): string | undefined => {
  const text = value[key];
  return typeof text === 'string' && text !== '' ? text : undefined;
};

function readText(path: string): string | undefined {
  const stat = statSync(path, { throwIfNoEntry: false });
  return stat?.isFile() && stat.size <= MAX_BYTES ? readFileSync(path, 'utf8') : undefined;
}

/** The one key at the top level, as YAML spells it: quoted or plain, where only ` #` begins a comment. JSON is YAML too. */
const PLAIN = /^["']?current-context["']?[ \t]*:[ \t]*(?:"([^"\n]*)"|'([^'\n]*)'|([^\s"'#][^\n]*))?/m;
const JSON_KEY = /^\s*\{[\s\S]*"current-context"\s*:\s*"([^"\n]*)"/;

function contextIn(path: string): string | undefined {
  const text = readText(path);
  if (text === undefined) return undefined;
  const found = text.trimStart().startsWith('{') ? JSON_KEY.exec(text) : PLAIN.exec(text);
  const plain = found?.[3]?.replace(/\s#.*$/, '');
  const name = (found?.[1] ?? found?.[2] ?? plain ?? '').trim();
  return name === '' ? undefined : name;
}

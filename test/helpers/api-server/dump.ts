import { type Dirent, readdirSync, readFileSync } from 'node:fs';
import { basename, join } from 'node:path';
import { completeObject } from './complete.js';
import { metricsFromText } from './metrics.js';
import { isFields, type KubeObject, listAt, textAt } from './objects.js';
import { BUILT_IN_TYPES } from './resources.js';

/** Log texts by `namespace/pod/container`; the container `*` stands for every one that has no text of its own. */
export interface LogTexts {
  readonly current: Map<string, string>;
  readonly previous: Map<string, string>;
}

/** What a dump directory holds. */
export interface LoadedDump {
  readonly objects: KubeObject[];
  readonly logs: LogTexts;
}

/** No logs yet. */
export const emptyLogs = (): LogTexts => ({ current: new Map(), previous: new Map() });

/** The kind that a file name says, with or without dashes: `replication-controllers.json`. */
function kindOfFile(file: string): string | undefined {
  const plural = basename(file, '.json').replaceAll('-', '').toLowerCase();
  return BUILT_IN_TYPES.find((type) => type.plural === plural || type.kind.toLowerCase() === plural)?.kind;
}

function readObjects(file: string, namespace: string | undefined): KubeObject[] {
  const parsed: unknown = JSON.parse(readFileSync(file, 'utf8'));
  if (!isFields(parsed)) return [];
  if (!('items' in parsed)) {
    return 'metadata' in parsed && textAt(parsed, 'metadata', 'name') !== '' ? [completeObject(parsed, {})] : [];
  }
  const listKind = textAt(parsed, 'kind').replace(/List$/, '');
  const kind = listKind === '' ? kindOfFile(file) : listKind;
  const apiVersion = listKind === '' ? '' : textAt(parsed, 'apiVersion');
  const hint = {
    ...(kind === undefined ? {} : { kind }),
    ...(apiVersion === '' ? {} : { apiVersion }),
    ...(namespace === undefined ? {} : { namespace }),
  };
  return listAt(parsed, 'items').map((item) => completeObject(item, hint));
}

const SECTION = /^==== START logs for container (\S+) of pod \S+ ====\n([\s\S]*?)^==== END logs for container .*$/gm;

function readLog(file: string, podKey: string, logs: LogTexts): void {
  const text = readFileSync(file, 'utf8');
  const name = basename(file);
  if (name === 'logs.txt') {
    const sections = [...text.matchAll(SECTION)];
    for (const [, container = '', body = ''] of sections) logs.current.set(`${podKey}/${container}`, body);
    if (sections.length === 0) logs.current.set(`${podKey}/*`, text);
  } else if (name.endsWith('.previous.log')) {
    logs.previous.set(`${podKey}/${name.slice(0, -'.previous.log'.length)}`, text);
  } else if (name.endsWith('.log')) {
    logs.current.set(`${podKey}/${name.slice(0, -'.log'.length)}`, text);
  }
}

const entriesOf = (directory: string): Dirent[] =>
  readdirSync(directory, { withFileTypes: true }).sort((a, b) => (a.name < b.name ? -1 : 1));

/**
 * Reads a directory of `kubectl cluster-info dump --output-directory DIR --output json`, with `top-pods.txt` and
 * `top-nodes.txt` where somebody recorded them. Throws when a file is not JSON.
 */
export function loadDump(directory: string): LoadedDump {
  const objects: KubeObject[] = [];
  const logs = emptyLogs();
  for (const entry of entriesOf(directory)) {
    const path = join(directory, entry.name);
    if (entry.name.endsWith('.json')) objects.push(...readObjects(path, undefined));
    const top = /^top-(pods|nodes)\.txt$/.exec(entry.name)?.[1];
    if (top === 'pods' || top === 'nodes') objects.push(...metricsFromText(readFileSync(path, 'utf8'), top));
    if (!entry.isDirectory()) continue;
    for (const inner of entriesOf(path)) {
      const innerPath = join(path, inner.name);
      if (inner.name.endsWith('.json')) objects.push(...readObjects(innerPath, entry.name));
      if (!inner.isDirectory()) continue;
      for (const file of entriesOf(innerPath)) {
        if (file.isFile()) readLog(join(innerPath, file.name), `${entry.name}/${inner.name}`, logs);
      }
    }
  }
  return { objects, logs };
}

import type { JsonObject } from '../domain/types.js';
import type { Dump } from './holdings.js';
import { listAt, nameOf, namespaceOf, textAt } from './json.js';

export interface RecordedLog {
  readonly text: string;
  /** Set when the file says that the log could not be read: why. */
  readonly failed?: string;
}

/** Containers of a pod in the order in which kubectl dumps their logs: init containers first. */
export const containerNames = (pod: JsonObject): string[] =>
  ['initContainers', 'containers', 'ephemeralContainers']
    .flatMap((field) => listAt(pod, 'spec', field))
    .map((container) => textAt(container, 'name'));

/**
 * The recorded log of one container: its own file, else its part of logs.txt. Undefined when the dump has neither.
 * Only own files hold logs of a previous run.
 */
export async function recordedLog(
  dump: Dump,
  pod: JsonObject,
  container: string,
  previous: boolean,
): Promise<RecordedLog | undefined> {
  const folder = [namespaceOf(pod), nameOf(pod)];
  const own = await dump.text(...folder, `${container}${previous ? '.previous' : ''}.log`);
  if (own !== undefined) return { text: own };
  const all = previous ? undefined : await dump.text(...folder, 'logs.txt');
  return all === undefined ? undefined : partOf(all, pod, container);
}

const marker = (word: 'START' | 'END', container: string, pod: JsonObject): string =>
  `==== ${word} logs for container ${container} of pod ${namespaceOf(pod)}/${nameOf(pod)} ====\n`;

/**
 * One container's part of a logs.txt. The parts stand in the order of the containers, and a log that itself holds such
 * lines must not pass for another container's: a part ends at the last END that the next part's START follows.
 */
function partOf(text: string, pod: JsonObject, container: string): RecordedLog | undefined {
  const names = containerNames(pod);
  if (!text.startsWith('==== START logs for container ')) return names.length === 1 ? { text } : undefined;
  let from = 0;
  for (const [index, name] of names.entries()) {
    const start = marker('START', name, pod);
    if (!text.startsWith(start, from)) return undefined;
    const next = names[index + 1];
    const end = marker('END', name, pod);
    const until = text.lastIndexOf(next === undefined ? end : end + marker('START', next, pod));
    const stop = until < from ? text.length : until;
    if (name === container) return readPart(text.slice(from + start.length, stop));
    if (until < from) return undefined;
    from = stop + end.length;
  }
  return undefined;
}

function readPart(text: string): RecordedLog {
  const failure = /^(?:Create log request|Request log) error: (.*)\n$/.exec(text)?.[1];
  return failure === undefined ? { text } : { text: '', failed: failure };
}

/** How messages and the manifest name one log. */
export const logTitle = (namespace: string, pod: string, container: string, previous: boolean): string =>
  `${previous ? 'previous log' : 'log'} of container ${container} of pod ${namespace}/${pod}`;

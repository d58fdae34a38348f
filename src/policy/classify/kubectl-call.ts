import type { Classification } from '../../domain/types.js';
import { isOn, type Parsed, valuesOf } from './flags.js';
import { kindOf, type Objects, objectsOf } from './kubectl-kinds.js';
import { high, type Maybe, medium } from './verdict.js';

/** What the words of a verb mean: objects, objects and what is set on them, nodes, a pod (more may follow it), or nothing. */
export type Takes = 'objects' | 'settings' | 'nodes' | 'pod' | 'nothing';

/** One call of kubectl, read. */
export interface KubectlCall extends Parsed, Objects {
  readonly scope: Classification['scope'];
  readonly namespace: string | undefined;
  /** Values of --filename and --kustomize. */
  readonly files: readonly string[];
  readonly on: (...names: readonly string[]) => boolean;
  readonly values: (...names: readonly string[]) => readonly string[];
}

/** Puts together what a call names. `unnamed` is the scope when it names no object. */
export function readCall(parsed: Parsed, takes: Takes, changes: boolean): KubectlCall {
  const on = (...names: readonly string[]) => isOn(parsed, ...names);
  const values = (...names: readonly string[]) => valuesOf(parsed, ...names);
  const files = values('--filename', '--kustomize');
  const objects = namedBy(parsed.words, takes);
  const everywhere = on('--all-namespaces');
  const selects = values('--selector', '--field-selector', '--pod-selector').length > 0;
  const scope = (): Classification['scope'] => {
    if (files.length > 0) return 'unknown';
    if (everywhere || on('--all', '--all-pods')) return 'all';
    if (selects) return 'selector';
    if (objects.named > 0) return objects.named === 1 ? 'one' : 'several';
    return changes && takes !== 'nothing' ? 'all' : 'none';
  };
  return {
    ...parsed,
    ...objects,
    targets: [...objects.targets, ...files.map((file) => `file ${file}`)],
    files,
    on,
    values,
    scope: scope(),
    namespace: everywhere ? undefined : values('--namespace').at(-1),
  };
}

function namedBy(words: readonly string[], takes: Takes): Objects {
  if (takes === 'nothing') return { kinds: [], targets: [], named: 0 };
  if (takes === 'objects') return objectsOf(words);
  // key=value, key-, key:effect
  if (takes === 'settings') return objectsOf(words.filter((word) => !/=|-$|^[^/]*:/.test(word)));
  if (takes === 'nodes') return objectsOf(words.map((word) => (word.includes('/') ? word : `node/${word}`)));
  const [pod] = words;
  return objectsOf(pod === undefined ? [] : [pod.includes('/') ? pod : `pod/${pod}`]);
}

export const REMOTE = 'it fetches a manifest from another host, which decides what is in it';

/** Marks that hold for every verb: what global options write or show, and manifests from elsewhere. */
export function commonMarks(call: KubectlCall): Maybe[] {
  const verbosity = Math.max(0, ...call.values('--v').map((value) => Number(value) || 0));
  return [
    call.files.some(isRemote) && medium(REMOTE),
    verbosity >= 6 && medium('at this verbosity requests and their contents are printed'),
    call.values('--profile').some((value) => value !== 'none') && high('--profile writes a file'),
    call.values('--cache-dir').length > 0 &&
      high('--cache-dir decides what kubectl believes of the API, and is written to'),
  ];
}

/** Whether a manifest comes from another host. */
export const isRemote = (file: string): boolean => /^[a-z+]+:\/\/|^[^/]*@[^/]*:|github\.com|\?ref=/i.test(file);

/** Whether an output option may print the values of Secrets. */
export const printsValues = (call: KubectlCall): boolean =>
  call.values('--template').length > 0 || call.values('--output').some((form) => !/^(table|wide|name|)$/.test(form));

/** Whether Secrets are among what a call reads, or may be. */
export const readsSecrets = (call: KubectlCall): boolean =>
  call.files.length > 0 || call.kinds.some((kind) => kindOf(kind) === 'secret');

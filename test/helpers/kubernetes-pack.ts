import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import type { Builtin } from '../../src/domain/ports.js';
import { createExecutors } from '../../src/exec/index.js';
import { type LoadedTools, loadToolFiles } from '../../src/tools/load.js';

const path = fileURLToPath(new URL('../../tools.d/kubernetes.yaml', import.meta.url));
const builtin = (name: string): Builtin => ({ name, run: async () => ({ status: 'ok' }) });

/** The executors, with builtins that do nothing under the names that the pack uses. */
export const packExecutors = createExecutors(
  ['kubernetes_target', 'kubernetes_log_targets', 'kubernetes_diagnose', 'kubernetes_touches'].map(builtin),
);

/** Loads the Kubernetes tools that ship, as the program does. */
export const loadPack = (): LoadedTools =>
  loadToolFiles([{ path: 'tools.d/kubernetes.yaml', text: readFileSync(path, 'utf8') }], packExecutors);

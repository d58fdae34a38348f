import type { Builtin, Executor } from '../domain/ports.js';
import { builtinExecutor } from './builtin.js';
import { command } from './command.js';
import { http } from './http.js';
import { script } from './script.js';
import { workflow } from './workflow.js';

/** The list of executor kinds. Adding one: a file beside this, and a line here. */
export const createExecutors = (builtins: readonly Builtin[]): readonly Executor[] => [
  command,
  script,
  http,
  workflow,
  builtinExecutor(builtins),
];

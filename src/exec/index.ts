import type { Builtin, Executor } from '../domain/ports.js';
import { parallelismOf } from '../sandbox/limits.js';
import { createSandbox } from '../sandbox/pool.js';
import type { AdapterTexts } from './adapter-module.js';
import { builtinExecutor } from './builtin.js';
import { command } from './command.js';
import { httpExecutor } from './http.js';
import type { McpConnections } from './mcp/connections.js';
import { mcpExecutor } from './mcp.js';
import { python } from './python.js';
import { script } from './script.js';
import { wasm } from './wasm.js';
import { workflow } from './workflow.js';

/** The list of executor kinds. Adding one: a file beside this, and a line here. */
export function createExecutors(
  builtins: readonly Builtin[],
  mcp?: McpConnections,
  adapters?: AdapterTexts,
): readonly Executor[] {
  const sandbox = createSandbox(parallelismOf(process.env));
  return [
    command,
    script,
    httpExecutor(adapters),
    workflow,
    builtinExecutor(builtins),
    mcpExecutor(mcp),
    python(sandbox),
    wasm(sandbox),
  ];
}

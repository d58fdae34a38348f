import type { Builtin, Executor } from '../domain/ports.js';
import { builtinExecutor } from './builtin.js';
import { command } from './command.js';
import { http } from './http.js';
import type { McpConnections } from './mcp/connections.js';
import { mcpExecutor } from './mcp.js';
import { script } from './script.js';
import { workflow } from './workflow.js';

/** The list of executor kinds. Adding one: a file beside this, and a line here. */
export const createExecutors = (builtins: readonly Builtin[], mcp?: McpConnections): readonly Executor[] => [
  command,
  script,
  http,
  workflow,
  builtinExecutor(builtins),
  mcpExecutor(mcp),
];

import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { ToolDefinition } from '../domain/types.js';
import { packageVersion } from '../lib/package-root.js';
import type { ToolIndex } from '../tools/finder.js';

/** What the build made of the package's own YAML files; undefined when the program runs from its sources. */
export function readCompiled<T>(name: 'tools.json' | 'tool-index.json' | 'policies.json'): T | undefined {
  // Beside main.js in the bundle, or above the chunk that holds this code.
  const path = [join(import.meta.dirname, name), join(import.meta.dirname, '..', name)].find((one) => existsSync(one));
  if (path === undefined) return undefined;
  const compiled = JSON.parse(readFileSync(path, 'utf8')) as T & { readonly version: string };
  return compiled.version === packageVersion() ? compiled : undefined;
}

/** The index that the build made of the package's tools, when these tools begin with them. */
export function compiledIndex(tools: readonly ToolDefinition[]): ToolIndex | undefined {
  const compiled = readCompiled<ToolIndex & { readonly names: readonly string[] }>('tool-index.json');
  return compiled?.names.every((name, at) => name === tools[at]?.name) ? compiled : undefined;
}

import { OpsError } from '../domain/errors.js';
import type { ToolDefinition } from '../domain/types.js';
import { nearest } from '../lib/nearest.js';

export interface Registry {
  /** @throws OpsError `usage` when there is a tool of that name; it names both sources. */
  register(tool: ToolDefinition): void;
  /** False when there was none. */
  unregister(name: string): boolean;
  get(name: string): ToolDefinition | undefined;
  /** In the order of registration. */
  list(): ToolDefinition[];
  byCategory(category: string): ToolDefinition[];
  /** Every category once, sorted. */
  categories(): string[];
  /** Tools that somebody may have meant, best first. */
  nearestNames(name: string): string[];
}

/**
 * The tools of a session, by name.
 * @throws OpsError `usage` when two of `tools` have the same name.
 */
export function createRegistry(tools: readonly ToolDefinition[] = []): Registry {
  const byName = new Map<string, ToolDefinition>();
  const register = (tool: ToolDefinition): void => {
    const other = byName.get(tool.name);
    if (other) {
      throw new OpsError(
        'usage',
        `There are two tools called "${tool.name}": ${other.source} and ${tool.source}.`,
        'Rename one of them, or leave its file out.',
      );
    }
    byName.set(tool.name, tool);
  };
  for (const tool of tools) register(tool);
  const list = () => [...byName.values()];
  return {
    register,
    unregister: (name) => byName.delete(name),
    get: (name) => byName.get(name),
    list,
    byCategory: (category) => list().filter((tool) => tool.category === category),
    categories: () => [...new Set(list().map((tool) => tool.category))].sort(),
    nearestNames: (name) => nearest(name, byName.keys()),
  };
}

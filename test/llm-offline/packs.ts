import { readFileSync } from 'node:fs';
import type { Builtin } from '../../src/domain/ports.js';
import type { ToolDefinition } from '../../src/domain/types.js';
import { createExecutors } from '../../src/exec/index.js';
import { formatProblems } from '../../src/lib/problems.js';
import { loadToolFiles } from '../../src/tools/load.js';

const idle = (name: string): Builtin => ({ name, run: async () => ({ status: 'ok' }) });

/** The tools of packs that ship, with builtins that do nothing. */
export function loadPacks(...systems: readonly string[]): readonly ToolDefinition[] {
  const files = systems.map((system) => {
    const path = `tools.d/${system}.yaml`;
    return { path, text: readFileSync(path, 'utf8') };
  });
  const names = files.flatMap(({ text }) =>
    [...text.matchAll(/kind: builtin, name: (\w+)/g)].map((match) => match[1] ?? ''),
  );
  const { tools, problems } = loadToolFiles(files, createExecutors([...new Set(names)].map(idle)));
  if (problems.length > 0) throw new Error(formatProblems(problems));
  return tools;
}

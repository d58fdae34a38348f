import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { diagnoseBuiltins } from '../../src/diagnose/builtins.js';
import type { ToolDefinition } from '../../src/domain/types.js';
import { createExecutors } from '../../src/exec/index.js';
import { rateLimitsOf } from '../../src/limits/settings.js';
import { loadToolFiles } from '../../src/tools/load.js';
import { ROOT } from '../helpers/cli.js';

const executors = createExecutors(diagnoseBuiltins);
const tools = ['docker', 'host', 'kubernetes', 'prometheus'].flatMap((system) => {
  const path = join(ROOT, `tools.d/${system}.yaml`);
  return loadToolFiles([{ path, text: readFileSync(path, 'utf8') }], executors).tools;
});
/** Most repetitions of a step, as exec/workflow.ts has it. */
const MAX_REPEATS = 50;

/** How often a workflow calls each tool at most. */
function callsOf(workflow: ToolDefinition): Map<string, number> {
  const steps = workflow.run.steps as readonly { tool: string; for_each?: string }[];
  const calls = new Map<string, number>();
  for (const { tool, for_each } of steps) calls.set(tool, (calls.get(tool) ?? 0) + (for_each ? MAX_REPEATS : 1));
  return calls;
}

describe('two diagnoses within a minute, with as many steps as a workflow may have, reach no rate limit', () => {
  test.each(tools.filter((tool) => tool.run.kind === 'workflow').map((tool) => [tool.name, tool] as const))(
    '%s',
    (_, workflow) => {
      const calls = callsOf(workflow);
      const over = [...calls].filter(([name, times]) => {
        const tool = tools.find((one) => one.name === name);
        if (!tool) throw new Error(`no tool ${name}`);
        const [own] = rateLimitsOf(tool, { env: {}, setting: () => undefined });
        return own === undefined || own.rate.perMinute < 2 * times;
      });
      expect(over).toEqual([]);
      const all = rateLimitsOf(workflow, { env: {}, setting: () => undefined }).at(-1)?.rate.perMinute ?? 0;
      expect(all).toBeGreaterThanOrEqual(2 * [...calls.values()].reduce((sum, times) => sum + times, 1));
    },
  );
});

import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { diagnoseBuiltins } from '../../src/diagnose/builtins.js';
import type { JsonObject, ToolDefinition } from '../../src/domain/types.js';
import { createExecutors } from '../../src/exec/index.js';
import { type ArgvItem, fillArgv } from '../../src/lib/template.js';
import { inputOf } from '../../src/policy/input.js';
import { loadPolicies } from '../../src/policy/load.js';
import { matches } from '../../src/policy/rules.js';
import { loadToolFiles } from '../../src/tools/load.js';
import { aCall, aTool } from '../helpers/fakes.js';

const textsOf = (folder: string) =>
  readdirSync(join(import.meta.dirname, '../..', folder))
    .filter((name) => name.endsWith('.yaml'))
    .map((name) => ({
      path: `${folder}/${name}`,
      text: readFileSync(join(import.meta.dirname, '../..', folder, name), 'utf8'),
    }));
const { tools } = loadToolFiles(textsOf('tools.d'), createExecutors(diagnoseBuiltins));
const { rules } = loadPolicies(textsOf('policies'));
const changes = tools.filter((tool) => tool.riskLevel === 'high' || tool.riskLevel === 'critical');

/** The argvs that go with a change of these arguments, by their keys. */
function argvsOf(tool: ToolDefinition, args: JsonObject): [string, readonly string[]][] {
  const { undo, dryRun, preview, verify } = tool;
  const argvs = { save: undo?.save, dry_run: dryRun?.argv, preview: preview?.argv, verify: verify?.argv };
  return Object.entries(argvs).flatMap(([key, argv]): [string, readonly string[]][] =>
    argv === undefined ? [] : [[key, fillArgv(argv as readonly ArgvItem[], (name) => args[name])]],
  );
}

test.each(changes.map((tool) => [tool.name, tool] as const))('%s says whether it can be undone', (_, tool) => {
  expect(tool.undo).toBeDefined();
});

test.each(changes.map((tool) => [tool.name, tool] as const))(
  'the policies that ship let the reads of %s run',
  (_, tool) => {
    const denied = tool.examples.flatMap(({ arguments: args }) =>
      argvsOf(tool, args).flatMap(([key, argv]) => {
        const call = aCall(aTool({ name: `${tool.name}_${key}` }), args, [...argv]);
        const input = inputOf(call, { risk: 'low' }, { user: 'ada', sessionId: 's', context: {} });
        return rules.filter((rule) => rule.effect !== 'allow' && matches(rule, input)).map((rule) => [key, rule.id]);
      }),
    );
    expect(denied).toEqual([]);
  },
);

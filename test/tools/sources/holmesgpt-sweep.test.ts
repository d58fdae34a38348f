import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { JsonObject, ToolDefinition } from '../../../src/domain/types.js';
import { UNKNOWN_WORD } from '../../../src/lib/script-commands.js';
import { argvsOf, importTexts, planOf, recordPrograms, runOn } from '../../helpers/holmesgpt.js';

const PROGRAMS = [
  'kubectl',
  'helm',
  'docker',
  'az',
  'argocd',
  'curl',
  'jq',
  'grep',
  'dig',
  'kube-lineage',
  'awk',
  'sed',
];
const recorder = recordPrograms(PROGRAMS);
const { canary } = recorder;

const EVERYTHING = `a $(touch ${canary}) \`touch ${canary}\` "b" 'c' ; touch ${canary} | d & e \\ f * ~ {g,h} \${HOME} $ARG_KIND [i] !! %s\n touch ${canary}\t<(touch ${canary}) 中文`;
const VALUES = [
  EVERYTHING,
  `'; touch ${canary}; '`,
  `"; touch ${canary}; "`,
  `\n; rm -rf ${canary}; touch ${canary}\nEOF\ntouch ${canary}\n`,
  `a[$(touch ${canary})]`,
  `\\"$(touch ${canary})\\`,
  `\\(input) | "\\($ENV.PATH)" '\\'' $(touch ${canary})`,
];

/** Each parameter gets the value with its own name before it, so that none can stand for another. */
const argsFor = (tool: ToolDefinition, value: string): JsonObject =>
  Object.fromEntries(
    Object.entries(tool.parameters.properties as JsonObject).map(([name, schema]) => [
      name,
      (schema as JsonObject).type === 'boolean' ? true : `${name}:${value}`,
    ]),
  );

async function sweep(tool: ToolDefinition, values: readonly string[]): Promise<void> {
  const code = planOf(tool, argsFor(tool, 'x')).payload.code;
  for (const value of values) {
    const args = argsFor(tool, value);
    expect(planOf(tool, args).payload.code).toBe(code);
    await runOn(recorder.path, tool, args);
    const calls = recorder.calls();
    expect(existsSync(canary), tool.name).toBe(false);
    // What is known beforehand to run arrives as exactly these items, whichever branches are taken.
    const foreseen = argvsOf(tool, args).filter(([program]) => PROGRAMS.includes(program ?? ''));
    const isOneOf = (argv: readonly string[]) =>
      foreseen.some(
        (one) => one.length === argv.length && one.every((item, i) => item === argv[i] || item === UNKNOWN_WORD),
      );
    expect(
      calls.filter((argv) => !isOneOf(argv)),
      tool.name,
    ).toEqual([]);
    expect(calls.length, tool.name).toBeGreaterThan(0);
  }
}

const own = await importTexts(
  readFileSync(join(import.meta.dirname, '../../fixtures/holmesgpt/shell-places.yaml'), 'utf8'),
);

describe('values in every place of a shell script', () => {
  test('every tool of the file can be imported', () => {
    expect(own.warnings).toEqual([]);
  });

  test.each(own.tools)('$displayName: a value is one argument, whatever it holds', async (tool) => {
    process.env.SHOP_TOKEN = 'a token';
    await sweep(tool, VALUES);
  });
});

const folder = process.env.HOLMESGPT_TOOLSETS ?? join(import.meta.dirname, '../../../../shared/fixtures/holmesgpt');
const isThere = existsSync(join(folder, 'tool_inventory.json'));

interface Known {
  readonly file: string;
  readonly toolset: string;
  readonly tool: string;
  readonly params: Readonly<Record<string, readonly [string, boolean]>>;
}

describe.skipIf(!isThere)('real toolset files (HOLMESGPT_TOOLSETS names their folder)', async () => {
  const names = isThere
    ? readdirSync(folder)
        .filter((name) => name.endsWith('.yaml'))
        .sort()
    : [];
  const { tools } = await importTexts(...names.map((name) => readFileSync(join(folder, name), 'utf8')));
  const inventory = (isThere ? JSON.parse(readFileSync(join(folder, 'tool_inventory.json'), 'utf8')) : []) as Known[];

  test('every tool loads, in the order of the files, with the names and parameters of the inventory', () => {
    expect(tools.map((tool) => [tool.displayName, Object.entries(tool.parameters.properties as JsonObject)])).toEqual(
      inventory.map(({ tool, params }) => [tool, Object.keys(params).map((name) => [name, { type: 'string' }])]),
    );
  });

  test('a parameter that stands only in a guard may be absent, every other one may not', () => {
    const absent = tools.flatMap((tool) =>
      Object.keys(tool.parameters.properties as JsonObject)
        .filter((name) => !((tool.parameters.required ?? []) as string[]).includes(name))
        .map((name) => `${tool.displayName} ${name}`),
    );
    expect(absent).toEqual([
      'argocd_app_manifest_source_revision revision',
      'argocd_app_manifest_source_revision source',
      'kubectl_describe namespace',
      'kubectl_get_by_name namespace',
      'kubectl_get_yaml namespace',
      'kubectl_events namespace',
      ...[
        'kubectl_lineage_children',
        'kubectl_lineage_parents',
        'kubectl_lineage_children',
        'kubectl_lineage_parents',
      ].map((name) => `${name} namespace`),
    ]);
  });

  test.each(tools)('$name: a value is one argument, whatever it holds', { timeout: 60_000 }, async (tool) => {
    const hasParameters = Object.keys(tool.parameters.properties as JsonObject).length > 0;
    await sweep(tool, hasParameters ? VALUES.slice(0, 3) : ['x']);
  });

  test('a value that would be an option is refused before anything runs', () => {
    const allowed = tools.flatMap((tool) =>
      Object.keys(tool.parameters.properties as JsonObject).flatMap((name) => {
        try {
          planOf(tool, { ...argsFor(tool, 'x'), [name]: '-oProxyCommand=touch' });
          return [`${tool.name} ${name}`];
        } catch {
          return [];
        }
      }),
    );
    // In these the value stands inside a word, or in a string of another program.
    expect(allowed).toEqual([
      'get_node_events NODE_NAME',
      'get_cluster_resource_group CLUSTER_NAME',
      'get_node_resource_group CLUSTER_NAME',
      'fetch_confluence_url confluence_page_id',
      'kubectl_events resource_name',
      'get_prometheus_target prometheus_namespace',
      'get_prometheus_target prometheus_service_name',
      'get_prometheus_target target_name',
      'fetch_slab_document post_id',
    ]);
  });
});

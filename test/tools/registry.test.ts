import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import type { ToolDefinition } from '../../src/domain/types.js';
import { parseYaml } from '../../src/lib/yaml.js';
import { toOpenAiTools } from '../../src/tools/export.js';
import { lintTools } from '../../src/tools/lint.js';
import { loadToolFiles } from '../../src/tools/load.js';
import { readToolFiles } from '../../src/tools/read-files.js';
import { createRegistry } from '../../src/tools/registry.js';
import { findOnceOnPath, findOnPath, unmetRequirement } from '../../src/tools/requires.js';
import { toToolFile } from '../../src/tools/tool-file.js';
import { executors, toolsOf } from './helpers.js';

const FULL = `
system: test
env: [URL]
requires: [{command: [kubectl, version], fix: Install kubectl.}, {env: TOKEN}]
tools:
  - name: full
    display_name: Full
    version: "2.1"
    description: A tool with every key that there is.
    risk_level: high
    permissions: [test:thing:change]
    timeout_seconds: 2.5
    memory_limit_mb: 64
    rate_limit: 5
    cost_per_use: 0.002
    retry_policy: {max_retries: 1, retry_interval: 0.5}
    dangerous: true
    requires_auth: true
    sandboxed: true
    session_aware: true
    parameters:
      type: object
      required: [x-name]
      properties:
        x_name: {type: string, description: Name., x-context: namespace, pattern: "^[a-z]+$"}
        mode: {enum: [a, b], default: a, description: Mode.}
    run: {kind: command, argv: [kubectl, delete, pod, {when: x_name, argv: ["{{ x_name }}"]}, "--mode={{ mode }}"]}
    output: {format: json, select: items, keep: tail, max_bytes: 1000}
    fields: {first: "items[0]"}
    raise: [{when: {properties: {mode: {const: b}}, required: [mode]}, risk_level: critical, reason: It cannot be undone.}]
    examples: [{description: One., arguments: {x_name: web}, argv: [kubectl, delete, pod, web, --mode=a]}]
    intents: {phrases: ["delete {x_name}", "删除 {x_name}"], keywords: [delete, 删除]}
    verify: {tool: small, expect: {type: object}}
    undo: {save: [kubectl, get], restore: [kubectl, apply]}
    dry_run: {argv: [kubectl, delete, --dry-run=server]}
    preview: {argv: [kubectl, get]}
  - name: small
    description: Small.
    risk_level: low
    category: other
    run: {kind: command, argv: [uptime]}
`.replace('required: [x-name]', 'required: []');

const withoutSource = (tools: readonly ToolDefinition[]) => tools.map(({ source: _source, ...tool }) => tool);

describe('a registry refuses', () => {
  it('a second tool of a name, naming both sources', () => {
    const [full] = toolsOf(FULL);
    if (!full) throw new Error('no tool');
    const registry = createRegistry([full]);
    expect(() => registry.register({ ...full, source: 'b.yaml:9' })).toThrow(
      new OpsError(
        'usage',
        'There are two tools called "full": a.yaml:6 and b.yaml:9.',
        'Rename one of them, or leave its file out.',
      ),
    );
    expect(() => createRegistry([full, full])).toThrow(OpsError);
    expect(registry.list()).toEqual([full]);
  });
});

describe('a registry', () => {
  it('finds, lists, sorts by category, forgets, and knows what was meant', () => {
    const registry = createRegistry(toolsOf(FULL));
    expect(registry.get('full')?.displayName).toBe('Full');
    expect(registry.get('constructor')).toBeUndefined();
    expect(registry.categories()).toEqual(['other', 'test']);
    expect(registry.byCategory('other').map(({ name }) => name)).toEqual(['small']);
    expect(registry.nearestNames('smal')).toEqual(['small']);
    expect(registry.unregister('small')).toBe(true);
    expect(registry.unregister('small')).toBe(false);
    expect(registry.list().map(({ name }) => name)).toEqual(['full']);
  });
});

describe('export', () => {
  it('writes a map of name → definition that loads back equal', () => {
    const tools = toolsOf(FULL);
    const text = toToolFile(tools);
    const again = loadToolFiles([{ path: 'b.yaml', text }], executors);
    expect(again.problems).toEqual([]);
    expect(withoutSource(again.tools)).toEqual(withoutSource(tools));
    expect(parseYaml(text, 'b.yaml').data).toMatchObject({
      full: { risk_level: 'high', timeout_seconds: 2.5 },
      small: {},
    });
  });

  it('offers functions without our annotations, and keeps parameters whose name begins with x-', () => {
    const [full] = toolsOf(FULL);
    if (!full) throw new Error('no tool');
    expect(toOpenAiTools([full])).toEqual([
      {
        type: 'function',
        function: {
          name: 'full',
          description: 'A tool with every key that there is.',
          parameters: {
            type: 'object',
            required: [],
            properties: {
              x_name: { type: 'string', description: 'Name.', pattern: '^[a-z]+$' },
              mode: { enum: ['a', 'b'], default: 'a', description: 'Mode.' },
            },
            additionalProperties: false,
          },
        },
      },
    ]);
    const parameters = { properties: { 'x-y': { type: 'object', 'x-z': 1, default: { 'x-d': 1 } } } };
    expect(toOpenAiTools([{ ...full, parameters }])[0]?.function.parameters).toEqual({
      properties: { 'x-y': { type: 'object', default: { 'x-d': 1 } } },
    });
  });
});

describe('requirements', () => {
  const [full] = toolsOf(FULL);
  const unmet = (env: Record<string, string>, path: string | undefined) =>
    full && unmetRequirement(full, env, () => path);

  it('that are not met say what is missing and what to do', () => {
    expect(unmet({ TOKEN: 'x' }, undefined)).toBe('there is no program kubectl on PATH. Install kubectl.');
    expect(unmet({ TOKEN: '' }, '/bin/kubectl')).toBe('the environment variable TOKEN is not set. Set TOKEN.');
    expect(unmet({ TOKEN: 'x' }, '/bin/kubectl')).toBeUndefined();
  });
});

describe('files and folders', () => {
  let folder = '';
  beforeEach(async () => {
    folder = await mkdtemp(join(tmpdir(), 'tools-'));
  });
  afterEach(() => rm(folder, { recursive: true }));

  it('are read in order, only YAML, only files; a folder that is missing holds none', async () => {
    await Promise.all(['b.yaml', 'a.yml', 'c.txt', '.yaml.swp'].map((name) => writeFile(join(folder, name), name)));
    await mkdir(join(folder, 'd.yaml'));
    expect(await readToolFiles([join(folder, 'missing'), folder])).toEqual([
      { path: join(folder, 'a.yml'), text: 'a.yml' },
      { path: join(folder, 'b.yaml'), text: 'b.yaml' },
    ]);
  });

  it('that cannot be read are named', async () => {
    await writeFile(join(folder, 'file'), '');
    await expect(readToolFiles([join(folder, 'file')])).rejects.toThrow(
      /The folder of tool files .*file cannot be read/,
    );
  });

  it('hold programs when they are executable files on PATH', async () => {
    await writeFile(join(folder, 'tool'), '', { mode: 0o755 });
    await writeFile(join(folder, 'plain'), '', { mode: 0o644 });
    await mkdir(join(folder, 'dir'));
    expect(findOnPath('tool', `/nonexistent::${folder}`)).toBe(join(folder, 'tool'));
    expect(findOnPath(join(folder, 'tool'), '')).toBe(join(folder, 'tool'));
    expect(['plain', 'dir', 'none'].map((name) => findOnPath(name, folder))).toEqual([undefined, undefined, undefined]);
    const find = findOnceOnPath(folder);
    expect([find('tool'), find('none'), find('tool')]).toEqual([join(folder, 'tool'), undefined, join(folder, 'tool')]);
  });
});

describe('lintTools', () => {
  it('advises what would make a tool better, at the place of its definition', () => {
    const tools = toolsOf(`
system: test
tools:
  - name: bare
    description: Bare.
    risk_level: high
    parameters: {properties: {n: {default: 1}}}
    retry_policy: {max_retries: 1}
    run: {kind: command, argv: [stop-it, "--n={{ n }}"]}
    fields: {a: b}
`);
    expect(lintTools(tools).map(({ message }) => message)).toEqual([
      'bare: parameter "n" has no description.',
      'bare: parameter "n" has no type, so that every value is accepted.',
      'bare: there are no examples, so that nothing tests what the tool runs.',
      'bare: a tool that changes something has no permissions.',
      'bare: a change would be repeated after a failure.',
      'bare: the description is very short.',
    ]);
    expect(lintTools(tools)[0]).toMatchObject({ file: 'a.yaml', line: 4, column: 1 });
  });

  it('has nothing to say about a tool with everything', () => {
    expect(lintTools(toolsOf(FULL).slice(0, 1)).map(({ message }) => message)).toEqual([
      'full: a change would be repeated after a failure.',
    ]);
  });
});

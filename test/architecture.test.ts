import { readdirSync, readFileSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';

/** A room may import itself and these. One direction; a new edge is a design decision, made here. */
const LEAVES = ['tools', 'policy', 'exec', 'diagnose', 'dump', 'audit', 'llm', 'telemetry', 'limits', 'secrets'];
const ALLOWED: Record<string, readonly string[]> = {
  domain: [],
  lib: ['domain'],
  sandbox: ['domain', 'lib'],
  ...Object.fromEntries(LEAVES.map((room) => [room, ['domain', 'lib']])),
  exec: ['domain', 'lib', 'sandbox'],
  agent: ['domain', 'lib', 'tools', 'policy'],
  ui: ['domain', 'lib'],
  cli: ['domain', 'lib', 'sandbox', ...LEAVES, 'agent', 'ui'],
  'main.ts': ['domain', 'lib', 'cli'],
};

/** Each heavy dependency has one door. */
const DOORS: Record<string, RegExp> = {
  '@huggingface/jinja': /^lib\/jinja\.ts$/,
  // The second speaks its types alone.
  '@modelcontextprotocol/client': /^exec\/mcp\/(?:client|stdio)\.ts$/,
  '@jmespath-community/jmespath': /^lib\/jmespath\.ts$/,
  '@wasmer/sdk': /^sandbox\/guest\.ts$/,
  '@open-policy-agent/opa-wasm': /^policy\/rego-wasm\.ts$/,
  asciichart: /^lib\/chart\.ts$/,
  ajv: /^lib\/json-schema\.ts$/,
  'ajv-formats': /^lib\/json-schema\.ts$/,
  chalk: /^(?:lib\/colour\.ts|ui\/.*)$/,
  commander: /^cli\//,
  conf: /^lib\/config\.ts$/,
  execa: /^exec\/process\.ts$/,
  ink: /^ui\//,
  marked: /^ui\//,
  minisearch: /^lib\/ranking\.ts$/,
  openai: /^llm\/openai\.ts$/,
  react: /^ui\//,
  'string-width': /^lib\/width\.ts$/,
  undici: /^lib\/http\.ts$/,
  'web-tree-sitter': /^lib\/bash\.ts$/,
  yaml: /^lib\/yaml\.ts$/,
};

const MAX_LINES = 250;

/** Tables of data, and tests that are still longer; none may be added, and one that was split leaves the list. */
const LONG_TESTS: readonly string[] = [
  'diagnose/fixtures/cluster.ts',
  'e2e/docker.test.ts',
  'e2e/redaction.test.ts',
  'secrets/planted.ts',
  'secrets/redactor.test.ts',
  'tools/distractors.ts',
];

const root = join(import.meta.dirname, '../src');
const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((file) => /\.tsx?$/.test(file));
const textOf = (file: string) => readFileSync(join(root, file), 'utf8');
const IMPORT = /^(?:import|export)\b[^'";=]*?(?:\bfrom\s*|^import\s*)['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]/gm;
const importsOf = (file: string) => [...textOf(file).matchAll(IMPORT)].map((m) => (m[1] ?? m[2]) as string);
const roomOf = (file: string) => file.split('/')[0] as string;
const packageOf = (specifier: string) =>
  specifier
    .split('/')
    .slice(0, specifier.startsWith('@') ? 2 : 1)
    .join('/');

const MAX_FUNCTION_LINES = 50;
/** A line that opens a function whose body ends at the next `}` with the same indentation, as the formatter lays it out. */
const OPENS =
  /^(\s*)(?:export )?(?:(?:async )?function\b.*|(?:const \w+ = |return |\w+: )?.*=>|(?:async )?(?!if|for|while|switch|catch|return)\w+\(.*\).*) \{$/;

function longFunctionsOf(file: string): string[] {
  const lines = textOf(file).split('\n');
  return lines.flatMap((line, start) => {
    const indent = OPENS.exec(line)?.[1];
    if (indent === undefined) return [];
    const length = lines.slice(start).findIndex((one, at) => at > 0 && one.startsWith(`${indent}}`)) + 1;
    return length > MAX_FUNCTION_LINES ? [`${file}:${start + 1} ${line.trim().slice(0, 60)} ${length}`] : [];
  });
}

function faultsOf(file: string): string[] {
  const room = roomOf(file);
  return importsOf(file).flatMap((specifier) => {
    if (!specifier.startsWith('.')) {
      const door = DOORS[packageOf(specifier)];
      const isKnown = door !== undefined || specifier.startsWith('node:') || packageOf(specifier) === 'ms';
      if (!isKnown) return [`${specifier} has no door in this test`];
      return door && !door.test(file) ? [`${specifier} is imported outside its door`] : [];
    }
    const target = roomOf(relative(root, join(root, dirname(file), specifier)));
    return target === room || target === '..' || ALLOWED[room]?.includes(target)
      ? []
      : [`${room} may not import ${target} (${specifier})`];
  });
}

describe('architecture', () => {
  test.each(files)('src/%s stays in its room and behind the doors', (file) => {
    expect(faultsOf(file)).toEqual([]);
  });

  test(`no file is longer than ${MAX_LINES} lines`, () => {
    expect(files.filter((file) => textOf(file).trimEnd().split('\n').length > MAX_LINES)).toEqual([]);
  });

  test(`no test file is longer than ${MAX_LINES} lines, but for those that were`, () => {
    const tests = readdirSync(import.meta.dirname, { recursive: true, encoding: 'utf8' });
    const long = tests
      .filter((file) => /\.tsx?$/.test(file) && !file.startsWith('fixtures/'))
      .filter(
        (file) =>
          readFileSync(join(import.meta.dirname, file), 'utf8')
            .trimEnd()
            .split('\n').length > MAX_LINES,
      );
    expect(long.sort()).toEqual(LONG_TESTS);
  });

  test(`no function is longer than ${MAX_FUNCTION_LINES} lines`, () => {
    expect(files.flatMap(longFunctionsOf)).toEqual([]);
  });

  test('only policy/clearance.ts makes a call executable', () => {
    const makers = files.filter((file) => /\bas ClearedCall\b|<ClearedCall>/.test(textOf(file)));
    expect(makers).toEqual(['policy/clearance.ts']);
  });

  test('only agent/tool-call.ts calls an executor, and only exec/process.ts and sandbox/process.ts start one', () => {
    expect(files.filter((file) => /executor\.run\(/.test(textOf(file))).sort()).toEqual([
      'agent/tool-call.ts',
      'exec/define.ts',
    ]);
    expect(files.filter((file) => /node:child_process/.test(textOf(file)))).toEqual(['sandbox/process.ts']);
  });

  test('folders are made by lib/folders.ts, for a recursive mkdir may never end', () => {
    const makers = files.filter((file) => /mkdir(Sync)?\([^)]*recursive/.test(textOf(file)));
    expect(makers).toEqual([]);
  });

  test('only cli/io.ts looks at isTTY, and the screen makes sure before it reads keys', () => {
    expect(files.filter((file) => /\bisTTY\b/.test(textOf(file))).sort()).toEqual(['cli/io.ts', 'ui/ink.tsx']);
  });

  test('what is known by its identity is known by its name: the bundle holds modules more than once', () => {
    const errors = files.filter((file) => /^export class \w+ extends Error/m.test(textOf(file)));
    expect(errors.length).toBeGreaterThan(0);
    expect(errors.filter((file) => !/static override \[Symbol\.hasInstance\]/.test(textOf(file)))).toEqual([]);
    expect(files.filter((file) => /= Symbol\(/.test(textOf(file)))).toEqual([]);
  });

  test('every exported function and type of the rooms has a docstring', () => {
    const bare = files.flatMap((file) =>
      [...textOf(file).matchAll(/(?<before>[^\n]*)\nexport (?:async )?function\*? (?<name>\w+)/g)]
        .filter(({ groups }) => !/\*\/\s*$/.test(groups?.before ?? ''))
        .map(({ groups }) => `${file}: ${groups?.name}`),
    );
    expect(bare).toEqual([]);
  });
});

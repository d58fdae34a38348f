import { cpSync, mkdirSync, readFileSync, symlinkSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { findRego } from '../../src/policy/rego.js';
import { opinionsOf } from '../../src/policy/rego-answer.js';
import { evaluateRego } from '../../src/policy/rego-wasm.js';
import { newHome, ROOT, runCli } from '../helpers/cli.js';
import { opaMissing } from '../helpers/opa.js';
import { folder, write } from './policy-folder.js';

describe('policy build', () => {
  test('without opa says where to get it, and changes nothing', async () => {
    const dir = write('package tools\n', 'tools.rego');
    const run = await runCli(['policy', 'build', dir], { env: { PATH: '/nonexistent' } });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('openpolicyagent.org')]);
    expect(() => readFileSync(join(dir, 'tools.wasm'))).toThrow('ENOENT');
  });

  test('a folder without Rego is a usage error', async () => {
    const run = await runCli(['policy', 'build', folder()]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('There is no Rego in')]);
  });

  test.for([
    ['of version 1', 'package tools\n\ndeny contains "x" if input.tool == "a"\n'],
    ['of version 0', 'package tools\n\ndeny["x"] { input.tool == "a" }\n'],
  ] as const)('compiles Rego %s', async ([, source], { skip }) => {
    skip(opaMissing() !== undefined, opaMissing());
    const dir = write(source, 'tools.rego');
    expect((await runCli(['policy', 'build', dir])).code).toBe(0);
    const [built] = findRego([dir]);
    expect(opinionsOf(await evaluateRego(built?.wasm ?? new Uint8Array(), { tool: 'a' }), 's')).toHaveLength(1);
  });

  test.for([
    ['a mistake in version 1', 'package tools\n\ndeny contains "x" if nonsense(1)\n', 'undefined function nonsense'],
    ['a mistake in version 0', 'package tools\n\ndeny["x"] { nonsense(1) }\n', 'undefined function nonsense'],
    ['another package', 'package other\n\ndeny contains "x" if true\n', 'tools'],
    ['an allow', 'package tools\n\nallow if true\n', 'defines allow'],
  ] as const)('refuses %s', async ([, source, message], { skip }) => {
    skip(opaMissing() !== undefined, opaMissing());
    const dir = write(source, 'tools.rego');
    const run = await runCli(['policy', 'build', dir]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(message)]);
    expect(() => readFileSync(join(dir, 'tools.wasm'))).toThrow('ENOENT');
  });

  test('the example that ships is what its source compiles to', async ({ skip }) => {
    skip(opaMissing() !== undefined, opaMissing());
    const dir = folder();
    cpSync(join(ROOT, 'policies/rego/tools.rego'), join(dir, 'tools.rego'));
    expect((await runCli(['policy', 'build', dir])).code).toBe(0);
    const [fresh, shipped] = findRego([dir, join(ROOT, 'policies/rego')]);
    const version = (at: string) => JSON.parse(readFileSync(join(at, 'tools.wasm.json'), 'utf8')).opa;
    skip(version(dir) !== version(join(ROOT, 'policies/rego')), 'another version of opa compiles to other bytes');
    expect(Buffer.from(fresh?.wasm ?? []).equals(shipped?.wasm ?? Buffer.alloc(1))).toBe(true);
  });

  test('without a folder, those in use that have Rego are compiled', async ({ skip }) => {
    skip(opaMissing() !== undefined, opaMissing());
    const home = newHome();
    const own = join(home, '.config/opsagent/policies');
    mkdirSync(own, { recursive: true });
    symlinkSync(join(ROOT, 'policies/rego/tools.rego'), join(own, 'tools.rego'));
    const run = await runCli(['policy', 'build'], { home });
    expect([run.code, run.stdout]).toEqual([0, `${own}/tools.wasm from tools.rego\n`]);
  });
});

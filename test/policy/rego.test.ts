import { cpSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import type { Json, JsonObject } from '../../src/domain/types.js';
import { decide } from '../../src/policy/decide.js';
import { findRego, judgeByRego } from '../../src/policy/rego.js';
import { opinionsOf } from '../../src/policy/rego-answer.js';
import { evaluateRego } from '../../src/policy/rego-wasm.js';
import { aCall, aTool } from '../helpers/fakes.js';

const FIXTURE = 'test/policy/fixtures/rego';
const EXAMPLE = 'policies/rego';
const subject = { user: 'ada', sessionId: 's', context: {}, now: new Date('2026-06-14T22:30:05Z') };

/** A folder of its own with the compiled policy of the tests. */
function aCopy(): string {
  const folder = mkdtempSync(join(tmpdir(), 'opsagent-rego-test-'));
  cpSync(FIXTURE, folder, { recursive: true });
  return folder;
}

const decideByFixture = (tool: string) =>
  decide(findRego([FIXTURE]).map(judgeByRego), aCall(aTool({ name: tool })), subject);

describe('compiled Rego', () => {
  test.each([
    ['asks for a server', 'server', /not implemented: built-in function \d+: http\.send$/],
    ['contradicts itself', 'conflict', /conflict/],
    ['needs too much memory', 'greedy', /it (?:needs more than 64 MiB|took longer than 1000 ms)$/],
    ['never ends', 'slow', /it took longer than 1000 ms$/],
  ])('a policy that %s denies, and says why', async (_, tool, why) => {
    const { effect, reason, rules } = await decideByFixture(tool);
    expect([effect, rules.map(({ id }) => id)]).toEqual(['deny', ['policy.error']]);
    expect(reason).toMatch(why);
    expect(reason).toContain(`nothing is allowed: the Rego policy in ${FIXTURE}: `);
  });

  test('after a policy that never ends, the next call is judged as ever', async () => {
    expect((await decideByFixture('slow')).effect).toBe('deny');
    expect((await decideByFixture('other')).effect).toBe('allow');
  });

  test.each([
    ['denied', 'deny', 'always'],
    ['object', 'deny', 'as an object'],
    ['asked', 'confirm', 'asks'],
    ['time', 'deny', 'Sunday 6,30,5 2026,6,14'],
    ['other', 'allow', 'it only reads'],
  ])('%s: %s', async (tool, effect, reason) => {
    const decision = await decideByFixture(tool);
    expect([decision.effect, decision.reason]).toEqual([effect, reason]);
  });

  test('bytes that are no Wasm deny', async () => {
    const [folder] = findRego([FIXTURE]);
    if (!folder) throw new Error('the fixture is not compiled');
    const broken = judgeByRego({ ...folder, wasm: new Uint8Array([1, 2, 3]) });
    expect((await decide([broken], aCall(aTool()), subject)).reason).toContain('WebAssembly');
  });
});

describe('findRego', () => {
  test.each<[string, (folder: string) => void, string]>([
    ['not compiled', (folder) => rmSync(join(folder, 'tools.wasm')), 'is not compiled'],
    ['changed', (folder) => writeFileSync(join(folder, 'tools.rego'), 'package tools\n'), 'has changed since'],
    [
      'of another source too',
      (folder) => writeFileSync(join(folder, 'more.rego'), 'package tools\n'),
      'has changed since',
    ],
    ['without its source', (folder) => rmSync(join(folder, 'tools.rego')), 'has changed since'],
    ['without its manifest', (folder) => rmSync(join(folder, 'tools.wasm.json')), 'cannot be read'],
    [
      'with a manifest that is none',
      (folder) => writeFileSync(join(folder, 'tools.wasm.json'), '{}'),
      'cannot be read',
    ],
    ['with another Wasm', (folder) => writeFileSync(join(folder, 'tools.wasm'), 'other'), 'is not what tools.wasm'],
  ])('refuses Rego that is %s, with the command that mends it', (_, spoil, message) => {
    const folder = aCopy();
    spoil(folder);
    const refusal = () => findRego([folder]);
    expect(refusal).toThrow(OpsError);
    expect(refusal).toThrow(message);
    expect(refusal).toThrow(
      expect.objectContaining({ exit: 'usage', hint: expect.stringContaining(`opsagent policy build ${folder}`) }),
    );
  });

  test.each([
    'allow { input.x }',
    'default allow = false',
    'default allow := false',
    '  allow := true',
    'allow if input.x',
  ])('refuses %j: nobody would obey it', (line) => {
    const folder = aCopy();
    writeFileSync(join(folder, 'tools.rego'), `package tools\n\n${line}\n`);
    expect(() => findRego([folder])).toThrow('defines allow, which is never asked');
  });

  test('a folder without Rego has none, and tests of Rego do not count', () => {
    const folder = mkdtempSync(join(tmpdir(), 'opsagent-rego-test-'));
    writeFileSync(join(folder, 'tools_test.rego'), 'package tools_test\n');
    expect(findRego([folder])).toEqual([]);
  });
});

describe('opinionsOf', () => {
  test.each<[string, Json | undefined, string]>([
    ['nothing', undefined, 'it has no package tools'],
    ['a list', [], 'it has no package tools'],
    ['an empty package', {}, 'defines neither deny nor confirm'],
    ['an allow', { deny: [], allow: true }, 'defines allow'],
    ['a deny that is true', { deny: true }, 'deny must be a set of messages'],
    ['a deny that is false', { deny: false }, 'deny must be a set of messages'],
    ['a confirm that is a text', { deny: [], confirm: 'x' }, 'confirm must be a set of messages'],
  ])('%s is an error', (_, document, message) => {
    expect(() => opinionsOf(document, 's')).toThrow(message);
  });

  test('messages that are no texts are shown as they are', () => {
    expect(opinionsOf({ deny: [7, '', { msg: 'm' }] }, 's').map(({ reason }) => reason)).toEqual(['7', '""', 'm']);
  });
});

describe('the example that ships', () => {
  const [example] = findRego([EXAMPLE]);
  const ask = async (input: JsonObject) => {
    const now = { user: 'ada', risk: 'high', time: '2026-06-15T12:00:00Z' };
    return opinionsOf(await evaluateRego(example?.wasm ?? new Uint8Array(), { ...now, ...input }), '').map(
      ({ effect, reason }) => `${effect}: ${reason}`,
    );
  };

  test.each<[JsonObject, string[]]>([
    [{ tool: 'file_write', roles: [] }, ['deny: file_write needs the role admin; ada does not have it']],
    [{ tool: 'file_write' }, ['deny: file_write needs the role admin; ada does not have it']],
    [{ tool: 'file_write', roles: ['admin'] }, []],
    [{ tool: 'file_write', roles: ['administrator'] }, ['deny: file_write needs the role admin; ada does not have it']],
    [{ tool: 'x', verb: 'drain', time: '2026-06-14T12:00:00Z' }, ['deny: nodes are not drained at the weekend']],
    [{ tool: 'x', verb: 'drain' }, []],
    [{ tool: 'x', taint: 'a log of c1' }, ['confirm: its arguments come from output: a log of c1']],
    [{ tool: 'x', taint: false }, []],
  ])('%j: %j', async (input, expected) => {
    expect(await ask(input)).toEqual(expected);
  });

  test('is compiled from exactly the source beside it', () => {
    expect(example?.sources).toEqual([join(EXAMPLE, 'tools.rego')]);
    expect(readFileSync(join(EXAMPLE, 'tools.rego'), 'utf8')).toMatch(/^package tools$/m);
  });
});

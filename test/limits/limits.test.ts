import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { CallEnd, Reservation } from '../../src/domain/ports.js';
import type { CallError, Decision, Json } from '../../src/domain/types.js';
import { openLockedState } from '../../src/lib/locked-state.js';
import { createLimits } from '../../src/limits/limits.js';
import { targetOf } from '../../src/limits/target.js';
import { aCall, anAction, aTool } from '../helpers/fakes.js';

const newPath = () => join(mkdtempSync(join(tmpdir(), 'opsagent-limits-')), 'limits.json');
const READS: Decision = { effect: 'allow', risk: 'low', rules: [], reason: '', raised: [] };
const FAILED: CallEnd = { ok: false, serviceFailed: true, error: 'connection refused' };

const WEB = { name: 'web-search', rateLimit: 4 };
/** A tool file that says nothing of a rate. */
const UNSAID = { name: 'unsaid' };

interface ToolParts {
  readonly name?: string;
  readonly rateLimit?: number;
}

interface Setting {
  readonly env?: Record<string, string>;
  readonly config?: Record<string, Json>;
  readonly path?: string;
}

/** Limits with a clock that the test moves. */
function someLimits({ env = {}, config = {}, path = newPath() }: Setting = {}) {
  let nowMs = 1_700_000_000_000;
  const limits = createLimits({
    state: openLockedState(path),
    env,
    setting: (key) => config[key],
    clock: { now: () => new Date(nowMs) },
  });
  const reserve = ({ rateLimit, ...tool }: ToolParts = {}, tokens: string[] = ['uptime']) => {
    const { rateLimit: usual, ...plain } = aTool(tool);
    const rate = rateLimit ?? (tool.name === 'unsaid' ? undefined : usual);
    return limits.reserve(aCall({ ...plain, ...(rate !== undefined && { rateLimit: rate }) }, {}, tokens), READS);
  };
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { reserve, path, pass };
}

const isRoom = (room: Reservation | CallError): room is Reservation => 'settle' in room;
async function roomFor(reserve: () => Promise<Reservation | CallError>, times: number): Promise<number> {
  let count = 0;
  for (let n = 0; n < times; n += 1) if (isRoom(await reserve())) count += 1;
  return count;
}

describe('a rate limit', () => {
  test('refuses the call over it, and says which limit, when again, and how to raise it', async () => {
    const { reserve } = someLimits();
    expect(await roomFor(() => reserve({ rateLimit: 3 }), 3)).toBe(3);
    expect(await reserve({ rateLimit: 3 })).toEqual({
      category: 'budget',
      message: 'the limit of 3 calls a minute of tool is reached; there is room for one again in 20 s',
      hint: 'Wait, ask for less at once, or raise the limit: TOOL_RATE_LIMIT, or limits.rate.tool of the config.',
      retryAfterMs: 20_000,
      exit: 'limit',
    });
  });

  test.each<[string, Setting, ToolParts, number]>([
    ['the tool file', {}, { rateLimit: 4 }, 4],
    ['the environment first', { env: { WEB_SEARCH_RATE_LIMIT: '2' }, config: { 'limits.rate.web-search': 3 } }, WEB, 2],
    ['the config before the tool file', { config: { 'limits.rate.web-search': 3 } }, WEB, 3],
    ['the category', { env: { TEST_RATE_LIMIT: '2' } }, WEB, 2],
    ['the limit of all tools', { env: { OPSAGENT_RATE_LIMIT: '1' } }, WEB, 1],
    ['the tool file before the default', { env: { MCP_RATE_LIMIT_DEFAULT: '2' } }, WEB, 4],
    ['the default of the environment', { env: { MCP_RATE_LIMIT_DEFAULT: '2' } }, UNSAID, 2],
    ['the default of the config', { config: { 'limits.rate.default': 3 } }, UNSAID, 3],
  ])('comes from %s', async (_, setting, tool, count) => {
    const { reserve } = someLimits(setting);
    expect(await roomFor(() => reserve(tool), 6)).toBe(count);
  });

  test('is 60 a minute where nobody says anything', async () => {
    const { reserve } = someLimits();
    expect(await roomFor(() => reserve(UNSAID), 70)).toBe(60);
  });

  test('of a category is shared by its tools, that of a tool is not', async () => {
    const { reserve } = someLimits({ env: { TEST_RATE_LIMIT: '3' } });
    const names = ['a', 'b', 'a', 'b'];
    const rooms = await Promise.all(names.map((name) => reserve({ name })));
    expect(rooms.map(isRoom)).toEqual([true, true, true, false]);
    const alone = someLimits();
    expect((await Promise.all(names.map((name) => alone.reserve({ name, rateLimit: 1 })))).map(isRoom)).toEqual([
      ...[true, true],
      ...[false, false],
    ]);
  });

  test('gives back what a call that did not run had taken, and what one refused by another limit would have', async () => {
    const { reserve } = someLimits({ env: { A_RATE_LIMIT: '1', OPSAGENT_RATE_LIMIT: '2' } });
    const room = await reserve({ name: 'a' });
    expect(isRoom(await reserve({ name: 'a' }))).toBe(false);
    if (isRoom(room)) await room.release();
    expect(isRoom(await reserve({ name: 'a' }))).toBe(true);
    expect(isRoom(await reserve({ name: 'b' }))).toBe(true);
  });

  test('fills up as time passes', async () => {
    const { reserve, pass } = someLimits();
    const tool = { rateLimit: 6 };
    expect(await roomFor(() => reserve(tool), 7)).toBe(6);
    pass(9_999);
    expect(isRoom(await reserve(tool))).toBe(false);
    pass(1);
    expect(await roomFor(() => reserve(tool), 2)).toBe(1);
  });

  test.each(['0', '-1', 'many', '1e9', 'NaN'])('of %j is a mistake that a person must mend', async (value) => {
    const { reserve } = someLimits({ env: { TOOL_RATE_LIMIT: value } });
    await expect(reserve()).rejects.toMatchObject({
      exit: 'usage',
      message: expect.stringContaining('TOOL_RATE_LIMIT'),
    });
    expect(() => someLimits({ env: { MCP_CB_FAILURES: value } })).toThrow('MCP_CB_FAILURES');
  });

  test.each([
    '{"rate":{"all":"x"}}',
    '{"breakers":{"http://x":{}}}',
    '{"rate":[]}',
    '{"breakers":{"x":{"failuresInRow":1,"seconds":[],"opened":{}}}}',
  ])('is not read from a state such as %s: nothing runs', async (text) => {
    const { reserve, path } = someLimits();
    writeFileSync(path, text);
    await expect(reserve()).rejects.toMatchObject({ exit: 'failed', hint: `Begin anew with: rm ${path}` });
  });
});

describe('a circuit breaker', () => {
  const KUBECTL = ['kubectl', 'get', 'pods', '--context=prod'];
  const failTimes = async (times: number, reserve: () => Promise<Reservation | CallError>) => {
    for (let n = 0; n < times; n += 1) {
      const room = await reserve();
      if (isRoom(room)) await room.settle(FAILED);
    }
  };

  test('refuses calls to a service that failed, and says why, when again and what to do', async () => {
    const { reserve, pass } = someLimits();
    await failTimes(5, () => reserve({}, KUBECTL));
    pass(18_000);
    expect(await reserve({}, KUBECTL)).toEqual({
      category: 'circuit_breaker',
      message:
        'cluster prod failed 5 times in a row (last: connection refused), so nothing is sent to it; one call may try it again in 42 s',
      hint: 'Mend the service or the way to it. To try again at once: opsagent limits reset',
      retryAfterMs: 42_000,
      exit: 'unavailable',
    });
    expect(isRoom(await reserve({}, ['kubectl', 'get', 'pods', '--context=staging']))).toBe(true);
    expect(isRoom(await reserve({}, ['uptime']))).toBe(true);
  });

  test('a call that it refuses uses up nothing of a rate limit', async () => {
    const { reserve } = someLimits({ env: { MCP_CB_FAILURES: '1', TOOL_RATE_LIMIT: '2' } });
    await failTimes(1, () => reserve({}, KUBECTL));
    expect(await roomFor(() => reserve({}, KUBECTL), 5)).toBe(0);
    expect(await roomFor(() => reserve(), 5)).toBe(1);
  });

  test('a probe that was not run, or told nothing, lets the next call try', async () => {
    const { reserve, pass } = someLimits({ env: { MCP_CB_FAILURES: '1', MCP_CB_RECOVERY_SECONDS: '1' } });
    await failTimes(1, () => reserve({}, KUBECTL));
    pass(1_000);
    for (const end of ['release', 'settle'] as const) {
      const probe = await reserve({}, KUBECTL);
      if (!isRoom(probe)) throw new Error(probe.message);
      expect(await reserve({}, KUBECTL)).toMatchObject({
        message: expect.stringContaining('another call is trying it now'),
      });
      await (end === 'release' ? probe.release() : probe.settle({ ok: false, serviceFailed: false, unknown: true }));
    }
    const last = await reserve({}, KUBECTL);
    if (isRoom(last)) await last.settle({ ok: false, serviceFailed: false });
    expect(await roomFor(() => reserve({}, KUBECTL), 3)).toBe(3);
  });

  test.each([
    [['kubectl', 'get', 'pods'], {}, 'cluster (current)'],
    [['/usr/bin/kubectl', 'get', 'pods', '--context', 'a'], { KUBECONFIG: '/k' }, 'cluster a of /k'],
    [['kubectl', 'exec', 'x', '--context=a', '--', 'sh', '--context=b'], {}, 'cluster a'],
    [['kubectl', 'exec', 'x', '--', 'sh', '--context=b'], {}, 'cluster (current)'],
    [['docker', '--host=tcp://h:1', 'ps'], { DOCKER_HOST: 'tcp://other:1' }, 'Docker daemon tcp://h:1'],
    [['docker', '--context=c', 'ps'], { DOCKER_HOST: 'tcp://other:1' }, 'Docker daemon of context c'],
    [['docker', 'ps'], { DOCKER_HOST: 'tcp://other:1' }, 'Docker daemon tcp://other:1'],
    [['docker', 'ps'], {}, 'Docker daemon of context default'],
    [['systemctl', 'status'], {}, undefined],
  ])('the service behind %j with %j is %s', (tokens, env, target) => {
    expect(targetOf(anAction(tokens), env)).toBe(target);
  });

  test.each([
    ['https://Prom.example:443/a/b?c=d', 'https://prom.example'],
    ['http://u:p@h:9090/x', 'http://h:9090'],
    ['nonsense', undefined],
  ])('the service behind the address %s is %s', (url, target) => {
    expect(targetOf({ ...anAction(['GET', url]), kind: 'http' }, {})).toBe(target);
  });
});

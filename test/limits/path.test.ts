import { mkdtempSync } from 'node:fs';
import type { ServerResponse } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { runToolCall } from '../../src/agent/tool-call.js';
import type { Approval, ToolDefinition } from '../../src/domain/types.js';
import { httpExecutor } from '../../src/exec/http.js';
import { openLockedState } from '../../src/lib/locked-state.js';
import { createLimits } from '../../src/limits/limits.js';
import { serve, type TestServer } from '../exec/http-servers.js';
import { aTool, aWorld } from '../helpers/fakes.js';

const http = httpExecutor();

let server: TestServer;
let answer: (response: ServerResponse, count: number) => void;
beforeAll(async () => {
  server = await serve((_request, response) => answer(response, server.seen.length));
});
beforeEach(() => {
  server.seen.length = 0;
});
afterAll(() => server.close());

const status =
  (code: number, headers: Record<string, string> = {}) =>
  (response: ServerResponse) => {
    response.writeHead(code, headers);
    response.end('{}');
  };

interface Options {
  readonly tool?: Partial<ToolDefinition>;
  readonly method?: string;
  readonly answer?: Approval;
  readonly url?: string;
}

/** The real path with real limits and real requests; the clock is moved by the test, pauses take no time. */
function aGate({ tool = {}, method = 'GET', answer: said, url = `${server.url}/x` }: Options = {}) {
  let nowMs = 1_700_000_000_000;
  const world = aWorld(said ? { answer: said } : {});
  const run = { kind: 'http', method, url };
  const definition = aTool({
    rateLimit: 100_000,
    retryPolicy: { maxRetries: 3, retryIntervalMs: 1_000 },
    run,
    ...tool,
  });
  const limits = createLimits({
    state: openLockedState(join(mkdtempSync(join(tmpdir(), 'opsagent-limits-')), 'limits.json')),
    env: {},
    setting: () => undefined,
    clock: { now: () => new Date(nowMs) },
    random: () => 0.5,
    pause: async () => undefined,
  });
  const deps = {
    ...world.deps,
    limits,
    executors: new Map([['http', http]]),
    prepare: (raw: { readonly id: string }) => {
      const action = http.plan(run, {}, { context: {}, env: {} });
      return { ok: true as const, call: { id: raw.id, tool: definition, args: {}, repairs: [], action } };
    },
  };
  const call = () => runToolCall(deps, { id: 'c1', name: 'tool', rawArguments: '{}' }, new AbortController().signal);
  const pass = (ms: number) => {
    nowMs += ms;
  };
  return { call, pass, world };
}

const ONCE = { retryPolicy: { maxRetries: 0, retryIntervalMs: 0 } };

describe('a service that fails', () => {
  test('is left alone after five calls, tried by one after a minute, and used again when that is answered', async () => {
    const gate = aGate({ tool: ONCE });
    const statuses = async (times: number) => {
      const seen: string[] = [];
      for (let n = 0; n < times; n += 1) seen.push((await gate.call()).status);
      return seen;
    };
    answer = status(500);
    expect(await statuses(7)).toEqual(['failed', 'failed', 'failed', 'failed', 'failed', 'limited', 'limited']);
    gate.pass(60_000);
    expect(await statuses(2)).toEqual(['failed', 'limited']);
    expect(server.seen).toHaveLength(6);
    gate.pass(60_000);
    answer = status(200);
    expect(await statuses(3)).toEqual(['ok', 'ok', 'ok']);
    expect(server.seen).toHaveLength(9);
  });

  test('is asked once by the call that tries it, however often its tool repeats', async () => {
    const gate = aGate();
    answer = status(500);
    for (let n = 0; n < 5; n += 1) await gate.call();
    server.seen.length = 0;
    gate.pass(60_000);
    await gate.call();
    expect(server.seen).toHaveLength(1);
  });

  test('is told to the model, the screen and the audit log', async () => {
    const gate = aGate({ tool: ONCE });
    answer = status(500);
    for (let n = 0; n < 5; n += 1) await gate.call();
    const result = await gate.call();
    const message = `${server.url} failed 5 times in a row (last: GET ${server.url}/x answered 500), so nothing is sent to it; one call may try it again in 60 s`;
    expect(result).toMatchObject({
      status: 'limited',
      text: `Not run: ${message}. Mend the service or the way to it. To try again at once: opsagent limits reset`,
      error: { category: 'circuit_breaker', message, retryAfterMs: 60_000 },
    });
    expect(gate.world.audit.records.at(-1)).toMatchObject({
      event: 'finished',
      status: 'limited',
      error_category: 'circuit_breaker',
    });
  });

  test.each([400, 401, 403, 404, 409, 422, 429])('is not one that answers %i a hundred times', async (code) => {
    const gate = aGate({ tool: ONCE });
    answer = status(code);
    for (let n = 0; n < 100; n += 1) await gate.call();
    expect(server.seen).toHaveLength(100);
  });
});

describe('a request', () => {
  test('that changes something is sent once, whatever comes of it', async () => {
    answer = status(503);
    const gate = aGate({ tool: { riskLevel: 'high' }, method: 'POST' });
    expect([(await gate.call()).status, server.seen.length]).toEqual(['failed', 1]);
  });

  test('that reads is sent again, and result, screen and audit log say how often', async () => {
    answer = (response, count) => status(count < 3 ? 503 : 200)(response);
    const gate = aGate();
    const result = await gate.call();
    expect([result.status, result.attempts, server.seen.length]).toEqual(['ok', 3, 3]);
    expect(gate.world.audit.records.map(({ event, attempts }) => [event, attempts])).toEqual([
      ['decided', undefined],
      ['finished', 3],
    ]);
    const reason = `${server.url} answered 503`;
    expect(gate.world.events.filter(({ type }) => type === 'call-retried')).toEqual([
      { type: 'call-retried', callId: 'c1', attempt: 2, pauseMs: 500, reason },
      { type: 'call-retried', callId: 'c1', attempt: 3, pauseMs: 1_000, reason },
    ]);
  });

  test('that is answered 429 waits as long as the service says', async () => {
    answer = (response, count) => status(count === 1 ? 429 : 200, { 'retry-after': '4' })(response);
    const gate = aGate();
    expect((await gate.call()).status).toBe('ok');
    expect(gate.world.events.filter(({ type }) => type === 'call-retried')).toMatchObject([{ pauseMs: 4_000 }]);
  });

  test('that is answered 4xx is not sent again', async () => {
    answer = status(404);
    await aGate().call();
    expect(server.seen).toHaveLength(1);
  });
});

describe('room under a rate limit', () => {
  test.each<[string, Options, string]>([
    [
      'the person said no',
      { tool: { riskLevel: 'high', rateLimit: 1 }, answer: { granted: false, by: 'user' } },
      'rejected',
    ],
    [
      'nobody could be asked',
      { tool: { riskLevel: 'high', rateLimit: 1 }, answer: { granted: false, by: 'no-terminal' } },
      'rejected',
    ],
  ])('is given back when %s', async (_, options, end) => {
    const gate = aGate(options);
    expect([(await gate.call()).status, (await gate.call()).status]).toEqual([end, end]);
  });

  test('is used up by a call that ran', async () => {
    answer = status(200);
    const gate = aGate({ tool: { rateLimit: 1 } });
    expect([(await gate.call()).status, (await gate.call()).status]).toEqual(['ok', 'limited']);
  });
});

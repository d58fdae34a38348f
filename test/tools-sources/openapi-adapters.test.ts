import { readFileSync } from 'node:fs';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/types.js';
import { loadToolFiles } from '../../src/tools/load.js';
import { loadSources } from '../../src/tools/sources/load.js';
import { serve, type TestServer } from '../exec/http-servers.js';
import { executors } from '../tools/helpers.js';
import { description, faultsOf, newFolder, runTool, toolsOf } from './openapi-helpers.js';

const answers = { responses: { 200: { description: 'ok', content: { 'application/json': {} } } } };
const query = (name: string, schema: JsonObject, required = false): JsonObject => ({
  name,
  in: 'query',
  required,
  schema,
});

const text = { type: 'string' };
const paths: JsonObject = {
  '/accounts/{account_id}/report': {
    get: {
      operationId: 'report',
      parameters: [
        { name: 'account_id', in: 'path', required: true, schema: text },
        query(
          'metrics',
          { type: 'array', items: { type: 'string', enum: ['v:unique_users', 'v:total_sessions'] } },
          true,
        ),
        query('startTime', text, true),
        query('endTime', text),
        query('who', text),
      ],
      ...answers,
    },
  },
};

const vendor: JsonObject = {
  aliases: { metrics: { users: 'v:unique_users', sessions: 'v:total_sessions' } },
  inject: { account_id: 'env.ACCOUNT', who: 'context.user' },
  rename: { time_range: { start: 'startTime', end: 'endTime' } },
};

let server: TestServer;
beforeAll(async () => {
  server = await serve((_request, response) =>
    response.setHeader('content-type', 'application/json').end('{"rows":[1,2,3]}'),
  );
});
afterAll(() => server.close());

describe('a vendor adapter', () => {
  const load = (adapter: JsonObject, folder = newFolder()) =>
    toolsOf(description(paths), { base_url: server.url, adapter: 'vendor' }, { adapters: { vendor: adapter }, folder });

  test('that does not exist is a warning, and the tool works as the description says', async () => {
    const { names, lines } = await faultsOf({ spec: description(paths), adapter: 'vendro' }, { adapters: { vendor } });
    expect(names).toEqual(['report']);
    expect(lines).toEqual(['There is no adapter "vendro" (known: vendor); the tools work as their description says.']);
  });

  test('that asks the session for what it does not know is a warning', async () => {
    const adapters = { vendor: { inject: { who: 'context.usr' } } };
    const { names, lines } = await faultsOf({ spec: description(paths), adapter: 'vendor' }, { adapters });
    expect(names).toEqual(['report']);
    expect(lines[0]).toMatch(/^The adapter takes who from context\.usr, but the session knows no such value/);
  });

  test('shows the parameters that people use, and sends those of the vendor', async () => {
    const [tool] = await load(vendor);
    expect(tool?.parameters).toEqual({
      type: 'object',
      required: ['metrics', 'time_range'],
      properties: {
        metrics: {
          type: 'array',
          items: { type: 'string', enum: ['v:unique_users', 'v:total_sessions', 'users', 'sessions'] },
          description: 'Also: users, sessions.',
        },
        time_range: {
          type: 'object',
          required: ['start'],
          properties: { start: text, end: text },
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    });
    expect(tool?.requires).toEqual([{ env: 'ACCOUNT', fix: 'Set ACCOUNT: the adapter gives it as account_id.' }]);
    const args = { metrics: ['users', 'v:total_sessions'], time_range: { start: '2026-01-01' } };
    const { action, outcome } = await runTool(tool, args, { env: { ACCOUNT: 'a/1' }, context: { user: 'li' } });
    expect(outcome.status).toBe('ok');
    const url =
      '/accounts/a%2F1/report?metrics=v%3Aunique_users&metrics=v%3Atotal_sessions&startTime=2026-01-01&who=li';
    expect(server.seen.at(-1)?.url).toBe(url);
    expect(action.tokens).toEqual(['GET', `${server.url}${url}`]);
  });

  test('cannot do without what the path needs', async () => {
    const [tool] = await load(vendor);
    await expect(runTool(tool, { metrics: ['users'], time_range: { start: 'x' } })).rejects.toThrow(
      'The path needs account_id, which has no value.',
    );
  });
});

test('the source that the README shows loads', async () => {
  const [, block = ''] = /^```yaml source\n([\s\S]*?)^```$/m.exec(readFileSync('README.md', 'utf8')) ?? [];
  const { sources, problems } = loadToolFiles([{ path: 'examples/x.yaml', text: block }], executors);
  expect(problems).toEqual([]);
  const { tools, failures } = await loadSources(sources, [], {
    ...{
      cacheDir: newFolder(),
      env: {},
      secret: () => '',
      signal: new AbortController().signal,
      confined: () => false,
    },
  });
  expect(failures).toEqual([]);
  expect(tools.map(({ name }) => name)).toEqual(['shop_list_pets', 'shop_add_pet', 'shop_remove_pet']);
});

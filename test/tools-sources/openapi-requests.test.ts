import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { JsonObject, ToolDefinition } from '../../src/domain/types.js';
import { serve, type TestServer } from '../exec/http-servers.js';
import { description, runTool, toolsOf } from './openapi-helpers.js';

const json = { responses: { 200: { description: 'ok', content: { 'application/json': {} } } } };
const list = { type: 'array', items: { type: 'string' } };
const map = { type: 'object', additionalProperties: { type: 'string' } };

/** An operation with one parameter `p`. */
const one = (place: string, schema: JsonObject, more: JsonObject = {}): JsonObject => ({
  get: { parameters: [{ name: 'p', in: place, required: true, schema, ...more }], ...json },
});

const STYLES: readonly (readonly [path: string, item: JsonObject, value: JsonObject[string], seen: string])[] = [
  ['/path/simple/{p}', one('path', list), ['a b', 'c/d', 'é'], '/path/simple/a%20b,c%2Fd,%C3%A9'],
  ['/path/object/{p}', one('path', map), { r: '1', g: '2' }, '/path/object/r,1,g,2'],
  ['/path/exploded/{p}', one('path', map, { explode: true }), { r: '1', g: '2' }, '/path/exploded/r=1,g=2'],
  ['/path/label{p}', one('path', list, { style: 'label' }), ['a', 'b'], '/path/label.a,b'],
  ['/path/labels{p}', one('path', list, { style: 'label', explode: true }), ['a', 'b'], '/path/labels.a.b'],
  ['/path/matrix{p}', one('path', list, { style: 'matrix' }), ['a', 'b'], '/path/matrix;p=a,b'],
  ['/path/matrices{p}', one('path', list, { style: 'matrix', explode: true }), ['a', 'b'], '/path/matrices;p=a;p=b'],
  ['/query/form', one('query', list), ['a b', 'c&d=1'], '/query/form?p=a%20b&p=c%26d%3D1'],
  ['/query/joined', one('query', list, { explode: false }), ['a', 'b,c'], '/query/joined?p=a,b%2Cc'],
  ['/query/object', one('query', map), { x: '1', 'y z': '2' }, '/query/object?x=1&y%20z=2'],
  ['/query/objects', one('query', map, { explode: false }), { x: '1', y: '2' }, '/query/objects?p=x,1,y,2'],
  ['/query/space', one('query', list, { style: 'spaceDelimited', explode: false }), ['a', 'b'], '/query/space?p=a%20b'],
  ['/query/pipe', one('query', list, { style: 'pipeDelimited', explode: false }), ['a', 'b'], '/query/pipe?p=a%7Cb'],
  [
    '/query/deep',
    one('query', { type: 'object' }, { style: 'deepObject', explode: true }),
    { a: 1, b: { c: ['x', 'y'] } },
    '/query/deep?p%5Ba%5D=1&p%5Bb%5D%5Bc%5D=x&p%5Bb%5D%5Bc%5D=y',
  ],
  ['/query/text', one('query', { type: 'string' }), '#a?b&c=d\n', '/query/text?p=%23a%3Fb%26c%3Dd%0A'],
];

describe('what the service receives', () => {
  let server: TestServer;
  let tools: readonly ToolDefinition[];
  const tool = (name: string) => tools.find((found) => found.name === name);
  const bodies: JsonObject = {
    '/content/{id}': {
      parameters: [{ name: 'id', in: 'path', required: true, schema: { type: 'integer' } }],
      get: {
        operationId: 'places',
        parameters: [
          { name: 'X-Trace', in: 'header', schema: { type: 'string' } },
          { name: 'X-Ids', in: 'header', schema: list },
          { name: 'Authorization', in: 'header', schema: { type: 'string' } },
          { name: 'theme', in: 'cookie', schema: { type: 'string' } },
          { name: 'filter', in: 'query', content: { 'application/json': { schema: { type: 'object' } } } },
          { name: 'limit', in: 'query', schema: { type: 'integer', default: 20 } },
        ],
        ...json,
      },
      patch: {
        operationId: 'change',
        requestBody: {
          content: {
            'application/json': {
              schema: {
                allOf: [
                  { $ref: '#/components/schemas/Base' },
                  {
                    type: 'object',
                    required: ['id'],
                    properties: { id: { type: 'string' }, 'é-x': { type: ['string', 'null'] } },
                  },
                ],
              },
            },
          },
          required: true,
        },
        ...json,
      },
    },
    '/form': {
      post: {
        operationId: 'form',
        requestBody: {
          content: {
            'application/x-www-form-urlencoded': {
              schema: { type: 'object', properties: { a: { type: 'string' }, b: list } },
            },
          },
        },
        ...json,
      },
    },
    '/parts': {
      post: {
        operationId: 'parts',
        requestBody: {
          required: true,
          content: {
            'multipart/form-data': {
              schema: { type: 'object', properties: { note: { type: 'string' }, meta: { type: 'object' } } },
            },
          },
        },
        ...json,
      },
    },
    '/whole': {
      put: {
        operationId: 'whole',
        requestBody: { required: true, content: { 'application/vnd.x+json': { schema: list } } },
        ...json,
      },
      post: { operationId: 'text', requestBody: { required: true, content: { 'text/csv': {} } }, ...json },
    },
  };

  beforeAll(async () => {
    server = await serve((_request, response) =>
      response.setHeader('content-type', 'application/json').end('{"ok":true}'),
    );
    const schemas = {
      Base: {
        type: 'object',
        properties: {
          name: { type: 'string' },
          on: { type: 'boolean', default: false },
          made: { type: 'string', readOnly: true },
        },
      },
    };
    const paths = { ...Object.fromEntries(STYLES.map(([path, item]) => [path, item])), ...bodies };
    tools = await toolsOf(description(paths, { components: { schemas } }), { base_url: `${server.url}/v1/` });
  });
  afterAll(() => server.close());

  test.each(STYLES)('%s', async (path, _item, value, seen) => {
    const found = tools.find(({ run }) => run.url === `${server.url}/v1${path}`);
    const { outcome, action } = await runTool(found, { p: value });
    expect(outcome).toEqual({ status: 'ok', exitCode: 200 });
    expect(server.seen.at(-1)?.url).toBe(`/v1${seen}`);
    expect(action.tokens).toEqual(['GET', `${server.url}/v1${seen}`]);
  });

  test('headers, cookies, JSON in a query; defaults are told and not sent; Authorization is no argument', async () => {
    const args = { id: 7, X_Trace: 'a;b', X_Ids: ['1', '2'], theme: 'dark; x=1', filter: { a: ['é'] } };
    const { action } = await runTool(tool('places'), args);
    const { url, headers } = server.seen.at(-1) ?? {};
    expect(url).toBe(`/v1/content/7?filter=${encodeURIComponent('{"a":["é"]}')}`);
    expect(headers).toMatchObject({ 'x-trace': 'a;b', 'x-ids': '1,2', cookie: 'theme=dark%3B%20x%3D1' });
    expect(action.display.split('\n').slice(1)).toEqual([
      'x-trace: a;b',
      'x-ids: 1,2',
      'cookie: theme=dark%3B%20x%3D1',
    ]);
    expect(tool('places')?.parameters).toEqual({
      type: 'object',
      required: ['id'],
      properties: {
        id: { type: 'integer' },
        X_Trace: { type: 'string' },
        X_Ids: list,
        theme: { type: 'string' },
        filter: { type: 'object' },
        limit: { type: 'integer', description: '(default: 20)' },
      },
      additionalProperties: false,
    });
  });

  test.each([
    ['..', 'The path holds'],
    ['', 'is empty|another path'],
  ])('an argument %j cannot leave its place in the path', async (p, why) => {
    const simple = tools.find(({ run }) => `${run.url}`.includes('/path/simple/'));
    await expect(runTool(simple, { p: [p] })).rejects.toThrow(new RegExp(`${why}|ask for another path`));
  });

  test('a header cannot hold a line break', async () => {
    await expect(runTool(tool('places'), { id: 1, X_Trace: 'a\r\nx-evil: 1' })).rejects.toThrow(
      'cannot hold a line break',
    );
  });

  test('the properties of a body, of allOf too, without those that the service sets; a name twice says where it belongs', async () => {
    await runTool(tool('change'), { id: 1, body_id: 'x', x: null });
    expect(server.seen.at(-1)).toMatchObject({ method: 'PATCH', url: '/v1/content/1', body: '{"id":"x","é-x":null}' });
    expect(server.seen.at(-1)?.headers['content-type']).toBe('application/json');
    expect(Object.keys(tool('change')?.parameters.properties ?? {})).toEqual(['id', 'name', 'on', 'body_id', 'x']);
    await expect(runTool(tool('change'), { id: 1 })).rejects.toThrow('lacks "body_id"');
  });

  test('forms, parts, whole bodies and text; an optional body in which nothing stands is not sent', async () => {
    await runTool(tool('form'), { a: 'x&y=1', b: ['1', '2'] });
    expect(server.seen.at(-1)).toMatchObject({ body: 'a=x%26y%3D1&b=1&b=2' });
    expect(server.seen.at(-1)?.headers['content-type']).toBe('application/x-www-form-urlencoded');
    await runTool(tool('form'), {});
    expect(server.seen.at(-1)?.headers['content-type']).toBeUndefined();
    await runTool(tool('parts'), { note: 'a\r\n--x', meta: { n: 1 } });
    const parts = server.seen.at(-1);
    const read = await new Response(parts?.body ?? '', {
      headers: { 'content-type': parts?.headers['content-type'] ?? '' },
    }).formData();
    expect(read.get('note')).toBe('a\r\n--x');
    expect(read.get('meta')).toBe('{"n":1}');
    await runTool(tool('whole'), { body: ['a'] });
    expect(server.seen.at(-1)).toMatchObject({ method: 'PUT', body: '["a"]' });
    expect(server.seen.at(-1)?.headers['content-type']).toBe('application/vnd.x+json');
    await runTool(tool('text'), { body: 'a,b\n' });
    expect(server.seen.at(-1)).toMatchObject({ body: 'a,b\n' });
    expect(server.seen.at(-1)?.headers['content-type']).toBe('text/csv');
  });

  test('risk follows the method, and x-opsagent-risk may only raise it', async () => {
    const op = (risk?: string): JsonObject => ({ ...json, ...(risk && { 'x-opsagent-risk': risk }) });
    const methods = { get: op(), head: op(), options: op(), post: op(), put: op(), patch: op(), delete: op() };
    const said = { get: op('critical'), post: op('low'), delete: op('high'), put: op('oops') };
    const found = await toolsOf(description({ '/a': methods, '/b': said }));
    expect(found.map(({ name, riskLevel, idempotent }) => [name, riskLevel, idempotent])).toEqual([
      ['get_a', 'low', false],
      ['head_a', 'low', false],
      ['options_a', 'low', false],
      ['post_a', 'high', false],
      ['put_a', 'high', false],
      ['patch_a', 'high', false],
      ['delete_a', 'critical', false],
      ['get_b', 'critical', false],
      ['post_b', 'high', false],
      ['put_b', 'critical', false],
      ['delete_b', 'critical', false],
    ]);
    expect(found[0]?.permissions).toEqual(['shop:a:read']);
  });
});

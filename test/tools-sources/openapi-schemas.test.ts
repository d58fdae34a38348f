import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Json, JsonObject } from '../../src/domain/types.js';
import { compileSchema } from '../../src/lib/json-schema.js';
import { serve } from '../exec/http-servers.js';
import { description, loadApi, newFolder, toolsOf } from './openapi-helpers.js';

const answers = { responses: { 200: { description: 'ok' } } };
const withSchema = (schema: Json, schemas: JsonObject = {}, openapi = '3.1.0'): JsonObject =>
  description(
    {
      '/a': {
        post: {
          parameters: [{ name: 'p', in: 'query', schema }],
          requestBody: { content: { 'application/json': { schema } } },
          ...answers,
        },
      },
    },
    { components: { schemas }, openapi },
  );
const made = async (schema: Json, schemas: JsonObject = {}, openapi = '3.1.0') => {
  const [tool] = await toolsOf(withSchema(schema, schemas, openapi));
  const { properties, $defs } = tool?.parameters ?? {};
  return { p: (properties as JsonObject).p, ...($defs !== undefined && { $defs }) };
};
const ref = (name: string): JsonObject => ({ $ref: `#/components/schemas/${name}` });

describe('schemas', () => {
  test('of 3.0: nullable, exclusive bounds, an enum with null', async () => {
    expect((await made({ type: 'string', nullable: true, enum: ['a'] }, {}, '3.0.3')).p).toEqual({
      type: ['string', 'null'],
      enum: ['a', null],
    });
    expect((await made({ type: 'integer', minimum: 1, exclusiveMinimum: true }, {}, '3.0.3')).p).toEqual({
      type: 'integer',
      exclusiveMinimum: 1,
    });
    expect((await made({ nullable: true, oneOf: [{ type: 'string' }] }, {}, '3.0.3')).p).toEqual({
      anyOf: [{ oneOf: [{ type: 'string' }] }, { type: 'null' }],
    });
  });

  test('a property may be called like a keyword', async () => {
    const schema = {
      type: 'object',
      properties: { example: { type: 'string' }, nullable: { type: 'boolean' }, $ref: { type: 'string' } },
    };
    expect((await made({ ...schema, properties: { ...schema.properties, $ref: { type: 'string' } } })).p).toEqual(
      schema,
    );
  });

  test('that hold themselves come out under $defs, and are checked to any depth', async () => {
    const Node: JsonObject = {
      type: 'object',
      required: ['name'],
      properties: { name: { type: 'string' }, children: { type: 'array', items: ref('Node') } },
    };
    const { p, $defs } = await made(ref('Node'), { Node });
    expect($defs).toEqual({
      Node_0: {
        type: 'object',
        required: ['name'],
        properties: { name: { type: 'string' }, children: { type: 'array', items: { $ref: '#/$defs/Node_0' } } },
      },
    });
    const validate = compileSchema({ ...(p as JsonObject), $defs });
    expect(validate({ name: 'a', children: [{ name: 'b', children: [{ name: 'c' }] }] })).toEqual([]);
    expect(validate({ name: 'a', children: [{ name: 'b', children: [{}] }] })).toHaveLength(1);
  });

  test('a ring of 300 schemas, each of which holds all others, stays small', async () => {
    const names = Array.from({ length: 300 }, (_, i) => `S${i}`);
    const all = Object.fromEntries(names.map((name) => [name, ref(name)]));
    const schemas = Object.fromEntries(names.map((name) => [name, { type: 'object', properties: all }]));
    const [tool] = await toolsOf(withSchema(ref('S0'), schemas));
    expect(JSON.stringify(tool?.parameters).length).toBeLessThan(100_000);
    expect(compileSchema(tool?.parameters)({ p: { S1: { S2: {} } } })).toEqual([]);
  });

  const names = ['A', 'B', 'C'];
  const odd = fc.oneof(fc.jsonValue(), fc.constantFrom<Json>(true, false, 0, -1, '5', [], {}, null));
  const { schema: anySchema } = fc.letrec<{ schema: JsonObject }>((tie) => ({
    schema: fc.oneof(
      { depthSize: 'xsmall', withCrossShrink: true },
      fc.constantFrom(...names.map(ref)),
      fc.record(
        {
          type: fc.oneof(
            fc.constantFrom<Json>('string', 'integer', 'object', 'array', 'file', 'null'),
            odd,
          ) as fc.Arbitrary<Json>,
          enum: odd,
          required: odd,
          default: odd,
          const: odd,
          format: fc.oneof(fc.constantFrom<Json>('date-time', 'int64', 'x'), odd),
          nullable: odd,
          pattern: fc.constantFrom<Json>('^a$', '(', '[', '\\p{L}', '(?i)x', 5),
          minimum: odd,
          exclusiveMinimum: odd,
          maxLength: odd,
          multipleOf: odd,
          uniqueItems: odd,
          discriminator: odd,
          'x-any': odd,
          xml: odd,
          deprecated: odd,
          description: odd,
          readOnly: odd,
          additionalProperties: fc.oneof(tie('schema'), odd),
          items: fc.oneof(tie('schema'), odd),
          properties: fc.oneof(
            fc.dictionary(fc.constantFrom('a', '__proto__', 'type', '$ref', 'é', 'item'), tie('schema')),
            odd,
          ),
          allOf: fc.oneof(fc.array(tie('schema'), { maxLength: 2 }), odd),
          oneOf: fc.oneof(fc.array(tie('schema'), { maxLength: 2 }), odd),
          anyOf: fc.array(tie('schema'), { maxLength: 2 }),
          not: tie('schema'),
        },
        { requiredKeys: [] },
      ) as fc.Arbitrary<JsonObject>,
    ),
  }));

  test('whatever a description holds, tools come out whose parameters can be compiled and checked, or one line says why not', async () => {
    await fc.assert(
      fc.asyncProperty(anySchema, anySchema, anySchema, anySchema, fc.jsonValue(), async (schema, A, B, C, value) => {
        const folder = newFolder();
        const { tools, failures } = await loadApi({ spec: withSchema(schema, { A, B, C }) }, { folder });
        expect(tools.length + failures.length).toBe(1);
        for (const tool of tools) {
          const validate = compileSchema(JSON.parse(JSON.stringify(tool.parameters)));
          for (const name of Object.keys(tool.parameters.properties as JsonObject)) validate({ [name]: value });
        }
      }),
      { numRuns: 60 },
    );
  });
});

describe('what was made of a description', () => {
  test('is kept by its content, and made anew when that, the address or the fence changes', async () => {
    const folder = newFolder();
    const spec = (name: string) => description({ '/a': { get: { operationId: name, ...answers } } });
    const load = async (base_url: string, env = {}) => {
      const { tools } = await loadApi({ spec: './s.json', base_url }, { folder, env });
      return tools.map(({ name, run }) => `${name} ${run.url}`);
    };
    writeFileSync(`${folder}/s.json`, JSON.stringify(spec('one')));
    expect(await load('https://a.example')).toEqual(['one https://a.example/a']);
    const kept = readdirSync(join(folder, 'cache'));
    expect(kept).toHaveLength(1);
    // What is kept is used: a mark in it comes back.
    const path = join(folder, 'cache', kept[0] ?? '');
    writeFileSync(path, readFileSync(path, 'utf8').replace('"one"', '"marked"'));
    expect(await load('https://a.example')).toEqual(['marked https://a.example/a']);
    expect(await load('https://b.example')).toEqual(['one https://b.example/a']);
    expect(await load('{{ env.API }}', { API: 'https://c.example/' })).toEqual(['one https://c.example/a']);
    expect(await load('{{ env.API }}', { API: 'https://d.example' })).toEqual(['one https://d.example/a']);
    expect(await load('https://a.example', { OPENAPI_ALLOWED_DOMAINS: 'b.example' })).toEqual([]);
    writeFileSync(`${folder}/s.json`, JSON.stringify(spec('two')));
    expect(await load('https://a.example')).toEqual(['two https://a.example/a']);
  });

  test('serves when the address does not answer any more, and the address is asked once a day', async () => {
    const folder = newFolder();
    const server = await serve((_request, response) =>
      response.end(JSON.stringify(description({ '/a': { get: { operationId: 'far', ...answers } } }, { servers: [] }))),
    );
    const load = () => loadApi({ spec: `${server.url}/s` }, { folder });
    const names = async () => (await load()).tools.map(({ name, run }) => `${name} ${run.url}`);
    expect(await names()).toEqual([`far ${server.url}/a`]);
    expect(await names()).toEqual([`far ${server.url}/a`]);
    expect(server.seen).toHaveLength(1);
    // As if it were two days old.
    for (const file of readdirSync(join(folder, 'cache'))) {
      const path = join(folder, 'cache', file);
      const kept = JSON.parse(readFileSync(path, 'utf8'));
      if (kept.at) writeFileSync(path, JSON.stringify({ ...kept, at: kept.at - 2 * 86_400_000 }));
    }
    expect(await names()).toEqual([`far ${server.url}/a`]);
    expect(server.seen).toHaveLength(2);
    await server.close();
    for (const file of readdirSync(join(folder, 'cache'))) {
      const path = join(folder, 'cache', file);
      const kept = JSON.parse(readFileSync(path, 'utf8'));
      if (kept.at) writeFileSync(path, JSON.stringify({ ...kept, at: 0 }));
    }
    expect(await names()).toEqual([`far ${server.url}/a`]);
  });
});

import { describe, expect, it } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import { compileSchema } from '../../src/lib/json-schema.js';

describe('compileSchema refuses', () => {
  it.each([
    ['an unknown keyword', { type: 'object', propertees: {} }],
    ['a wrong type', { type: 'text' }],
    ['a pattern that is no regular expression', { type: 'string', pattern: '(' }],
    ['an unknown format', { type: 'string', format: 'hostnam' }],
    ['a reference to somewhere else', { $ref: 'https://example.com/schema.json' }],
    ['something that is no schema', 'object'],
  ])('%s', (_, schema) => {
    expect(() => compileSchema(schema)).toThrow(OpsError);
  });
});

describe('compileSchema', () => {
  it('reports every problem with its path, positions as numbers', () => {
    const validate = compileSchema({
      type: 'object',
      required: ['name'],
      additionalProperties: false,
      properties: {
        name: { type: 'string' },
        'a/b': { type: 'array', items: { type: 'integer' } },
        map: { type: 'object' },
      },
    });
    expect(validate({ name: 'x', 'a/b': [1] })).toEqual([]);
    expect(validate({ 'a/b': [1, 'two'], nmae: 1, map: { 0: 1 } })).toMatchObject([
      {
        path: [],
        keyword: 'required',
        message: "must have required property 'name'",
        params: { missingProperty: 'name' },
      },
      {
        path: [],
        keyword: 'additionalProperties',
        message: 'must NOT have additional properties',
        params: { additionalProperty: 'nmae' },
      },
      { path: ['a/b', 1], keyword: 'type', message: 'must be integer', params: { type: 'integer' } },
    ]);
  });

  it('accepts x- annotations anywhere, also in a property of that name', () => {
    const validate = compileSchema({
      type: 'object',
      properties: {
        namespace: { type: 'string', 'x-context': 'namespace' },
        'x-y': { type: 'string', 'x-deep-one': 1 },
      },
    });
    expect(validate({ namespace: 'a', 'x-y': 'b' })).toEqual([]);
    expect(validate({ 'x-y': 1 })).toHaveLength(1);
    const again = compileSchema({ properties: { other: { type: 'string', 'x-context': 'user' } } });
    expect(again({ other: 1 })).toHaveLength(1);
  });

  it('checks formats and leaves the value as it is', () => {
    const data = { at: 'yesterday' };
    const validate = compileSchema({
      properties: { at: { type: 'string', format: 'date-time', default: 'x' }, b: { default: 1 } },
    });
    expect(validate(data)).toMatchObject([{ path: ['at'], keyword: 'format' }]);
    expect(data).toEqual({ at: 'yesterday' });
  });

  it('compiles a schema object once, and two schemas may carry the same $id', () => {
    const schema = {
      $id: 'https://example.com/same',
      type: 'object',
      properties: { a: { $ref: '#/$defs/t' } },
      $defs: { t: { type: 'string' } },
    };
    expect(compileSchema(schema)).toBe(compileSchema(schema));
    expect(compileSchema(structuredClone(schema))({ a: 1 })).toHaveLength(1);
  });
});

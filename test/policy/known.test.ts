import { describe, expect, test } from 'vitest';
import type { Effect, JsonObject } from '../../src/domain/types.js';
import { loadPolicies } from '../../src/policy/load.js';
import { matches } from '../../src/policy/rules.js';

const says = (effect: Effect, match: JsonObject, input: JsonObject) => matches({ effect, match }, input);
const NS = { properties: { namespace: { const: 'dev' } } };
const ARG = { properties: { arguments: { properties: { replicas: { maximum: 3 } } } } };

describe('an allow rule and what is missing', () => {
  test.each<[string, JsonObject, JsonObject]>([
    ['a property that is absent', NS, { tool: 'x' }],
    ['a property inside an absent object', ARG, { tool: 'x' }],
    ['a property absent inside an object', ARG, { arguments: {} }],
    ['a number that is a text', ARG, { arguments: { replicas: '500' } }],
    ['an object that is a text', ARG, { arguments: 'replicas' }],
    [
      'a negated property that is absent',
      { not: { properties: { namespace: { const: 'prod' } }, required: ['namespace'] } },
      {},
    ],
    ['a negation inside a property', { properties: { namespace: { not: { const: 'prod' } } } }, {}],
    ['a branch that names what is absent', { anyOf: [NS, { properties: { tool: { const: 'x' } } }] }, { tool: 'x' }],
    ['a part that names what is absent', { allOf: [NS] }, { tool: 'x' }],
    ['an empty list with items', { properties: { targets: { items: { pattern: '^web' } } } }, { targets: [] }],
    [
      'an empty list that must not contain',
      { properties: { targets: { not: { contains: { const: 'db' } } } } },
      { targets: [] },
    ],
    [
      'a list shorter than its prefix',
      { properties: { argv: { prefixItems: [{ const: 'a' }, { const: 'b' }] } } },
      { argv: ['a'] },
    ],
    ['a text that is a list', { properties: { verb: { pattern: '^get' } } }, { verb: ['delete'] }],
    ['a property of the prototype', { properties: { constructor: {} } }, { tool: 'x' }],
    ['unknown roles', { properties: { roles: { not: { contains: { const: 'guest' } } } } }, {}],
    ['only required below not', { not: { required: ['taint'] } }, {}],
  ])('does not match %s', (_, match, input) => {
    expect(says('allow', match, input)).toBe(false);
  });

  test.each<[string, JsonObject, JsonObject]>([
    ['all that it names', NS, { namespace: 'dev' }],
    ['an argument in range', ARG, { arguments: { replicas: 3 } }],
    ['another value than the negated', { properties: { namespace: { not: { const: 'prod' } } } }, { namespace: 'dev' }],
    [
      'a list without the item',
      { properties: { argv: { not: { contains: { const: '-A' } } } } },
      { argv: ['kubectl'] },
    ],
    ['each item', { properties: { targets: { items: { pattern: '^web' } } } }, { targets: ['web-1', 'web-2'] }],
  ])('matches %s', (_, match, input) => {
    expect(says('allow', match, input)).toBe(true);
  });

  test.each<Effect>(['deny', 'confirm'])(
    'a %s matches what is absent all the same: that is its safe side',
    (effect) => {
      expect(says(effect, NS, { tool: 'x' })).toBe(true);
    },
  );
});

describe('loading an allow rule', () => {
  const file = (match: string, example: string, effect = 'allow') =>
    `version: 1\nrules: [{ id: a, effect: ${effect}, reason: r, match: ${match}, examples: { match: [${example}] } }]`;
  const load = (text: string) => loadPolicies([{ path: 'p.yaml', text }]);

  test.each([
    ['patternProperties', '{ properties: { arguments: { patternProperties: { "^n": { const: 1 } } } } }'],
    ['if', '{ if: { properties: { namespace: { const: a } } }, then: true }'],
    ['$defs', '{ $defs: { x: { const: a } }, properties: { tool: { $ref: "#/$defs/x" } } }'],
    ['dependentSchemas', '{ allOf: [{ dependentSchemas: { tool: {} } }] }'],
    ['propertyNames', '{ not: { propertyNames: { const: tool } } }'],
    ['minContains', '{ properties: { argv: { contains: { const: a }, minContains: 0, maxContains: 2 } } }'],
    ['additionalProperties', '{ properties: { arguments: { additionalProperties: { const: 1 } } } }'],
  ])('refuses %s', (keyword, match) => {
    expect(() => load(file(match, '{ tool: a }'))).toThrow(`rule a: an allow rule cannot use "${keyword}"`);
    expect(() => load(file(match, '{ tool: a }', 'deny'))).not.toThrow('cannot use');
  });

  test('an example that leaves out what the rule names is a mistake, with the reason', () => {
    expect(() => load(file('{ properties: { namespace: { const: dev } } }', '{ tool: x }'))).toThrow(
      'An allow matches only a call with every property that it names.',
    );
  });
});

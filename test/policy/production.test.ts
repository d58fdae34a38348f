import { describe, expect, test } from 'vitest';
import { DEFAULT_PRODUCTION_PATTERNS, productionName } from '../../src/policy/production.js';

const named = (context?: string, namespace?: string, patterns: readonly string[] = DEFAULT_PRODUCTION_PATTERNS) =>
  productionName(patterns, 'high', context, undefined, namespace);

describe('what counts as production', () => {
  test.each([
    ['prod', undefined, 'prod'],
    ['PROD-eu', undefined, 'PROD-eu'],
    ['arn:aws:eks:eu-west-1:1:cluster/shop-prod', undefined, 'arn:aws:eks:eu-west-1:1:cluster/shop-prod'],
    ['test', 'production', 'production'],
    ['prd-1', 'production', 'prd-1'],
    ['test', 'preprod', undefined],
    ['product-catalog', 'products', undefined],
    ['reproduce', undefined, undefined],
    [undefined, undefined, undefined],
  ])('context %s, namespace %s: %s has to be typed', (context, namespace, expected) => {
    expect(named(context, namespace)).toBe(expected);
  });

  test('one’s own patterns replace the usual ones, and a dot is a dot', () => {
    expect(named('live.eu', undefined, ['live.*'])).toBe('live.eu');
    expect(named('livexeu', undefined, ['live.*'])).toBeUndefined();
    expect(named('prod', undefined, ['live.*'])).toBeUndefined();
  });

  test('reads need no name', () => {
    expect(productionName(DEFAULT_PRODUCTION_PATTERNS, 'medium', 'prod', undefined, 'prod')).toBeUndefined();
  });

  test('the namespace that the command names counts before the one of the arguments', () => {
    const does = {
      program: 'kubectl',
      verb: 'delete',
      targets: ['pod/x'],
      namespace: 'production',
      scope: 'one',
      reversible: false,
      risk: 'high',
      reason: 'it deletes',
      connection: [],
    } as const;
    expect(productionName(DEFAULT_PRODUCTION_PATTERNS, 'high', 'test', does, 'dev')).toBe('production');
  });
});

import { expect, test } from 'vitest';
import { quickLength } from '../../src/lib/bounded-pattern.js';
import { compileSchema, isUnanswered } from '../../src/lib/json-schema.js';

test('a schema that would be checked later is none', () => {
  expect(() => compileSchema({ $async: true, type: 'object' })).toThrow('it is asynchronous');
});

test.each(['^(a+)+$', '^(a|a)*$', '^a*a*a*a*a*a*a*a*$', '^(?:a?){40}a{40}$', '^(a*)*\\1$'])(
  'a pattern that takes for ever matches nothing, and neither does its opposite: %s',
  (pattern) => {
    const check = compileSchema({ type: 'string', pattern });
    const long = `${'a'.repeat(5_000)}b`;
    expect(check(long).map(({ keyword }) => keyword)).toEqual(['pattern', 'x-unanswered']);
    expect(check('aaaa').some((problem) => isUnanswered([problem]))).toBe(false);
    const opposite = compileSchema({ not: { type: 'string', pattern } })(long);
    expect([opposite.length, isUnanswered(opposite)]).toEqual([1, true]);
    expect(check('aaaa').length).toBe(pattern.includes('40') ? 1 : 0);
    expect(check(`${'a'.repeat(30)}b`)).not.toEqual([]);
  },
);

test('an ordinary pattern with groups matches long texts', () => {
  const check = compileSchema({ type: 'string', pattern: '^(?:[a-z0-9]+[.-])*[a-z0-9]+$' });
  expect([check('web-7f9c.shop.svc.cluster.local'), check('web_7f9c.shop.svc.cluster.local').length]).toEqual([[], 1]);
});

test('what is remembered of texts is what the pattern says of them, each pattern for itself, over more texts than are remembered', () => {
  const sources = ['^(?:[a-z]+-)*[0-9]+$', '^(?:[a-z]+-)*[0-9]*[02468]$', '(^|-)(1|2)*$'];
  const checks = sources.map((pattern) => compileSchema({ type: 'string', pattern }));
  const texts = Array.from({ length: 600 }, (_, at) => `${at % 3 === 0 ? 'web-' : ''}${at}${at % 7 === 0 ? '!' : ''}`);
  const matching = (test: (text: string, at: number) => boolean) =>
    [...texts, ...texts].map((text) => sources.map((_, at) => test(text, at)));
  expect(matching((text, at) => checks[at]?.(text).length === 0)).toEqual(
    matching((text, at) => new RegExp(sources[at] ?? '', 'u').test(text)),
  );
});

test.each([
  ['^(a+)+$', 0],
  ['^(?:ab?){2,}$', 0],
  ['(a|b)\\1', 0],
  ['(?<x>a)\\k<x>', 0],
  ['^(?:a?){40}a{40}$', 0],
  ['^a*a*a*a*a*a*a*a*$', 0],
  [`^${'(a|a)'.repeat(30)}$`, 0],
  [`${'a?'.repeat(30)}b`, 0],
  ['^a*a*a*$', 30],
  ['a.*b', 200],
  ['^[a-z*+(|]+\\)\\*$', 200],
  ['^(?:-o|--output(?:=|$)|--raw)$', 200],
])('how long a text may be that %s looks at without a clock: %d', (source, length) => {
  expect(quickLength(source)).toBe(length);
});

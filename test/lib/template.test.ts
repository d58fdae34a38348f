import { describe, expect, test } from 'vitest';
import { fillArgv, fillJson, fillText, holds, placeholdersIn } from '../../src/lib/template.js';

const lookup = (values: Record<string, never>) => (name: string) => values[name];
const of = (values: object) => lookup(values as Record<string, never>);

describe('templates', () => {
  test('a Go template is no placeholder', () => {
    expect(placeholdersIn('--format={{.Names}} {{print .x}} {{ name }} {{env.HOME}}')).toEqual(['name', 'env.HOME']);
  });

  test('a value is never read again as a template', () => {
    expect(fillText('{{ a }}', of({ a: '{{ b }}', b: 'x' }))).toBe('{{ b }}');
    expect(fillText('{{ a }}', of({ a: '$& $1' }))).toBe('$& $1');
  });

  test('a text with an absent value is absent', () => {
    expect(fillText('--x={{ a }}', of({}))).toBeUndefined();
  });

  test('groups are kept, dropped and repeated, and each placeholder makes one item', () => {
    const argv = [
      'kubectl',
      { when: 'ns', argv: ['--namespace={{ ns }}'] },
      { when: '!ns', argv: ['-A'] },
      '--',
      { for_each: 'command', argv: ['{{ item }}'] },
    ];
    expect(fillArgv(argv, of({ ns: 'a b', command: ['sh', '-c', 'x; y'] }))).toEqual([
      'kubectl',
      '--namespace=a b',
      '--',
      'sh',
      '-c',
      'x; y',
    ]);
    expect(fillArgv(argv, of({ command: [] }))).toEqual(['kubectl', '-A', '--']);
  });

  test.each([
    ['x', true, true],
    ['x', false, false],
    ['x', '', false],
    ['x', 0, true],
    ['!x', undefined, true],
    ['!x', 'a', false],
  ])('%s with %j holds: %s', (condition, value, expected) => {
    expect(holds(condition, () => value)).toBe(expected);
  });

  test('a whole placeholder keeps its type, and an absent one leaves its key out', () => {
    expect(
      fillJson({ n: '{{ n }}', t: 'n={{ n }}', gone: '{{ gone }}', list: ['{{ gone }}', 1] }, of({ n: 3 })),
    ).toEqual({ n: 3, t: 'n=3', list: [1] });
  });
});

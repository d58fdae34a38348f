import { expect, test } from 'vitest';
import { classify } from '../../src/policy/classify/index.js';

/**
 * Tests each line of a table: `argv, split on spaces => risk | verb | targets | scope | namespace | connection`; what is empty at
 * the end of a line may be left out, `␣` is a space within an item, `#` begins a heading.
 */
export function testTable(table: string): void {
  const lines = table.split('\n').filter((line) => line.trim() !== '' && !line.startsWith('#'));
  test.each(lines.map((line) => line.split(' => ') as [string, string]))('%s', (argv, expected) => {
    const found = classify(argv.split(' ').map((item) => item.replaceAll('␣', ' ')));
    if (!found) return expect('unknown').toBe(expected);
    const { risk, verb, targets, scope, namespace = '', connection } = found;
    const shown = [risk, verb, targets.join(' '), scope, namespace, connection.join(' ')];
    expect(shown).toEqual([...expected.split(' | '), '', '', '', '', ''].slice(0, 6).map((part) => part.trim()));
  });
}

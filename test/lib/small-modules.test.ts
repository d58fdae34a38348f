import { describe, expect, it } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import { checkExpression, query } from '../../src/lib/jmespath.js';
import { didYouMean, editDistance, nearest } from '../../src/lib/nearest.js';
import { formatProblems } from '../../src/lib/problems.js';

describe('formatProblems', () => {
  it('writes file:line:column and the fix below, ordered within each file', () => {
    const at = (file: string, line: number, column: number) => ({ file, line, column });
    expect(
      formatProblems([
        { ...at('b.yaml', 9, 1), message: 'Second.' },
        { ...at('a.yaml', 1, 1), message: 'Third.', fix: 'Do this.\nOr that.' },
        { ...at('b.yaml', 2, 10), message: 'First.', fix: 'Mend it.' },
      ]),
    ).toBe('b.yaml:2:10: First.\n    Mend it.\nb.yaml:9:1: Second.\na.yaml:1:1: Third.\n    Do this.\n    Or that.');
  });

  it('writes nothing for no problems', () => {
    expect(formatProblems([])).toBe('');
  });
});

describe('nearest', () => {
  it('does not offer what is far away or merely short', () => {
    expect(nearest('frobnicate', ['kubectl_get', 'docker_ps'])).toEqual([]);
    expect(nearest('a', ['b', 'cd'])).toEqual([]);
    expect(didYouMean('frobnicate', ['kubectl_get'])).toBe('');
  });

  it('offers typos first, then beginnings, whatever the case and the dashes', () => {
    const known = ['kubectl_get_pods', 'kubectl_get', 'kubectl_logs', 'docker_ps'];
    expect(nearest('kubectl_get_pod', known)).toEqual(['kubectl_get_pods', 'kubectl_get']);
    expect(nearest('kubectl-log', known)).toEqual(['kubectl_logs']);
    expect(nearest('KUBECTL_LGOS', known)).toEqual(['kubectl_logs']);
    expect(nearest('kubectl', known, 2)).toEqual(['kubectl_get', 'kubectl_get_pods']);
    expect(didYouMean('docker_psa', known)).toBe(' Did you mean "docker_ps"?');
  });

  it('counts a swap of neighbours as one edit and gives up above the limit', () => {
    expect(editDistance('ab', 'ba')).toBe(1);
    expect(editDistance('', 'ab')).toBe(2);
    expect(editDistance('same', 'same')).toBe(0);
    expect(editDistance('kitten', 'sitting', 3)).toBe(3);
    expect(editDistance('a', 'abcdef')).toBe(3);
  });
});

describe('query', () => {
  it('refuses an expression that is not JMESPath or does not fit the value', () => {
    expect(() => query('items[', {})).toThrow(OpsError);
    expect(() => query('length(a)', { a: 1 })).toThrow(OpsError);
    expect(checkExpression('items[')).toMatch(/\w/);
    expect(checkExpression('items[?nosuch(@)]')).toBe('Unknown function: nosuch()');
  });

  it('selects, and gives null when nothing is there', () => {
    expect(query('items[0].metadata.name', { items: [{ metadata: { name: 'web' } }] })).toBe('web');
    expect(query('items[0].metadata.name', { items: [] })).toBe(null);
    expect(checkExpression('items[0].metadata.name')).toBeUndefined();
    expect(checkExpression('items[].{name: metadata.name, n: length(spec.containers)}')).toBeUndefined();
  });
});

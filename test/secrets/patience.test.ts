import { describe, expect, test } from 'vitest';
import { createRedactor } from '../../src/secrets/redactor.js';

describe('a redactor is never kept busy', () => {
  test.each(['1', '_1', 'base64', '-base64_64'])('takes no longer for a long name that ends otherwise: %s', (part) => {
    const line = `password${part.repeat(1_000)}x=abcdefgh\n`;
    expect(createRedactor().hide(line, 'output')).toBe(line);
  });

  test('takes time in proportion to values that begin alike', () => {
    const lines = Array.from({ length: 6_000 }, (_, index) => `password=Xk29fj3LQpz8vB${index}x\n`).join('');
    expect(createRedactor().hide(lines, 'output')).not.toContain('Xk29');
  }, 20_000);
});

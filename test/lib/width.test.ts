import fc from 'fast-check';
import stringWidth from 'string-width';
import { describe, expect, it } from 'vitest';
import { chopToWidth, padToWidth, truncateToWidth, widthOf, wrapToWidth } from '../../src/lib/width.js';

const text = fc.string({
  unit: fc.constantFrom('a', 'Z', ' ', '-', '订', '单', '。', 'é', 'e\u0301', '🚀', '👩‍💻', '한'),
});
const columns = fc.integer({ min: 2, max: 40 });

describe('width', () => {
  it('is that of the general algorithm, also on the quick paths', () => {
    fc.assert(
      fc.property(text, (line) => {
        expect(widthOf(line)).toBe(stringWidth(line));
      }),
    );
    const quick = '。「」ぁんァー一龥가힣!～';
    expect([...quick].map(widthOf)).toEqual([...quick].map((c) => stringWidth(c)));
  });

  it('truncates to the columns it was given, with a mark when something is missing', () => {
    expect(truncateToWidth('订单服务', 7)).toBe('订单服…');
    expect(truncateToWidth('订单服务', 8)).toBe('订单服务');
    fc.assert(
      fc.property(text, columns, (line, width) => {
        expect(widthOf(truncateToWidth(line, width))).toBeLessThanOrEqual(width);
      }),
    );
  });

  it('chops a line into pieces that fit and are the line again', () => {
    fc.assert(
      fc.property(text, columns, (line, width) => {
        const pieces = chopToWidth(line, width);
        expect(pieces.join('')).toBe(line);
        expect(pieces.filter((piece) => widthOf(piece) > width)).toEqual([]);
      }),
    );
  });

  it('wraps at spaces, and Chinese between any two characters', () => {
    expect(wrapToWidth('the pod of 订单服务 restarts', 12)).toEqual(['the pod of', '订单服务', 'restarts']);
    expect(wrapToWidth('a-word-too-long b', 6)).toEqual(['a-word', '-too-l', 'ong b']);
    fc.assert(
      fc.property(text, columns, (line, width) => {
        const lines = wrapToWidth(line, width);
        expect(lines.filter((row) => widthOf(row) > width)).toEqual([]);
        expect(lines.join('').replaceAll(' ', '')).toBe(line.replaceAll(' ', ''));
      }),
    );
  });

  it('pads by columns, not by characters', () => {
    expect([padToWidth('订', 4), padToWidth('订', 4, 'right'), padToWidth('订', 4, 'center')]).toEqual([
      '订  ',
      '  订',
      ' 订 ',
    ]);
  });
});

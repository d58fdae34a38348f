import { expect, test } from 'vitest';
import { planRequest } from '../../src/llm/offline/plan.js';
import { LOOKS, ORDERS, REFUSED } from './kubernetes-requests.js';
import { outcomeOf } from './outcome.js';
import { loadPacks } from './packs.js';

const tools = loadPacks('kubernetes');
const outcome = (request: string) => outcomeOf(tools, request);

test.each(REFUSED)('nothing is called for: %s', (request, why) => {
  expect(outcome(request)).toBe(`refused: ${why}`);
});

test.each(LOOKS)('a look: %s', (request, name, args) => {
  expect(outcome(request)).toEqual([name, args]);
});

test.each(ORDERS)('a plain and complete order: %s', (request, name, args) => {
  expect(outcome(request)).toEqual([name, args]);
});

test.each([
  'the ',
  'a',
  'pod ',
  'a-',
  '"a',
  'delete pod ',
  '的',
  'namespace ',
  'a.b.',
  '把web',
  'all ',
  'in ',
  '容器',
  'web里',
  '\u200b',
])('a long request of nothing but "%s" leads to no call', (piece) => {
  expect(planRequest(tools, piece.repeat(20_000 / piece.length)).type).toBe('refuse');
});

test('invisible characters and other widths do not hide a negation', () => {
  expect(outcome('do n\u200bot delete ｐｏｄ web-1')).toBe('refused: negated');
  expect(outcome('ｄｏ　ｎｏｔ delete pod web-1')).toBe('refused: negated');
});

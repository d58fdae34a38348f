import { expect, test } from 'vitest';
import { stem, termsOf } from '../../src/lib/terms.js';

test.each([
  [['restart', 'restarts', 'restarted', 'restarting'], 'restart'],
  [['run', 'runs', 'running'], 'run'],
  [['release', 'releases', 'released', 'releasing'], 'releas'],
  [['policy', 'policies'], 'policy'],
  [['process', 'processes'], 'process'],
  [['status'], 'status'],
  [['k8s'], 'k8s'],
])('%j are one word', (words, expected) => {
  expect([...new Set(words.map(stem))]).toEqual([expected]);
});

test('names fall into their parts, in any case and width; words that say nothing are left out', () => {
  expect(termsOf('kubectl_get_pods showReplicas the ＡＰＩ')).toEqual(['kubectl', 'pod', 'replica', 'api']);
});

test('Chinese gives pairs of neighbours, next to Latin without a blank', () => {
  expect(termsOf('查看pod日志')).toEqual(['查看', 'pod', '日志']);
  expect(termsOf('磁盘空间')).toEqual(['磁盘', '盘空', '空间']);
});

test.each(['', ' ', '?!', '\u0000', '🤷'])('%j has no terms', (text) => {
  expect(termsOf(text)).toEqual([]);
});

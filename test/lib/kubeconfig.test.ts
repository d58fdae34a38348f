import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { contextOf, currentContext, kubeconfigPaths, serverOf } from '../../src/lib/kubeconfig.js';

const file = (text: string): string => {
  const path = join(mkdtempSync(join(tmpdir(), 'opsagent-kube-')), 'config');
  writeFileSync(path, text);
  return path;
};

describe('currentContext', () => {
  test.each([
    ['current-context: prod', 'prod'],
    ['current-context: prod # the big one', 'prod'],
    ['current-context: prod#1', 'prod#1'],
    ['current-context: "prod #1"', 'prod #1'],
    ["current-context: 'arn:aws:eks:eu-west-1:123:cluster/prod'", 'arn:aws:eks:eu-west-1:123:cluster/prod'],
    ['"current-context": prod', 'prod'],
    ['current-context : prod', 'prod'],
    ['apiVersion: v1\ncontexts:\n- name: current-context\ncurrent-context: b\n', 'b'],
    ['contexts:\n  current-context: nested\n', undefined],
    ['current-context: ""', undefined],
    ['current-context:\nusers: []', undefined],
    ['{"kind": "Config", "current-context": "prod"}', 'prod'],
    ['', undefined],
  ])('%j names %s', (text, expected) => {
    expect(currentContext([file(text)])).toBe(expected);
  });

  test('the first file that sets one wins, and absent files are passed over', () => {
    expect(
      currentContext(['/nonexistent', file('users: []'), file('current-context: a'), file('current-context: b')]),
    ).toBe('a');
  });

  test('KUBECONFIG may name several files', () => {
    expect(kubeconfigPaths({ KUBECONFIG: '/a:/b:' }, '/home/x')).toEqual(['/a', '/b']);
    expect(kubeconfigPaths({}, '/home/x')).toEqual(['/home/x/.kube/config']);
  });
});

describe('contextOf', () => {
  const CONTEXTS = `contexts:
- context: { cluster: a, namespace: shop, user: u }
  name: test
- name: bare
  context: { cluster: a, user: u }
namespace: nonsense
`;

  test.each([
    ['test', { namespace: 'shop', cluster: 'a', user: 'u' }],
    ['bare', { namespace: 'default', cluster: 'a', user: 'u' }],
    ['other', undefined],
  ])('context %s says %j', async (context, expected) => {
    expect(await contextOf(['/nonexistent', file('not: [yaml'), file('users: []'), file(CONTEXTS)], context)).toEqual(
      expected,
    );
  });
});

describe('serverOf', () => {
  const CONTEXTS = 'contexts: [{ name: default, context: { cluster: a } }, { name: lost, context: { cluster: b } }]\n';
  const clusters = (server: string) => `clusters: [{ name: a, cluster: { server: "${server}" } }]\n`;

  test('is the first one that kubectl would take, over all files', async () => {
    const files = ['/nonexistent', file(CONTEXTS), file(clusters('https://a')), file(clusters('https://b'))];
    expect([await serverOf(files, 'default'), await serverOf(files, 'lost')]).toEqual(['https://a', undefined]);
  });
});

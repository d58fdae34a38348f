import { expect, test } from 'vitest';
import type { Message } from '../../src/domain/ports.js';
import type { ToolResult } from '../../src/domain/types.js';
import { podsOf } from '../../src/llm/offline/pods.js';
import { createOfflineModel } from '../../src/llm/offline.js';
import { loadPacks } from './packs.js';

const tools = loadPacks('kubernetes', 'docker', 'prometheus', 'host');

/** The conversation goes on with these results; returns the calls that were asked for and the last text. */
async function talk(request: string, ...results: readonly Partial<ToolResult>[]) {
  const messages: Message[] = [{ role: 'user', text: request }];
  const calls: [string, unknown][] = [];
  for (let step = 0; ; step++) {
    const reply = await createOfflineModel().reply(
      { messages, tools, onText: () => undefined },
      new AbortController().signal,
    );
    const [call] = reply.calls;
    if (!call) return { calls, text: reply.text, failed: reply.failed ?? false };
    calls.push([call.name, JSON.parse(call.rawArguments)]);
    messages.push({ role: 'assistant', text: '', calls: reply.calls });
    const result = {
      callId: `c${step}`,
      tool: call.name,
      status: 'ok',
      text: '',
      durationMs: 1,
      ...results[step],
    } as const;
    messages.push({ role: 'tool', modelCallId: call.id, result });
  }
}

const LISTED =
  'pod/order-service-7d8f9b6c5-abc12\npod/order-service-7d8f9b6c5-xyz89\npod/order-service-canary-5d5d5d5d5-aaaaa\npod/db-0\n';
const lookup = (namespace?: string) => [
  'kubectl_get',
  { kind: 'pods', ...(namespace && { namespace }), output: 'name' },
];

test('a name without pods is told with what to write, and no log is read', async () => {
  const { calls, text, failed } = await talk('logs of checkout in namespace shop', { text: LISTED });
  expect([calls, failed]).toEqual([[lookup('shop')], true]);
  expect(text).toContain('No pod of checkout was found in namespace shop');
  expect(text).toContain('list pods in namespace shop');
});

test('pods that cannot be listed end the matter with the reason', async () => {
  const error = { category: 'network', message: 'no cluster' } as const;
  const { calls, text, failed } = await talk('logs of order-service', { status: 'failed', error });
  expect([calls.length, failed]).toEqual([1, true]);
  expect(text).toContain('no cluster');
});

test.each([
  ['logs of order-service in namespace shop', 'shop'],
  ['logs of deployment order-service in namespace shop', 'shop'],
  ['logs of service order-service', undefined],
  ['查看order-service服务的日志', undefined],
])('%s: a pod is looked up, and its log is read', async (request, namespace) => {
  const { calls, text, failed } = await talk(request, { text: LISTED }, { text: 'all is well' });
  const pod_name = 'order-service-7d8f9b6c5-abc12';
  expect([calls, failed]).toEqual([
    [lookup(namespace), ['kubectl_logs', { pod_name, ...(namespace && { namespace }) }]],
    false,
  ]);
  expect(text).toMatch(/^all is well\n\n/);
  expect(text).toContain('order-service-7d8f9b6c5-xyz89');
  expect(text).not.toContain('canary');
});

test.each(['logs of pod web', 'logs of web-0', 'logs of web-7d8f9b6c5-abc12'])(
  '%s: a pod is taken at its word',
  async (request) => {
    const { calls } = await talk(request);
    expect(calls.map(([name]) => name)).toEqual(['kubectl_logs']);
  },
);

test('the pods of a name are the pod itself, those of its workload, or those that begin with it', () => {
  expect(podsOf(LISTED, 'db-0')).toEqual(['db-0']);
  expect(podsOf(LISTED, 'db')).toEqual(['db-0']);
  expect(podsOf(LISTED, 'order')).toEqual([
    'order-service-7d8f9b6c5-abc12',
    'order-service-7d8f9b6c5-xyz89',
    'order-service-canary-5d5d5d5d5-aaaaa',
  ]);
  expect(podsOf('NAME READY\n\u001b[31mpod/--all\npod/x y\n', '')).toEqual([]);
});

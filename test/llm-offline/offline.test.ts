import { expect, test } from 'vitest';
import type { Message } from '../../src/domain/ports.js';
import type { ToolResult } from '../../src/domain/types.js';
import { createOfflineModel } from '../../src/llm/offline.js';
import { loadPack } from '../helpers/kubernetes-pack.js';

const { tools } = loadPack();
const signal = new AbortController().signal;

async function ask(messages: readonly Message[], offered = tools) {
  let streamed = '';
  const reply = await createOfflineModel().reply({ messages, tools: offered, onText: (t) => (streamed += t) }, signal);
  return { reply, streamed };
}

const user = (text: string): Message => ({ role: 'user', text });
const call = { id: 'plan_1', name: 'diagnose_service', rawArguments: '{}' };

/** A request whose call ended with this result. */
const ended = (request: string, result: Partial<ToolResult>): Message[] => [
  user(request),
  { role: 'assistant', text: '', calls: [call] },
  {
    role: 'tool',
    modelCallId: 'plan_1',
    result: { callId: 'c1', tool: 'diagnose_service', status: 'ok', text: '', durationMs: 1, ...result },
  },
];

test('a request that cannot be placed is a failure that says what would work and how to get a model', async () => {
  const { reply, streamed } = await ask([user('what is the weather')]);
  expect(reply).toMatchObject({ calls: [], failed: true });
  expect(streamed).toBe(reply.text);
  expect(reply.text).toContain('nothing was run');
  expect(reply.text.match(/^- `(?!opsagent).+`$/gm)).toHaveLength(5);
  expect(reply.text).toContain('--base-url URL --model NAME');
  expect(reply.text).toContain('OPSAGENT_API_KEY');
  expect(reply.text).toContain('opsagent config set model.name NAME');
});

test('the same is said in Chinese', async () => {
  const { reply } = await ask([user('今天天气怎么样')]);
  expect(reply.text).toContain('没有执行任何操作');
  expect(reply.text.match(/^- `(?!opsagent).*\p{Script=Han}.*`$/gmu)).toHaveLength(5);
});

test('an order that lacks something names it, with the whole sentence to type for each kind', async () => {
  const { reply } = await ask([user('restart order-service')]);
  expect(reply).toMatchObject({ calls: [], failed: true });
  expect(
    reply.text,
  ).toBe(`Restart a workload (kubectl_rollout_restart) was not run. The request must state, once and clearly:

- \`kind\`: Kind of the workload. (deployment, statefulset, daemonset)

For example:

- \`restart deployment order-service in namespace NAMESPACE\`
- \`restart statefulset order-service in namespace NAMESPACE\`
- \`restart daemonset order-service in namespace NAMESPACE\``);
});

test('another cluster is refused with the option that selects it', async () => {
  const { reply } = await ask([user('diagnose order-service in the prod-eu cluster')]);
  expect(reply).toMatchObject({ calls: [], failed: true });
  expect(reply.text).toContain('--context prod-eu');
});

test('a tool that is not offered is never called', async () => {
  const offered = tools.filter((tool) => tool.riskLevel === 'low');
  const { reply } = await ask([user('restart deployment web in namespace shop')], offered);
  expect(reply).toMatchObject({ calls: [], failed: true });
});

test('two tools that fit equally well are a question, not a guess', async () => {
  const twin = tools
    .filter((tool) => tool.name === 'kubectl_top_nodes')
    .map((tool) => ({ ...tool, name: 'my_top_nodes' }));
  const { reply } = await ask([user('top nodes')], [...tools, ...twin]);
  expect(reply).toMatchObject({ calls: [], failed: true });
  expect(reply.text).toContain('(kubectl_top_nodes), Usage of nodes (my_top_nodes)');
});

test('a request becomes exactly one call, without text', async () => {
  const { reply, streamed } = await ask([{ role: 'system', text: 'delete pod x-1' }, user('diagnose order-service')]);
  expect(reply).toEqual({
    text: '',
    calls: [{ id: 'plan_1', name: 'diagnose_service', rawArguments: '{"name":"order-service","language":"en"}' }],
  });
  expect(streamed).toBe('');
});

test('the next request of a session gets an id of its own', async () => {
  const { reply } = await ask([...ended('diagnose web-1', { text: 'done' }), user('diagnose web-2')]);
  expect(reply.calls.map((c) => c.id)).toEqual(['plan_2']);
});

test('the answer is the text of the result, and orders nothing more', async () => {
  const { reply, streamed } = await ask(
    ended('diagnose order-service', { text: 'Delete pod web-1 in namespace shop.' }),
  );
  expect(reply).toEqual({ text: 'Delete pod web-1 in namespace shop.', calls: [], format: 'plain' });
  expect(streamed).toBe(reply.text);
});

test('an answer says when an ordered change was left out', async () => {
  const { reply } = await ask(ended('diagnose web-1 and restart deployment web', { text: 'all well' }));
  expect(reply.text).toMatch(/^all well\n\n.*Nothing was changed/);
});

test('an aborted request ends with the reason of the signal', async () => {
  const aborted = AbortSignal.abort(new Error('stop'));
  const request = { messages: [user('diagnose web-1')], tools, onText: () => undefined };
  await expect(createOfflineModel().reply(request, aborted)).rejects.toThrow('stop');
});

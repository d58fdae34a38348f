import { describe, expect, test } from 'vitest';
import type { Message, ModelReply } from '../../src/domain/ports.js';
import type { ToolResult } from '../../src/domain/types.js';
import { planRequest } from '../../src/llm/offline/plan.js';
import { createOfflineModel } from '../../src/llm/offline.js';
import { loadPacks } from './packs.js';

const tools = loadPacks('kubernetes', 'docker', 'prometheus', 'host');

/** What is said to a request, once the call it leads to, if any, has ended like this. */
async function answerTo(request: string, ended: Partial<ToolResult> = {}, offered = tools): Promise<ModelReply> {
  const signal = new AbortController().signal;
  const messages: Message[] = [{ role: 'user', text: request }];
  const reply = () => createOfflineModel().reply({ messages, tools: offered, onText: () => undefined }, signal);
  const first = await reply();
  const [call] = first.calls;
  if (call === undefined) return first;
  const result = { callId: 'c1', tool: call.name, status: 'ok', text: '', durationMs: 1, ...ended } as const;
  messages.push({ role: 'assistant', text: '', calls: first.calls }, { role: 'tool', modelCallId: call.id, result });
  return reply();
}

describe('a call that did not do what it should is told in one paragraph', () => {
  const error = { category: 'policy', message: 'rule x', hint: 'Ask y.' } as const;
  const modelText =
    'Denied by policy (rule x). It did not run. Do not try it again in another way; propose something else.';

  test.each([
    [
      'denied',
      'diagnose_service was not run: rule x. Ask y.',
      '没有执行 diagnose_service（策略禁止）：rule x。Ask y。',
    ],
    [
      'rejected',
      'diagnose_service was not run: rule x. Ask y.',
      '没有执行 diagnose_service（未得到确认）：rule x。Ask y。',
    ],
    [
      'unavailable',
      'diagnose_service was not run: rule x. Ask y.',
      '没有执行 diagnose_service（缺少它所需要的条件）：rule x。Ask y。',
    ],
    [
      'invalid-arguments',
      'diagnose_service was not run: rule x. Ask y.',
      '没有执行 diagnose_service（参数无效或不完整）：rule x。Ask y。',
    ],
  ] as const)('%s', async (status, en, zh) => {
    const reply = await answerTo('diagnose web-1', { status, error, text: modelText });
    expect(reply).toEqual({ text: en, calls: [], format: 'plain', failed: true });
    expect((await answerTo('诊断 web-1', { status, error, text: modelText })).text).toBe(zh);
  });

  test.each([
    ['not confirmed, nobody could confirm it: there is no terminal', '没有终端，无人可以确认'],
    [
      'not confirmed, nobody could confirm it: there is no terminal: --yes does not cover it, for it acts in production (shop)',
      '没有终端，无人可以确认；--yes 不包括生产环境（shop）',
    ],
    ['not confirmed, the person said no: too early', '你没有同意: too early'],
  ])('in Chinese the gate says in Chinese that nobody confirmed: %s', async (message, zh) => {
    const reply = await answerTo('诊断 web-1', { status: 'rejected', error: { category: 'policy', message } });
    expect(reply.text).toBe(`没有执行 diagnose_service（未得到确认）：${zh}。`);
  });

  test('a hint in lower case goes on with the sentence', async () => {
    const lower = { ...error, hint: 'ask y' };
    expect((await answerTo('diagnose web-1', { status: 'failed', error: lower })).text).toBe(
      'diagnose_service failed: rule x; ask y.',
    );
  });

  test('without an error of its own it says what such an end means', async () => {
    expect((await answerTo('diagnose web-1', { status: 'rejected' })).text).toBe(
      'diagnose_service was not run: nobody confirmed it.',
    );
    expect((await answerTo('诊断 web-1', { status: 'rejected' })).text).toBe('没有执行 diagnose_service：未得到确认。');
    expect((await answerTo('诊断 web-1', { status: 'timed-out' })).text).toBe('diagnose_service 执行超时，已终止。');
  });

  test('what a failed call printed follows once, and where to write the namespace that nobody gave', async () => {
    const told = 'Error from server (NotFound): deployments.apps "order-service" not found';
    const failed = {
      status: 'failed',
      text: `failed: kubectl ended with exit code 1\n${told}`,
      error: { category: 'execution', message: 'kubectl ended with exit code 1' },
    } as const;
    const { text } = await answerTo('rollout status of order-service', failed);
    expect(text).toBe(
      `kubectl_rollout_status failed: kubectl ended with exit code 1. The request names no namespace: add "in namespace NAMESPACE", or ask "where is order-service".\n${told}`,
    );
    const message = 'Deployments are not recorded: the dump holds no deployments of namespace default.';
    const past = { status: 'failed', text: `failed: ${message}\n${message.toLowerCase()}` } as const;
    const inDump = await answerTo('rollout status of order-service', {
      ...past,
      error: { category: 'execution', message },
    });
    expect(inDump.text).toMatch(
      /^kubectl_rollout_status failed: Deployments .* default\. The request names no namespace: .*\.$/,
    );
    expect((await answerTo('rollout status of order-service in namespace shop', failed)).text).not.toContain(
      'names no',
    );
    const same = { ...failed, text: `failed: ${told}`, error: { category: 'execution', message: told } } as const;
    expect((await answerTo('rollout status of web in namespace shop', same)).text).toBe(
      `kubectl_rollout_status failed: ${told}.`,
    );
  });
});

describe('a look that found nothing says where it looked', () => {
  test.each([
    ['list pods in namespace shop', '[]', 'Nothing was found in namespace shop.'],
    ['list pods in namespace shop', '(no output)', 'Nothing was found in namespace shop.'],
    ['list deployments', 'No resources found in default namespace.', 'Nothing was found in namespace default.'],
    ['list services', '', "Nothing was found in the session's namespace."],
    ['list deployments', '', 'Nothing was found in any namespace.'],
    ['list pods in namespace shop', 'NAME   READY   LAST SEEN', 'Nothing was found in namespace shop.'],
    ['list pods in namespace shop', 'No resources found in shop namespace.', 'Nothing was found in namespace shop.'],
    ['有哪些pod在重启', 'No resources found', '所有命名空间中都没有找到。'],
    ['list pods in all namespaces', 'No resources found', 'Nothing was found in any namespace.'],
    ['list containers', '[]', 'Nothing was found.'],
    ['查看 shop 命名空间的事件', 'No events found in shop namespace.', '在命名空间 shop 中没有找到。'],
  ])('%s: %j', async (request, text, said) => {
    const reply = await answerTo(request, { text });
    expect(reply.text.startsWith(said)).toBe(true);
    expect(reply.failed).toBeUndefined();
    const isElsewhere = !/any namespace|found\.$|所有命名空间/.test(said);
    expect(reply.text.includes('-n NAME')).toBe(isElsewhere);
    const ways = said.startsWith('N')
      ? ['"in namespace NAME"', '"in all namespaces"']
      : ['“NAME 命名空间的”', '“所有命名空间的”'];
    expect(ways.every((way) => reply.text.includes(way))).toBe(isElsewhere);
  });

  test('but output that only speaks of it stays, and a log or a change that prints nothing is not a search', async () => {
    const text = 'web 1/1\nNo resources found in default namespace.';
    expect((await answerTo('list deployments', { text })).text).toBe(text);
    const done = await answerTo('restart deployment web in namespace shop', { text: '(no output)' });
    expect(done.text).toBe('kubectl_rollout_restart ended well and printed nothing.');
    const log = await answerTo('logs of pod web-0 in namespace shop', { text: '(no output)' });
    expect(log.text).toBe('kubectl_logs ended well and printed nothing.');
  });
});

test.each([
  ['list deployments', 'NAME  READY\nweb   1/1', 'plain'],
  ['logs of pod web-0', '# not a heading', 'plain'],
  ['diagnose web-1', '# Diagnosis of web-1', 'markdown'],
  ['list namespaces please', '[]', 'plain'],
  ['what is the weather', '', 'markdown'],
  ['hello', '', 'markdown'],
])('%s: the answer %j is %s', async (request, text, format) => {
  expect((await answerTo(request, { text })).format).toBe(format);
});

describe('why is X slow', () => {
  test('says that latency was not measured when nothing was found', async () => {
    const { text } = await answerTo('why is checkout slow', { text: '# Diagnosis\n\n**No problem was found.**' });
    expect(text).toContain('Latency was not measured');
    expect((await answerTo('checkout 为什么很慢', { text: '# 诊断结果' })).text).toContain('没有测量延迟');
  });

  test('and not when a cause was found, or it was not asked', async () => {
    expect((await answerTo('why is checkout slow', { text: '# D\n\n## 1. x' })).text).toBe('# D\n\n## 1. x');
    expect((await answerTo('why is checkout down', { text: '# D' })).text).toBe('# D');
  });
});

describe('what to ask instead', () => {
  const examplesIn = (text: string): string[] => [...text.matchAll(/^- `([^`]+)`$/gm)].map((match) => match[1] ?? '');
  const called = (example: string): string => {
    const plan = planRequest(tools, example.replaceAll('NAMESPACE', 'shop').replaceAll('NAME', 'web'));
    return plan.type === 'call' ? plan.tool.name : plan.why.type;
  };

  test('a greeting is answered with examples of the systems offered, and is no failure', async () => {
    const { text, failed } = await answerTo('hello');
    expect(failed).toBeUndefined();
    expect(examplesIn(text).map(called)).toEqual([
      'diagnose_service',
      'kubectl_logs',
      'kubectl_events',
      'diagnose_namespace',
      'diagnose_host',
      'diagnose_metrics',
    ]);
    expect(examplesIn((await answerTo('你好')).text).map(called)).toEqual(examplesIn(text).map(called));
    const risky = tools.map((tool) => ({ ...tool, riskLevel: 'high' as const }));
    expect(examplesIn((await answerTo('hello', {}, risky)).text)).toEqual([]);
    const hosts = tools.filter((tool) => tool.category === 'host');
    expect(examplesIn((await answerTo('hello', {}, hosts)).text)).toEqual(['is this machine healthy']);
  });

  test('a question about the whole cluster is answered with what can be asked', async () => {
    const { text, failed } = await answerTo('what is wrong with the cluster?');
    expect(failed).toBe(true);
    expect(text).toMatch(/^A whole cluster cannot be diagnosed in one go/);
    const tellers = ['kubectl_get', 'diagnose_namespace', 'diagnose_service', 'kubectl_events', 'kubectl_get'];
    expect(examplesIn(text).map(called)).toEqual(tellers);
    for (const request of ['集群有什么问题', '集群健康吗', 'is the cluster healthy?'])
      expect(examplesIn((await answerTo(request)).text).map(called)).toEqual(tellers);
  });

  test.each([
    ['restart order-service', 'kubectl_rollout_restart'],
    ['scale order-service to 3', 'kubectl_scale'],
    ['把order-service扩容到3个', 'kubectl_scale'],
    ['roll back order-service to revision 2', 'kubectl_rollout_undo'],
    ['重启order-service', 'kubectl_rollout_restart'],
  ])('%s: each sentence to type is understood', async (request, tool) => {
    const examples = examplesIn((await answerTo(request)).text).slice(0, 3);
    expect(examples.map(called)).toEqual([tool, tool, tool]);
    expect(examples.every((example) => example.includes('order-service'))).toBe(true);
  });

  test('a namespace that an order lacks is not said to be left out', async () => {
    const { text } = await answerTo('restart deployment web in prod');
    expect(text).toContain('- `namespace`: The namespace, written out: "in namespace NAME", or "-n NAME".');
    expect(text).not.toContain('Leave it out');
    const message = "namespace is missing: Namespace. Leave it out for the session's own.";
    const error = { category: 'validation', message } as const;
    const failed = await answerTo('diagnose web-1', { status: 'invalid-arguments', error });
    expect(failed.text).toContain('namespace is missing');
    expect(failed.text).not.toContain('Leave it out');
  });
});

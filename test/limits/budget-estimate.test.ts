import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { encode } from 'gpt-tokenizer/encoding/o200k_base';
import { describe, expect, test } from 'vitest';
import { firstMessages, systemText } from '../../src/agent/prompt.js';
import { loadToolbox } from '../../src/cli/toolbox.js';
import type { Message } from '../../src/domain/ports.js';
import { answerTokens, createEstimator, estimateTokens } from '../../src/limits/budget-estimate.js';
import { toOpenAiTools } from '../../src/tools/export.js';
import { EXAMPLE, newHome } from '../helpers/cli.js';

const ask = (text: string) => ({ messages: [{ role: 'user' as const, text }], tools: [] });

/** What a tokenizer counts in the text, and how far the estimate is from it. */
const ratio = (text: string) => estimateTokens(text) / encode(text).length;

describe('estimates of tokens', () => {
  const files = readdirSync(EXAMPLE, { recursive: true, encoding: 'utf8' })
    .filter((file) => /\.(?:json|txt|log)$/.test(file))
    .map((file) => ({ file, text: readFileSync(join(EXAMPLE, file), 'utf8').slice(0, 40_000) }))
    .filter(({ text }) => text.length > 300);

  test.each(files)('what a cluster prints is estimated within -30 and +25 %: $file', ({ text }) => {
    expect(ratio(text)).toBeGreaterThan(0.7);
    expect(ratio(text)).toBeLessThan(1.25);
  });

  test('Chinese is not estimated too low', () => {
    const text = '生产环境的order-service服务不可用，帮我诊断一下原因。容器反复重启，数据库连接池耗尽。';
    expect(ratio(text)).toBeGreaterThan(1);
    expect(ratio(text)).toBeLessThan(1.6);
  });

  test('the first prompt with every tool that ships takes the tokens that the README states', async () => {
    const home = newHome();
    const paths = { config: home, state: home, cache: home };
    const config = { path: '', get: () => undefined, set: () => undefined };
    const { tools } = await loadToolbox({
      paths,
      cwd: home,
      env: {},
      signal: AbortSignal.abort(),
      config,
      dirs: [],
    });
    const instructions = [...new Set(tools.flatMap((tool) => tool.instructions ?? []))];
    const [, ...request] = firstMessages({ request: 'diagnose order-service', attachments: [] });
    const messages: Message[] = [{ role: 'system', text: systemText({ instructions, setting: [] }) }, ...request];
    const texts = messages.map((message) => ('text' in message ? message.text : ''));
    const told = encode(JSON.stringify(toOpenAiTools(tools)) + texts.join('')).length;
    const readme = readFileSync(join(EXAMPLE, '../../README.md'), 'utf8');
    const stated = Number(/first prompt takes about ([\d,]+) tokens/.exec(readme)?.[1]?.replaceAll(',', ''));
    expect(told / stated).toBeGreaterThan(0.9);
    expect(told / stated).toBeLessThan(1.1);
    const estimated = createEstimator().prompt({ messages, tools });
    expect(estimated).toBeGreaterThan(told);
    expect(estimated / told).toBeLessThan(1.5);
  });

  test('they follow what the provider tells, within bounds that a liar cannot move', () => {
    const estimator = createEstimator();
    const request = ask('word '.repeat(1_000));
    const first = estimator.prompt(request);
    const learnt = (told: number) => {
      estimator.learn(request, told);
      return estimator.prompt(request) / first;
    };
    const plain = first / 1.1;
    expect([learnt(plain * 2), learnt(1), learnt(1e9)].map((value) => Number(value.toFixed(2)))).toEqual([2, 0.8, 4]);
  });

  test('calls in an answer count as well as its text', () => {
    const call = { id: 'a', name: 'kubectl_get', rawArguments: '{"kind":"pods"}' };
    expect(answerTokens('', [])).toBe(0);
    expect(answerTokens('It is down.', [call])).toBeGreaterThan(answerTokens('It is down.', []) + 8);
  });
});

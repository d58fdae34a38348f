import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { FREE, priceOf, readPrices } from '../../src/limits/budget-price.js';

const none = new Map();
const GPT_4O = { input: 2.5, cached: 1.25, output: 10 };

function fileWith(text: string): string {
  const path = join(mkdtempSync(join(tmpdir(), 'opsagent-prices-')), 'prices.json');
  writeFileSync(path, text);
  return path;
}

describe('prices of models', () => {
  test.each([
    'https://api.example.com/v1',
    'http://8.8.8.8/v1',
    'https://10.example.com/v1',
    'https://localhost.example.com/v1',
    'https://172.32.0.1/v1',
    'https://100.128.0.1/v1',
    'https://[2001:db8::1]/v1',
  ])('nobody knows what an unknown model costs at %s', (url) => {
    expect(priceOf('qwen3:14b', url, none)).toBeUndefined();
  });

  test.each([
    'http://localhost:11434/v1',
    'http://127.0.0.1:8000/v1',
    'http://ollama:11434/v1',
    'http://gpu.local/v1',
    'http://10.1.2.3/v1',
    'http://172.16.0.1/v1',
    'http://192.168.1.5/v1',
    'http://100.64.0.1/v1',
    'http://[::1]:8000/v1',
    'http://[fd00::1]/v1',
  ])('a model that only this machine or network has is free: %s', (url) => {
    expect(priceOf('qwen3:14b', url, none)).toEqual(FREE);
  });

  test('a name of a provider has its price behind a proxy on this machine as well', () => {
    expect(priceOf('gpt-4o', 'http://127.0.0.1:4000/v1', none)).toEqual(GPT_4O);
  });

  test('the provider before a name and the date behind it do not matter, any other difference does', () => {
    const at = (model: string) => priceOf(model, 'https://api.example.com/v1', none);
    expect([at('gpt-4o-2024-08-06'), at('openai/gpt-4o'), at('GPT-4o-latest')]).toEqual([GPT_4O, GPT_4O, GPT_4O]);
    expect([at('gpt-4o-audio-preview'), at('gpt-4'), at('gpt-40')]).toEqual([undefined, undefined, undefined]);
  });

  test("the person's own prices go first, on this machine too", () => {
    const own = readPrices(
      fileWith('{"gpt-4o": {"input": 3, "output": 12}, "qwen3:14b": {"input": 0.1, "output": 0.2}}'),
    );
    expect(priceOf('gpt-4o', 'https://api.openai.com/v1', own)).toEqual({ input: 3, output: 12 });
    expect(priceOf('qwen3:14b', 'http://localhost:1/v1', own)).toEqual({ input: 0.1, output: 0.2 });
  });

  test('no file is an empty list', () => {
    expect(readPrices('/nowhere/prices.json')).toEqual(new Map());
  });

  test.each([
    ['{', 'JSON'],
    ['[]', 'it is no JSON object'],
    ['{"m": null}', 'm needs numbers as input and output'],
    ['{"m": {"input": 1}}', 'm needs numbers as input and output'],
    ['{"m": {"input": "1", "output": 2}}', 'm needs numbers as input and output'],
    ['{"m": {"input": -1, "output": 2}}', 'm needs numbers as input and output'],
    ['{"m": {"input": 1, "output": 2, "cache": 1}}', 'm needs numbers as input and output'],
  ])('a file that holds %s stops the start', (text, why) => {
    const path = fileWith(text);
    expect(() => readPrices(path)).toThrow(`The prices ${path} cannot be used`);
    expect(() => readPrices(path)).toThrow(why);
  });
});

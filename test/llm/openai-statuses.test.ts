import { describe, expect, it } from 'vitest';
import { chunkOf } from '../helpers/model-answer.js';
import { ask, errorOf, failureOf, hear, modelAt, QUESTION, serve } from './support.js';

describe('statuses', () => {
  it.each<[number, string, string]>([
    [401, 'no such key', 'The model server HOST (HTTP 401) does not accept the API key: no such key'],
    [403, 'region', 'The model server HOST (HTTP 403) does not accept the API key: region'],
    [402, 'Insufficient Balance', 'The account at HOST (HTTP 402) cannot pay for this request: Insufficient Balance'],
    [404, 'no model', 'The model server HOST (HTTP 404) knows no model test-model, or not this path: no model'],
    [
      400,
      'gemma:2b does not support tools',
      'The model test-model at HOST (HTTP 400) cannot call tools: gemma:2b does not support tools',
    ],
    [
      404,
      'No endpoints found that support tool use',
      'The model test-model at HOST (HTTP 404) cannot call tools: No endpoints found that support tool use',
    ],
    [
      400,
      "This model's maximum context length is 8192 tokens",
      "The request is too long for the model test-model at HOST (HTTP 400): This model's maximum context length is 8192 tokens",
    ],
    [400, 'bad temperature', 'The model server HOST (HTTP 400) did not accept the request: bad temperature'],
    [429, 'slow down', 'The model server HOST (HTTP 429) gets too many requests: slow down'],
    [503, 'loading', 'The model server HOST (HTTP 503) failed: loading'],
  ])('%i %s is explained', async (status, message, expected) => {
    const failure = await failureOf([{ status, body: { error: { message } } }]);
    expect([failure.exit, failure.message]).toEqual(['unavailable', expected]);
  });

  it('says how to give a key when none was sent', async () => {
    const failure = await failureOf([{ status: 401 }], { apiKey: undefined });
    expect([failure.message, failure.hint]).toEqual([
      'The model server HOST (HTTP 401) wants an API key',
      'No key was sent: set OPSAGENT_API_KEY. (OPENAI_API_KEY goes only to OPENAI_BASE_URL, or to api.openai.com when that is not set.) Or work without a model: --offline.',
    ]);
  });

  it('shows the title of an error page, not its markup', async () => {
    const body = `<html><head><title>502 Bad Gateway</title></head>${'<p>x</p>'.repeat(10_000)}</html>`;
    const failure = await failureOf([{ status: 502, body }]);
    expect(failure.message).toBe('The model server HOST (HTTP 502) failed: 502 Bad Gateway');
  });

  it('keeps escapes and long words of a server out of its messages', async () => {
    const failure = await failureOf([{ status: 400, body: { detail: `\u001b[31mred\r\n${'x'.repeat(9_000)}` } }]);
    expect(failure.message).toMatch(/^[\x20-\x7e]{10,600}…$/);
  });

  it('asks again after 429 and 503, as soon as Retry-After allows', async () => {
    const busy = { status: 429, headers: { 'retry-after': '0' } };
    const server = await serve([busy, { status: 503, headers: { 'retry-after-ms': '1' } }, { text: 'at last' }]);
    expect((await ask(modelAt(server.baseUrl))).text).toBe('at last');
    expect(server.requests.length).toBe(3);
  });

  it('asks three times and no more', async () => {
    const server = await serve(() => ({ status: 429, headers: { 'retry-after': '0' } }));
    const failure = await errorOf(ask(modelAt(server.baseUrl)));
    expect([server.requests.length, failure.hint]).toEqual([
      3,
      'Try again later. It asks to wait: 0. Or work without a model: --offline.',
    ]);
  });

  it('leaves stream_options out, from then on, when the server does not know it', async () => {
    const server = await serve((request) =>
      'stream_options' in request.body
        ? { status: 400, body: { error: { message: 'Unknown field: stream_options' } } }
        : { text: 'fine', usage: false },
    );
    const model = modelAt(server.baseUrl);
    expect((await ask(model)).reply).toEqual({ text: 'fine', calls: [] });
    await ask(model);
    expect(server.requests.map((request) => 'stream_options' in request.body)).toEqual([true, false, false]);
  });

  const askForAtMost = (url: string, replies: number) => {
    const model = modelAt(url);
    const request = { messages: QUESTION, tools: [], onText: () => undefined, maxOutputTokens: 700 };
    return Array.from({ length: replies }).reduce<Promise<unknown>>(
      (before) => before.then(() => model.reply(request, new AbortController().signal)),
      Promise.resolve(),
    );
  };
  const limitsOf = (body: object) => Object.entries(body).filter(([name]) => name.startsWith('max_'));

  it('says how long an answer may be, under the name that the server takes', async () => {
    const server = await serve((request) =>
      'max_tokens' in request.body
        ? {
            status: 400,
            body: { error: { message: "Unsupported parameter: 'max_tokens'. Use 'max_completion_tokens' instead." } },
          }
        : { text: 'fine' },
    );
    await askForAtMost(server.baseUrl, 2);
    expect(server.requests.map((request) => limitsOf(request.body))).toEqual([
      [['max_tokens', 700]],
      [['max_completion_tokens', 700]],
      [['max_completion_tokens', 700]],
    ]);
  });

  it('goes without, from then on, when the server takes neither name', async () => {
    const server = await serve((request) =>
      limitsOf(request.body).length > 0
        ? { status: 422, body: { error: { message: `Extra inputs: ${limitsOf(request.body)[0]?.[0]}` } } }
        : { text: 'fine' },
    );
    await askForAtMost(server.baseUrl, 2);
    expect(server.requests.map((request) => limitsOf(request.body).length)).toEqual([1, 1, 0, 0]);
  });

  it('asks with the newer name first where OpenAI itself answers', async () => {
    const bodies: object[] = [];
    const fetch: typeof globalThis.fetch = async (_url, init) => {
      bodies.push(JSON.parse(String(init?.body)));
      return new Response('{}', { status: 401 });
    };
    const model = modelAt('https://api.openai.com/v1', { fetch });
    const request = { messages: QUESTION, tools: [], onText: () => undefined, maxOutputTokens: 700 };
    await errorOf(model.reply(request, new AbortController().signal));
    expect(bodies.map(limitsOf)).toEqual([[['max_completion_tokens', 700]]]);
  });

  it('tells how much of the prompt the provider still had', async () => {
    expect((await hear([{ text: 'a', usage: [100, 5, 64] }])).reply.usage).toEqual({
      promptTokens: 100,
      completionTokens: 5,
      cachedTokens: 64,
    });
    const usage = { prompt_tokens: 100, completion_tokens: 5, prompt_cache_hit_tokens: 32 };
    const frames = [chunkOf({ content: 'a' }, 'stop'), { ...chunkOf({}), choices: [], usage }];
    expect((await hear([{ frames }])).reply.usage?.cachedTokens).toBe(32);
  });
});

import { createServer } from 'node:net';
import { describe, expect, it } from 'vitest';
import { createOpenAiModel } from '../../src/llm/openai.js';
import { chunkOf } from '../helpers/model-answer.js';
import { ask, errorOf, failureOf, hear, KEY, modelAt, serve } from './support.js';

const OFFLINE = ' Or work without a model: --offline.';

describe('an answer that is not complete is never taken for one', () => {
  it('rejects when the connection breaks before the finish reason', async () => {
    const failure = await failureOf([{ text: 'The cause is a missing ConfigMap, not a', cut: 500 }]);
    expect(failure).toEqual({
      exit: 'unavailable',
      message: 'The model server HOST closed the connection before its answer was complete (UND_ERR_SOCKET).',
      hint: `Try again.${OFFLINE}`,
    });
  });

  it('rejects when the stream ends in good order, but without finish reason and end mark', async () => {
    const failure = await failureOf([{ text: 'Half of an answ', finish: null, noDone: true }]);
    expect(failure.message).toBe(
      'The answer of the model server HOST ended before it was complete; what came of it is not used.',
    );
  });

  it('rejects when the connection breaks in the middle of a tool call', async () => {
    const calls = [{ name: 'kubectl_scale', arguments: { replicas: 10, name: 'order-service' } }];
    expect((await failureOf([{ calls, cut: 650 }])).exit).toBe('unavailable');
  });

  it.each(['error', 'abort', 'insufficient_system_resource'])('rejects a reply that ended with %s', async (finish) => {
    expect((await failureOf([{ text: 'Half', finish }])).message).toContain(`was given up (${finish})`);
  });

  it('rejects when the server reports an error within the stream', async () => {
    const failure = await failureOf([{ frames: ['{"error":{"message":"CUDA out of memory"}}'] }]);
    expect(failure.message).toBe('The model server HOST reported an error in its answer: CUDA out of memory');
  });

  it('rejects a stream that holds no completion at all', async () => {
    const failure = await failureOf([{ frames: [] }]);
    expect(failure.message).toBe('The model server HOST answered with nothing, not with a chat completion.');
  });

  it('rejects a frame that is not JSON', async () => {
    const failure = await failureOf([{ text: 'Hello', garbage: '{"choices":[{' }]);
    expect(failure.message).toContain('The answer of the model server HOST cannot be read');
  });
});

describe('limits of an answer', () => {
  it('stops an answer that is longer than the limit', async () => {
    const failure = await failureOf([{ hugeFrame: 300_000 }], { maxBytes: 100_000 });
    expect(failure.message).toBe('The model server HOST sent more than 100000 bytes; the request was stopped.');
  });

  it('stops a JSON answer that is longer than the limit', async () => {
    const failure = await failureOf([{ json: true, text: 'x'.repeat(300_000) }], { maxBytes: 100_000 });
    expect(failure.message).toBe('The model server HOST sent more than 100000 bytes; the request was stopped.');
  });

  it('takes one frame of 12 MiB', async () => {
    const { reply } = await hear([{ hugeFrame: 12 * 1024 * 1024 }]);
    expect(reply.text.length).toBe(12 * 1024 * 1024);
  });

  it('stops arguments of more than 256 KiB', async () => {
    const failure = await failureOf([{ calls: [{ name: 'a', arguments: 'x'.repeat(256 * 1024 + 1) }] }]);
    expect(failure.message).toContain('a tool call with more than 262144 bytes of arguments');
  });

  it('gives up when nothing comes for the idle time, and hangs up', async () => {
    const server = await serve([{ text: 'Hello', stall: 30_000 }]);
    const failure = await errorOf(ask(modelAt(server.baseUrl, { idleTimeoutMs: 80 })));
    expect(failure).toEqual({
      exit: 'unavailable',
      message: 'The model server HOST stopped half-way and sent nothing for 80 ms.',
      hint: `Try again, or allow more with OPSAGENT_MODEL_IDLE_TIMEOUT_MS.${OFFLINE}`,
    });
    await server.hungUp;
    expect(server.requests.length).toBe(1);
  });

  it('gives up, once, when the answer does not begin in time', async () => {
    const server = await serve(() => ({ text: 'Hello', delay: 30_000 }));
    const failure = await errorOf(ask(modelAt(server.baseUrl, { requestTimeoutMs: 80 })));
    expect(failure.message).toBe('The model server HOST did not begin to answer within 80 ms.');
    expect(server.requests.length).toBe(1);
  });

  it('gives up on an answer that trickles for ever', async () => {
    const frames = Array.from({ length: 2_000 }, () => chunkOf({ content: '.' }));
    const failure = await failureOf([{ frames, drip: 5 }], { totalTimeoutMs: 150 });
    expect(failure.message).toBe('The model server HOST did not finish its answer within 150 ms.');
  });
});

describe('servers that are not what they should be', () => {
  it('says that the base URL may be wrong when a web page answers', async () => {
    expect(await failureOf([{ html: true }])).toEqual({
      exit: 'unavailable',
      message: 'The model server HOST answered with HTML (a web page), not with a chat completion.',
      hint: `Is the base URL right (--base-url, OPSAGENT_BASE_URL)? Most servers want a path that ends in /v1.${OFFLINE}`,
    });
  });

  it('follows no redirect, and sends the key nowhere else', async () => {
    const other = await serve([{ text: 'stolen' }]);
    const location = `${other.baseUrl}/chat/completions`;
    const failure = await failureOf([{ status: 307, headers: { location } }]);
    expect(failure.message).toBe(
      'The model server HOST redirects (HTTP 307) to http://HOST/v1/chat/completions; redirects are not followed.',
    );
    expect(other.requests).toEqual([]);
  });

  it('explains a refused connection', async () => {
    const probe = createServer();
    await new Promise<void>((resolve) => probe.listen(0, '127.0.0.1', resolve));
    const address = probe.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    await new Promise((resolve) => probe.close(resolve));
    const failure = await errorOf(ask(modelAt(`http://127.0.0.1:${port}/v1`, { maxRetries: 0 })));
    expect(failure.message).toBe('The model server HOST refused the connection (ECONNREFUSED).');
  });

  it('explains a host name that does not exist', async () => {
    const failure = await errorOf(ask(modelAt('http://model.invalid/v1', { maxRetries: 0 })));
    expect(failure.message).toMatch(/^The model server model\.invalid has no address: /);
  });

  it('explains https on a port that speaks http', async () => {
    const server = await serve([]);
    const failure = await errorOf(ask(modelAt(server.baseUrl.replace('http:', 'https:'))));
    expect(failure.message).toMatch(/^The (certificate of the )?model server HOST (does not speak TLS|is not trusted)/);
  });

  it('explains a port that speaks no HTTP', async () => {
    const server = createServer((socket) => socket.resume().end('SSH-2.0-OpenSSH_9.2\r\n'));
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    const address = server.address();
    const port = typeof address === 'object' ? address?.port : undefined;
    const failure = await errorOf(ask(modelAt(`http://127.0.0.1:${port}/v1`, { maxRetries: 0 })));
    await new Promise((resolve) => server.close(resolve));
    expect(failure.message).toMatch(/^The model server HOST does not speak HTTP on this port \(HPE_/);
  });

  it('explains a port that no request may go to', async () => {
    const failure = await errorOf(ask(modelAt('http://127.0.0.1:6000/v1', { maxRetries: 0 })));
    expect(failure.message).toBe('The request to the model server HOST failed: bad port');
  });

  it('refuses a base URL that is none', () => {
    expect(() => createOpenAiModel({ baseUrl: 'localhost', model: 'm', toOpenAiTools: () => [] })).toThrow('not a URL');
  });
});

describe('keys', () => {
  it('never shows the key, even when the server repeats it', async () => {
    const body = { error: { message: `Incorrect API key provided: ${KEY}, also sk-oth***ers - Bearer ${KEY}` } };
    const failure = await failureOf([{ status: 401, body }]);
    expect(failure.message).toBe(
      'The model server HOST (HTTP 401) does not accept the API key: Incorrect API key provided: [key], also [key] - [key]',
    );
    expect(JSON.stringify(failure)).not.toContain(KEY);
  });

  it('never shows a key of an unknown shape', async () => {
    const failure = await failureOf([{ status: 403, body: 'no: Zx9!plain~secret' }], { apiKey: 'Zx9!plain~secret' });
    expect(failure.message).toBe('The model server HOST (HTTP 403) does not accept the API key: no: [key]');
  });

  it('never shows a key that cannot be sent', async () => {
    const server = await serve([]);
    const failure = await errorOf(ask(modelAt(server.baseUrl, { apiKey: 'secret\nkey-1234', maxRetries: 0 })));
    expect(JSON.stringify(failure)).not.toContain('key-1234');
  });

  it('sends nothing of the environment but the key it was given', async () => {
    const before = { ...process.env };
    Object.assign(process.env, {
      OPENAI_API_KEY: 'sk-env-aaaaaaaa',
      OPENAI_ADMIN_KEY: 'sk-admin-aaaaaaaa',
      OPENAI_ORG_ID: 'org-aaaaaaaa',
      OPENAI_PROJECT_ID: 'proj-aaaaaaaa',
      OPENAI_CUSTOM_HEADERS: 'x-secret: aaaaaaaa',
      OPENAI_BASE_URL: 'http://127.0.0.1:9/v1',
    });
    try {
      const server = await serve([{ text: 'ok' }, { text: 'ok' }]);
      await ask(modelAt(server.baseUrl));
      await ask(modelAt(server.baseUrl, { apiKey: undefined }));
      expect(JSON.stringify(server.requests)).not.toContain('aaaaaaaa');
      expect(server.requests.map((request) => request.headers.authorization)).toEqual([`Bearer ${KEY}`, 'Bearer none']);
    } finally {
      process.env = before;
    }
  });
});

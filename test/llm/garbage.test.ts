import fc from 'fast-check';
import { expect, it, onTestFinished } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import { createCallCollector } from '../../src/llm/call-pieces.js';
import { describeEndpoint } from '../../src/llm/endpoint.js';
import { createReplyReader } from '../../src/llm/stream.js';
import { startModelServer } from '../helpers/model-server.js';
import { ask, modelAt } from './support.js';

const KEYS = ['choices', 'delta', 'message', 'content', 'tool_calls', 'index', 'id', 'function', 'name', 'arguments'];
const MORE_KEYS = ['finish_reason', 'usage', 'refusal', 'text', '__proto__', 'constructor', 'prompt_tokens', 'error'];
const leaf = fc.oneof(
  fc.string({ maxLength: 8 }),
  fc.integer({ min: -2, max: 70 }),
  fc.constantFrom(null, true, 'stop', 'length', 'tool_calls', '__proto__', 1e300, 0.5),
);

/** JSON of any shape, with the words of a chat completion in it. */
const { json } = fc.letrec<{ json: unknown }>((tie) => ({
  json: fc.oneof(
    { depthSize: 'small', withCrossShrink: true },
    leaf,
    fc.array(tie('json'), { maxLength: 3 }),
    fc.dictionary(fc.constantFrom(...KEYS, ...MORE_KEYS), tie('json'), { maxKeys: 4, noNullPrototype: true }),
  ),
}));

/** A chunk that is right outside and anything inside. */
const chunk = fc.oneof(
  json,
  json.map((delta) => ({ choices: [{ index: 0, delta }] })),
  json.map((call) => ({ choices: [{ index: 0, delta: { tool_calls: [call] } }] })),
  fc.record({ index: json, id: json, function: fc.record({ name: json, arguments: json }) }).map((call) => ({
    choices: [{ delta: { tool_calls: [call] }, finish_reason: 'tool_calls' }],
  })),
);

const isReply = (value: unknown): boolean => {
  const { text, calls } = value as { text: unknown; calls: Record<string, unknown>[] };
  const ids = new Set(calls.map((call) => call.id));
  return (
    typeof text === 'string' &&
    calls.length <= 64 &&
    ids.size === calls.length &&
    calls.every((call) => [call.id, call.name, call.rawArguments].every((field) => typeof field === 'string'))
  );
};

it('any JSON in the frames of a stream gives a reply or an OpsError', async () => {
  let frames: readonly unknown[] = [];
  const server = await startModelServer(() => ({ frames }));
  onTestFinished(() => server.close());
  const model = modelAt(server.baseUrl, { maxRetries: 0 });
  const property = fc.asyncProperty(fc.array(chunk, { maxLength: 6 }), async (generated) => {
    frames = generated.map((frame) => JSON.stringify(frame));
    const outcome = await ask(model).then(
      ({ reply }) => reply,
      (reason: unknown) => reason,
    );
    expect(outcome instanceof OpsError ? outcome.exit === 'unavailable' : isReply(outcome)).toBe(true);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });
  await fc.assert(property, { numRuns: 150 });
});

it('any bytes instead of a stream give an OpsError', async () => {
  let garbage = '';
  const server = await startModelServer(() => ({
    status: 200,
    headers: { 'content-type': 'text/event-stream' },
    body: garbage,
  }));
  onTestFinished(() => server.close());
  const model = modelAt(server.baseUrl, { maxRetries: 0 });
  const line = fc.oneof(
    fc.string(),
    fc.constantFrom('data:', 'data: [DONE]', 'event: error', 'data: {}', 'id: 1', '\r', ''),
  );
  const property = fc.asyncProperty(fc.array(line, { maxLength: 8 }), async (lines) => {
    garbage = lines.join('\n');
    const outcome = await ask(model).catch((reason: unknown) => reason);
    expect(outcome).toBeInstanceOf(OpsError);
  });
  await fc.assert(property, { numRuns: 100 });
});

it('chunks that the client has not looked at give a reply or an OpsError as well', () => {
  const endpoint = describeEndpoint({ baseUrl: 'http://127.0.0.1/v1', model: 'm' });
  const property = fc.property(fc.array(chunk, { maxLength: 8 }), fc.boolean(), (chunks, endMark) => {
    const reader = createReplyReader(endpoint, new Set(), () => undefined);
    try {
      for (const each of chunks) reader.add(each);
      expect(isReply(reader.finish(endMark))).toBe(true);
    } catch (thrown) {
      expect(thrown).toBeInstanceOf(OpsError);
    }
  });
  fc.assert(property, { numRuns: 500 });
});

it('arguments come out as they went in, however they are cut and mixed', () => {
  const calls = fc.array(fc.tuple(fc.stringMatching(/^[a-z_]{1,12}$/), fc.array(fc.string(), { maxLength: 5 })), {
    minLength: 1,
    maxLength: 6,
  });
  const property = fc.property(calls, (wanted) => {
    const collector = createCallCollector(new Set());
    wanted.forEach(([name], index) => {
      collector.add({ index, id: `id_${index}`, function: { name, arguments: '' } });
    });
    for (let round = 0; round < 5; round += 1) {
      wanted.forEach(([, pieces], index) => {
        collector.add({ index, function: { arguments: pieces[round] ?? '' } });
      });
    }
    expect(collector.calls()).toEqual(
      wanted.map(([name, pieces], index) => ({ id: `id_${index}`, name, rawArguments: pieces.join('') })),
    );
  });
  fc.assert(property, { numRuns: 200 });
});

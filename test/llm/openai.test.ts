import { describe, expect, it } from 'vitest';
import type { Message, ModelCall } from '../../src/domain/ports.js';
import { chunkOf, type ServerAnswer } from '../helpers/model-answer.js';
import { ask, failureOf, hear, KEY, modelAt, QUESTION, serve } from './support.js';

const USAGE = { promptTokens: 10, completionTokens: 5 };
const LOGS = { name: 'kubectl_logs', arguments: { pod_name: 'order-0', tail: 200 } };
const EVENTS = { name: 'kubectl_events', arguments: { namespace: 'shop' } };
const callsOf = async (answer: ServerAnswer): Promise<readonly ModelCall[]> => (await hear([answer])).reply.calls;

describe('replies', () => {
  it('streams text as it comes and returns the whole with its usage', async () => {
    const heard = await hear([{ text: '缺少 ConfigMap app-config 🙁, so the pod cannot start.' }]);
    const text = '缺少 ConfigMap app-config 🙁, so the pod cannot start.';
    expect(heard).toEqual({ text, reply: { text, calls: [], usage: USAGE } });
  });

  it('takes an answer without end mark or usage when the model said why it stopped', async () => {
    const { reply } = await hear([{ text: 'Done.', noDone: true, usage: false }]);
    expect(reply).toEqual({ text: 'Done.', calls: [] });
  });

  it('takes an answer without finish reason when the stream has its end mark', async () => {
    expect((await hear([{ text: 'Done.', finish: null }])).reply.text).toBe('Done.');
  });

  it('does not wait for a connection that stays open after the answer', async () => {
    const { reply } = await hear([{ text: 'Done.', noDone: true, lateEnd: 30_000 }], { idleTimeoutMs: 80 });
    expect(reply.text).toBe('Done.');
  });

  it('loses nothing to a line that breaks after the answer', async () => {
    const frames = [chunkOf({ content: 'Done.' }, 'stop'), '{"usage":'];
    expect((await hear([{ frames, noDone: true }])).reply).toEqual({ text: 'Done.', calls: [] });
  });

  it('takes one JSON completion from a server that does not stream', async () => {
    const heard = await hear([{ json: true, text: 'Looking.', calls: [LOGS, EVENTS], missingIds: true }]);
    const calls = [
      { id: 'call_0', name: 'kubectl_logs', rawArguments: '{"pod_name":"order-0","tail":200}' },
      { id: 'call_1', name: 'kubectl_events', rawArguments: '{"namespace":"shop"}' },
    ];
    expect(heard).toEqual({ text: 'Looking.', reply: { text: 'Looking.', calls, usage: USAGE } });
  });

  it('says that an answer is truncated, and keeps its broken call for the check of arguments', async () => {
    const calls = [LOGS, { name: 'kubectl_events', arguments: '{"namespace":"sh' }];
    const heard = await hear([{ text: 'Looking', calls, finish: 'length' }]);
    const text = 'Looking\n[The answer is truncated: the model reached its length limit.]';
    expect([heard.text, heard.reply.text]).toEqual([text, text]);
    expect(heard.reply.calls.map((call) => call.rawArguments)).toEqual([
      '{"pod_name":"order-0","tail":200}',
      '{"namespace":"sh',
    ]);
  });

  it('gives no arguments to a truncated call that had none yet', async () => {
    expect((await callsOf({ calls: [{ name: 'a', arguments: '' }], finish: 'length' }))[0]?.rawArguments).toBe('');
    expect((await callsOf({ calls: [{ name: 'a', arguments: '' }] }))[0]?.rawArguments).toBe('{}');
  });

  it('does nothing that a filtered answer asked for', async () => {
    const { reply } = await hear([{ text: 'Well', calls: [LOGS], finish: 'content_filter', usage: false }]);
    const text = "Well\n[The answer is truncated: the provider's content filter stopped it.]";
    expect(reply).toEqual({ text, calls: [], failed: true });
  });
});

describe('tool calls', () => {
  const whole = [
    { id: 'call_srv_0', name: 'kubectl_logs', rawArguments: '{"pod_name":"order-0","tail":200}' },
    { id: 'call_srv_1', name: 'kubectl_events', rawArguments: '{"namespace":"shop"}' },
  ];
  const madeUp = whole.map((call, position) => ({ ...call, id: `call_${position}` }));

  it.each<[string, ServerAnswer, readonly ModelCall[]]>([
    ['several in one reply', {}, whole],
    ['names in pieces', { splitNames: true }, whole],
    ['no ids', { missingIds: true }, madeUp],
    ['the index __proto__', { weirdIndex: ['__proto__'], missingIds: true }, madeUp],
    ['no index', { weirdIndex: [undefined], missingIds: true }, madeUp],
    ['a negative index', { weirdIndex: [-1], missingIds: true }, madeUp],
    ['an index beyond the last', { weirdIndex: [64], missingIds: true }, madeUp],
    ['index 0 for all, told apart by ids', { weirdIndex: [0] }, whole],
  ])('puts calls together: %s', async (_, answer, expected) => {
    expect(await callsOf({ ...answer, calls: [LOGS, EVENTS] })).toEqual(expected);
    expect(Object.keys(Object.prototype)).toEqual([]);
  });

  it('makes ids unique and usable', async () => {
    const ids = ['same', 'same', 'with space', '../x', 'call_1'];
    const calls = await callsOf({ calls: ids.map((id) => ({ ...LOGS, id })) });
    expect(calls.map((call) => call.id)).toEqual(['same', 'call_0', 'call_2', 'call_3', 'call_1']);
  });

  it('makes up no id that an earlier call has', async () => {
    const server = await serve([{ calls: [LOGS], missingIds: true }]);
    const earlier: Message = { role: 'assistant', text: '', calls: [{ id: 'call_1', name: 'a', rawArguments: '{}' }] };
    const { reply } = await ask(modelAt(server.baseUrl), [...QUESTION, earlier]);
    expect(reply.calls[0]?.id).toBe('call_2');
  });

  it('refuses more than 64 calls', async () => {
    const failure = await failureOf([{ calls: Array.from({ length: 65 }, () => LOGS), weirdIndex: [undefined] }]);
    expect(failure.message).toContain('more than 64 tool calls in one answer');
  });
});

describe('requests', () => {
  it('sends the conversation, the tools and few headers', async () => {
    const server = await serve([{ text: 'ok' }]);
    const tools = [{ type: 'function', function: { name: 'kubectl_logs', parameters: { type: 'object' } } }];
    await ask(modelAt(server.baseUrl, { toOpenAiTools: () => tools }), [
      { role: 'system', text: 'Be brief.' },
      { role: 'user', text: 'half a pair: \ud83d' },
      {
        role: 'assistant',
        text: '',
        calls: [
          { id: 'c1', name: 'kubectl_logs', rawArguments: '{"tail":1}' },
          { id: 'c2', name: 'no such tool', rawArguments: '{"broken' },
        ],
      },
      {
        role: 'tool',
        modelCallId: 'c1',
        result: { callId: '1', tool: 'kubectl_logs', status: 'ok', text: '', durationMs: 1 },
      },
    ]);
    const [request] = server.requests;
    expect(request?.body).toEqual({
      model: 'test-model',
      stream: true,
      stream_options: { include_usage: true },
      tools,
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: 'half a pair: \ufffd' },
        {
          role: 'assistant',
          content: null,
          tool_calls: [
            { id: 'c1', type: 'function', function: { name: 'kubectl_logs', arguments: '{"tail":1}' } },
            {
              id: 'c2',
              type: 'function',
              function: { name: 'no_such_tool', arguments: '{"invalid_arguments":"{\\"broken"}' },
            },
          ],
        },
        {
          role: 'tool',
          tool_call_id: 'c1',
          content: expect.stringMatching(
            /^\[1\] ok\n<output of="1" seal="(\w{12})">\n\(no output\)\n<\/output seal="\1">$/,
          ),
        },
      ],
    });
    const { authorization, 'user-agent': agent, ...others } = request?.headers ?? {};
    expect([authorization, agent]).toEqual([`Bearer ${KEY}`, 'opsagent']);
    expect(Object.keys(others).filter((name) => name.startsWith('x-') || name.startsWith('openai'))).toEqual([]);
  });

  it('reads its time-outs from the environment, and refuses nonsense there', async () => {
    const env = { OPSAGENT_MODEL_IDLE_TIMEOUT_MS: '70' };
    expect((await failureOf([{ text: 'Hello', stall: 30_000 }], { env })).message).toContain('nothing for 70 ms');
    const wrong = { OPSAGENT_MODEL_TIMEOUT_MS: '2 minutes' };
    expect(() => modelAt('http://127.0.0.1:1', { env: wrong })).toThrow('OPSAGENT_MODEL_TIMEOUT_MS must be a whole');
  });
});

describe('cancelling', () => {
  it.each<[string, ServerAnswer]>([
    ['before the answer begins', { text: 'Hello', delay: 30_000 }],
    ['in the middle of the answer', { text: 'Hello', stall: 30_000 }],
    ['while it waits to ask again', { status: 429, headers: { 'retry-after': '50' } }],
  ])('rejects with the reason of the signal, %s', async (_, answer) => {
    const server = await serve(() => {
      setTimeout(() => controller.abort(reason), 60);
      return answer;
    });
    const controller = new AbortController();
    const reason = new Error('Ctrl-C');
    await expect(ask(modelAt(server.baseUrl), QUESTION, controller.signal)).rejects.toBe(reason);
    expect(server.requests.length).toBe(1);
  });

  it('sends nothing when it is cancelled already', async () => {
    const server = await serve([]);
    await expect(ask(modelAt(server.baseUrl), QUESTION, AbortSignal.abort())).rejects.toThrow('aborted');
    expect(server.requests).toEqual([]);
  });

  it('passes on what the screen throws, and hangs up', async () => {
    const server = await serve([{ text: 'Hello there', drip: 50 }]);
    const bug = new Error('a bug of the screen');
    const onText = (): void => {
      throw bug;
    };
    const request = { messages: QUESTION, tools: [], onText };
    await expect(modelAt(server.baseUrl).reply(request, new AbortController().signal)).rejects.toBe(bug);
    await server.hungUp;
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Executor } from '../../src/domain/ports.js';
import { MAX_ARGUMENT_BYTES } from '../../src/tools/arguments.js';
import { type PrepareOptions, prepare } from '../../src/tools/prepare.js';
import { createRegistry } from '../../src/tools/registry.js';
import { executors, toolsOf } from './helpers.js';

const registry = createRegistry(
  toolsOf(`
system: kubernetes
env: [LISTED]
tools:
  - name: kubectl_logs
    description: Logs of a pod.
    risk_level: low
    parameters:
      type: object
      required: [pod_name]
      properties:
        pod_name: {type: string, description: Pod, pattern: "^[a-z0-9][a-z0-9-]*$"}
        namespace: {type: string, x-context: namespace}
        tail: {type: integer, minimum: 1, default: 200}
        output: {enum: [text, json], default: text}
    run: {kind: command, argv: [kubectl, logs, "{{ pod_name }}", {when: namespace, argv: ["--namespace={{ namespace }}"]}, "--tail={{ tail }}", "--output={{ output }}"]}
  - name: kubectl_top
    description: Nodes.
    risk_level: low
    run: {kind: command, argv: [kubectl, top, nodes]}
  - name: run_python
    description: Code.
    risk_level: high
    run: {kind: python, code: "print(1)"}
  - name: show_env
    description: Environment.
    risk_level: low
    run: {kind: command, argv: [echo, {when: env.LISTED, argv: ["{{ env.LISTED }}"]}]}
`),
);
const options: PrepareOptions = { registry, executors, planContext: { context: {}, env: {} } };
const call = (name: string, rawArguments: string, more: Partial<PrepareOptions> = {}) =>
  prepare({ ...options, ...more }, { id: 'c1', name, rawArguments });
const messageOf = (rawArguments: string): string => {
  const prepared = call('kubectl_logs', rawArguments);
  return prepared.ok ? 'ok' : `${prepared.status}: ${prepared.message}`;
};

describe('prepare refuses', () => {
  it('a tool that does not exist, with the nearest names', () => {
    expect(call('kubectl_log', '{}')).toEqual({
      ok: false,
      status: 'unknown-tool',
      message: 'There is no tool called "kubectl_log". Did you mean kubectl_logs or kubectl_top?',
    });
    expect(call('__proto__', '{}')).toMatchObject({ ok: false, status: 'unknown-tool' });
    expect(call('x'.repeat(100_000), '{}')).toMatchObject({ message: expect.stringMatching(/^.{0,200}$/) });
  });

  it('a kind that nothing runs, and a tool whose requirements are not met', () => {
    const without = executors.filter(({ kind }) => kind !== 'python');
    expect(call('run_python', '{}', { executors: without })).toEqual({
      ok: false,
      status: 'unavailable',
      message: 'run_python cannot run: it is of the kind "python", which this version cannot run.',
    });
    expect(call('kubectl_top', '{}', { unmetRequirement: () => 'there is no kubectl.' })).toEqual({
      ok: false,
      status: 'unavailable',
      message: 'kubectl_top cannot run: there is no kubectl.',
    });
  });

  it('arguments with every problem at once and what is expected', () => {
    expect(messageOf('{"pod_name": "-A", "tail": 0, "follow": true}')).toBe(
      [
        'invalid-arguments: kubectl_logs did not run: its arguments are not valid.',
        '- The call has an unknown key "follow". Remove it, or use one of: pod_name, namespace, tail, output.',
        '- pod_name is "-A", which does not fit the pattern ^[a-z0-9][a-z0-9-]*$.',
        '- tail must be >= 1, but is 0.',
        'Parameters: pod_name (string, required); namespace (string); tail (integer); output (any, one of ["text","json"]).',
      ].join('\n'),
    );
  });

  it.each([
    ['no text, when something is required', '', /The call lacks "pod_name"/],
    ['text that is not JSON', "{'pod_name': 'web'}", /Arguments are not JSON: .*position 1/],
    ['text that was cut off', '{"pod_name": "we', /it may have been cut off/],
    ['a list', '["web"]', /must be a JSON object .*, not a list/],
    ['JSON inside JSON', '"{\\"pod_name\\": \\"web\\"}"', /must be a JSON object .*, not a string/],
    ['null', 'null', /not null/],
    ['__proto__', '{"pod_name": "web", "__proto__": {"tail": 1}}', /may not have a key "__proto__"/],
    ['__proto__ further inside', '{"pod_name": "web", "tail": [{"__proto__": 1}]}', /may not have a key "__proto__"/],
    ['a key that stands twice', '{"pod_name": "web", "pod_name": "db"}', /A key stands twice/],
    ['NUL', '{"pod_name": "web\\u0000"}', /NUL/],
    ['half of a surrogate pair', '{"pod_name": "\\ud800"}', /surrogate/],
    ['a misspelt value', '{"pod_name": "web", "output": "xml"}', /output must be one of text, json; it is "xml"/],
  ])('%s', (_, rawArguments, message) => {
    expect(messageOf(rawArguments)).toMatch(message);
    expect(messageOf(rawArguments)).toMatch(/^invalid-arguments: kubectl_logs did not run/);
  });

  it('too much text and too deep nesting, without failing itself', () => {
    expect(messageOf(`{"pod_name": "${'x'.repeat(MAX_ARGUMENT_BYTES)}"}`)).toMatch(/too large/);
    expect(messageOf(`{"pod_name": ${'['.repeat(100_000)}${']'.repeat(100_000)}}`)).toMatch(
      /nested more than 64 levels/,
    );
  });

  it('a flood of mistakes with a short message', () => {
    const flood = Object.fromEntries(Array.from({ length: 5000 }, (_, index) => [`k${index}${'x'.repeat(20)}`, index]));
    expect(messageOf(JSON.stringify(flood)).length).toBeLessThan(3000);
    expect(messageOf(JSON.stringify({ ['x'.repeat(100_000)]: 1 })).length).toBeLessThan(1000);
  });

  it('anything else with an answer, and never throws', () => {
    const rawArguments = fc.oneof(
      fc.string(),
      fc.json(),
      fc.json().map((text) => `{"pod_name": ${text}, "tail": ${text}}`),
    );
    fc.assert(
      fc.property(rawArguments, (text) => {
        const prepared = call('kubectl_logs', text);
        return prepared.ok ? prepared.call.action.tokens.length === 5 : prepared.status === 'invalid-arguments';
      }),
    );
  });
});

describe('prepare', () => {
  it('gives a call with exactly what would run, defaults included', () => {
    const prepared = call('kubectl_logs', '{"pod_name": "web-1"}');
    expect(prepared).toMatchObject({
      ok: true,
      call: {
        id: 'c1',
        args: { pod_name: 'web-1', tail: 200, output: 'text' },
        repairs: [],
        action: { kind: 'command', tokens: ['kubectl', 'logs', 'web-1', '--tail=200', '--output=text'] },
      },
    });
  });

  it('fills what the session knows, and says so', () => {
    const planContext = { context: { namespace: 'prod' }, env: {} };
    expect(call('kubectl_logs', '{"pod_name": "web"}', { planContext })).toMatchObject({
      call: { args: { namespace: 'prod' }, repairs: ['namespace = "prod", from the session'] },
    });
    expect(call('kubectl_logs', '{"pod_name": "web", "namespace": "test"}', { planContext })).toMatchObject({
      call: { args: { namespace: 'test' }, repairs: [] },
    });
  });

  it('takes no text as no arguments where nothing is required, and keeps the parent', () => {
    expect(call('kubectl_top', ' ')).toMatchObject({ ok: true, call: { args: {} } });
    const step = prepare(options, { id: 'c2', parentId: 'c1', name: 'kubectl_top', rawArguments: '{}' });
    expect(step).toMatchObject({ call: { id: 'c2', parentId: 'c1' } });
  });

  it('shows executors only the environment that the file lists', () => {
    let seen: unknown;
    const spy: Executor = {
      kind: 'command',
      specSchema: {},
      plan: (_spec, _args, context) => {
        seen = context.env;
        return { kind: 'command', tokens: [], display: '', payload: {} };
      },
      run: async () => ({ status: 'ok' }),
    };
    const planContext = { context: {}, env: { LISTED: 'yes', SECRET: 'no' } };
    call('show_env', '{}', { planContext, executors: [spy] });
    expect(seen).toEqual({ LISTED: 'yes' });
  });
});

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { compileSchema } from '../../src/lib/json-schema.js';
import { changingVerb, rulesOutOption } from '../../src/tools/command-line.js';
import { prepare } from '../../src/tools/prepare.js';
import { createRegistry } from '../../src/tools/registry.js';
import { commandTool, executors, messagesOf, toolsOf } from './helpers.js';

const COULD_BE_OPTION =
  'Parameter "n" begins an item of argv, and a value that begins with "-" would become an option.';

describe('a value that could become an option is refused', () => {
  it.each([
    ['without a pattern', '{type: string}'],
    ['with a pattern that is not anchored', '{type: string, pattern: "[a-z]+"}'],
    ['with a pattern that allows "-" first', '{type: string, pattern: "^[a-z-]+$"}'],
    ['with a pattern that allows "-" first in long values only', '{type: string, pattern: "^[0-9a-f-]{36}$"}'],
    ['with a pattern that is anchored in one half', '{type: string, pattern: "^a$|b"}'],
    ['with a pattern whose first part may be empty', '{type: string, pattern: "^[a-z]*[a-z-]+$"}'],
    ['with an enum that holds an option', '{enum: [a, --all]}'],
    ['as a number that may be negative', '{type: integer}'],
  ])('%s', (_, schema) => {
    expect(messagesOf(commandTool(`{n: ${schema}}`, '[kubectl, get, "{{ n }}"]'))).toContain(COULD_BE_OPTION);
  });

  it('also behind another placeholder, inside when, and as an element of a list', () => {
    const properties =
      '{a: {type: string, pattern: "^[a-z]*$", default: x}, n: {type: string, default: x}, l: {type: array, items: {type: string}}}';
    expect(
      messagesOf(commandTool(properties, '[kubectl, "{{ a }}{{ n }}", {for_each: l, argv: ["{{ item }}"]}]')),
    ).toEqual([
      COULD_BE_OPTION,
      'An element of "l" begins an item of argv, and a value that begins with "-" would become an option.',
    ]);
    expect(messagesOf(commandTool('{n: {type: string}}', '[kubectl, {when: n, argv: ["{{ n }}"]}]'))).toEqual([
      COULD_BE_OPTION,
    ]);
    expect(
      messagesOf(
        commandTool('{n: {type: string}}', '[kubectl, {when: n, argv: ["--"]}, {when: n, argv: ["{{ n }}"]}]'),
      ),
    ).toEqual([COULD_BE_OPTION]);
  });

  it.each([
    ['behind an option name', '{type: string, default: a}', '[kubectl, get, "--name={{ n }}"]'],
    ['behind "--"', '{type: string, default: a}', '[kubectl, get, --, "{{ n }}"]'],
    [
      'with a pattern',
      '{type: string, default: a, pattern: "^[a-z0-9]([-a-z0-9]*[a-z0-9])?$"}',
      '[kubectl, get, "{{ n }}"]',
    ],
    ['with a lookahead', '{type: string, default: a, pattern: "^(?!-).+$"}', '[kubectl, get, "{{ n }}"]'],
    ['with an enum', '{enum: [a, b], default: a}', '[kubectl, get, "{{ n }}"]'],
    ['as a number from 0', '{type: integer, minimum: 0, default: 1}', '[kubectl, get, "{{ n }}"]'],
  ])('but not %s', (_, schema, argv) => {
    expect(messagesOf(commandTool(`{n: ${schema}}`, argv))).toEqual([]);
  });

  it('and no value of a pattern that is let through begins with "-"', () => {
    const patterns = [
      '^[a-z0-9]([a-z0-9-]*[a-z0-9])?$',
      '^[A-Za-z0-9!][A-Za-z0-9_./=!,() -]*$',
      '^(?!-).+$',
      '^[0-9]+(s|m|h)$',
    ];
    for (const pattern of patterns) expect(rulesOutOption({ type: 'string', pattern })).toBe(true);
    const text = fc.oneof(fc.string(), fc.string({ unit: fc.constantFrom('-', 'a', '0', '=', '/', ' ') }));
    fc.assert(
      fc.property(fc.constantFrom(...patterns), text, (pattern, value) => {
        const fits = compileSchema({ type: 'string', pattern })(`-${value}`).length === 0;
        return !fits;
      }),
    );
  });
});

describe('argv', () => {
  const tools = toolsOf(`
sample:
  description: A tool for tests.
  category: test
  risk_level: high
  parameters:
    required: [name, selector, tail, command]
    properties:
      name: {type: string, pattern: "^[a-z][a-z0-9-]*$"}
      selector: {type: string}
      tail: {type: integer}
      command: {type: array, minItems: 1, items: {type: string}}
  run:
    kind: command
    argv: [kubectl, exec, "{{ name }}", "--selector={{ selector }}", "--tail={{ tail }}", --, {for_each: command, argv: ["{{ item }}"]}]
`);

  it('keeps its number of items and its options, whatever the values are', () => {
    const registry = createRegistry(tools);
    const planContext = { context: {}, env: {} };
    const anyText = fc.oneof(
      fc.string(),
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('--all', '-A', 'a b', 'a\nb', '$(id)', '`id`', '{{ tail }}', "'", '--'),
    );
    fc.assert(
      fc.property(
        anyText,
        anyText,
        fc.integer(),
        fc.array(anyText, { minLength: 1, maxLength: 4 }),
        (name, selector, tail, command) => {
          const rawArguments = JSON.stringify({ name, selector, tail, command });
          const prepared = prepare({ registry, executors, planContext }, { id: 'c1', name: 'sample', rawArguments });
          if (!prepared.ok) return;
          const { tokens } = prepared.call.action;
          expect(tokens).toEqual([
            'kubectl',
            'exec',
            name,
            `--selector=${selector}`,
            `--tail=${tail}`,
            '--',
            ...command,
          ]);
          expect(tokens[2]?.startsWith('-')).toBe(false);
        },
      ),
    );
  });
});

describe('a tool that changes something', () => {
  it.each([
    ['kubectl delete', '[kubectl, delete, pod]'],
    ['kubectl rollout restart', '[kubectl, -n, prod, --context=x, rollout, restart, deployment]'],
    ['docker compose down', '[/usr/bin/docker, compose, down]'],
    ['docker compose start', '[docker, compose, start]'],
    ['docker volume create', '[docker, volume, create, x]'],
    ['systemctl restart', '[sudo, systemctl, restart, nginx]'],
    ['helm upgrade', '[timeout, "5", helm, upgrade, x]'],
    ['rm', '[env, A=b, rm, x]'],
  ])('may not claim to read: %s', (verb, argv) => {
    const message = (risk: string) => [
      `The tool runs "${verb}", which changes something, but claims risk_level: ${risk}.`,
    ];
    const text = commandTool('{}', argv);
    expect(messagesOf(text)).toEqual(message('low'));
    expect(messagesOf(text.replace('risk_level: low', 'risk_level: medium'))).toEqual(message('medium'));
    expect(messagesOf(text.replace('risk_level: low', 'risk_level: high'))).toEqual([]);
  });

  it('may not claim to read by its HTTP method', () => {
    const http = (method: string) =>
      `t: {description: d, category: c, risk_level: low, run: {kind: http, method: ${method}, url: "http://a"}}`;
    expect(messagesOf(http('DELETE'))).toEqual([
      'The tool sends DELETE, which changes something, but claims risk_level: low.',
    ]);
    expect(messagesOf(http('POST'))).toEqual([]);
  });

  it('is not mistaken for one that reads', () => {
    const reads = [
      ...[
        'kubectl get pods',
        'kubectl rollout status deployment',
        'kubectl auth can-i delete pods',
        'docker ps',
        'docker compose ps',
      ],
      ...[
        'systemctl status nginx',
        'helm list',
        'git log',
        'git stash list',
        'uptime',
        'kubectl --namespace delete get pods',
      ],
    ];
    expect(reads.map((line) => changingVerb(line.split(' ')))).toEqual(reads.map(() => undefined));
  });
});

describe('a shell', () => {
  it('never gets a value as code', () => {
    const message = 'A placeholder stands inside code for an interpreter, where its value could become code.';
    const properties = '{n: {type: string, default: a}}';
    expect(messagesOf(commandTool(properties, '[bash, -c, "echo {{ n }}"]'))).toEqual([message]);
    expect(
      messagesOf(commandTool(properties, '[kubectl, debug, --, /bin/sh, -ec, "{{ n }}"]').replace('low', 'high')),
    ).toEqual([message]);
    expect(messagesOf(commandTool(properties, '[python3, -c, "print(1)", "--n={{ n }}"]'))).toEqual([]);
  });
});

import { describe, expect, test } from 'vitest';
import { leastRisk } from '../../../src/policy/classify/script.js';
import { importTexts } from '../../helpers/holmesgpt.js';

const messages = async (...texts: string[]) =>
  (await importTexts(...texts)).warnings.map(({ file, line, message }) => `${file}:${line} ${message}`);

const TOOL = '{ name: t, description: x, command: "kubectl get pods" }';

describe('a file that cannot be used is said, and leaves the others working', () => {
  test.each([
    ['toolsets: [', '1.yaml:1 '],
    ['{}', '1.yaml:1 It holds neither "toolsets" nor "mcp_servers".'],
    ['- a', '1.yaml:1 It holds neither "toolsets" nor "mcp_servers".'],
    ['toolsets:\n  a: 1', '1.yaml:2 a is left out: it is no map.'],
    [
      'toolsets:\n  a: { enabled: true }',
      '1.yaml:2 a: it has no tools of its own here; name the file that holds them before this one.',
    ],
    ['toolsets:\n  a: { type: http, config: {} }', '1.yaml:2 a: toolsets of type http are not imported.'],
    [`toolsets:\n  a: { enabled: false, tools: [${TOOL}] }`, '1.yaml:2 a: it is turned off (enabled: false).'],
    [
      `toolsets:\n  a: { tools: [${TOOL}], prerequisites: [{ enabled: false, disabled_reason: no licence }] }`,
      '1.yaml:2 a: it is turned off (no licence).',
    ],
    [
      'toolsets:\n  a: { tools: [{ name: t, description: x }] }',
      '1.yaml:2 a: the tool "t" is left out: it has neither a command nor a script.',
    ],
    [
      'toolsets:\n  a: { tools: [{ description: x, command: ls }] }',
      '1.yaml:2 a: the tool "" is left out: it has no name.',
    ],
    [
      'toolsets:\n  a: { tools: [{ name: t, command: "ls {{ a }} {{ A }}" }] }',
      '1.yaml:2 a: the tool "t" is left out: two of its parameters differ only in case.',
    ],
    [
      'toolsets:\n  a: { tools: [{ name: t, command: "ls {{ _a }}" }] }',
      '1.yaml:2 a: the tool "t" is left out: "_a" cannot be the name of a parameter.',
    ],
    [
      'toolsets:\n  a: { tools: [{ name: t, command: "ls oPsVaL {{ a }}" }] }',
      '1.yaml:2 a: the tool "t" is left out: its text holds "oPsVaL", which stands for values here.',
    ],
  ])('%s', async (text, message) => {
    const { tools, warnings } = await importTexts(
      text,
      'toolsets:\n  good: { tools: [{ name: good, description: x, command: ls }] }',
    );
    expect(tools.map(({ name }) => name)).toEqual(['good']);
    const [first] = warnings.map(({ file, line, message: said }) => `${file}:${line} ${said}`);
    expect(first?.startsWith(message)).toBe(true);
  });
});

describe('spellings that loaders reject are read, and said', () => {
  test('the old list, unknown tags and keys, a prerequisite as text, parameters as a list', async () => {
    const text = `
toolsets:
  - name: shop/old
    description: x
    tags: [core, monitoring]
    installation: apt install it
    colour: red
    prerequisites: ["install kubectl first"]
    llm_instructions: use it well
    additional_instructions: jq .
    transformers: [{ name: llm_summarize, config: {} }]
    tools:
      - name: "Get Pods"
        description: Lists pods.
        additionalInstructions: Look at the restarts.
        priority: 3
        command: kubectl get pods {% if app %}--selector=app={{ app }}{% endif %}
        parameters:
          - { name: app, type: string, description: An app. }
`;
    const { tools } = await importTexts(text);
    expect(
      tools.map(({ name, displayName, description, category, parameters }) => ({
        name,
        displayName,
        description,
        category,
        parameters,
      })),
    ).toEqual([
      {
        name: 'get_pods',
        displayName: 'Get Pods',
        description: 'Lists pods.\nLook at the restarts.',
        category: 'shop',
        parameters: {
          type: 'object',
          additionalProperties: false,
          properties: { app: { type: 'string', description: 'An app.' } },
        },
      },
    ]);
    expect(await messages(text)).toEqual([
      '1.yaml:2 toolsets is a list, as it was long ago; it is read as a map.',
      '1.yaml:3 shop/old: colour: not known, and without effect.',
      '1.yaml:3 shop/old: priority of its tools: not known, and without effect.',
      '1.yaml:3 shop/old: the tags monitoring are taken for labels.',
      '1.yaml:3 shop/old: installation is read as installation_instructions.',
      '1.yaml:3 shop/old: parameters that are a list are read as a map.',
      '1.yaml:3 shop/old: additional_instructions is a command that results would go through; it is not run.',
      '1.yaml:3 shop/old: the prerequisite "install kubectl first" is taken for a note.',
    ]);
  });
});

describe('several files', () => {
  const first = `toolsets:\n  a: { description: x, prerequisites: [{ env: [SHOP] }], tools: [${TOOL}] }`;

  test('a later one replaces what it sets and is not empty; tools as a whole', async () => {
    const second = 'toolsets:\n  a: { prerequisites: [], tools: [{ name: u, description: y, command: ls }] }';
    const { tools } = await importTexts(first, second);
    expect(tools.map(({ name, requires, source }) => ({ name, requires, source }))).toEqual([
      { name: 'u', requires: [{ env: 'SHOP' }], source: '1.yaml:2' },
    ]);
  });

  test('a later one can turn a toolset off', async () => {
    expect((await importTexts(first, 'toolsets:\n  a: { enabled: false }')).tools).toEqual([]);
  });

  test('two tools of one name are both there', async () => {
    const { tools, warnings } = await importTexts(first, `customToolsets:\n  b: { tools: [${TOOL}] }`);
    expect(tools.map(({ name, displayName }) => [name, displayName])).toEqual([
      ['t', 't'],
      ['t_2', 't'],
    ]);
    expect(warnings.at(-1)?.message).toBe('b: another toolset has a tool t too; this one is called t_2.');
  });
});

describe('prerequisites', () => {
  test('programs and variables are required; a check that would need a yes is reduced to its program', async () => {
    const text = `
toolsets:
  a:
    prerequisites:
      - command: kubectl version --client && az account show
      - command: helm version
        expected_output: v3
      - command: test "$X" | grep y
      - env: [SHOP_TOKEN, SHOP_URL]
      - enabled: true
    tools: [${TOOL}]
`;
    const { tools, warnings } = await importTexts(text);
    expect(tools[0]?.requires).toEqual([
      { command: ['kubectl', 'version', '--client'] },
      { command: ['az'] },
      { command: ['helm', 'version'] },
      { env: 'SHOP_TOKEN' },
      { env: 'SHOP_URL' },
    ]);
    expect(warnings.map(({ message }) => message)).toEqual([
      'a: the output of "helm version" is not compared with expected_output.',
      'a: the prerequisite "test \\"$X\\" | grep y" is not checked: it is more than plain commands.',
    ]);
  });
});

test('tools that need an approval there need one here', async () => {
  const text = `
toolsets:
  a:
    approval_required_tools: ["kubectl_*"]
    restricted_tools: [b?]
    tools:
      - { name: kubectl_a, command: "kubectl get pods" }
      - { name: b1, command: "kubectl get pods" }
      - { name: c, command: "kubectl get pods", restricted: true }
      - { name: d, command: "kubectl get pods" }
`;
  const { tools } = await importTexts(text);
  expect(tools.map(({ name, riskLevel, permissions }) => [name, riskLevel, permissions])).toEqual([
    ['kubectl_a', 'high', ['holmesgpt:a:kubectl_a']],
    ['b1', 'high', ['holmesgpt:a:b1']],
    ['c', 'high', ['holmesgpt:a:c']],
    ['d', 'low', ['holmesgpt:a:d']],
  ]);
});

test.each([
  ['kubectl get {{ kind }}', 'low'],
  ['kubectl {{ verb }} pods', 'low'],
  ['kubectl get pods -n {{ ns }} | grep x', 'low'],
  ['kubectl delete pod {{ pod }}', 'high'],
  ['echo {{ pod }}; kubectl delete namespace {{ pod }}', 'critical'],
  ['echo a{% if pod %}; kubectl delete pod {{ pod }}{% endif %}', 'low'],
  ['unheard-of {{ a }}', 'high'],
])('in a list, "%s" has the risk that it has with any values: %s', async (command, risk) => {
  const text = JSON.stringify({ toolsets: { a: { tools: [{ name: 't', description: 'x', command }] } } });
  const { tools } = await importTexts(text);
  expect(tools.map(({ run }) => leastRisk(run))).toEqual([risk]);
});

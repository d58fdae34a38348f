import { describe, expect, it } from 'vitest';
import { loadToolFiles } from '../../src/tools/load.js';
import { commandTool, executors, messagesOf, problemsOf } from './helpers.js';

describe('loadToolFiles reports', () => {
  it('every problem of every file at once, with place, what was found and the fix', () => {
    const broken = `
system: test
tools:
  - name: Bad-Name
    descripton: Mistyped key.
    description: A tool.
    risk_level: lo
    version: 1.5
    timeout_seconds: soon
    run: {kind: command, argv: kubectl}
  - name: second
    description: A tool.
    run: {kind: comand, argv: [kubectl]}
`;
    const { problems } = loadToolFiles(
      [
        { path: 'x.yaml', text: 'a: [' },
        { path: 'a.yaml', text: broken },
      ],
      executors,
    );
    expect(problems.filter(({ file }) => file === 'x.yaml')).toHaveLength(1);
    expect(problemsOf(broken)).toBe(
      [
        'a.yaml:4:5: name is "Bad-Name", which does not fit the pattern ^[a-z][a-z0-9_]{0,63}$.',
        'a.yaml:5:5: The tool has an unknown key "descripton".',
        '    Did you mean "description"?',
        'a.yaml:7:5: risk_level must be one of low, medium, high, critical; it is "lo".',
        '    Did you mean "low"?',
        'a.yaml:8:5: version must be text, but is 1.5.',
        '    Write it in quotes: "1.5".',
        'a.yaml:9:5: timeout_seconds must be a number, but is text: "soon".',
        'a.yaml:10:26: run.argv must be a list, but is text: "kubectl".',
        'a.yaml:11:5: The tool lacks "risk_level".',
        '    Add risk_level: low (reads), medium (reads that may expose or load), high (changes) or critical (cannot be undone).',
        'a.yaml:13:11: run.kind must be one of command, script, http, workflow, builtin, mcp, python, wasm; it is "comand".',
        '    Did you mean "command"?',
      ].join('\n'),
    );
  });

  it('a form of an argv item that does not exist, in the words of the nearest form', () => {
    expect(messagesOf(commandTool('{x: {type: string}}', '[a, {when: x, args: ["--x={{ x }}"]}, 5]'))).toEqual([
      'run.argv[1] lacks "argv".',
      'run.argv[1] has an unknown key "args".',
      'run.argv[2] has none of the forms that are allowed here, or several: 5.',
    ]);
  });

  it('unknown keys of the file, and sources that there are not', () => {
    const text =
      'system: x\nversion: 2\nsources: [{kind: soap}]\nadapters: {a: {alias: {}}}\ninstruction: hi\ndefaults: {risk_level: low}\ntools: []\n';
    expect(problemsOf(text)).toContain(
      'a.yaml:5:1: The file has an unknown key "instruction".\n    Did you mean "instructions"?',
    );
    expect(messagesOf(text)).toEqual([
      'version must be 1, but is 2.',
      expect.stringMatching(/^sources\[0\]\.kind must be .*; it is "soap"\.$/),
      'adapters.a has an unknown key "alias".',
      'The file has an unknown key "instruction".',
      'defaults has an unknown key "risk_level".',
    ]);
  });

  it('two tools of one name in two files, naming both places', () => {
    const text = commandTool('{}', '[uptime]');
    const { problems, tools } = loadToolFiles(
      [
        { path: 'a.yaml', text },
        { path: 'b.yaml', text },
      ],
      executors,
    );
    expect(problems).toEqual([
      {
        ...{
          file: 'b.yaml',
          line: 4,
          column: 5,
          message: 'There are two tools called "sample": a.yaml:4 and b.yaml:4.',
        },
        fix: 'Rename one of them, or leave its file out.',
      },
    ]);
    expect(tools).toHaveLength(1);
  });

  it('a key that stands twice, together with what else is wrong', () => {
    expect(messagesOf(commandTool('{}', '[uptime]', '    risk_level: medium\n    colour: red\n'))).toEqual([
      'This key stands twice in the same map.',
      'The tool has an unknown key "colour".',
    ]);
  });

  it('a map entry that is no definition, a name that differs from its key, a missing category, both timeouts', () => {
    const text = `
note: some text
one: {name: two, description: d, risk_level: low, timeout: 1, timeout_seconds: 2, run: {kind: command, argv: [uptime]}}
`;
    expect(messagesOf(text)).toEqual([
      '"note" is neither a key of a tool file nor a tool definition.',
      'The tool lacks "category".',
      'The tool is called "one" by its key and "two" by its name.',
      'Both timeout and timeout_seconds are given.',
    ]);
  });

  it('nothing twice when a default of the file is wrong', () => {
    const text = commandTool('{}', '[uptime]').replace('tools:', 'defaults: {rate_limit: many}\ntools:');
    expect(messagesOf(text)).toEqual(['defaults.rate_limit must be a number, but is text: "many".']);
  });
});

describe('loadToolFiles refuses parameters', () => {
  it.each([
    ['whose schema is none', '{n: {type: text}}', /^The schema of the parameters is not valid\. /],
    ['with an unknown keyword', '{n: {type: string, patern: a}}', /unknown keyword: "patern"/],
    [
      'whose default the schema refuses',
      '{n: {type: integer, default: two}}',
      /^The default is not valid: n must be a whole number/,
    ],
    ['with a name that no program takes', '{"n-1": {type: string}}', /^"n-1" cannot be the name of a parameter/],
    ['that differ in case only', '{n: {type: string}, N: {type: string}}', /differ only in case/],
    [
      'from a context that does not exist',
      '{n: {type: string, x-context: cluster}}',
      /^There is no context value "cluster"/,
    ],
  ])('%s', (_, properties, message) => {
    const messages = messagesOf(commandTool(properties, '[a]')).filter((text) => !text.includes('is never used'));
    expect(messages[0]).toMatch(message);
  });

  it('that are required but not declared, or open to unknown ones', () => {
    const text = (parameters: string) =>
      `t: {description: d, category: c, risk_level: low, parameters: ${parameters}, run: {kind: builtin, name: kubernetes_target}}`;
    expect(messagesOf(text('{type: object, required: [a], properties: {}}'))).toEqual([
      '"a" is required but not declared.',
    ]);
    expect(messagesOf(text('{type: object, additionalProperties: true}'))).toEqual([
      'parameters.additionalProperties must be false, but is true.',
    ]);
  });
});

describe('loadToolFiles refuses requirements that do more than ask', () => {
  it.each([
    ['[sh, -c, "id > /tmp/x"]', false],
    ['[kubectl, delete, namespace, shop]', false],
    ['[python3, -c, print]', false],
    ['[curl, "https://example.com/x"]', false],
    ['[docker, version]', true],
    ['[kubectl, version, --client]', true],
    ['[docker]', true],
  ])('%s: %s', (command, isFine) => {
    const text = `version: 1\nsystem: x\ntools: [{ name: a, description: Says hello to all., risk_level: low, requires: [{ command: ${command} }], run: { kind: command, argv: [echo] } }]`;
    const { problems } = loadToolFiles([{ path: 'a.yaml', text }], executors);
    expect(problems.length === 0).toBe(isFine);
  });
});

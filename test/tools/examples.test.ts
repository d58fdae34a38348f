import { describe, expect, it } from 'vitest';
import { commandTool, messagesOf, problemsOf } from './helpers.js';

const POD = '{pod: {type: string, pattern: "^[a-z]+$", default: web}}';
const ARGV = '[kubectl, get, pod, "{{ pod }}"]';

const withExample = (example: string): string => commandTool(POD, ARGV, `    examples: [${example}]\n`);

describe('an example is refused', () => {
  it('when something else would run, and the message shows both', () => {
    expect(problemsOf(withExample('{arguments: {pod: api}, argv: [kubectl, get, pods, api]}'))).toBe(
      [
        'a.yaml:9:40: The example would run',
        '    ["kubectl","get","pod","api"]',
        'and not',
        '    ["kubectl","get","pods","api"]',
        '    Correct the argv of the example, or run.',
      ].join('\n'),
    );
  });

  it('when its arguments do not fit the schema', () => {
    expect(messagesOf(withExample('{arguments: {pod: API, extra: 1}}'))).toEqual([
      'The example is not valid: pod is "API", which does not fit the pattern ^[a-z]+$.',
      'The example is not valid: the call has an unknown key "extra".',
    ]);
  });

  it('when another request would be sent', () => {
    const text = `
t:
  description: d
  category: c
  risk_level: low
  env: [URL]
  run: {kind: http, url: "{{ env.URL }}/api"}
  examples: [{arguments: {}, request: {method: POST, url: "{{ env.URL }}/api"}}]
`;
    expect(messagesOf(text)).toEqual([
      'The example would run\n    ["GET","{{ env.URL }}/api"]\nand not\n    ["POST","{{ env.URL }}/api"]',
    ]);
    expect(messagesOf(text.replace('POST', 'GET'))).toEqual([]);
  });
});

describe('an example', () => {
  it('gets the defaults, and needs no argv', () => {
    expect(messagesOf(withExample('{arguments: {}, argv: [kubectl, get, pod, web]}, {arguments: {pod: api}}'))).toEqual(
      [],
    );
  });
});

describe('expressions and phrases are refused', () => {
  it('when they cannot be read or name what does not exist', () => {
    const more = `
    output: {format: json, select: "items["}
    fields: {first: "nosuch(items)"}
    raise:
      - {when: {properties: {pood: {const: x}}, required: [pood]}, risk_level: high, reason: r}
      - {when: {properties: {pod: {type: text}}}, risk_level: high, reason: r}
    intents: {phrases: ["show {pod}", "show {node}"]}
`;
    expect(messagesOf(commandTool(POD, ARGV, more))).toEqual([
      expect.stringMatching(/^"items\[" is not a JMESPath expression/),
      '"nosuch(items)" is not a JMESPath expression: Unknown function: nosuch().',
      'The condition names "pood", which is not a parameter of this tool.',
      expect.stringMatching(/^The condition is not valid/),
      'The phrase has a slot {node}, which is not a parameter.',
    ]);
  });
});

import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/types.js';
import { repairArguments } from '../../src/tools/repair.js';
import { toolsOf } from './helpers.js';

const text = (risk: string) => `
sample:
  description: Sample.
  category: test
  risk_level: ${risk}
  parameters:
    required: [pod_name]
    properties:
      pod_name: {type: string}
      namespace: {type: string}
      label_selector: {type: string}
      replicas: {type: integer}
      ratio: {type: number}
      previous: {type: boolean}
      command: {type: array, items: {type: string}}
      ports: {type: array, items: {type: integer}}
      mode: {enum: [table, wide, json, yaml]}
      animal: {enum: [cat, car]}
      maybe: {type: [string, "null"]}
      either: {type: [string, integer]}
      nested: {type: object, properties: {count: {type: integer}}}
  run: {kind: builtin, name: kubernetes_target}
`;

const [low] = toolsOf(text('low'));
const [high] = toolsOf(text('high'));

function repair(args: JsonObject, tool = low) {
  if (!tool) throw new Error('no tool');
  return repairArguments(args, tool);
}

describe('repairArguments leaves alone', () => {
  it.each<[string, JsonObject]>([
    ['what fits already', { pod_name: 'web', replicas: 3, either: '3', maybe: null, mode: 'json' }],
    ['null for what is required', { pod_name: null }],
    ['text that is no number', { replicas: '3 pods' }],
    ['numbers that another program would read otherwise', { replicas: '0x10', ratio: '1.10' }],
    ['leading zeros', { replicas: '007' }],
    ['fractions where whole numbers are wanted', { replicas: '2.5' }],
    ['numbers that would not come out as they were written', { pod_name: 1.1, namespace: 2 ** 60 }],
    ['yes and no', { previous: 'yes' }],
    ['booleans for text', { pod_name: true }],
    ['a list written as text', { command: '["ls"]' }],
    ['a list for one value', { pod_name: ['web'] }],
    ['an enum value that could be two', { animal: 'cas' }],
    ['keys that are unlike any other', { follow: true }],
    ['short keys that could be anything', { pot: 'x' }],
    ['an alias beside the parameter itself', { pod_name: 'web', pod: 'db' }],
    ['two keys that mean one parameter', { pod: 'web', podName: 'db' }],
    ['keys of every object', { constructor: 1, toString: 2 }],
  ])('%s', (_, args) => {
    expect(repair(args)).toEqual({ args, repairs: [] });
  });

  it('enum values of a tool that changes something', () => {
    expect(repair({ mode: 'JSON' }, high)).toEqual({ args: { mode: 'JSON' }, repairs: [] });
    expect(repair({ mode: 'jsn' }, high)).toEqual({ args: { mode: 'jsn' }, repairs: [] });
    expect(repair({ replicas: '3' }, high)).toEqual({ args: { replicas: 3 }, repairs: ['replicas: "3" → 3'] });
  });
});

describe('repairArguments corrects, and says so', () => {
  it.each<[string, JsonObject, JsonObject, string[]]>([
    [
      'numbers as text',
      { replicas: ' 3 ', ratio: '-0.5' },
      { replicas: 3, ratio: -0.5 },
      ['replicas: " 3 " → 3', 'ratio: "-0.5" → -0.5'],
    ],
    ['booleans as text', { previous: 'True' }, { previous: true }, ['previous: "True" → true']],
    ['numbers for text', { pod_name: 3 }, { pod_name: '3' }, ['pod_name: 3 → "3"']],
    ['one value for a list', { command: 'ls' }, { command: ['ls'] }, ['command: "ls" → ["ls"]']],
    [
      'values inside lists and maps',
      { ports: ['80', 81], nested: { count: '1' } },
      { ports: [80, 81], nested: { count: 1 } },
      ['ports[0]: "80" → 80', 'nested.count: "1" → 1'],
    ],
    ['null for what is optional', { namespace: null }, {}, ['namespace: null → left out']],
    [
      'other spellings of a key',
      { podName: 'web', 'label-selector': 'a=b' },
      { pod_name: 'web', label_selector: 'a=b' },
      ['podName → pod_name', 'label-selector → label_selector'],
    ],
    [
      'aliases of a key',
      { ns: 'prod', pod: 'web', selector: 'a=b' },
      { namespace: 'prod', pod_name: 'web', label_selector: 'a=b' },
      ['ns → namespace', 'pod → pod_name', 'selector → label_selector'],
    ],
    ['one edit in a key', { namespce: 'prod' }, { namespace: 'prod' }, ['namespce → namespace']],
    ['the case of an enum value', { mode: 'YAML' }, { mode: 'yaml' }, ['mode: "YAML" → "yaml"']],
    ['one edit in an enum value', { mode: 'tabel' }, { mode: 'table' }, ['mode: "tabel" → "table"']],
  ])('%s', (_, given, args, repairs) => {
    expect(repair(given)).toEqual({ args, repairs });
  });
});

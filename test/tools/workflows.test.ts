import { describe, expect, it } from 'vitest';
import { load, messagesOf, problemsOf } from './helpers.js';

const PODS = `
  - name: list_pods
    description: Lists pods.
    risk_level: low
    parameters: {type: object, required: [namespace], properties: {namespace: {type: string}, selector: {type: string}}}
    run: {kind: command, argv: [kubectl, get, pods, "--namespace={{ namespace }}", {when: selector, argv: ["--selector={{ selector }}"]}]}
    output: {format: json}
    fields: {names: "items[].metadata.name"}`;

const flow = (steps: string, more = ''): string => `
system: test
tools:${PODS}
  - name: flow
    description: A workflow.
    risk_level: low
    parameters: {type: object, required: [namespace], properties: {namespace: {type: string}, wide: {type: boolean, default: false}, maybe: {type: string}}}
    run: {kind: workflow, steps: ${steps}${more}}
`;

/** Without what the samples leave unused. */
const stepMessages = (steps: string, more = ''): string[] =>
  messagesOf(flow(steps, more)).filter((message) => !message.includes('is never used'));

const NS = 'parameters: {namespace: "{{ namespace }}"}';

describe('a workflow is refused', () => {
  it.each([
    [
      'when two steps have one id',
      `[{id: a, tool: list_pods, ${NS}}, {id: a, tool: list_pods, ${NS}}]`,
      ['Two steps have the id "a".'],
    ],
    ['when a step is called item', `[{id: item, tool: list_pods, ${NS}}]`, ['"item" is the element of for_each.']],
    [
      'when a step waits for one that does not exist',
      `[{id: pods, tool: list_pods, ${NS}, depends_on: [pod]}]`,
      ['There is no step "pod" to depend on. Did you mean "pods"?'],
    ],
    [
      'when steps wait for each other',
      `[{id: a, tool: list_pods, ${NS}, depends_on: [b]}, {id: b, tool: list_pods, parameters: {namespace: $a.text}}]`,
      ['The steps a, b wait for each other.'],
    ],
    [
      'when a step waits for itself',
      `[{id: a, tool: list_pods, parameters: {namespace: $a.text}}]`,
      ['The steps a wait for each other.'],
    ],
    [
      'when a reference names no step',
      `[{id: a, tool: list_pods, parameters: {namespace: $pods.names}}]`,
      ['$pods refers to a step that does not exist.'],
    ],
    [
      'when a condition names no step',
      `[{id: a, tool: list_pods, ${NS}, when: "!$gone.ok"}]`,
      ['$gone refers to a step that does not exist.'],
    ],
    [
      'when a condition names no parameter',
      `[{id: a, tool: list_pods, ${NS}, when: wdie}]`,
      ['"wdie" is not a parameter of this tool.'],
    ],
    [
      'when a reference is neither field nor JMESPath',
      `[{id: a, tool: list_pods, ${NS}}, {id: b, tool: list_pods, parameters: {namespace: "$a.items["}}]`,
      [expect.stringMatching(/^\$a\.items\[ is not a field and not a JMESPath expression/)],
    ],
    [
      'when $item stands outside for_each',
      `[{id: a, tool: list_pods, parameters: {namespace: $item.x}}]`,
      ['$item has a meaning only in a step with for_each.'],
    ],
    [
      'when for_each is no reference',
      `[{id: a, tool: list_pods, ${NS}, for_each: namespace}]`,
      ['for_each of a step must refer to an earlier step.'],
    ],
    [
      'when a tool does not exist',
      `[{id: a, tool: list_pod, ${NS}}]`,
      ['There is no tool "list_pod". Did you mean "list_pods"?'],
    ],
    [
      'when a tool has no such parameter',
      `[{id: a, tool: list_pods, parameters: {namespace: x, selektor: y}}]`,
      ['list_pods has no parameter "selektor". Did you mean "selector"?'],
    ],
    [
      'when a required parameter is not given',
      `[{id: a, tool: list_pods}]`,
      ['list_pods needs "namespace", which this step does not always give.'],
    ],
    [
      'when a required parameter may be absent',
      `[{id: a, tool: list_pods, parameters: {namespace: "{{ maybe }}"}}]`,
      ['list_pods needs "namespace", which this step does not always give.'],
    ],
    ['when it calls itself', `[{id: a, tool: flow, ${NS}}]`, ['The workflows flow call each other without end.']],
    [
      'when a placeholder is no parameter',
      `[{id: a, tool: list_pods, parameters: {namespace: "{{ namspace }}"}}]`,
      ['"namspace" is not a parameter of this tool.'],
    ],
    [
      'when a step has an unknown key',
      `[{id: a, tool: list_pods, ${NS}, need: [b]}]`,
      ['run.steps[0] has an unknown key "need".'],
    ],
  ])('%s', (_, steps, messages) => {
    expect(stepMessages(steps)).toEqual(messages);
  });

  it('when the answer names no step, with its place and the steps there are', () => {
    const text = flow(`[{id: a, tool: list_pods, ${NS}}]`, ', answer: $diagnosis.text');
    expect(problemsOf(text)).toContain('$diagnosis refers to a step that does not exist.\n    The steps are: a.');
  });
});

describe('a workflow loads', () => {
  it('with references, conditions, repetitions, fields and JMESPath', () => {
    const steps = `[
      {id: pods, tool: list_pods, parameters: {namespace: "{{ namespace }}", selector: "{{ maybe }}"}},
      {id: each, tool: list_pods, for_each: $pods.names, when: "!wide", parameters: {namespace: $item.name}, optional: true},
      {id: last, tool: list_pods, depends_on: [each], when: $pods.ok, parameters: {namespace: "$pods.items[0].metadata.namespace"}}]`;
    const { tools, problems } = load(flow(steps, ', answer: $last.text'));
    expect(problems).toEqual([]);
    expect(tools.map(({ name }) => name)).toEqual(['list_pods', 'flow']);
  });

  it('is not blamed for the mistakes of its tools', () => {
    const text = flow(
      `[{id: a, tool: list_pods, parameters: {namespace: "{{ namespace }}", other: "{{ maybe }}", more: "{{ wide }}"}}]`,
    );
    const broken = text.replace(
      'parameters: {type: object, required: [namespace], properties: {namespace: {type: string}, selector',
      'parameters: {type: list, required: [namespace], properties: {namespace: {type: string}, selector',
    );
    expect(messagesOf(broken)).toEqual(['parameters.type must be "object", but is "list".']);
  });
});

describe('verify', () => {
  it('names a tool that exists and parameters of its own', () => {
    const text = `
a: {description: d, category: c, risk_level: high, parameters: {properties: {n: {type: string, default: x}}},
    run: {kind: command, argv: [docker, stop, "--name={{ n }}"]}, verify: {tool: docker_status, parameters: {name: "{{ m }}"}}}`;
    expect(messagesOf(text)).toEqual(['There is no tool "docker_status".', '"m" is not a parameter of this tool.']);
  });
});

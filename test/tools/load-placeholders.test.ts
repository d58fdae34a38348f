import { describe, expect, it } from 'vitest';
import { commandTool, messagesOf } from './helpers.js';

describe('loadToolFiles refuses placeholders', () => {
  it.each([
    [
      'that are not declared',
      '{pod: {type: string}}',
      '[a, {when: pod, argv: ["--p={{ pod }}"]}, "--n={{ pood }}"]',
      ['"pood" is not a parameter of this tool.'],
    ],
    [
      'in a condition that is not declared',
      '{}',
      '[a, {when: wide, argv: ["-w"]}]',
      ['"wide" is not a parameter of this tool.'],
    ],
    [
      'of the environment that the file does not list',
      '{}',
      '[a, "--u={{ env.HOME }}"]',
      ['The environment variable "HOME" is not listed.'],
    ],
    [
      'of secrets in an argv',
      '{}',
      '[a, "--t={{ secret.TOKEN }}"]',
      ['A secret may stand only in the headers or auth of an http tool.'],
    ],
    [
      'of context values that do not exist',
      '{}',
      '[a, "--n={{ context.namspace }}"]',
      ['There is no context value "namspace".'],
    ],
    ['called item outside for_each', '{}', '[a, "--n={{ item }}"]', ['{{ item }} has a meaning only inside for_each.']],
    [
      'that differ from a parameter in case',
      '{}',
      '[docker, ps, "--format={{ Names }}"]',
      ['"Names" is not a parameter of this tool.'],
    ],
    [
      'of session values that may be unset',
      '{}',
      '[a, "--namespace={{ context.namespace }}"]',
      ['"context.namespace" may have no value, and the item would be left out without a word.'],
    ],
    [
      'of optional parameters without a condition',
      '{n: {type: string}}',
      '[a, "--n={{ n }}"]',
      ['Parameter "n" is optional and has no default, but is used here without a condition.'],
    ],
    [
      'of optional parameters below the opposite condition',
      '{n: {type: string}}',
      '[a, {when: "!n", argv: ["--n={{ n }}"]}]',
      ['Parameter "n" is optional and has no default, but is used here without a condition.'],
    ],
    [
      'over what is no list',
      '{n: {type: string}}',
      '[a, {for_each: n, argv: ["--n={{ item }}"]}]',
      ['for_each needs a list, but parameter "n" is not of type array.'],
    ],
    [
      'when a parameter is never used',
      '{n: {type: string}}',
      '[a]',
      ['Parameter "n" is never used, so its value would be ignored.'],
    ],
    [
      'in the program',
      '{n: {type: string, default: a}}',
      '["{{ n }}"]',
      [
        'The program (the first item of argv) must be a fixed text.',
        'Parameter "n" begins an item of argv, and a value that begins with "-" would become an option.',
      ],
    ],
    [
      'in a group where the program should stand',
      '{n: {type: string}}',
      '[{when: n, argv: ["--n={{ n }}"]}]',
      ['The program (the first item of argv) must be a fixed text.'],
    ],
  ])('%s', (_, properties, argv, messages) => {
    expect(messagesOf(commandTool(properties, argv))).toEqual(messages);
  });

  it('where nothing is filled in, and of optional parameters in a URL', () => {
    const http = (run: string) =>
      `t: {description: d, category: c, risk_level: low, parameters: {properties: {n: {type: string}}}, run: ${run}}`;
    expect(messagesOf(http('{kind: http, url: "http://a/{{ n }}", allow_hosts: ["{{ n }}"]}'))).toEqual([
      'Parameter "n" is optional and has no default, but is used here without a condition.',
      '{{ n }} stands where nothing is filled in.',
    ]);
    expect(
      messagesOf(
        http(
          '{kind: http, url: "http://a/", body: {n: "{{ n }}"}, headers: {A: "Bearer {{ secret.T }}", B: "{{ n }}"}}',
        ),
      ),
    ).toEqual([]);
  });

  it('but allows default values, guards, lists, and code that no value reaches', () => {
    const fine = [
      commandTool(
        '{n: {type: string, default: a}, l: {type: array, items: {type: string}}}',
        '[a, "--n={{ n }}", {for_each: l, argv: ["--l={{ item }}"]}]',
      ),
      commandTool('{n: {type: boolean}}', '[a, {when: n, argv: [-w]}, {when: "!n", argv: [-x]}]'),
      't: {description: d, category: c, risk_level: low, parameters: {properties: {n: {type: string}}}, run: {kind: script, code: "echo {{ x }}"}}',
    ];
    expect(fine.flatMap(messagesOf)).toEqual([]);
  });
});

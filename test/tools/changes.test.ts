import { describe, expect, test } from 'vitest';
import { loadToolFiles } from '../../src/tools/load.js';
import { packExecutors } from '../helpers/kubernetes-pack.js';

/** The messages about a tool with these keys. */
function problemsOf(keys: string, argv = '[kubectl, delete, pod, "--selector=a={{ n }}"]'): string[] {
  const text = `version: 1
system: test
tools:
  - { name: change, description: Changes., risk_level: high, parameters: [{ name: n, type: string, required: true }],
      run: { kind: command, argv: ${argv} }, ${keys} }
  - { name: look, description: Reads., risk_level: low, parameters: [{ name: n, type: string, required: true }],
      run: { kind: command, argv: [kubectl, get, pods, "--selector={{ n }}"] } }
`;
  return loadToolFiles([{ path: 't.yaml', text }], packExecutors).problems.map(({ message }) => message);
}

describe('the keys that take care of a change', () => {
  test.each([
    ['a dry run that changes', 'dry_run: { argv: [kubectl, delete, pod, x] }', /dry_run\.argv must only read/],
    [
      'a dry run under a condition',
      'dry_run: { argv: [kubectl, delete, { when: n, argv: [--dry-run=server] }] }',
      /must only read/,
    ],
    [
      'a dry run taken back',
      'dry_run: { argv: [kubectl, delete, --dry-run=server, --dry-run=none] }',
      /must only read/,
    ],
    [
      'a dry run of the program inside',
      'dry_run: { argv: [kubectl, exec, x, --, rm, --dry-run=server] }',
      /must only read/,
    ],
    ['a bare --dry-run of kubectl', 'dry_run: { argv: [kubectl, delete, pod, x, --dry-run] }', /must only read/],
    [
      'a preview that changes',
      'preview: { argv: [kubectl, delete, pod, x, --dry-run=server] }',
      /preview\.argv must only read/,
    ],
    ['a verb in a placeholder', 'preview: { argv: [docker, "--x={{ n }}", rm, ps] }', /must only read/],
    ['a program of another folder', 'preview: { argv: [./kubectl, get, pods] }', /must only read/],
    [
      'a save that changes',
      'undo: { save: [kubectl, label, pod, x], restore: [kubectl, apply] }',
      /undo\.save must only read/,
    ],
    [
      'a check that changes',
      'verify: { argv: [kubectl, rollout, restart, deployment/x] }',
      /verify\.argv must only read/,
    ],
    ['a check by a tool that changes', 'verify: { tool: change }', /"change" is high: verify must only read/],
    ['a preview by a tool that is not there', 'preview: { tool: lok }', /There is no tool "lok"/],
    ['a parameter that the tool lacks', 'preview: { tool: look, parameters: { m: x } }', /look has no parameter "m"/],
    ['neither argv nor tool', 'verify: { parameters: {} }', /verify needs either argv or tool/],
    ['both argv and tool', 'verify: { tool: look, argv: [kubectl, get, pods] }', /verify needs either argv or tool/],
    [
      'an undo without a way',
      'undo: { save: [kubectl, get, pod, x] }',
      /undo needs either none with a reason, or save/,
    ],
    [
      'an undo that is and is not',
      'undo: { none: no, save: [kubectl, get, x], restore: [kubectl, apply] }',
      /undo needs either none/,
    ],
    [
      'a restore by another program',
      'undo: { save: [kubectl, get, x], restore: [sh, -c, x] }',
      /runs the program of its tool, kubectl/,
    ],
    [
      'a saved value that is not saved',
      'undo: { save: [kubectl, get, x], restore: [kubectl, scale, "--replicas={{ saved.r }}"] }',
      /"r" is not among undo\.values/,
    ],
    [
      'a saved value that could become an option',
      'undo: { save: [kubectl, get, x], values: { r: r }, restore: [kubectl, scale, "{{ saved.r }}"] }',
      /saved value begins an item of argv/,
    ],
    [
      'a saved value outside of a restore',
      'preview: { argv: [kubectl, get, "--x={{ saved.r }}"] }',
      /"saved\.r" is not a parameter/,
    ],
    [
      'an expression that is none',
      'undo: { save: [kubectl, get, x], values: { r: "a[" }, restore: [kubectl, apply] }',
      /is not a JMESPath expression/,
    ],
    [
      'an expression that looks in a list',
      'undo: { save: [kubectl, get, x], values: { r: "[-1].r" }, restore: [kubectl, apply] }',
      /looks in a list, and would find nothing/,
    ],
    [
      'a value that moves on and is none',
      'undo: { save: [kubectl, get, x], values: { r: r }, advancing: [s], restore: [kubectl, apply] }',
      /"s" is not among undo\.values/,
    ],
    [
      'an exception for a parameter that is not there',
      'undo: { save: [kubectl, get, x], restore: [kubectl, apply], except: [{ when: { required: [m] }, reason: x }] }',
      /names "m", which is not a parameter/,
    ],
    [
      'an expectation that is no schema',
      'verify: { tool: look, parameters: { n: a }, expect: { status: ok } }',
      /What is expected is not valid/,
    ],
  ])('refuse %s', (_, keys, message) => {
    expect(problemsOf(keys)).toEqual([expect.stringMatching(message)]);
  });

  test('let only a command save and restore', () => {
    const text = `version: 1
system: test
tools:
  - { name: call, description: Calls., risk_level: high, run: { kind: http, method: POST, url: "https://a.example/" },
      undo: { save: [kubectl, get, x], restore: [kubectl, apply] } }
`;
    const { problems } = loadToolFiles([{ path: 't.yaml', text }], packExecutors);
    expect(problems.map(({ message }) => message)).toEqual(['Only a tool of run.kind command can save and restore.']);
  });

  test.each([
    ['a server dry run', 'dry_run: { argv: [kubectl, delete, pod, --dry-run=server] }'],
    ['a diff', 'dry_run: { argv: [kubectl, diff, --filename=-], success_exit_codes: [0, 1] }'],
    ['a check of a playbook', 'dry_run: { argv: [ansible-playbook, site.yaml, --check] }'],
    ['a preview by a tool', 'preview: { tool: look, parameters: { n: "{{ n }}" } }'],
    ['no way back', 'undo: { none: it is gone }'],
    [
      'saved values',
      'undo: { save: [kubectl, get, x], values: { r: r }, restore: [kubectl, { when: saved.r, argv: [cordon] }, "--r={{ saved.r }}"] }',
    ],
  ])('may be %s', (_, keys) => {
    expect(problemsOf(keys)).toEqual([]);
  });
});

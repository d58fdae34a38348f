import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { diagnoseBuiltins } from '../../src/diagnose/builtins.js';
import type { JsonObject, ToolDefinition } from '../../src/domain/types.js';
import { createExecutors } from '../../src/exec/index.js';
import { compileSchema } from '../../src/lib/json-schema.js';
import { formatProblems } from '../../src/lib/problems.js';
import { type ArgvItem, fillArgv, placeholdersIn } from '../../src/lib/template.js';
import { loadPolicies } from '../../src/policy/load.js';
import { matches } from '../../src/policy/rules.js';
import { loadToolFiles } from '../../src/tools/load.js';

const path = 'tools.d/docker.yaml';
const executors = createExecutors(diagnoseBuiltins);
const pack = loadToolFiles([{ path, text: readFileSync(path, 'utf8') }], executors);
const rules = loadPolicies([
  { path: 'policies/docker.yaml', text: readFileSync('policies/docker.yaml', 'utf8') },
]).rules;
const commands = pack.tools.filter((t) => t.run.kind === 'command');

function tool(name: string): ToolDefinition {
  const found = pack.tools.find((t) => t.name === name);
  if (!found) throw new Error(`the pack has no ${name}`);
  return found;
}

const argvOf = (t: ToolDefinition, args: JsonObject): readonly string[] =>
  executors.find(({ kind }) => kind === t.run.kind)?.plan(t.run, args, { context: {}, env: {} }).tokens ?? [];

const CHANGES = [
  'docker_exec',
  'docker_kill',
  'docker_prune',
  'docker_restart',
  'docker_rm',
  'docker_start',
  'docker_stop',
  'docker_unpause',
  'docker_update',
];

test('the pack loads without a problem or a warning, its examples included', () => {
  expect(formatProblems([...pack.problems, ...pack.warnings])).toBe('');
});

test('exactly the tools that change something ask first', () => {
  const asks = pack.tools.filter((t) => t.riskLevel === 'high' || t.riskLevel === 'critical');
  expect(asks.map((t) => t.name).toSorted()).toEqual(CHANGES);
});

describe('every tool', () => {
  test.each(commands.map((t) => [t.name, t] as const))('%s takes no text that could become an option', (_, t) => {
    const free = Object.entries(t.parameters.properties as JsonObject).filter(([, schema]) => {
      const { type, enum: words } = schema as JsonObject;
      return type === 'string' && words === undefined;
    });
    for (const [name] of free) {
      for (const value of ['-a', '--host=tcp://evil', 'a b\nc', '']) {
        const problems = compileSchema(t.parameters)({ [name]: value }).filter((p) => p.path[0] === name);
        expect([name, value, problems.length > 0]).toEqual([name, value, true]);
      }
    }
  });

  test.each(commands.map((t) => [t.name, t] as const))(
    '%s ends by itself and reaches the daemon of the session',
    (_, t) => {
      const argv = argvOf(t, t.examples[0]?.arguments ?? {});
      expect(
        argv.filter((token) =>
          /^(-f|--follow|-it?|--interactive|--tty|-H|--host.*|--context.*|watch|attach)$/.test(token),
        ),
      ).toEqual([]);
      expect(t.run.env).toContain('DOCKER_HOST');
    },
  );

  test.each(commands.map((t) => [t.name, t] as const))(
    '%s names the daemon of the session, its preview and undo too',
    (_, t) => {
      const argvs = [t.run.argv, t.preview?.argv, t.undo?.save, t.undo?.restore].filter((argv) => argv !== undefined);
      const words = argvs.map((argv) => [
        fillArgv(argv as readonly ArgvItem[], (name) =>
          name === 'context.docker_host' ? 'ssh://ops@db-1' : 'x',
        ).slice(0, 2),
        fillArgv(argv as readonly ArgvItem[], (name) =>
          name === 'context.docker_context' ? 'night' : name.startsWith('context.') ? undefined : 'x',
        ).slice(0, 2),
      ]);
      expect(words).toEqual(
        argvs.map(() => [
          ['docker', '--host=ssh://ops@db-1'],
          ['docker', '--context=night'],
        ]),
      );
    },
  );

  test('that reads a stream is bounded', () => {
    expect(argvOf(tool('docker_events'), { since: '1h', until: '0s' })).toContain('--until=0s');
    expect(argvOf(tool('docker_stats'), {})).toContain('--no-stream');
    expect(argvOf(tool('docker_logs'), { name: 'web', tail: 200 })).toContain('--tail=200');
  });
});

test('templates hold no placeholder of ours but the one of the name, and print no value of a variable', () => {
  for (const name of [
    'docker_inspect',
    'docker_inspect_image',
    'docker_inspect_network',
    'docker_inspect_volume',
    'docker_events',
  ]) {
    const template =
      argvOf(tool(name), tool(name).examples[0]?.arguments ?? {}).find((a) => a.startsWith('--format=')) ?? '';
    expect([name, placeholdersIn(template), template.includes('\n')]).toEqual([name, [], false]);
    expect(template).not.toMatch(
      /json \$(e|v)\b|json \.(Config|HostConfig|Options|Labels|Args|Actor)?\s*\}|json \.(Config\.(Env|Labels|Cmd|Entrypoint|Healthcheck)|Actor\.Attributes)/,
    );
  }
});

describe('raised risks', () => {
  const raisedTo = (name: string, args: JsonObject): string[] =>
    tool(name)
      .raise.filter((rule) => compileSchema(rule.when)(args).length === 0)
      .map((rule) => rule.riskLevel);

  test.each<[string, JsonObject]>([
    ['docker_rm', { name: 'web', volumes: true }],
    ['docker_rm', { name: 'web', force: true }],
    ['docker_kill', { name: 'web', signal: 'KILL' }],
    ['docker_exec', { name: 'web', command: ['rm', '-rf', '/data'] }],
    ['docker_exec', { name: 'web', command: ['/bin/sh', '-c', 'id'] }],
  ])('%s %j is critical', (name, args) => {
    expect(raisedTo(name, args)).toContain('critical');
  });

  test.each<[string, JsonObject]>([
    ['docker_rm', { name: 'web', volumes: false }],
    ['docker_kill', { name: 'web', signal: 'HUP' }],
    ['docker_exec', { name: 'web', command: ['cat', '/etc/resolv.conf'] }],
  ])('%s %j stays as it is', (name, args) => {
    expect(raisedTo(name, args)).toEqual([]);
  });
});

describe('the rules that ship', () => {
  const denies = (name: string, args: JsonObject): string[] =>
    rules
      .filter(
        (r) => r.effect === 'deny' && matches(r, { tool: name, arguments: args, tokens: argvOf(tool(name), args) }),
      )
      .map((r) => r.id);

  test('agree with their own examples', () => {
    expect(rules.map((r) => r.id)).toEqual([
      'docker.environment-values',
      'docker.process-environment',
      'docker.container-search',
      'docker.privileged',
      'docker.host-mounts',
      'docker.other-daemon',
      'docker.prune-everything',
    ]);
  });

  test('deny to read the environment by way of exec', () => {
    for (const command of [
      ['env'],
      ['sh', '-c', 'printenv|sort'],
      ['cat', '/proc/self/environ'],
      ['cat', '/run/secrets/db'],
    ])
      expect(denies('docker_exec', { name: 'web', command })).toEqual(['docker.process-environment']);
  });

  test('deny no example of the pack', () => {
    expect(pack.tools.flatMap((t) => t.examples.flatMap((example) => denies(t.name, example.arguments)))).toEqual([]);
  });
});

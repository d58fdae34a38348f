import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { OpsError } from '../../src/domain/errors.js';
import type { JsonObject, ToolDefinition } from '../../src/domain/types.js';
import { compileSchema } from '../../src/lib/json-schema.js';
import { formatProblems } from '../../src/lib/problems.js';
import { placeholdersIn } from '../../src/lib/template.js';
import { loadPolicies } from '../../src/policy/load.js';
import { matches } from '../../src/policy/rules.js';
import { rewriteManifests } from '../../src/tools/manifest.js';
import { loadPack, packExecutors } from '../helpers/kubernetes-pack.js';

const pack = loadPack();
const byName = new Map(pack.tools.map((tool) => [tool.name, tool]));

function tool(name: string): ToolDefinition {
  const found = byName.get(name);
  if (!found) throw new Error(`the pack has no ${name}`);
  return found;
}

function argvOf(name: string, args: JsonObject, context: Record<string, string> = {}): readonly string[] {
  const { run } = tool(name);
  const executor = packExecutors.find(({ kind }) => kind === run.kind);
  return executor?.plan(run, args, { context, env: {} }).tokens ?? [];
}

const CHANGES = [
  'kubectl_apply',
  'kubectl_cordon',
  'kubectl_delete',
  'kubectl_delete_pod',
  'kubectl_drain',
  'kubectl_exec',
  'kubectl_label',
  'kubectl_rollout_restart',
  'kubectl_rollout_undo',
  'kubectl_scale',
  'kubectl_uncordon',
];

const LOOKS = [
  'diagnose_namespace',
  'diagnose_service',
  'kubectl_describe',
  'kubectl_describe_pod',
  'kubectl_diff',
  'kubectl_events',
  'kubectl_explain',
  'kubectl_find',
  'kubectl_get',
  'kubectl_get_pods',
  'kubectl_logs',
  'kubectl_rollout_history',
  'kubectl_rollout_status',
  'kubectl_secret_keys',
  'kubectl_top_nodes',
  'kubectl_top_pods',
  'kubectl_touches',
  'kubectl_touches_node',
  'kubernetes_diagnose',
  'kubernetes_log_targets',
  'kubernetes_target',
  'kubernetes_touches',
];

test('the pack loads without a problem or a warning, its examples included', () => {
  expect(formatProblems([...pack.problems, ...pack.warnings])).toBe('');
});

test('exactly the tools that change something ask first', () => {
  const high = pack.tools.filter((t) => t.riskLevel === 'high' || t.riskLevel === 'critical');
  expect(high.map((t) => t.name).toSorted()).toEqual(CHANGES);
  expect(
    pack.tools
      .filter((t) => !high.includes(t))
      .map((t) => t.name)
      .toSorted(),
  ).toEqual(LOOKS);
});

describe('every tool', () => {
  const commands = pack.tools.filter((t) => t.run.kind === 'command');

  test.each(commands.map((t) => [t.name, t] as const))('%s takes no text that could become an option', (_, t) => {
    const properties = t.parameters.properties as JsonObject;
    const free = Object.entries(properties).filter(([name, schema]) => {
      const { type, enum: words } = schema as JsonObject;
      return type === 'string' && words === undefined && name !== 'manifest';
    });
    for (const [name] of free) {
      for (const value of ['-A', '--kubeconfig=/tmp/x', 'a b\nc', '']) {
        const problems = compileSchema(t.parameters)({ [name]: value }).filter((p) => p.path[0] === name);
        expect([name, value, problems.length > 0]).toEqual([name, value, true]);
      }
    }
  });

  test.each(commands.map((t) => [t.name, t] as const))(
    '%s names the cluster of the session, before any "--"',
    (name, t) => {
      const argv = argvOf(name, t.examples[0]?.arguments ?? {}, { kube_context: 'prod' });
      const end = argv.indexOf('--');
      expect((end < 0 ? argv : argv.slice(0, end)).filter((token) => token.startsWith('--context'))).toEqual([
        '--context=prod',
      ]);
    },
  );

  test.each(commands.map((t) => [t.name, t] as const))(
    '%s passes on no variable that makes kubectl run or print more',
    (_, t) => {
      expect((t.run.env as string[]).filter((name) => name.startsWith('KUBECTL') || name === 'KUBE_EDITOR')).toEqual(
        [],
      );
    },
  );
});

describe('raised risks', () => {
  const raisedTo = (name: string, args: JsonObject): string[] =>
    tool(name)
      .raise.filter((rule) => compileSchema(rule.when)(args).length === 0)
      .map((rule) => rule.riskLevel);

  const web = { kind: 'deployment', name: 'web' };
  /** The arguments as they are judged: after prepare has read the manifest. */
  const applied = (yaml: string): JsonObject =>
    rewriteManifests({ manifest: `apiVersion: v1\n${yaml}`, namespace: 'shop' }, tool('kubectl_apply')).args;
  test.each<[string, JsonObject]>([
    ['kubectl_scale', { ...web, replicas: 0 }],
    ['kubectl_rollout_restart', { ...web, namespace: 'kube-system' }],
    ['kubectl_delete', web],
    ['kubectl_delete', { kind: 'Namespaces', name: 'shop' }],
    ['kubectl_delete', { kind: 'pvc', name: 'data' }],
    ['kubectl_drain', { node: 'n', delete_emptydir_data: true }],
    ['kubectl_drain', { node: 'n', force: true }],
    ['kubectl_apply', applied('kind: ClusterRoleBinding')],
    ['kubectl_apply', applied('kind: Secret')],
    ['kubectl_apply', applied('"\\x6bind": "\\x53ecret"')],
    ['kubectl_apply', applied('kind: SecretList\nitems: [{metadata: {name: a}}]')],
    ['kubectl_apply', applied('kind: List\nitems: [{apiVersion: v1, kind: Namespace}]')],
    ['kubectl_apply', applied('kind: Pod\nspec: {containers: [{securityContext: {runAsUser: 0x0}}]}')],
    ['kubectl_apply', applied('kind: Pod\nspec: {containers: [{securityContext: {capabilities: {add: [ALL]}}}]}')],
    ['kubectl_apply', { ...applied('kind: ConfigMap'), namespace: undefined as never }],
    ['kubectl_label', { kind: 'service', name: 'order', labels: ['x=y'] }],
    ['kubectl_exec', { command: ['env'] }],
    ['kubectl_exec', { command: ['find', '/', '-delete'] }],
    ['kubectl_exec', { command: ['grep', '-r', '.', '/var/run'] }],
    ['kubectl_exec', { command: ['cat', '/proc/1/environ'] }],
    ['kubectl_exec', { command: ['rm', '-rf', '/data'] }],
    ['kubectl_exec', { command: ['/bin/sh', '-c', 'id'] }],
  ])('%s %j is critical', (name, args) => {
    expect(raisedTo(name, args)).toContain('critical');
  });

  test.each([
    'kind: "Sec\\\u2028ret"',
    'kind: "ClusterRo\\\rle"',
    'kind: Pod\nkind: Secret',
    'kind: [Secret]',
    'kind: Sec ret',
    '- a',
  ])('a manifest that can be read in two ways is refused: %j', (yaml) => {
    const read = () => applied(yaml);
    // Either it is refused, or the kind that it has for kubectl is the one that rules see.
    try {
      expect(read().manifest).toMatch(/"kind": "(Secret|ClusterRole)"/);
    } catch (error) {
      expect(error).toBeInstanceOf(OpsError);
    }
  });

  test.each<[string, JsonObject]>([
    ['kubectl_scale', { ...web, replicas: 3 }],
    ['kubectl_delete', { kind: 'pod', name: 'web-0', namespace: 'shop' }],
    ['kubectl_drain', { node: 'n', delete_emptydir_data: false }],
    ['kubectl_apply', applied('kind: ConfigMap\ndata: {a: "kind: Secret"}')],
    ['kubectl_label', { kind: 'service', name: 'order', namespace: 'shop', labels: ['x=y'] }],
    ['kubectl_exec', { command: ['cat', '/etc/resolv.conf'] }],
  ])('%s %j stays as it is', (name, args) => {
    expect(raisedTo(name, args)).toEqual([]);
  });
});

describe('Secrets', () => {
  const path = 'policies/kubernetes.yaml';
  const rules = loadPolicies([{ path, text: readFileSync(path, 'utf8') }]).rules;
  const denies = (name: string, args: JsonObject): string[] =>
    rules
      .filter(
        (rule) => rule.effect === 'deny' && matches(rule, { tool: name, arguments: args, tokens: argvOf(name, args) }),
      )
      .map((rule) => rule.id);

  test.each(['secret', 'secrets', 'Secret', 'secrets.v1.', 'pods,secrets'])('the values of %s are not read', (kind) => {
    expect(denies('kubectl_get', { kind, output: 'json' })).toEqual(['kubernetes.secret-values']);
    expect(denies('kubectl_get', { kind, output: 'yaml' })).toEqual(['kubernetes.secret-values']);
  });

  test('their keys are, by a template that holds no placeholder of ours', () => {
    const template = argvOf('kubectl_secret_keys', {}).find((token) => token.includes('go-template')) ?? '';
    expect(placeholdersIn(template)).toEqual([]);
    expect(template).not.toMatch(/print[^}]*\$value/);
    expect(denies('kubectl_secret_keys', {})).toEqual([]);
  });

  test('no example of the pack is denied', () => {
    const denied = pack.tools.flatMap((t) => t.examples.flatMap((example) => denies(t.name, example.arguments)));
    expect(denied).toEqual([]);
  });
});

import { readFileSync } from 'node:fs';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { diagnoseBuiltins } from '../../src/diagnose/builtins.js';
import type { JsonObject, ToolCall, ToolDefinition } from '../../src/domain/types.js';
import { createExecutors } from '../../src/exec/index.js';
import { compileSchema } from '../../src/lib/json-schema.js';
import { isObject, objectAt, textsAt } from '../../src/lib/json-values.js';
import { type ArgvItem, fillArgv } from '../../src/lib/template.js';
import { classify } from '../../src/policy/classify/index.js';
import { judgeConnection } from '../../src/policy/guard.js';
import { inputOf } from '../../src/policy/input.js';
import { higher, rank } from '../../src/policy/rank.js';
import { assessRisk } from '../../src/policy/risk.js';
import { loadToolFiles } from '../../src/tools/load.js';
import { rewriteManifests } from '../../src/tools/manifest.js';
import { prepare } from '../../src/tools/prepare.js';
import { createRegistry } from '../../src/tools/registry.js';

const executors = createExecutors(diagnoseBuiltins);
const tools = ['ansible', 'docker', 'git', 'helm', 'host', 'kubernetes', 'prometheus'].flatMap((name) => {
  const path = `tools.d/${name}.yaml`;
  return loadToolFiles([{ path, text: readFileSync(path, 'utf8') }], executors).tools;
});
const CONTEXT = { kube_context: 'prod', docker_host: 'unix:///run/docker.sock', docker_context: 'default' };
const options = {
  registry: createRegistry(tools),
  executors,
  planContext: { context: CONTEXT, env: {} },
  rewriteManifests,
};

const prepareCall = (name: string, args: JsonObject) =>
  prepare(options, { id: 'c1', name, rawArguments: JSON.stringify(args) });

function callOf(name: string, args: JsonObject): ToolCall {
  const prepared = prepareCall(name, args);
  if (!prepared.ok) throw new Error(prepared.message);
  return prepared.call;
}

/** What the file of a tool says of this call's risk. */
const riskByFile = ({ tool, args }: ToolCall) =>
  tool.raise
    .filter(({ when }) => compileSchema(when)(args).length === 0)
    .reduce((risk, rule) => higher(risk, rule.riskLevel), tool.riskLevel);

const examples = tools.flatMap((tool) => tool.examples.map((example) => [tool.name, example.arguments] as const));

test('what helm fetches from an address that the call names is asked for', () => {
  const risks = ['shop/web', './charts/web', 'https://charts.example.com/web.tgz', 'oci://charts.example.com/web'].map(
    (chart) => assessRisk(callOf('helm_diff_upgrade', { release: 'web', chart })).risk,
  );
  expect(risks).toEqual(['medium', 'medium', 'high', 'high']);
});

describe('every example of the tools that ship', () => {
  test('there are many', () => {
    expect(examples.length).toBeGreaterThan(80);
  });

  test.each(examples)('%s %j has the risk that its file says', (name, args) => {
    const call = callOf(name, args);
    expect([call.tool.name, assessRisk(call).risk]).toEqual([name, riskByFile(call)]);
  });

  test.each(examples)('%s %j has no connection but the one of the session', async (name, args) => {
    const call = callOf(name, args);
    const input = inputOf(call, { risk: 'low' }, { user: 'ada', sessionId: 's', context: CONTEXT });
    expect(await judgeConnection([])(input, 'low')).toEqual([]);
  });

  test('the tools without an example have the risk of their files too', () => {
    expect(assessRisk(callOf('kubectl_secret_keys', { namespace: 'shop' })).risk).toBe('low');
  });

  test('draining a node is critical though its file says high: every pod on it ends', () => {
    const call = callOf('kubectl_drain', { node: 'node-1' });
    expect([riskByFile(call), assessRisk(call).risk]).toEqual(['high', 'critical']);
  });

  const looks = tools.flatMap((tool) =>
    (['preview', 'dry_run'] as const).flatMap((what) => {
      const spec = what === 'preview' ? tool.preview : tool.dryRun;
      const argv = isObject(spec) ? spec.argv : undefined;
      return Array.isArray(argv) ? [[tool.name, what, argv as readonly ArgvItem[]] as const] : [];
    }),
  );
  test.each(looks)('the %s of %s only reads', (name, _what, argv) => {
    const args = tools.find((tool) => tool.name === name)?.examples[0]?.arguments ?? {};
    const names = (key: string) => (key.startsWith('context.') ? CONTEXT[key.slice(8) as 'kube_context'] : args[key]);
    const found = classify(fillArgv(argv, (key) => names(key) ?? (key === 'kind' ? 'image' : undefined)));
    expect(['low', 'medium']).toContain(found?.risk);
  });
});

describe('a value never becomes an option', () => {
  const commands = tools.filter(
    (tool) => tool.run.kind === 'command' && Object.keys(objectAt(tool.parameters, 'properties')).length > 0,
  );
  let planned = 0;
  const tricky = fc.oneof(
    fc.string({ unit: 'binary' }),
    fc.string({ unit: 'grapheme' }),
    fc.constantFrom(
      '--server=https://evil.example',
      '-n',
      '--',
      '-',
      '--all',
      'a\n--all',
      'a\u0000--all',
      'a --all',
      ' --all',
      '=x',
      '\u2010-all',
      '',
      '$(id)',
      'web;id',
    ),
    fc.constantFrom('web', 'pods', 'shop', '1h', 'nginx', 'app=web', 'yaml', 'v1'),
  );

  const valueFor = (schema: JsonObject): fc.Arbitrary<JsonObject[string]> => {
    if (Array.isArray(schema.enum)) return fc.oneof(fc.constantFrom(...(schema.enum as string[])), tricky);
    if (schema.type === 'boolean') return fc.oneof(fc.boolean(), tricky);
    if (schema.type === 'integer' || schema.type === 'number')
      return fc.oneof(fc.integer({ min: -5, max: 60 }), tricky);
    if (schema.type === 'array') return fc.array(valueFor(objectAt(schema, 'items')), { maxLength: 4 });
    return tricky;
  };
  const argsFor = (tool: ToolDefinition) => {
    const properties = objectAt(tool.parameters, 'properties');
    const model = Object.fromEntries(
      Object.keys(properties).map((name) => [name, valueFor(objectAt(properties, name))]),
    );
    return fc.record(model, { requiredKeys: textsAt(tool.parameters, 'required') });
  };

  /** Options of a template, by name, up to the `--` that stands before a person's own command. */
  const optionOf = (item: string) => /^-[^=\s]*/.exec(item)?.[0];
  const optionsOf = (argv: readonly ArgvItem[]): string[] =>
    argv.flatMap((item) => (typeof item === 'string' ? (optionOf(item) ?? []) : optionsOf(item.argv)));
  /** How many items a template makes of these arguments, counted without filling it. */
  const lengthOf = (argv: readonly ArgvItem[], value: (name: string) => unknown): number =>
    argv.reduce((sum, item) => {
      if (typeof item === 'string') return sum + 1;
      if ('for_each' in item)
        return sum + item.argv.length * ((value(item.for_each) as unknown[] | undefined)?.length ?? 0);
      const negated = item.when.startsWith('!');
      const given = value(item.when.replace('!', ''));
      const holds = given !== undefined && given !== false && given !== '' && given !== null;
      return sum + (holds !== negated ? lengthOf(item.argv, value) : 0);
    }, 0);

  test.each(commands.map((tool) => [tool.name, tool] as const))('%s', (_name, tool) => {
    const template = tool.run.argv as unknown as readonly ArgvItem[];
    const known = optionsOf(template);
    fc.assert(
      fc.property(argsFor(tool), (args) => {
        const prepared = prepareCall(tool.name, args);
        if (!prepared.ok) return;
        planned++;
        const { tokens } = prepared.call.action;
        const value = (key: string) =>
          key.startsWith('context.') ? CONTEXT[key.slice(8) as 'kube_context'] : prepared.call.args[key];
        expect(tokens).toHaveLength(lengthOf(template, value));
        const end = tokens.indexOf('--');
        const found = tokens.slice(0, end < 0 ? tokens.length : end).flatMap((item) => optionOf(item) ?? []);
        expect(found.filter((option) => !known.includes(option))).toEqual([]);
      }),
      { numRuns: 60, seed: 7 },
    );
  });

  test('enough of those arguments were valid for this to mean something', () => {
    expect(planned).toBeGreaterThan(300);
  });

  test.each([
    ['kubectl_delete_pod', { pod_name: '--server=https://evil.example', namespace: 'shop' }],
    ['kubectl_delete_pod', { pod_name: 'x', namespace: '--all' }],
    ['kubectl_get', { kind: '--server=https://evil.example' }],
    ['kubectl_get', { kind: 'pods', name: '--kubeconfig=/tmp/x' }],
    ['kubectl_get', { kind: 'pods', name: 'x --all' }],
    ['kubectl_get', { kind: 'pods', name: 'x\n--all' }],
    ['kubectl_get', { kind: 'pods', output: 'yaml --token=x' }],
    ['kubectl_get', { kind: 'pods', label_selector: '--server=https://evil.example' }],
    ['kubectl_describe', { kind: 'pod', name: '-A' }],
    ['kubectl_logs', { pod_name: '-f' }],
    ['kubectl_label', { kind: 'pod', name: 'x', labels: ['--all'], namespace: 'shop' }],
    ['kubectl_drain', { node: '--force' }],
    ['docker_rm', { name: '--force' }],
    ['docker_logs', { name: '--host=tcp://evil' }],
    ['docker_inspect_image', { image: '-f' }],
    ['host_restart_unit', { unit: '--host=evil' }],
  ])('%s %j is refused as invalid', (name, args) => {
    expect(prepareCall(name, args)).toMatchObject({ ok: false, status: 'invalid-arguments' });
  });

  test('what a person wants to run in a pod stands behind "--", whatever it looks like', () => {
    const args = { pod_name: 'web-0', namespace: 'shop', command: ['--server=https://evil.example', '--', '-A'] };
    const { tokens } = callOf('kubectl_exec', args).action;
    expect(tokens.slice(tokens.indexOf('--') + 1)).toEqual(args.command);
    expect(classify(tokens)).toMatchObject({ connection: ['--context=prod'], targets: ['pod/web-0'], scope: 'one' });
  });

  test('no call that its file calls a read is a change to the classifier', () => {
    const reads = tools.filter((tool) => tool.run.kind === 'command' && rank(tool.riskLevel) < rank('high'));
    const samples = reads.flatMap((tool) =>
      tool.examples
        .map(({ arguments: args }) => callOf(tool.name, args))
        .filter((call) => rank(riskByFile(call)) < rank('high'))
        .map((call) => assessRisk(call).risk),
    );
    expect(samples.filter((risk) => rank(risk) >= rank('high'))).toEqual([]);
  });
});

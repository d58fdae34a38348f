import { expect, test } from 'vitest';
import { diagnoseBuiltins } from '../../src/diagnose/builtins.js';
import type { RunContext, StoredResult } from '../../src/domain/ports.js';
import type { Json, JsonObject, ToolResult } from '../../src/domain/types.js';
import { createExecutors } from '../../src/exec/index.js';
import { loadPack } from '../helpers/kubernetes-pack.js';
import { aClearedCall, aRunContext, aStoredResult } from '../helpers/run-context.js';

const { tools } = loadPack();
const executors = createExecutors(diagnoseBuiltins);

const meta = (name: string, namespace: string): JsonObject => ({
  name,
  namespace,
  uid: `${namespace}-${name}`,
  labels: { app: 'web' },
});
const terminated: JsonObject = { reason: 'Error', exitCode: 1 };
const ownedBy = (kind: string, name: string): JsonObject => ({
  ownerReferences: [{ kind, name, uid: `shop-${name}`, controller: true }],
});
const OBJECTS: readonly JsonObject[] = [
  {
    kind: 'ReplicaSet',
    metadata: { ...meta('web-7d8f9b6c5', 'shop'), ...ownedBy('Deployment', 'web') },
    spec: { replicas: 1 },
  },
  {
    kind: 'Deployment',
    metadata: meta('web', 'shop'),
    spec: { replicas: 1, selector: { matchLabels: { app: 'web' } } },
    status: { replicas: 1, unavailableReplicas: 1 },
  },
  {
    kind: 'Pod',
    metadata: { ...meta('web-7d8f9b6c5-abc12', 'shop'), ...ownedBy('ReplicaSet', 'web-7d8f9b6c5') },
    spec: { nodeName: 'n', containers: [{ name: 'app', image: 'web:1' }] },
    status: {
      phase: 'Running',
      containerStatuses: [
        {
          name: 'app',
          ready: false,
          restartCount: 7,
          state: { waiting: { reason: 'CrashLoopBackOff' } },
          lastState: { terminated },
        },
      ],
    },
  },
];

/** What the cluster of these tests answers to a kubectl tool. */
function answer(tool: string, args: JsonObject): Json {
  if (tool === 'kubectl_logs') return 'FATAL: cannot connect to db:5432: connection refused';
  const kinds = String(args.kind ?? 'deployments,pods').split(',');
  const items = OBJECTS.filter((object) => {
    const { name, namespace } = object.metadata as JsonObject;
    const isKind = kinds.includes(`${String(object.kind).toLowerCase()}s`);
    const isPlace = args.all_namespaces === true || args.namespace === undefined || args.namespace === namespace;
    return isKind && isPlace && (args.name === undefined || args.name === name);
  });
  return { kind: 'List', items };
}

/** Runs a workflow of the pack; returns what it wrote and the calls it made, in order. */
async function run(name: string, args: JsonObject) {
  const calls: [string, JsonObject][] = [];
  const stored = new Map<string, StoredResult>();
  const runTool = async (toolName: string, toolArgs: JsonObject, context: RunContext) => {
    const tool = tools.find((t) => t.name === toolName);
    const executor = executors.find((e) => e.kind === tool?.run.kind);
    if (!tool || !executor) throw new Error(`no tool ${toolName}`);
    return executor.run(aClearedCall(executor.plan(tool.run, toolArgs, { context: {}, env: {} }), tool), context);
  };
  const call = async (toolName: string, toolArgs: JsonObject): Promise<ToolResult> => {
    const callId = `c${calls.length + 1}`;
    calls.push([toolName, toolArgs]);
    const inner = aRunContext({ result: (id) => stored.get(id) });
    const isBuiltin = toolName.startsWith('kubernetes_');
    const outcome = isBuiltin ? await runTool(toolName, toolArgs, inner) : { status: 'ok' as const };
    const written = inner.seen.stdout === '' ? undefined : (JSON.parse(inner.seen.stdout) as Json);
    const data = isBuiltin ? written : answer(toolName, toolArgs);
    const text = typeof data === 'string' ? data : JSON.stringify(data ?? null);
    const result = { durationMs: 1, callId, tool: toolName, text, ...outcome };
    const fields = tools.find((t) => t.name === toolName)?.fields ?? {};
    stored.set(callId, {
      ...aStoredResult(result, data, toolArgs),
      fields,
      readText: async () => text,
      readData: async () => data,
    });
    return result;
  };
  const context = aRunContext({ call, result: (id) => stored.get(id) });
  const outcome = await runTool(name, args, context);
  return { outcome, calls, text: context.seen.stdout };
}

test('an object that is not in the named namespace is not looked for in another one', async () => {
  const { outcome, calls } = await run('diagnose_service', { name: 'web', namespace: 'production', language: 'en' });
  expect(outcome.status).toBe('failed');
  expect(outcome.error?.message).toContain('there is no "web"');
  expect(calls.map(([tool]) => tool)).toEqual([
    'kubectl_find',
    'kubectl_get',
    'kubernetes_target',
    'kubernetes_diagnose',
  ]);
});

test('a service is located, read in its namespace, and diagnosed with the log of the run that crashed', async () => {
  const { outcome, calls, text } = await run('diagnose_service', { name: 'web', language: 'en' });
  expect(outcome).toEqual({ status: 'ok' });
  expect(text).toMatch(/^# .*shop\/web/);
  expect(text).toContain('connection refused');
  expect(calls[0]).toEqual(['kubectl_find', { name: 'web' }]);
  expect(calls.filter(([tool]) => tool === 'kubectl_get').map(([, args]) => args)).toEqual(
    [
      'pods',
      'deployments,replicasets,statefulsets,daemonsets,jobs,cronjobs',
      'services,endpoints',
      'events',
      'configmaps,persistentvolumeclaims',
    ]
      .map((kind): JsonObject => ({ kind, namespace: 'shop', output: 'json' }))
      .concat([{ kind: 'nodes', output: 'json' }]),
  );
  expect(calls.find(([tool]) => tool === 'kubectl_logs')?.[1]).toEqual({
    pod_name: 'web-7d8f9b6c5-abc12',
    namespace: 'shop',
    container: 'app',
    previous: true,
    tail: 300,
  });
});

test('a namespace is diagnosed without a name', async () => {
  const { outcome, text } = await run('diagnose_namespace', { namespace: 'shop', language: 'zh' });
  expect(outcome).toEqual({ status: 'ok' });
  expect(text).toContain('web-7d8f9b6c5-abc12');
  expect(text).toMatch(/\p{Script=Han}/u);
});

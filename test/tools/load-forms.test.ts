import { describe, expect, it } from 'vitest';
import { loadToolFiles } from '../../src/tools/load.js';
import { executors, load, messagesOf, toolsOf } from './helpers.js';

/** The registry example of the project's first documents, saved to YAML, with a `run`. */
const GET_PODS = `
kubectl_get_pods:
  name: kubectl_get_pods
  display_name: 获取Pod列表
  description: 获取Kubernetes集群中指定命名空间的Pod列表
  category: kubernetes
  risk_level: low
  parameters:
    - {name: namespace, type: string, description: 命名空间名称, required: true, default: null, enum: null}
    - {name: label_selector, type: string, description: 标签选择器, required: false, default: null, enum: null}
  permissions: ['kubernetes:pod:list']
  timeout: 30
  retry_policy: {max_retries: 0}
  run:
    kind: command
    argv: [kubectl, get, pods, '--namespace={{ namespace }}', {when: label_selector, argv: ['--selector={{ label_selector }}']}]
`;

/** The definition schema of the same documents, as JSON, with a `run`. */
const EXEC = `{ "name": "kubectl_exec", "display_name": "Kubectl执行命令", "description": "在指定Pod中执行命令", "category": "kubernetes", "risk_level": "high",
  "parameters": { "type": "object", "properties": { "pod_name": { "type": "string", "description": "Pod名称" },
    "namespace": { "type": "string", "description": "命名空间" }, "command": { "type": "string", "description": "要执行的命令" } },
    "required": ["pod_name", "namespace", "command"] },
  "permissions": [ "kubernetes:pod:exec" ], "timeout": 30, "retry_policy": { "max_retries": 3, "retry_interval": 5 },
  "run": {"kind": "command", "argv": ["kubectl", "exec", "--namespace={{ namespace }}", "--", "{{ pod_name }}", "{{ command }}"]} }`;

const COMMON = {
  version: '1.0',
  memoryLimitMb: 128,
  costPerUse: 0,
  dangerous: false,
  requiresAuth: false,
  sandboxed: false,
  sessionAware: false,
  idempotent: false,
  output: { format: 'text', keep: 'both', maxBytes: 16_384 },
  fields: {},
  raise: [],
  examples: [],
  intents: { phrases: [], keywords: [] },
  requires: [],
  env: [],
};

describe('loadToolFiles reads', () => {
  it('a map of name → definition with a list of parameters', () => {
    expect(toolsOf(GET_PODS)).toEqual([
      {
        ...COMMON,
        name: 'kubectl_get_pods',
        displayName: '获取Pod列表',
        description: '获取Kubernetes集群中指定命名空间的Pod列表',
        category: 'kubernetes',
        riskLevel: 'low',
        parameters: {
          type: 'object',
          required: ['namespace'],
          properties: {
            namespace: { type: 'string', description: '命名空间名称' },
            label_selector: { type: 'string', description: '标签选择器' },
          },
          additionalProperties: false,
        },
        permissions: ['kubernetes:pod:list'],
        timeoutMs: 30_000,
        retryPolicy: { maxRetries: 0, retryIntervalMs: 1000 },
        run: {
          kind: 'command',
          argv: [
            ...['kubectl', 'get', 'pods', '--namespace={{ namespace }}'],
            { when: 'label_selector', argv: ['--selector={{ label_selector }}'] },
          ],
        },
        source: 'a.yaml:2',
      },
    ]);
  });

  it('one definition in JSON with a JSON Schema', () => {
    expect(toolsOf(EXEC)).toMatchObject([
      {
        name: 'kubectl_exec',
        riskLevel: 'high',
        timeoutMs: 30_000,
        retryPolicy: { maxRetries: 3, retryIntervalMs: 5000 },
        parameters: { required: ['pod_name', 'namespace', 'command'], additionalProperties: false },
        source: 'a.yaml:1',
      },
    ]);
  });

  it('says what those definitions lack when they have no run', () => {
    const withoutRun = GET_PODS.slice(0, GET_PODS.indexOf('  run:'));
    expect(load(withoutRun).problems).toEqual([
      {
        ...{ file: 'a.yaml', line: 2, column: 1, message: 'The tool lacks "run".' },
        fix: 'Add run: what the tool does, for example run: { kind: command, argv: [kubectl, get, pods] }.',
      },
    ]);
  });

  it('a file of one system: its defaults, its requirements, its environment, its instructions', () => {
    const { tools, files, problems } = load(`
version: 1
system: prometheus
description: Metrics.
instructions: |
  Ask for rates.
env: [PROMETHEUS_URL]
requires: [{env: PROMETHEUS_URL, fix: Set it.}]
defaults: {timeout_seconds: 5, rate_limit: 10, retry_policy: {max_retries: 2}}
definitions: {anything: &range {type: string, pattern: '^[0-9]'}}
tools:
  - name: prometheus_query
    description: Asks Prometheus.
    risk_level: low
    rate_limit: 20
    parameters: {type: object, required: [query], properties: {query: {type: string}, since: *range}}
    requires: [{command: [curl]}]
    run: {kind: http, url: '{{ env.PROMETHEUS_URL }}/api/v1/query', query: {query: '{{ query }}', time: '{{ since }}'}}
    examples:
      - arguments: {query: 'up == 0'}
        request: {method: GET, url: '{{ env.PROMETHEUS_URL }}/api/v1/query?query=up+%3D%3D+0'}
`);
    expect(problems).toEqual([]);
    expect(files).toEqual([
      { path: 'a.yaml', system: 'prometheus', description: 'Metrics.', instructions: 'Ask for rates.' },
    ]);
    expect(tools).toMatchObject([
      {
        category: 'prometheus',
        timeoutMs: 5000,
        rateLimit: 20,
        retryPolicy: { maxRetries: 2, retryIntervalMs: 1000 },
        env: ['PROMETHEUS_URL'],
        requires: [{ env: 'PROMETHEUS_URL', fix: 'Set it.' }, { command: ['curl'] }],
      },
    ]);
  });

  it('kinds that cannot run yet, with the same care', () => {
    const python = (run: string) => `t: {description: d, category: c, risk_level: low, run: ${run}}`;
    expect(messagesOf(python('{kind: python, code: "print(1)", files: [a.py]}'))).toEqual([]);
    expect(messagesOf(python('{kind: wasm, module: a.wasm}'))).toEqual([]);
    expect(messagesOf(python('{kind: python}'))).toHaveLength(1);
    expect(messagesOf(python('{kind: wasm, modul: a.wasm}'))).toEqual([
      'run lacks "module".',
      'run has an unknown key "modul".',
    ]);
  });

  it('an empty file as a warning', () => {
    expect(load('# nothing yet')).toMatchObject({
      tools: [],
      problems: [],
      warnings: [{ message: 'The file is empty.' }],
    });
  });

  it('the same files the same way, twice', () => {
    const files = [{ path: 'b.yaml', text: GET_PODS }];
    expect(loadToolFiles(files, executors)).toEqual(loadToolFiles(files, executors));
    expect(JSON.parse(JSON.stringify(loadToolFiles(files, executors).tools))).toEqual(
      loadToolFiles(files, executors).tools,
    );
  });
});

import { readFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import { describe, expect, test } from 'vitest';
import { diagnoseBuiltins } from '../../src/diagnose/builtins.js';
import type { JsonObject, ToolDefinition } from '../../src/domain/types.js';
import { createExecutors } from '../../src/exec/index.js';
import { planRequest } from '../../src/llm/offline/plan.js';
import { assessRisk } from '../../src/policy/risk.js';
import { loadToolFiles } from '../../src/tools/load.js';
import { prepare } from '../../src/tools/prepare.js';
import { createRegistry } from '../../src/tools/registry.js';

const path = fileURLToPath(new URL('../../tools.d/prometheus.yaml', import.meta.url));
const executors = createExecutors(diagnoseBuiltins);
const { tools, problems } = loadToolFiles(
  [{ path: 'tools.d/prometheus.yaml', text: readFileSync(path, 'utf8') }],
  executors,
);
const registry = createRegistry(tools);
const env = { PROMETHEUS_URL: 'http://p:9090/prom/', ALERTMANAGER_URL: 'http://a:9093' };

function prepared(name: string, args: JsonObject) {
  const planContext = { context: { user: 'ann' }, env };
  return prepare({ registry, executors, planContext }, { id: 'c1', name, rawArguments: JSON.stringify(args) });
}

function call(name: string, args: JsonObject) {
  const result = prepared(name, args);
  if (!result.ok) throw new Error(result.message);
  return result.call;
}

const changing = (tool: ToolDefinition) => tool.riskLevel === 'high' || tool.riskLevel === 'critical';

describe('the Prometheus pack', () => {
  test('has no mistakes, and its examples hold', () => {
    expect(problems).toEqual([]);
    expect(tools.length).toBeGreaterThan(15);
  });

  test('only silences change anything, and reads are GET', () => {
    expect(tools.filter(changing).map((tool) => tool.name)).toEqual([
      'alertmanager_create_silence',
      'alertmanager_expire_silence',
    ]);
    const posts = tools.filter((tool) => tool.run.kind === 'http' && (tool.run.method ?? 'GET') !== 'GET');
    expect(posts.every(changing)).toBe(true);
  });

  test('no tool can be sent to another host', () => {
    for (const tool of tools.filter((t) => t.run.kind === 'http')) {
      expect(tool.run.url).toMatch(/^\{\{ env\.(?:PROMETHEUS|ALERTMANAGER)_URL \}\}\//);
      expect(tool.run.allow_hosts).toBeUndefined();
    }
  });

  test('each tool that asks needs the address of what it asks', () => {
    for (const tool of tools.filter((t) => t.run.kind === 'http')) {
      const [, name] = /env\.(\w+)/.exec(String(tool.run.url)) ?? [];
      expect(tool.requires).toEqual([
        { env: name, fix: expect.stringContaining(`export ${name}=`) },
        { url: `{{ env.${name} }}/-/ready`, fix: expect.stringContaining(`${name} right`) },
      ]);
    }
  });
});

describe('its calls', () => {
  test.each([
    ['prometheus_query', {}],
    ['prometheus_query', { query: '' }],
    ['prometheus_query', { query: 'up', time: 'yesterday' }],
    ['prometheus_label_values', { label: '../admin' }],
    ['alertmanager_expire_silence', { silence_id: '../silences' }],
    ...[
      '2099-01-01T00:00:00Z',
      '4102444800',
      '604800s',
      '1h5000d',
      '7d500h',
      '0.5d90d',
      '1.5h',
      '0h',
      'now',
      '100000m',
    ].map((ends): [string, JsonObject] => [
      'alertmanager_create_silence',
      { matchers: [{ name: 'alertname', value: 'A', isRegex: false }], ends, comment: 'because' },
    ]),
    ['alertmanager_create_silence', { matchers: [], ends: '1h', comment: 'why' }],
    ['alertmanager_create_silence', { matchers: [{ name: 'a', value: 'b', isRegex: false }], ends: '1h', comment: '' }],
  ])('%s %j is refused', (name, args) => {
    expect(prepared(name, args)).toMatchObject({ ok: false, status: 'invalid-arguments' });
  });

  test('PromQL of any kind stands whole in the query', () => {
    const query = 'sum by (job) (rate(x{path=~"/a/.+&b", c!="d e"}[5m] offset 1h)) > 0.5 # 是';
    const url = new URL(call('prometheus_query', { query }).action.tokens[1] ?? '');
    expect([url.pathname, url.searchParams.get('query')]).toEqual(['/prom/api/v1/query', query]);
  });

  test('a silence is shown whole before it is made', () => {
    const matchers = [{ name: 'alertname', value: 'DiskFull', isRegex: false }];
    const { action } = call('alertmanager_create_silence', { matchers, ends: '2h', comment: 'OPS-1: cleaning' });
    const [head, body] = action.display.split('\n');
    expect(head).toBe('POST http://a:9093/api/v2/silences');
    const { startsAt, endsAt, ...rest } = JSON.parse(body ?? '') as Record<string, string>;
    expect(rest).toEqual({ matchers, comment: 'OPS-1: cleaning', createdBy: 'ann' });
    expect(Date.parse(endsAt ?? '') - Date.parse(startsAt ?? '')).toBe(7_200_000);
  });

  const exact = { name: 'alertname', value: 'A', isRegex: false };
  test.each([
    [[exact], '2h', 'high'],
    [[exact], '7d', 'high'],
    [[exact], '168h', 'high'],
    [[exact], '10080m', 'high'],
    [[exact, { name: 'instance', value: '.*', isRegex: true }], '2h', 'high'],
    [[{ name: 'alertname', value: '.*', isRegex: true }], '2h', 'critical'],
    [[{ name: 'alertname', value: 'A', isRegex: false, isEqual: false }], '2h', 'critical'],
    [[{ name: 'alertname', value: '', isRegex: false }], '2h', 'critical'],
    [[exact], '8d', 'critical'],
    [[exact], '2w', 'critical'],
    [[exact], '200h', 'critical'],
    [[exact], '169h', 'critical'],
    [[exact], '10081m', 'critical'],
    [[exact], '11000m', 'critical'],
    [[{ name: 'severity', value: 'critical', isRegex: false }], '2h', 'critical'],
    [[{ name: 'alertname', value: ' ', isRegex: false }], '2h', 'critical'],
  ])('a silence of %j for %s is %s', (matchers, ends, risk) => {
    const made = call('alertmanager_create_silence', { matchers, ends, comment: 'because' });
    expect(assessRisk(made).risk).toBe(risk);
  });

  test.each([
    ['up', 'low'],
    ['{job="a"}', 'low'],
    ['count({__name__=~".+"})', 'medium'],
  ])('the query %s is %s', (query, risk) => {
    expect(assessRisk(call('prometheus_query', { query })).risk).toBe(risk);
  });
});

describe('without a model', () => {
  test.each([
    ['what is firing', 'en'],
    ['what is firing?', 'en'],
    ["what's firing right now", 'en'],
    ['which alerts are firing', 'en'],
    ['are there any alerts?', 'en'],
    ['现在有哪些告警在触发', 'zh'],
    ['有哪些告警', 'zh'],
    ['为什么告警', 'zh'],
  ])('%s is a diagnosis of the alerts', (request, language) => {
    expect(planRequest(tools, request)).toMatchObject({
      type: 'call',
      tool: { name: 'diagnose_metrics' },
      args: { language },
    });
  });

  test.each([
    ['list silences', 'alertmanager_silences'],
    ['list targets', 'prometheus_targets'],
    ['查看告警规则', 'prometheus_rules'],
    ['plot node_load1', 'prometheus_query_range'],
  ])('%s is %s', (request, name) => {
    expect(planRequest(tools, request)).toMatchObject({ type: 'call', tool: { name } });
  });

  test('silencing everything is no plan', () => {
    expect(planRequest(tools, 'silence all alerts')).not.toMatchObject({
      tool: { name: 'alertmanager_create_silence' },
    });
  });
});

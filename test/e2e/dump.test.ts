import { cpSync, mkdtempSync, readdirSync, statSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { EXAMPLE, newHome, readAudit, runCli } from '../helpers/cli.js';

const folder = () => mkdtempSync(join(tmpdir(), 'opsagent-dump-'));
const ask = (request: string, dump = EXAMPLE, ...more: string[]) => runCli(['ask', request, '--dump', dump, ...more]);

describe('ask with a dump and no model', () => {
  test.each([
    ['a folder that does not exist', '/nonexistent/dump'],
    ['a folder that is no dump', folder()],
  ])('%s is a usage error with the next step', async (_, dump) => {
    const run = await ask('diagnose order-service', dump);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(/dump/);
    expect(run.stderr).toMatch(/kubectl cluster-info dump|opsagent dump/);
  });

  test('a half-written file names the file and what to do', async () => {
    const dump = join(folder(), 'copy');
    cpSync(EXAMPLE, dump, { recursive: true });
    const pods = join(dump, 'production/pods.json');
    truncateSync(pods, Math.floor(statSync(pods).size / 2));
    const run = await ask('diagnose order-service', dump);
    expect(run.code).toBe(2);
    expect(run.stdout + run.stderr).toContain('production/pods.json');
    expect(run.stdout + run.stderr).toMatch(/again|delete|remove/i);
  });

  test('a name that nothing has is told, with what is near', async () => {
    const run = await ask('diagnose order-servise');
    expect(run.code).not.toBe(0);
    expect(run.stdout).toContain('order-service');
  });

  test('a change cannot be made on a dump', async () => {
    const run = await ask('restart deployment order-service in namespace production', EXAMPLE);
    expect(run.code).toBe(2);
    expect(run.stdout).toMatch(/dump/);
  });

  test('a request that the planner cannot place says what it can do, and how to use a model', async () => {
    const run = await ask('write me a poem about clouds');
    expect(run.code).toBe(1);
    expect(run.stdout).toMatch(/--model/);
  });

  test('a command other than kubectl does not run', async () => {
    const tools = folder();
    const marker = join(folder(), 'marker');
    writeFileSync(
      join(tools, 'host.yaml'),
      `version: 1\nsystem: host\ntools:\n  - name: touch_it\n    description: Touches a file, which a dump cannot do.\n    risk_level: low\n    run: { kind: command, argv: [touch, ${marker}] }\n`,
    );
    const run = await runCli(['tools', 'run', 'touch_it', '--tools', tools, '--dump', EXAMPLE, '--yes']);
    expect(run.code).toBe(1);
    expect(readdirSync(join(marker, '..'))).toEqual([]);
  });

  test('names the cause, how sure, the evidence, and what to do', async () => {
    const run = await ask('diagnose order-service');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('database connection pool is exhausted');
    expect(run.stdout).toContain('confirmed');
    expect(run.stdout).toMatch(/\[c\d+\] `FATAL: database connection pool exhausted`/);
    expect(run.stdout).toContain('DB_POOL_MAX');
    expect(run.stdout).toMatch(/kubectl delete pod order-service-7d8f9b-abc12 -n production.*risk high/);
    expect(run.stderr).toContain('kubectl get pods');
  });

  test('answers the Chinese request in Chinese', async () => {
    const run = await ask('生产环境的order-service服务不可用，帮我诊断一下原因。');
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('数据库连接池耗尽');
    expect(run.stdout).toContain('临时方案');
  });

  test('every call is recorded before and after, each cited one exists, and nothing failed', async () => {
    const run = await ask('diagnose order-service');
    const records = readAudit(run.home);
    const finished = new Set(records.filter((r) => r.event === 'finished').map((r) => r.call_id));
    const decided = new Set(records.filter((r) => r.event === 'decided').map((r) => r.call_id));
    expect(decided).toEqual(finished);
    const cited = [...run.stdout.matchAll(/\[(c\d+)\]/g)].map((m) => m[1] as string);
    expect(cited.length).toBeGreaterThan(3);
    expect(cited.filter((id) => !finished.has(id))).toEqual([]);
    expect(records.filter((r) => r.event === 'finished' && r.status !== 'ok')).toEqual([]);
  });

  test('--output json is one JSON value with the findings and the calls', async () => {
    const run = await ask('diagnose order-service', EXAMPLE, '--output', 'json');
    const report = JSON.parse(run.stdout) as {
      exit_code: number;
      answer: string;
      diagnosis: { findings: { title: string }[] };
      calls: unknown[];
    };
    expect(report.exit_code).toBe(0);
    expect(report.diagnosis.findings[0]?.title).toContain('connection pool');
    expect(report.calls.length).toBeGreaterThan(8);
  });

  test('--output jsonl is one JSON value a line, the answer last', async () => {
    const run = await ask('diagnose order-service', EXAMPLE, '--output', 'jsonl');
    const lines = run.stdout
      .trimEnd()
      .split('\n')
      .map((line) => JSON.parse(line) as { type: string });
    expect(lines.at(-1)?.type).toBe('answer');
    expect(lines.filter((line) => line.type === 'call-finished').length).toBeGreaterThan(8);
  });

  test.each([
    ['list pods in namespace production', 'order-service-7d8f9b-abc12'],
    ['logs of pod order-service-7d8f9b-abc12 in namespace production', 'c1'],
    ['describe pod orders-db-0 in namespace production', 'orders-db-0'],
    ['查看production命名空间的事件', 'BackOff'],
  ])('"%s" is answered', async (request, expected) => {
    const run = await ask(request);
    expect({ code: run.code, has: run.stdout.includes(expected) || run.stdout.length > 100 }).toEqual({
      code: 0,
      has: true,
    });
    expect(run.stdout).toContain(expected === 'c1' ? 'pool' : expected);
  });

  test('a list of which nobody said where is of all namespaces, and of the session’s own where it has one', async () => {
    const all = await ask('list pods');
    expect(all.stdout).toMatch(/order-service-7d8f9b-abc12[\s\S]*coredns|coredns[\s\S]*order-service-7d8f9b-abc12/);
    const own = await ask('list pods', EXAMPLE, '-n', 'kube-system');
    expect([own.stdout.includes('coredns'), own.stdout.includes('order-service')]).toEqual([true, false]);
    const explicit = await ask('list pods in all namespaces', EXAMPLE, '-n', 'kube-system');
    expect(explicit.stdout).toContain('order-service-7d8f9b-abc12');
  });

  test('demo needs nothing, and leaves its log in the state folder', async () => {
    const home = newHome();
    const run = await runCli(['demo'], { home });
    expect(run.code).toBe(0);
    expect(run.stdout).toContain('database connection pool is exhausted');
    expect(readAudit(home).length).toBeGreaterThan(10);
  });
});

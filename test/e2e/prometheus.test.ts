import { existsSync } from 'node:fs';
import { createServer, type Server } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { makeAuthority } from '../exec/http-certificates.js';
import { serve } from '../exec/http-servers.js';
import { readAudit, runCli } from '../helpers/cli.js';
import { type Monitoring, startMonitoring, whyNoPrometheus } from '../helpers/prometheus.js';

const missing = whyNoPrometheus();
if (missing) console.log(`skipped: Prometheus end to end, ${missing}`);

describe.skipIf(missing !== undefined)('with a real Prometheus and Alertmanager', () => {
  let monitoring: Monitoring;
  let env: Record<string, string> = {};

  beforeAll(async () => {
    monitoring = await startMonitoring();
    // With the slash that people leave at the end.
    env = { PROMETHEUS_URL: `${monitoring.prometheusUrl}/`, ALERTMANAGER_URL: monitoring.alertmanagerUrl };
  }, 90_000);
  afterAll(() => monitoring?.stop());

  const run = (args: readonly string[], more: Record<string, string> = {}, home?: string) =>
    runCli(args, { env: { ...env, ...more }, ...(home !== undefined && { home }) });
  const tool = (name: string, args: object, ...flags: string[]) =>
    run(['tools', 'run', name, '--args', JSON.stringify(args), ...flags]);

  test('"what is firing" names the dead target, the alert that it causes, and the other one', async () => {
    const { code, stdout } = await run(['ask', 'what is firing']);
    expect(code).toBe(0);
    expect(stdout).toContain(
      `Target ${monitoring.deadTarget} of job payments is down: connection refused (critical, confirmed)`,
    );
    expect(stdout).toContain(`Alert TargetDown is firing: ${monitoring.deadTarget} of payments is down`);
    expect(stdout).toContain('Alert AlwaysBusy is firing: The queue is too long');
    expect(stdout).toContain('Alert NotYet is pending');
    expect(stdout).not.toContain('What could not be seen');
  });

  test('the same in Chinese', async () => {
    const { code, stdout } = await run(['ask', '现在有哪些告警在触发']);
    expect(code).toBe(0);
    expect(stdout).toContain(`任务 payments 的抓取目标 ${monitoring.deadTarget} 不可用：连接被拒绝`);
    expect(stdout).toContain('告警 TargetDown 正在触发');
  });

  test('without ALERTMANAGER_URL the report says what that hides, and is no failure', async () => {
    const { code, stdout, home } = await run(['ask', 'what is firing'], { ALERTMANAGER_URL: '' });
    expect(code).toBe(0);
    expect(stdout).toContain('Alertmanager was not asked');
    expect(readAudit(home).some((record) => record.tool.startsWith('alertmanager_'))).toBe(false);
  });

  test('a range query shows statistics and a chart, and stores the samples', async () => {
    const { code, stdout, home } = await tool('prometheus_query_range', { query: 'up', start: '1m', step: '1s' });
    expect(code).toBe(0);
    expect(stdout).toContain('3 series');
    expect(stdout).toContain(`up{instance="${monitoring.deadTarget}",job="payments"}\n  last 0, first 0 (+0), steady`);
    expect(stdout).toMatch(/┤|┼/);
    expect(Math.max(...stdout.split('\n').map((line) => line.length))).toBeLessThanOrEqual(110);
    const samples = readAudit(home).find((r) => r.tool === 'prometheus_samples' && r.event === 'finished');
    expect(
      existsSync(join(home, '.local/state/opsagent/sessions', samples?.session_id ?? '', `${samples?.call_id}.out`)),
    ).toBe(true);
  });

  test('a mistake in PromQL comes back in the words of Prometheus', async () => {
    const { code, stderr } = await tool('prometheus_query', { query: 'rate(up[5m]' });
    expect(code).toBe(1);
    expect(stderr).toMatch(/answered 400: .*parse error/);
  });

  test.each([
    ['prometheus_query', { query: 'count(up)', time: '1s' }, '"3"'],
    ['prometheus_rules', { type: 'alert' }, 'TargetDown'],
    ['prometheus_targets', {}, 'connection refused'],
    ['prometheus_series', { selector: 'up{job="payments"}', start: '5m', end: 'now' }, '"count": 1'],
    ['prometheus_labels', {}, 'instance'],
    ['prometheus_label_values', { label: 'job' }, 'payments'],
    ['prometheus_metadata', { metric: 'go_goroutines' }, 'gauge'],
    ['alertmanager_alerts', { filter: ['alertname=AlwaysBusy'] }, 'The queue is too long'],
  ])('%s reads', async (name, args, text) => {
    const { code, stdout, stderr } = await tool(name, args);
    expect({ code, stderr: code === 0 ? '' : stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toContain(text);
  });

  test('a silence is made only with a yes, is then seen, and ends again', async () => {
    const silence = {
      matchers: [{ name: 'alertname', value: 'AlwaysBusy', isRegex: false }],
      ends: '1h',
      comment: 'OPS-1: known',
    };
    const refused = await tool('alertmanager_create_silence', silence);
    expect(refused.code).toBe(4);
    expect((await tool('alertmanager_silences', {})).stdout).not.toContain('OPS-1');

    const made = await tool('alertmanager_create_silence', silence, '--yes');
    expect(made.code).toBe(0);
    const { silenceID } = JSON.parse(made.stdout) as { silenceID: string };
    expect((await tool('alertmanager_silences', {})).stdout).toContain('OPS-1: known');
    const decided = readAudit(made.home).find((r) => r.event === 'decided' && r.tool !== 'check_requirement');
    expect(decided).toMatchObject({
      tool: 'alertmanager_create_silence',
      risk_level: 'high',
      approval: { granted: true, by: 'flag' },
    });

    const { stdout } = await run(['ask', 'what is firing']);
    expect(stdout).toContain('Alert AlwaysBusy is firing, but silenced, so that nobody is told');

    expect((await tool('alertmanager_expire_silence', { silence_id: silenceID }, '--yes')).code).toBe(0);
    expect((await tool('alertmanager_silences', {})).stdout).toContain('"state": "expired"');
  });
});

describe('when Prometheus cannot be asked', () => {
  let page: Server;
  let url = '';
  const asked: (string | undefined)[] = [];

  beforeAll(async () => {
    page = createServer((request, response) => {
      asked.push(request.headers.authorization);
      if (request.url?.startsWith('/moved'))
        response.writeHead(302, { location: 'https://sso.invalid/login?rd=x' }).end();
      else if (request.url?.startsWith('/html')) response.end('<!DOCTYPE html><html><title>Sign in</title></html>');
      else response.writeHead(401, { 'content-type': 'text/plain' }).end('Unauthorized');
    });
    await new Promise<void>((resolve) => page.listen(0, '127.0.0.1', resolve));
    url = `http://127.0.0.1:${(page.address() as AddressInfo).port}`;
  });
  afterAll(() => {
    page.close();
    page.closeAllConnections();
  });

  const ask = (env: Record<string, string>) => runCli(['ask', 'what is firing'], { env });

  test('without an address it says what to set, exit code 2', async () => {
    const { code, stdout, stderr } = await ask({});
    expect(code).toBe(2);
    expect(`${stdout}${stderr}`).toContain('export PROMETHEUS_URL=http://localhost:9090');
  });

  test.each([
    ['/html', /answered with a web page "Sign in" instead of JSON. Is it behind a login page\?/],
    [
      '/moved',
      /redirects \(302\) to https:\/\/sso\.invalid\/login, which this tool may not visit. Is it behind a login page\?/,
    ],
    ['/else', /answered 401: Unauthorized/],
  ])('behind a login page (%s) it says so once, exit code 6', async (path, message) => {
    const { code, stdout, stderr } = await ask({ PROMETHEUS_URL: `${url}${path}` });
    expect(code).toBe(6);
    expect(`${stdout}${stderr}`).toMatch(message);
    expect(`${stdout}${stderr}`).toContain('PROMETHEUS_TOKEN');
    expect(stderr.match(/the answer is incomplete/g)?.length ?? 1).toBe(1);
  });

  test('nothing listens, and a name that is no address', async () => {
    const nobody = await ask({ PROMETHEUS_URL: 'http://127.0.0.1:1' });
    expect(nobody.code).toBe(6);
    expect(`${nobody.stdout}${nobody.stderr}`).toContain('nothing listens there');
    const odd = await ask({ PROMETHEUS_URL: 'prometheus:9090' });
    expect(odd.code).toBe(2);
    expect(`${odd.stdout}${odd.stderr}`).toContain('does not begin with http:// or https://');
  });

  test('a certificate of an authority of its own is explained, and trusted once NODE_EXTRA_CA_CERTS names it', async () => {
    const authority = makeAuthority();
    const tls = authority.issue('prometheus', 'IP:127.0.0.1', -1, 10);
    const secure = await serve(
      (_request, response) => void response.end('{"status":"success","data":{"alerts":[]}}'),
      tls,
    );
    try {
      const list = (env: Record<string, string>) =>
        runCli(['tools', 'run', 'prometheus_alerts'], { env: { PROMETHEUS_URL: secure.url, ...env } });
      const unknown = await list({});
      expect(unknown.code).toBe(6);
      expect(unknown.stderr).toContain('comes from an authority that this machine does not know');
      expect(unknown.stderr).toContain('NODE_EXTRA_CA_CERTS=/path/ca.pem');
      expect((await list({ NODE_EXTRA_CA_CERTS: authority.caFile })).code).toBe(0);
      expect((await list({ SSL_CERT_FILE: authority.caFile })).code).toBe(0);
    } finally {
      await secure.close();
      authority.remove();
    }
  });

  test('a token is sent and shown nowhere', async () => {
    asked.length = 0;
    const { stdout, stderr, home } = await ask({ PROMETHEUS_URL: url, PROMETHEUS_TOKEN: 'tok-5f3a9c' });
    // The check of whether it answers at all carries no token.
    expect(new Set(asked.filter((token) => token !== undefined))).toEqual(new Set(['Bearer tok-5f3a9c']));
    expect(`${stdout}${stderr}${JSON.stringify(readAudit(home))}`).not.toContain('tok-5f3a9c');
  });

  test('that takes connections and never answers holds nobody up: exit code 6 after one short check', async () => {
    const silent = createServer(() => undefined);
    await new Promise<void>((resolve) => silent.listen(0, '127.0.0.1', resolve));
    const { port } = silent.address() as AddressInfo;
    const run = await runCli(['ask', 'what is firing'], { env: { PROMETHEUS_URL: `http://127.0.0.1:${port}` } });
    silent.closeAllConnections();
    silent.close();
    expect([run.code, run.stdout]).toEqual([6, expect.stringMatching(/did not|within 3 s/)]);
    const checks = readAudit(run.home).filter((record) => record.event === 'finished');
    expect(checks.map((record) => [record.tool, record.status])).toEqual([
      ['check_requirement', 'timed-out'],
      ['diagnose_metrics', 'unavailable'],
    ]);
  });
});

import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Monitoring {
  readonly prometheusUrl: string;
  readonly alertmanagerUrl: string;
  /** `127.0.0.1:port` of a target that nothing listens on. */
  readonly deadTarget: string;
  /** Ends both programs and removes their data. */
  readonly stop: () => Promise<void>;
}

/** Why the programs cannot be started here; undefined when they can. */
export function whyNoPrometheus(): string | undefined {
  const missing = ['prometheus', 'prometheus-alertmanager'].filter((program) => {
    try {
      execFileSync('sh', ['-c', 'command -v "$1"', 'sh', program], { stdio: 'ignore' });
      return false;
    } catch {
      return true;
    }
  });
  return missing.length === 0 ? undefined : `not installed: ${missing.join(', ')} (Debian packages of these names)`;
}

/** A port that was free a moment ago. */
export async function freePort(): Promise<number> {
  const server = createServer();
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const { port } = server.address() as AddressInfo;
  await new Promise((resolve) => server.close(resolve));
  return port;
}

const RULES = `groups:
  - name: availability
    rules:
      - alert: TargetDown
        expr: up == 0
        labels: { severity: critical }
        annotations:
          summary: "{{ $labels.instance }} of {{ $labels.job }} is down"
      - alert: AlwaysBusy
        expr: vector(42) > 1
        labels: { severity: warning }
        annotations: { summary: The queue is too long, description: It holds 42 items. }
      - alert: NotYet
        expr: vector(1)
        for: 1h
      - record: job:up:sum
        expr: sum by (job) (up)
`;

/**
 * Starts Prometheus, below the path /prom, and Alertmanager, below /am, on free ports with data of their own. Prometheus scrapes
 * itself, Alertmanager, and a target that is dead. Resolves once the alerts have reached Alertmanager.
 */
export async function startMonitoring(): Promise<Monitoring> {
  const folder = mkdtempSync(join(tmpdir(), 'opsagent-prometheus-'));
  const [port, managerPort, deadPort] = [await freePort(), await freePort(), await freePort()];
  const prometheusUrl = `http://127.0.0.1:${port}/prom`;
  const alertmanagerUrl = `http://127.0.0.1:${managerPort}/am`;
  const deadTarget = `127.0.0.1:${deadPort}`;
  writeFileSync(join(folder, 'rules.yml'), RULES);
  writeFileSync(join(folder, 'prometheus.yml'), prometheusConfig(folder, port, managerPort, deadTarget));
  writeFileSync(
    join(folder, 'alertmanager.yml'),
    'route: { receiver: none, group_wait: 1s }\nreceivers: [{ name: none }]\n',
  );
  mkdirSync(join(folder, 'data'));
  const children = [
    start('prometheus-alertmanager', [
      `--config.file=${folder}/alertmanager.yml`,
      `--storage.path=${folder}/alertmanager`,
      `--web.listen-address=127.0.0.1:${managerPort}`,
      `--web.external-url=${alertmanagerUrl}`,
      '--cluster.listen-address=',
    ]),
    start('prometheus', [
      `--config.file=${folder}/prometheus.yml`,
      `--storage.tsdb.path=${folder}/data`,
      `--web.listen-address=127.0.0.1:${port}`,
      `--web.external-url=${prometheusUrl}`,
      // Alerts that fired before it knew Alertmanager are sent soon again.
      '--rules.alert.resend-delay=2s',
    ]),
  ];
  const stop = async () => {
    await Promise.all(children.map(({ child }) => end(child)));
    rmSync(folder, { recursive: true, force: true });
  };
  try {
    await until(async () => {
      const held = (await json(`${alertmanagerUrl}/api/v2/alerts`)) as { labels: Record<string, string> }[];
      const names = held.map(({ labels }) => labels.alertname);
      const range = `${prometheusUrl}/api/v1/query?query=${encodeURIComponent('count_over_time(up[1m]) >= 5')}`;
      const seen = (await json(range)) as { data: { result: unknown[] } };
      return names.includes('TargetDown') && names.includes('AlwaysBusy') && seen.data.result.length >= 3;
    });
  } catch (error) {
    await stop();
    throw new Error(`Prometheus did not get ready: ${error}\n${children.map(({ said }) => said()).join('\n')}`);
  }
  return { prometheusUrl, alertmanagerUrl, deadTarget, stop };
}

const prometheusConfig = (folder: string, port: number, managerPort: number, deadTarget: string) => `global:
  scrape_interval: 1s
  evaluation_interval: 1s
  external_labels: { cluster: test }
rule_files: [${folder}/rules.yml]
alerting:
  alertmanagers: [{ path_prefix: /am, static_configs: [{ targets: ["127.0.0.1:${managerPort}"] }] }]
scrape_configs:
  - { job_name: prometheus, metrics_path: /prom/metrics, static_configs: [{ targets: ["127.0.0.1:${port}"] }] }
  - { job_name: alertmanager, metrics_path: /am/metrics, static_configs: [{ targets: ["127.0.0.1:${managerPort}"] }] }
  - { job_name: payments, static_configs: [{ targets: ["${deadTarget}"] }] }
`;

function start(program: string, args: readonly string[]) {
  const child = spawn(program, args, { stdio: ['ignore', 'ignore', 'pipe'] });
  // Whatever ends the tests ends it too.
  process.once('exit', () => child.kill('SIGKILL'));
  let said = '';
  child.stderr?.on('data', (chunk: Buffer) => {
    said = `${said}${chunk}`.slice(-4000);
  });
  child.on('error', (error) => {
    said += String(error);
  });
  return { child, said: () => `${program}: ${said}` };
}

async function end(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null || child.pid === undefined) return;
  const gone = new Promise((resolve) => child.once('exit', resolve));
  child.kill('SIGTERM');
  const harder = setTimeout(() => child.kill('SIGKILL'), 5000);
  await gone;
  clearTimeout(harder);
}

async function json(url: string): Promise<unknown> {
  const answer = await fetch(url);
  if (!answer.ok) throw new Error(`${url} answered ${answer.status}`);
  return answer.json();
}

/** Tries until it holds, for at most a minute. */
async function until(holds: () => Promise<boolean>): Promise<void> {
  let last: unknown = 'it never held';
  for (let tries = 0; tries < 240; tries++) {
    try {
      if (await holds()) return;
    } catch (error) {
      last = error;
    }
    await new Promise((resolve) => setTimeout(resolve, 250));
  }
  throw last;
}

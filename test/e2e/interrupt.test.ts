import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { sampleObjects } from '../helpers/api-server/sample.js';
import { type ApiServer, startApiServer } from '../helpers/api-server/start.js';
import { kubeEnv, newHome, readAudit, runCli } from '../helpers/cli.js';

const missing = kubectlMissing();
const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP'] as const;

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await pause(20);
};

/** Processes whose command line holds the text. */
const processesWith = (text: string): string[] =>
  execFileSync('ps', ['-eo', 'args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(text) && !line.startsWith('ps '));

/** A cluster that never answers a request for this path, with the objects in a namespace of this name. */
const stuckCluster = (path: RegExp): Promise<ApiServer> =>
  startApiServer({ objects: sampleObjects(), faults: [{ path, effect: { kind: 'hang' } }] });

/** Statuses of the calls that the audit log says were decided; one without an end has none. */
function endings(home: string) {
  const records = readAudit(home).filter((record) => record.tool.startsWith('kubectl') || record.parent_id);
  const finished = new Map(records.filter((r) => r.event === 'finished').map((r) => [r.call_id, r.status]));
  const decided = records.filter((r) => r.event === 'decided');
  return decided.map((r) => finished.get(r.call_id));
}

describe.concurrent('a run that is interrupted', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  test.for(SIGNALS)('%s ends a call that hangs: no process stays, and its end is recorded', async (signal) => {
    await using server = await stuckCluster(/\/pods$/);
    const namespace = `ns-${signal.toLowerCase()}-${process.pid}`;
    const run = await runCli(['tools', 'run', 'kubectl_get_pods', '--arg', `namespace=${namespace}`], {
      env: kubeEnv(server),
      onStart: async (kill) => {
        await until(() => server.requests.some((request) => request.path.endsWith('/pods')));
        expect(processesWith(`--namespace=${namespace}`)).not.toEqual([]);
        kill(signal);
      },
    });
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 130, stdout: '' });
    expect(processesWith(`--namespace=${namespace}`)).toEqual([]);
    const calls = readAudit(run.home).filter((record) => record.tool === 'kubectl_get_pods');
    expect(calls.map((record) => [record.event, record.status, record.error_category])).toEqual([
      ['decided', undefined, undefined],
      ['finished', 'cancelled', 'cancelled'],
    ]);
  });

  test('in the middle of a diagnosis, every call that was decided has an end, and nothing is claimed', async () => {
    await using server = await stuckCluster(/\/(events|nodes)$/);
    const run = await runCli(['ask', 'diagnose order in namespace shop'], {
      env: kubeEnv(server),
      onStart: async (kill) => {
        await until(() => ['/events', '/nodes'].every((end) => server.requests.some((r) => r.path.endsWith(end))));
        kill('SIGINT');
      },
    });
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 130, stdout: '' });
    expect(run.stderr).toContain('Interrupted');
    const all = endings(run.home);
    expect(new Set(all)).toEqual(new Set(['ok', 'cancelled']));
    expect(all.filter((status) => status === 'cancelled').length).toBeGreaterThanOrEqual(2);
    expect(server.changes()).toEqual([]);
  });

  test('with --output json it is one JSON value that says so', async () => {
    await using server = await stuckCluster(/\/pods$/);
    const run = await runCli(['ask', 'list pods in namespace shop', '--output', 'json'], {
      env: kubeEnv(server),
      onStart: async (kill) => {
        await until(() => server.requests.some((request) => request.path.endsWith('/pods')));
        kill('SIGTERM');
      },
    });
    const report = JSON.parse(run.stdout) as { end: string; exit_code: number; calls: { status: string }[] };
    expect({ code: run.code, end: report.end, exit: report.exit_code }).toEqual({
      code: 130,
      end: 'cancelled',
      exit: 130,
    });
    expect(report.calls.at(-1)?.status).toBe('cancelled');
  });

  test('while a dump is recorded, the folder says that it is unfinished', async () => {
    await using server = await stuckCluster(/\/services$/);
    const dir = join(newHome(), 'dump');
    const run = await runCli(['dump', dir], {
      env: kubeEnv(server),
      onStart: async (kill) => {
        await until(() => server.requests.some((request) => request.path.endsWith('/services')));
        kill('SIGINT');
      },
    });
    expect(run.code).toBe(130);
    const ask = await runCli(['ask', 'list services in namespace shop', '--dump', dir]);
    expect(ask.stdout + ask.stderr).toMatch(/unfinished|incomplete|interrupted|not complete/i);
  });
});

describe('a program that does not listen', () => {
  test('is killed, and a second signal ends the run at once, before that is written down', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'opsagent-deaf-'));
    const [program, heard] = [join(folder, 'deaf'), join(folder, 'heard')];
    writeFileSync(
      program,
      `#!/bin/sh\ntrap 'touch ${heard}' TERM\ntouch ${heard}-ready\nwhile :; do sleep 0.1; done\n`,
    );
    chmodSync(program, 0o700);
    writeFileSync(
      join(folder, 'deaf.yaml'),
      `version: 1\nsystem: deaf\ntools:\n  - name: deaf\n    description: Does not end when it is asked to.\n    risk_level: low\n    run: { kind: command, argv: [${program}] }\n`,
    );
    const run = await runCli(['tools', 'run', 'deaf', '--tools', folder, '--yes'], {
      onStart: async (kill) => {
        await until(() => existsSync(`${heard}-ready`));
        kill('SIGINT');
        await until(() => existsSync(heard));
        kill('SIGINT');
      },
    });
    expect(run.code).toBe(130);
    // Two seconds later it would have been killed and its end recorded.
    expect(readAudit(run.home).map((record) => record.event)).toEqual(['decided']);
    expect(processesWith(program)).toEqual([]);
  });
});

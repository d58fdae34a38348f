import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { type ApiServer, startApiServer } from '../helpers/api-server/start.js';
import { EXAMPLE, kubeEnv, newHome, readAudit, runCli } from '../helpers/cli.js';

const missing = kubectlMissing();
const DIAGNOSE = ['ask', 'diagnose order-service'];
const DIAGNOSE_ZH = ['ask', '生产环境的order-service服务不可用，帮我诊断一下原因。'];
const folder = () => mkdtempSync(join(tmpdir(), 'opsagent-live-'));

/** A kubeconfig with this content. */
function kubeconfig(text: string): Record<string, string> {
  const path = join(folder(), 'config');
  writeFileSync(path, text, { mode: 0o600 });
  return { KUBECONFIG: path };
}

/** kubectl keeps what a cluster can do for ten minutes, and fails with other words once it knows. */
const HOMES = [
  ['kubectl has not seen it before', async () => newHome()],
  [
    'kubectl knows it',
    async (server: ApiServer) => {
      const run = await runCli(['tools', 'run', 'kubectl_get', '--arg', 'kind=nodes'], { env: kubeEnv(server) });
      return run.home;
    },
  ],
] as const;

/** Title of the first finding. */
const causeIn = (answer: string): string | undefined => /^## 1\. (.*)$/m.exec(answer)?.[1];
const unseenIn = (answer: string): string => answer.slice(answer.indexOf('## What could not be seen'));

/** The kubectl calls of a run, without the check that kubectl is there. */
const kubectlCalls = (home: string) =>
  readAudit(home)
    .filter((record) => record.event === 'decided' && record.action?.tokens[0] === 'kubectl')
    .map((record) => record.action?.tokens ?? [])
    .filter((tokens) => tokens[1] !== 'version');

describe.concurrent('a diagnosis of a live cluster', () => {
  let server: ApiServer;
  beforeAll(async () => {
    if (!missing) server = await startApiServer({ dumpDir: EXAMPLE });
  });
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  afterAll(async () => {
    if (missing) return;
    expect(server.changes()).toEqual([]);
    await server.close();
  });

  test('without kubectl on PATH says what to install, or to use a dump', async () => {
    const run = await runCli(DIAGNOSE, { env: { ...kubeEnv(server), PATH: folder() } });
    expect(run.code).toBe(2);
    expect(run.stdout).toContain('there is no program kubectl on PATH');
    expect(run.stdout).toMatch(/Install kubectl.*--dump DIR/);
  });

  test.for([
    ['does not exist', () => ({ KUBECONFIG: '/nonexistent/config' })],
    ['is empty', () => kubeconfig('')],
    ['is no YAML', () => kubeconfig('clusters: [a\n  b: {\n')],
  ] as const)('with a kubeconfig that %s says so and what to set', async ([, env]) => {
    const run = await runCli(DIAGNOSE, { env: env() });
    expect([2, 6]).toContain(run.code);
    expect(run.stdout + run.stderr).toContain('kubectl found no usable kubeconfig: set KUBECONFIG or --context');
    expect(run.stdout).not.toMatch(/no problem/i);
  });

  test('with a context that does not exist is a usage error that says how to list them', async () => {
    const run = await runCli([...DIAGNOSE, '--context', 'nope'], { env: kubeEnv(server) });
    expect(run.code).toBe(2);
    expect(run.stdout + run.stderr).toMatch(/context.*nope/);
    expect(run.stdout + run.stderr).toContain('kubectl config get-contexts');
    expect(run.stdout).not.toMatch(/no problem|gone in the meantime/i);
  });

  test.for(HOMES)('with a token that the cluster refuses says to log in again: %s', async ([, homeFor]) => {
    const home = await homeFor(server);
    const env = kubeconfig(server.kubeconfig.replace('test-token', 'wrong-token'));
    const run = await runCli(DIAGNOSE, { home, env });
    expect(run.code).toBe(6);
    expect(run.stdout + run.stderr).toContain('must be logged in');
    expect(run.stdout + run.stderr).toContain('log in again');
    expect(run.stdout).not.toMatch(/no problem/i);
  });

  test.for(HOMES)('that is unreachable says so and what to check: %s', async ([, homeFor]) => {
    await using gone = await startApiServer({ dumpDir: EXAMPLE });
    const home = await homeFor(gone);
    await gone.disconnect();
    const run = await runCli(DIAGNOSE, { home, env: kubeEnv(gone) });
    expect(run.code).toBe(6);
    expect(run.stdout + run.stderr).toMatch(/connection to the server 127\.0\.0\.1:\d+ was refused/);
    expect(run.stdout + run.stderr).toMatch(/network or VPN|--dump/);
    expect(run.stdout).not.toMatch(/no problem/i);
    expect(run.stdout).not.toMatch(/Deployment 0/);
  });

  test('that forbids everything is no success, and names no cause', async () => {
    await using closed = await startApiServer({ dumpDir: EXAMPLE, forbid: [{ verb: '*', resource: '*' }] });
    const run = await runCli(DIAGNOSE, { env: kubeEnv(closed) });
    expect(run.code).not.toBe(0);
    expect(run.stdout + run.stderr).toContain('forbidden');
    expect(run.stdout).not.toMatch(/no problem/i);
    expect(causeIn(run.stdout)).toBeUndefined();
  });

  test('that forbids some kinds answers, and names them among what could not be seen', async () => {
    const forbid = ['events', 'pods/log', 'nodes'].map((resource) => ({ verb: '*', resource }));
    await using closed = await startApiServer({ dumpDir: EXAMPLE, forbid });
    const run = await runCli(DIAGNOSE, { env: kubeEnv(closed) });
    expect(run.code).toBe(0);
    expect(causeIn(run.stdout)).toContain('order-service keeps crashing');
    expect(run.stdout).not.toContain('connection pool');
    for (const kind of ['events', 'pods/log', 'nodes'])
      expect(unseenIn(run.stdout)).toContain(`\`${kind}\`: no permission`);
    // Nothing that was not read may be counted as looked at.
    expect(run.stdout).not.toMatch(/Looked at:.*(Node 0|Event 0)/);
  });

  test('of a name that nothing has names the nearest', async () => {
    const run = await runCli(['ask', 'diagnose order-servise'], { env: kubeEnv(server) });
    expect(run.code).toBe(2);
    expect(run.stdout).toMatch(/there is no "order-servise"/);
    expect(run.stdout).toContain('did you mean production/order-service?');
  });

  test('of a name that is in another namespace than the one given says where it is', async () => {
    const run = await runCli([...DIAGNOSE, '--namespace', 'default'], { env: kubeEnv(server) });
    expect(run.code).toBe(2);
    expect(run.stdout).toContain('production');
    expect(causeIn(run.stdout)).toBeUndefined();
  });

  test('of a name that two namespaces have names both and takes neither', async () => {
    const twin = {
      kind: 'Deployment',
      metadata: { name: 'order-service', namespace: 'staging' },
      spec: { replicas: 0 },
    };
    await using both = await startApiServer({ dumpDir: EXAMPLE, objects: [twin] });
    const run = await runCli(DIAGNOSE, { env: kubeEnv(both) });
    expect(run.code).toBe(2);
    expect(run.stdout).toMatch(/2 namespaces: production, staging/);
    expect(run.stdout).toContain('--namespace');
    expect(causeIn(run.stdout)).toBeUndefined();
  });

  test.for([
    ['English', DIAGNOSE, 'database connection pool is exhausted'],
    ['Chinese', DIAGNOSE_ZH, '数据库连接池耗尽'],
  ] as const)('finds what a dump of it shows, in %s', async ([, args, cause]) => {
    const live = await runCli(args, { env: kubeEnv(server) });
    const dump = await runCli([...args, '--dump', EXAMPLE]);
    expect([live.code, dump.code]).toEqual([0, 0]);
    expect(causeIn(live.stdout)).toContain(cause);
    expect(causeIn(live.stdout)).toBe(causeIn(dump.stdout));
    const finished = readAudit(live.home).filter((record) => record.event === 'finished');
    expect(finished.filter((record) => record.status !== 'ok')).toEqual([]);
  });

  test('--context is in every call of kubectl', async () => {
    const run = await runCli([...DIAGNOSE, '--context', 'other'], { env: kubeEnv(server) });
    expect(causeIn(run.stdout)).toContain('connection pool');
    const calls = kubectlCalls(run.home);
    expect(calls.length).toBeGreaterThan(8);
    expect(calls.filter((tokens) => !tokens.includes('--context=other'))).toEqual([]);
  });

  test('--namespace is in every call that takes one', async () => {
    const run = await runCli([...DIAGNOSE, '--namespace', 'production'], { env: kubeEnv(server) });
    expect(causeIn(run.stdout)).toContain('connection pool');
    const calls = kubectlCalls(run.home).filter((tokens) => tokens[2] !== 'nodes');
    expect(calls.length).toBeGreaterThan(7);
    expect(calls.filter((tokens) => !tokens.includes('--namespace=production'))).toEqual([]);
  });
});

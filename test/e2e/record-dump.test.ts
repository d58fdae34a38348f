import { mkdirSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { SAMPLE_SECRET, sampleLogs, sampleMetrics, sampleObjects } from '../helpers/api-server/sample.js';
import { type ApiServerOptions, startApiServer } from '../helpers/api-server/start.js';
import { EXAMPLE, kubeEnv, newHome, readAudit, runCli } from '../helpers/cli.js';

const missing = kubectlMissing();
const SECRET_TEXTS = [SAMPLE_SECRET, Buffer.from(SAMPLE_SECRET).toString('base64')];

/** A Secret as `kubectl apply` leaves it: its values stand in an annotation too. */
const appliedSecret = {
  kind: 'Secret',
  metadata: {
    name: 'order-service-db',
    namespace: 'production',
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({ data: { url: SECRET_TEXTS[1] } }),
    },
  },
  type: 'Opaque',
  data: { url: SECRET_TEXTS[1] },
};
const incident: ApiServerOptions = {
  dumpDir: EXAMPLE,
  objects: [...sampleObjects(), ...sampleMetrics(), appliedSecret],
  ...sampleLogs,
};

/** Files and folders below a folder, and itself. */
const treeOf = (dir: string): string[] => [
  dir,
  ...readdirSync(dir, { recursive: true, encoding: 'utf8' }).map((name) => join(dir, name)),
];
const isFile = (path: string): boolean => statSync(path).isFile();
const modeOf = (path: string): string => (statSync(path).mode & 0o777).toString(8);

/** The files below these folders that hold a value of a Secret. */
const leaks = (...dirs: string[]): string[] =>
  dirs
    .flatMap(treeOf)
    .filter(isFile)
    .filter((path) => SECRET_TEXTS.some((text) => readFileSync(path, 'utf8').includes(text)));

const record = (options: ApiServerOptions, ...args: string[]) =>
  startApiServer(options).then(async (server) => {
    const home = newHome();
    const dir = join(home, 'dump');
    const run = await runCli(['dump', dir, ...args], { home, env: kubeEnv(server) });
    const changes = server.changes();
    await server.close();
    return { ...run, dir, changes };
  });

let recordedIncident: ReturnType<typeof record> | undefined;
/** The incident, recorded once for all tests that only look at the result. */
const theRecording = () => {
  recordedIncident ??= record(incident);
  return recordedIncident;
};

/** The title of the first finding. */
const causeIn = (answer: string): string | undefined => /^## 1\. (.*)$/m.exec(answer)?.[1];

describe.concurrent('opsagent dump', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  test('refuses a folder that holds something, and asks the cluster nothing', async () => {
    await using server = await startApiServer(incident);
    const dir = join(newHome(), 'dump');
    mkdirSync(dir);
    writeFileSync(join(dir, 'mine.txt'), 'mine');
    const run = await runCli(['dump', dir], { env: kubeEnv(server) });
    expect(run.code).toBe(2);
    expect(run.stderr).toContain(`${dir} is not empty`);
    expect(run.stderr).toContain('Name a new or an empty folder.');
    expect(readdirSync(dir)).toEqual(['mine.txt']);
    expect(server.requests).toEqual([]);
  });

  test('a cluster that is unreachable is told with the next step', async () => {
    await using server = await startApiServer(incident);
    await server.disconnect();
    const run = await runCli(['dump', join(newHome(), 'dump')], { env: kubeEnv(server) });
    expect(run.code).toBe(6);
    expect(run.stderr).toMatch(/refused/);
    expect(run.stderr).toMatch(/VPN|--dump/);
    expect(run.stderr).not.toMatch(/memcache\.go/);
  });

  test('when nothing may be read it fails', async () => {
    const run = await record({ ...incident, forbid: [{ verb: '*', resource: '*' }] });
    expect(run.code).toBe(1);
    expect(run.stderr).toContain('forbidden');
  });

  test('lists what was forbidden, and a later diagnosis says that it could not see it', async () => {
    const forbid = ['events', 'pods/log', 'nodes'].map((resource) => ({ verb: '*', resource }));
    const run = await record({ ...incident, forbid });
    expect(run.code).toBe(0);
    const manifest = JSON.parse(readFileSync(join(run.dir, 'opsagent-dump.json'), 'utf8')) as {
      missing: { what: string; why: string }[];
    };
    const whats = manifest.missing.map((entry) => entry.what);
    expect(whats).toEqual(expect.arrayContaining(['events', 'nodes']));
    expect(whats.some((what) => what.includes('previous log') && what.includes('order-service-7d8f9b-abc12'))).toBe(
      true,
    );
    expect(manifest.missing.every((entry) => entry.why.includes('forbidden'))).toBe(true);

    const { code, stdout } = await runCli(['ask', 'diagnose order-service', '--dump', run.dir]);
    expect(code).toBe(0);
    expect(causeIn(stdout)).toContain('order-service keeps crashing');
    expect(stdout).not.toContain('connection pool');
    const unseen = stdout.slice(stdout.indexOf('## What could not be seen'));
    for (const kind of ['events', 'nodes', 'pods/log']) expect(unseen).toContain(`\`${kind}\`: no permission`);
  });

  test('holds no value of a Secret, nor do the audit log and the results', async () => {
    const run = await theRecording();
    expect({ code: run.code, stdout: run.stdout, changes: run.changes }).toEqual({ code: 0, stdout: '', changes: [] });
    expect(readFileSync(join(run.dir, 'secret-keys.json'), 'utf8')).toContain('order-service-db');
    expect(leaks(run.home)).toEqual([]);
  });

  test('is readable by its owner only', async () => {
    const run = await theRecording();
    const state = join(run.home, '.local/state/opsagent');
    for (const path of [...treeOf(run.dir), ...treeOf(state)]) {
      expect([relative(run.home, path), modeOf(path)]).toEqual([
        relative(run.home, path),
        isFile(path) ? '600' : '700',
      ]);
    }
  });

  test('leads to the same conclusion as the cluster', async () => {
    await using server = await startApiServer(incident);
    const live = await runCli(['ask', 'diagnose order-service'], { env: kubeEnv(server) });
    const run = await theRecording();
    const later = await runCli(['ask', 'diagnose order-service', '--dump', run.dir]);
    expect(causeIn(later.stdout)).toContain('database connection pool is exhausted (critical, confirmed)');
    expect(causeIn(later.stdout)).toBe(causeIn(live.stdout));
    expect(later.stdout).not.toContain('could not be seen');
  });

  test('--only records the namespaces that were named, and every read is in the audit log', async () => {
    const run = await record(incident, '--only', 'shop');
    expect(run.code).toBe(0);
    const folders = readdirSync(run.dir, { withFileTypes: true }).filter((entry) => entry.isDirectory());
    expect(folders.map((entry) => entry.name)).toEqual(['shop']);
    const records = readAudit(run.home);
    expect(records.filter((r) => r.event === 'decided').length).toBe(records.length / 2);
    expect(records.flatMap((r) => r.action?.tokens ?? []).filter((token) => token.startsWith('--all-'))).toEqual([]);
    const ask = await runCli(['ask', 'list pods in namespace production', '--dump', run.dir]);
    expect(ask.code).not.toBe(0);
    expect(ask.stdout + ask.stderr).toMatch(/not recorded|no namespace|holds no/i);
  });
});

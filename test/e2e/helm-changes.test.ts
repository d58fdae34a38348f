import { execFile } from 'node:child_process';
import { setTimeout as pause } from 'node:timers/promises';
import { promisify } from 'node:util';
import { describe, expect, type TestContext, test } from 'vitest';
import { QUIET_MS } from '../../src/ui/card-keys.js';
import { at } from '../helpers/api-server/objects.js';
import { startApiServer } from '../helpers/api-server/start.js';
import { kubeEnv, newHome, readAudit, runCli } from '../helpers/cli.js';
import { openCli } from '../helpers/cli-terminal.js';
import { helmFolder, writeChart } from '../helpers/helm.js';

const found = helmFolder();
const why = 'why' in found ? ` (skipped: ${found.why})` : '';
const folder = 'folder' in found ? found.folder : '';
const RELEASE = { release: 'web', namespace: 'shop' };

/** A cluster where helm has installed the chart `web` as release `web`, and the program in a home of its own. */
async function start({ onTestFinished }: TestContext) {
  const server = await startApiServer({ objects: [{ kind: 'Namespace', metadata: { name: 'shop' } }] });
  onTestFinished(server.close);
  const chart = writeChart();
  const helm = async (...args: readonly string[]) => {
    const env = { ...server.env, PATH: process.env.PATH };
    const argv = [...args, '--namespace=shop', '--wait', '--timeout=60s'];
    return (await promisify(execFile)(`${folder}/helm`, argv, { env })).stdout;
  };
  await helm('install', 'web', chart);
  const home = newHome();
  const env = { ...kubeEnv(server), PATH: `${folder}:${process.env.PATH}` };
  const cli = (...args: readonly string[]) => runCli(args, { home, env });
  const argvOf = (name: string, args: object) => ['tools', 'run', name, '--args', JSON.stringify(args)];
  const tool = (name: string, args: object, ...more: readonly string[]) => cli(...argvOf(name, args), ...more);
  const openTool = (name: string, args: object) => {
    const terminal = openCli(argvOf(name, args), { columns: 100, rows: 120, home, env });
    onTestFinished(terminal.end);
    return terminal;
  };
  /** What runs in the cluster, and the revisions of the release, oldest first. */
  const state = () => {
    const [web] = server.objects('Deployment', 'shop');
    const secrets = server.objects('Secret', 'shop').filter(({ type }) => type === 'helm.sh/release.v1');
    return {
      image: at(web, 'spec', 'template', 'spec', 'containers', 0, 'image'),
      replicas: at(web, 'spec', 'replicas'),
      extra: server.objects('ConfigMap', 'shop').map(({ metadata }) => metadata.name),
      revisions: secrets.map(({ metadata }) => metadata.labels?.status),
    };
  };
  return { server, chart, helm, home, cli, tool, openTool, state };
}

const FIRST = { image: 'web:1', replicas: 2, extra: [] };
const SECOND = { image: 'web:2', replicas: 2, extra: ['web-extra'] };
const CHANGES = { ...RELEASE, set_values: ['tag=2', 'extra=true'], wait_seconds: 60 };

describe.skipIf('why' in found)(`changes of a real helm against an API server${why}`, () => {
  test('nobody can say yes, a policy of reads, a release that is not there: nothing is written', async (context) => {
    const { server, chart, tool, state } = await start(context);
    const before = server.changes().length;
    const upgrade = { ...CHANGES, chart };
    expect((await tool('helm_upgrade', upgrade)).code).toBe(4);
    expect((await tool('helm_upgrade', upgrade, '--yes', '--read-only')).code).toBe(3);
    const absent = await tool('helm_upgrade', { ...upgrade, release: 'nowhere' }, '--yes');
    expect([absent.code, absent.stdout + absent.stderr]).toEqual([1, expect.stringContaining('not found')]);
    expect([server.changes().length, state()]).toEqual([before, { ...FIRST, revisions: ['deployed'] }]);
  }, 120_000);

  test('an upgrade shows on the card what helm would apply and how it is undone, runs after the yes, and is read back', async (context) => {
    const { chart, home, tool, openTool, state } = await start(context);
    const card = openTool('helm_upgrade', { ...CHANGES, chart });
    await card.waitFor('y run once');
    await pause(QUIET_MS + 100);
    const seen = card.screen();
    for (const part of ['--set=tag=2 --set=extra=true', 'DRY RUN', 'image: "web:2"', 'web-extra'])
      expect(seen).toContain(part);
    expect(seen).toMatch(/opsagent undo sess_\w+\/c1: helm rollback web 01 --wait /);
    expect(seen).not.toContain('chart-key-5gT7uQz1');
    expect(state()).toEqual({ ...FIRST, revisions: ['deployed'] });
    card.write('y');
    const { code } = await card.ended;
    expect([code, state()]).toEqual([0, { ...SECOND, revisions: ['superseded', 'deployed'] }]);
    const read = async (name: string, args: object = {}) => (await tool(name, { ...RELEASE, ...args })).stdout;
    expect(JSON.parse(await read('helm_history'))).toMatchObject([
      { revision: 1, status: 'superseded', description: 'Install complete' },
      { revision: 2, status: 'deployed', description: 'Upgrade complete' },
    ]);
    expect(await read('helm_get_values')).toMatch(/extra: true\ntag: 2/);
    expect(await read('helm_get_manifest')).toContain('image: "web:2"');
    expect(await read('helm_get_manifest', { revision: 1 })).toContain('image: "web:1"');
    const changes = readAudit(home).filter(({ tool: name, event }) => name === 'helm_upgrade' && event === 'finished');
    expect(changes.map(({ status, risk_level: risk }) => [status, risk])).toEqual([['ok', 'high']]);
  }, 120_000);

  test('the undo of an upgrade is a rollback to the revision before it, and can itself be undone', async (context) => {
    const { chart, cli, tool, state } = await start(context);
    expect((await tool('helm_upgrade', { ...CHANGES, chart }, '--yes')).code).toBe(0);
    expect((await cli('undo')).code).toBe(4);
    expect(state()).toEqual({ ...SECOND, revisions: ['superseded', 'deployed'] });
    const undone = await cli('undo', '--yes', '--output', 'json');
    expect([undone.code, state()]).toEqual([0, { ...FIRST, revisions: ['superseded', 'superseded', 'deployed'] }]);
    const { session_id: session } = JSON.parse(undone.stdout) as { session_id: string };
    expect((await cli('undo', 'c1', '--session', session, '--yes')).code).toBe(0);
    expect(state()).toEqual({ ...SECOND, revisions: ['superseded', 'superseded', 'superseded', 'deployed'] });
  }, 120_000);

  test('a rollback is checked after it ran, and its undo goes back to the revision that it left', async (context) => {
    const { chart, helm, cli, tool, state } = await start(context);
    await helm('upgrade', 'web', chart, '--set=tag=2', '--set=extra=true');
    const back = await tool('helm_rollback', { ...RELEASE, revision: 1, wait_seconds: 60 }, '--yes');
    expect([back.code, back.stdout]).toEqual([0, expect.stringContaining('Rollback was a success')]);
    expect(state()).toEqual({ ...FIRST, revisions: ['superseded', 'superseded', 'deployed'] });
    expect((await cli('undo', '--yes')).code).toBe(0);
    expect(state()).toEqual({ ...SECOND, revisions: ['superseded', 'superseded', 'superseded', 'deployed'] });
  }, 120_000);

  test('an undo refuses when somebody else has upgraded since', async (context) => {
    const { chart, helm, cli, tool, state } = await start(context);
    expect((await tool('helm_upgrade', { ...CHANGES, chart }, '--yes')).code).toBe(0);
    await helm('upgrade', 'web', chart, '--reuse-values', '--set=replicas=3');
    const { code, stderr } = await cli('undo', '--yes=critical');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/It has changed since c1[\s\S]*revision/)]);
    expect(state()).toEqual({ ...SECOND, replicas: 3, revisions: ['superseded', 'superseded', 'deployed'] });
  }, 120_000);

  test('an undo refuses a release that was removed and installed anew, whose revision and chart are the same', async (context) => {
    const { chart, helm, cli, tool, state } = await start(context);
    expect((await tool('helm_upgrade', { ...CHANGES, chart }, '--yes')).code).toBe(0);
    await helm('uninstall', 'web');
    await helm('install', 'web', chart, '--set=replicas=4');
    await helm('upgrade', 'web', chart, '--reuse-values', '--set=replicas=5');
    const { code, stderr } = await cli('undo', '--yes=critical');
    expect([code, stderr]).toEqual([1, expect.stringMatching(/It has changed since c1[\s\S]*updated/)]);
    expect(state()).toEqual({ ...FIRST, replicas: 5, revisions: ['superseded', 'deployed'] });
  }, 120_000);
});

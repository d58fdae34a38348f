import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { kubectlMissing, runKubectl } from '../helpers/api-server/kubectl.js';
import { at } from '../helpers/api-server/objects.js';
import type { ApiServerOptions } from '../helpers/api-server/start.js';
import { kubeEnv, readAudit, runCli } from '../helpers/cli.js';
import { changesOf, deployment, imageOf, replicasOf, shop, start, until, WEB, web } from './undo-world.js';

const missing = kubectlMissing();

describe.concurrent('opsagent undo', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  test('without a change there is nothing to undo', async (context) => {
    const { cli } = await start(context);
    const { code, stderr } = await cli('undo');
    expect([code, stderr]).toEqual([2, expect.stringContaining('There is no change to undo.')]);
    expect((await cli('undo', 'c7', '--session', 'sess_x')).stderr).toContain('no change c7 to undo in session sess_x');
  });

  test('does not run when nobody can say yes, nor under --read-only, nor on a dump', async (context) => {
    const { server, cli, tool } = await start(context);
    expect((await tool('kubectl_scale', { ...WEB, replicas: 3 }, '--yes')).code).toBe(0);
    const codes = [
      (await cli('undo')).code,
      (await cli('undo', '--yes', '--read-only')).code,
      (await cli('undo', '--dump', '.')).code,
    ];
    expect([codes, replicasOf(server)]).toEqual([[4, 3, 2], 3]);
  });

  test('refuses what has changed since, and another context, and changes nothing', async (context) => {
    const { server, cli, tool } = await start(context);
    await tool('kubectl_scale', { ...WEB, replicas: 3 }, '--yes');
    const elsewhere = await cli('undo', '--yes=critical', '--context', 'other');
    expect([elsewhere.code, elsewhere.stderr]).toEqual([
      2,
      expect.stringMatching(/made with kube_context test, .* has other[\s\S]*--context test/),
    ]);
    await runKubectl(server, ['scale', 'deployment/web', '--replicas=5', '--namespace=shop']);
    const { code, stderr } = await cli('undo', '--yes=critical');
    expect([code, replicasOf(server)]).toEqual([1, 5]);
    expect(stderr).toMatch(/It has changed since c1[\s\S]*replicas: 3 → 5/);
  });

  test('says plainly when there is no way back', async (context) => {
    const { cli, tool } = await start(context);
    expect((await tool('kubectl_rollout_restart', WEB, '--yes')).code).toBe(0);
    const { code, stderr } = await cli('undo', '--yes=critical');
    expect([code, stderr]).toEqual([
      1,
      expect.stringMatching(/There is no way back from .*rollout restart.*: a restart cannot be undone\./),
    ]);
  });

  test('of a scaling sets the former number, once, and can itself be undone by its name', async (context) => {
    const { server, cli, tool, home } = await start(context);
    await tool('kubectl_scale', { ...WEB, replicas: 3 }, '--yes');
    const undone = await cli('undo', '--yes', '--output', 'json');
    expect([undone.code, replicasOf(server)]).toEqual([0, 2]);
    const report = JSON.parse(undone.stdout) as { session_id: string; calls: { text: string }[] };
    expect(report.calls.map(({ text }) => text)).toEqual([expect.stringContaining('It is again as it was before c1.')]);
    expect((await cli('undo', '--yes')).code).toBe(2);
    expect((await cli('undo', 'c1', '--session', report.session_id, '--yes')).code).toBe(0);
    expect(replicasOf(server)).toBe(3);
    expect(changesOf(home, 'kubectl_scale')).toEqual(Array(3).fill(['ok', 'high', 'kubectl scale']));
    const list = (await cli('undo', '--list')).stdout;
    expect(list).toMatch(/possible; it undid [\s\S]*undone by [\s\S]*undone by /);
  });

  test('of an applied image puts the former object back with its true values, which only their owner can read', async (context) => {
    const { server, cli, tool, home } = await start(context);
    const before = at(web(server), 'spec');
    expect((await tool('kubectl_apply', { manifest: deployment('web:2'), namespace: 'shop' }, '--yes')).code).toBe(0);
    expect(imageOf(server)).toBe('web:2');
    expect((await cli('undo', '--yes')).stdout).toContain('It is again as it was before c1.');
    expect(at(web(server), 'spec')).toEqual(before);
    const undo = join(home, '.local/state/opsagent/undo');
    expect(readdirSync(undo).map((name) => statSync(join(undo, name)).mode & 0o777)).toEqual([0o600, 0o600]);
    expect(readdirSync(undo).every((name) => readFileSync(join(undo, name), 'utf8').includes('hunter2-in-env'))).toBe(
      true,
    );
  });

  test('of a manifest with new and old objects changes the old ones back and removes the new ones', async (context) => {
    const { server, cli, tool } = await start(context);
    const settings = (name: string, level: string) =>
      JSON.stringify({ apiVersion: 'v1', kind: 'ConfigMap', metadata: { name, namespace: 'shop' }, data: { level } });
    await runKubectl(server, ['apply', '--filename=-'], settings('old', 'info'));
    const manifest = `${settings('old', 'debug')}\n---\n${settings('new', 'debug')}`;
    expect((await tool('kubectl_apply', { manifest, namespace: 'shop' }, '--yes')).code).toBe(0);
    const undone = await cli('undo', '--yes=critical');
    expect([undone.code, undone.stdout.match(/replaced|deleted/g)]).toEqual([0, ['replaced', 'deleted']]);
    expect(server.objects('ConfigMap', 'shop').map((one) => [one.metadata.name, at(one, 'data', 'level')])).toEqual([
      ['old', 'info'],
    ]);
  });

  test('of a deletion makes the object again; of what cannot be made again it says why', async (context) => {
    const { server, cli, tool } = await start(context, {
      objects: [
        shop,
        { kind: 'Namespace', metadata: { name: 'scratch' } },
        { kind: 'Secret', metadata: { name: 'db', namespace: 'shop' }, data: { a: 'Yg==' } },
      ],
    });
    const before = at(web(server), 'spec');
    expect((await tool('kubectl_delete', WEB, '--yes=critical')).code).toBe(0);
    expect(web(server)).toBeUndefined();
    const undone = await cli('undo', '--yes');
    expect([undone.code, undone.stdout, at(web(server), 'spec')]).toEqual([
      0,
      expect.stringContaining('It is again as it was'),
      before,
    ]);
    for (const [args, reason] of [
      [{ kind: 'namespace', name: 'scratch', namespace: 'shop' }, 'what belongs to it is deleted with it'],
      [{ kind: 'Secret', name: 'db', namespace: 'shop' }, 'the values of Secrets are not saved'],
    ] as const) {
      expect((await tool('kubectl_delete', args, '--yes=critical')).code).toBe(0);
      const { code, stderr } = await cli('undo', '--yes=critical');
      expect([code, stderr]).toEqual([1, expect.stringContaining(reason)]);
    }
  });

  test('of a change that was cut off says that it is unknown whether it ran, and asks for more than --yes', async (context) => {
    const hang = { method: 'PATCH', path: /\/scale$/, effect: { kind: 'hang' } } as const;
    const faults: ApiServerOptions['faults'] & unknown[] = [hang];
    const { server, home, cli } = await start(context, { faults });
    const policies = mkdtempSync(join(tmpdir(), 'opsagent-policies-'));
    const allow = '[kubectl, scale, deployment, web]';
    writeFileSync(
      join(policies, 'mine.yaml'),
      `version: 1\nrules: [{ id: mine.scale, effect: allow, reason: Routine., tokens: ${allow}, examples: { match: [${allow}] } }]\n`,
    );
    const args = JSON.stringify({ ...WEB, replicas: 3 });
    const run = await runCli(['tools', 'run', 'kubectl_scale', '--args', args, '--policies', policies], {
      home,
      env: kubeEnv(server),
      onStart: async (kill) => {
        await until(() => server.changes().some(({ path }) => path.endsWith('/scale')));
        kill('SIGKILL');
      },
    });
    const ofChange = readAudit(home).filter(({ call_id: id }) => id === 'c1');
    expect([run.signal, ofChange.map(({ event }) => event)]).toEqual(['SIGKILL', ['decided']]);
    faults.pop();
    await runKubectl(server, ['scale', 'deployment/web', '--replicas=3', '--namespace=shop']);
    expect((await cli('undo', '--list')).stdout).toContain('possible; unknown whether it ran');
    const unsure = await cli('undo', '--yes');
    expect([unsure.code, replicasOf(server), unsure.stderr]).toEqual([
      4,
      3,
      expect.stringContaining('unknown whether the change itself ran'),
    ]);
    expect([(await cli('undo', '--yes=critical')).code, replicasOf(server)]).toEqual([0, 2]);
  });
});

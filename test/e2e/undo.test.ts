import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, type TestContext, test } from 'vitest';
import { kubectlMissing, runKubectl } from '../helpers/api-server/kubectl.js';
import { at, textAt } from '../helpers/api-server/objects.js';
import { type ApiServer, type ApiServerOptions, startApiServer } from '../helpers/api-server/start.js';
import { type CliRun, kubeEnv, newHome, readAudit, runCli } from '../helpers/cli.js';

const missing = kubectlMissing();
const shop = { kind: 'Namespace', metadata: { name: 'shop' } };
const deployment = (image: string) =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'app', image, env: [{ name: 'DB_PASSWORD', value: 'hunter2-in-env' }] }] },
      },
    },
  });
const WEB = { kind: 'deployment', name: 'web', namespace: 'shop' };

/** A cluster with the deployment `web`, and the program in a home of its own. */
async function start({ onTestFinished }: TestContext, options: ApiServerOptions = {}) {
  const server = await startApiServer({ objects: [shop], ...options });
  onTestFinished(server.close);
  await runKubectl(server, ['apply', '--filename=-'], deployment('web:1'));
  await until(() => server.objects('Pod', 'shop').length === 2);
  const home = newHome();
  const cli = (...args: readonly string[]): Promise<CliRun> => runCli(args, { home, env: kubeEnv(server) });
  const tool = (name: string, args: object, ...more: readonly string[]) =>
    cli('tools', 'run', name, '--args', JSON.stringify(args), ...more);
  return { server, home, cli, tool };
}

const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await pause(20);
};
const web = (server: ApiServer) => server.objects('Deployment', 'shop').find(({ metadata }) => metadata.name === 'web');
const replicasOf = (server: ApiServer) => at(web(server), 'spec', 'replicas');
const imageOf = (server: ApiServer) => textAt(at(web(server), 'spec', 'template', 'spec', 'containers', 0), 'image');
const changesOf = (home: string, tool: string) =>
  readAudit(home)
    .filter((record) => record.tool === tool && record.event === 'finished')
    .map((record) => [record.status, record.risk_level, record.action?.tokens.slice(0, 2).join(' ')]);

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

describe.concurrent('a change', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  test('whose way back cannot be read does not run', async (context) => {
    const faults: ApiServerOptions['faults'] & unknown[] = [];
    const { server, tool } = await start(context, { faults });
    faults.push({ method: 'GET', path: /deployments\/web$/, effect: { kind: 'status', code: 403 } });
    const { code, stderr } = await tool('kubectl_scale', { ...WEB, replicas: 3 }, '--yes');
    expect([code, replicasOf(server), server.changes().filter(({ path }) => path.endsWith('/scale'))]).toEqual([
      1,
      2,
      [],
    ]);
    expect(stderr).toMatch(/it did not run, because its way back could not be saved/);
  });

  test('that the cluster would refuse is tried before the question, and nothing is changed by that', async (context) => {
    const { server, home, tool } = await start(context);
    const before = server.changes().length;
    const { code } = await tool('kubectl_label', {
      kind: 'deployment',
      name: 'web',
      namespace: 'shop',
      labels: ['app=other'],
    });
    expect([code, server.changes().length]).toEqual([4, before]);
    expect(changesOf(home, 'kubectl_label_dry_run')).toEqual([['failed', 'low', 'kubectl label']]);
  });

  test('whose check fails is a failed call, which says how to undo it', async (context) => {
    const { server, tool, cli } = await start(context);
    const folder = mkdtempSync(join(tmpdir(), 'opsagent-tools-'));
    writeFileSync(
      join(folder, 'image.yaml'),
      `version: 1
system: image
tools:
  - name: set_image
    description: Sets the image of web.
    risk_level: high
    parameters: { type: object, required: [image], properties: { image: { type: string, pattern: "^[a-z0-9:]+$" } } }
    run: { kind: command, env: [KUBECONFIG], argv: [kubectl, set, image, deployment/web, "app={{ image }}", --namespace=shop, { when: context.kube_context, argv: ["--context={{ context.kube_context }}"] }] }
    dry_run: { argv: [kubectl, set, image, deployment/web, "app={{ image }}", --namespace=shop, --dry-run=server, --output=json] }
    verify: { argv: [kubectl, get, deployment, web, --namespace=shop, --output=json], expect: { properties: { spec: { properties: { replicas: { const: 99 } } } } } }
    undo:
      save: [kubectl, get, deployment, web, --namespace=shop, --output=json]
      restore: [kubectl, replace, --filename=-, { when: context.kube_context, argv: ["--context={{ context.kube_context }}"] }]
`,
    );
    const { code, stderr } = await tool('set_image', { image: 'web:2' }, '--yes', '--tools', folder);
    expect([code, imageOf(server)]).toEqual([1, 'web:2']);
    expect(stderr).toMatch(
      /It ran, but the check after it failed \(i\d\): spec\.replicas must be 99, and is \d\. To undo: opsagent undo sess_\w+\/c1\n/,
    );
    const undone = await cli('undo', '--yes', '--tools', folder);
    expect([undone.code, imageOf(server)]).toEqual([1, 'web:1']);
    expect(undone.stderr).toContain('It is again as it was before c1.');
    expect((await cli('undo', '--list')).stdout).toContain('undone by ');
  });
});

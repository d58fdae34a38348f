import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { type ApiServer, startApiServer } from '../helpers/api-server/start.js';
import { newHome, readAudit } from '../helpers/cli.js';
import { runCalls } from '../helpers/cli-calls.js';
import { helmFolder, releaseSecret } from '../helpers/helm.js';

/** Tools of one's own: one that puts another kubeconfig there, and those that leave the context, the namespace or both to kubectl and helm; a workflow does too. */
const toolsOf = (changed: string, kubeconfig: string) => `version: 1
system: mine
tools:
  - { name: switch, description: Switches., risk_level: high, run: { kind: command, argv: [cp, ${changed}, ${kubeconfig}] } }
  - { name: pods, description: Lists., risk_level: low, run: { kind: command, env: [KUBECONFIG], argv: [kubectl, get, pods, --output=name] } }
  - { name: bare, description: Lists., risk_level: low, run: { kind: command, argv: [kubectl, get, pods, --output=name] } }
  - { name: whole, description: Lists., risk_level: low, run: { kind: command, argv: [kubectl, get, pods, --output=name, --namespace=default, { when: context.kube_context, argv: ["--context={{ context.kube_context }}"] }] } }
  - { name: half, description: Lists., risk_level: low, run: { kind: command, env: [KUBECONFIG], argv: [kubectl, get, pods, --output=name, { when: context.kube_context, argv: ["--context={{ context.kube_context }}"] }] } }
  - { name: nodes, description: Lists., risk_level: low, run: { kind: command, env: [KUBECONFIG], argv: [kubectl, get, nodes, --output=name] } }
  - { name: everywhere, description: Lists., risk_level: low, run: { kind: command, env: [KUBECONFIG], argv: [kubectl, get, pods, -A, --output=name] } }
  - { name: releases, description: Lists., risk_level: low, run: { kind: command, env: [KUBECONFIG, HELM_NAMESPACE], argv: [helm, list, --short] } }
  - name: steps
    description: Lists.
    risk_level: low
    run: { kind: workflow, steps: [{ id: one, tool: pods }] }
`;

const pod = (name: string, namespace: string) => ({ kind: 'Pod', metadata: { name, namespace } });
const release = (name: string, namespace: string) =>
  releaseSecret({ name, namespace, revision: 1, status: 'deployed', replicas: 1 });

/** Two clusters behind one kubeconfig: `test`, the current one, and `there`. */
async function clusters(onTestFinished: (close: () => Promise<void>) => void) {
  const objectsOf = (where: string) => [
    ...['default', 'other'].flatMap((namespace) => [
      pod(`${where}-${namespace}`, namespace),
      release(`${where}-${namespace}`, namespace),
    ]),
    { kind: 'Node', metadata: { name: `${where}-node` } },
  ];
  const [here, there] = await Promise.all([
    startApiServer({ objects: objectsOf('here') }),
    startApiServer({ objects: objectsOf('there') }),
  ]);
  onTestFinished(async () => void (await Promise.all([here.close(), there.close()])));
  const home = newHome();
  const kubeconfig = join(home, 'kubeconfig');
  const [own, foreign] = [here, there].map((server: ApiServer) => JSON.parse(server.kubeconfig));
  own.clusters.push({ ...foreign.clusters[0], name: 'there-cluster' });
  own.users.push({ ...foreign.users[0], name: 'there-user' });
  own.contexts.push({ name: 'there', context: { cluster: 'there-cluster', user: 'there-user' } });
  writeFileSync(kubeconfig, JSON.stringify(own), { mode: 0o600 });
  const changed = join(home, 'changed');
  own.contexts[0].context.namespace = 'other';
  writeFileSync(changed, JSON.stringify({ ...own, 'current-context': 'there' }), { mode: 0o600 });
  mkdirSync(join(home, 'tools'));
  writeFileSync(join(home, 'tools/mine.yaml'), toolsOf(changed, kubeconfig));
  return { home, kubeconfig, here, there };
}

const helm = helmFolder();

/** Runs tools without arguments in one session: how each ended, and the names that its answer holds. */
async function run(world: { home: string; kubeconfig: string }, names: readonly string[], flags: string[] = []) {
  const env = {
    KUBECONFIG: world.kubeconfig,
    HELM_NAMESPACE: 'other',
    ...('folder' in helm && { PATH: `${process.env.PATH}:${helm.folder}` }),
  };
  const calls = names.map((name) => ({ name, arguments: {} }));
  const more = ['--tools', join(world.home, 'tools'), '--yes=critical', ...flags];
  const { answers } = await runCalls(calls, more, { home: world.home, env });
  return names.map((name, i) => {
    const { status, text = '' } = answers[i] ?? {};
    return `${name} ${status}: ${(text.match(/\b(here|there)-\w+/g) ?? []).sort()}`;
  });
}

const decided = (home: string, name: string) =>
  readAudit(home).find(({ event, tool }) => event === 'decided' && tool === name);

test('a deny rule on a namespace finds a call that acts there without saying so, and no call that acts elsewhere', async ({
  skip,
  onTestFinished,
}) => {
  skip(kubectlMissing() !== undefined, kubectlMissing());
  const world = await clusters(onTestFinished);
  const rule = (id: string, what: string) => `  - { id: ${id}, effect: deny, reason: closed, ${what} }\n`;
  mkdirSync(join(world.home, 'policies'));
  const rules = [
    rule(
      'by.words',
      'tokens: [kubectl, get, "--namespace=other"], examples: { match: [[kubectl, get, pods, -nother]] }',
    ),
    rule(
      'by.match',
      'match: { required: [namespace], properties: { namespace: { const: other } } }, examples: { match: [{ namespace: other }] }',
    ),
  ];
  writeFileSync(join(world.home, 'policies/closed.yaml'), `version: 1\nrules:\n${rules.join('')}`);
  const flags = ['--policies', join(world.home, 'policies')];
  const names = ['pods', 'half', 'nodes', 'everywhere'];
  expect(await run(world, names, [...flags, '--namespace', 'other'])).toEqual([
    'pods denied: ',
    'half denied: ',
    'nodes ok: here-node',
    'everywhere ok: here-default,here-other',
  ]);
  expect(decided(world.home, 'pods')?.decision?.rules.map(({ id }) => id)).toEqual(['by.words', 'by.match']);
  expect(await run(world, ['pods', 'half'], flags)).toEqual(['pods ok: here-default', 'half ok: here-default']);
});

test('a tool of one’s own that names no context and no namespace stays where the session began, whatever the kubeconfig says since', async ({
  skip,
  onTestFinished,
}) => {
  skip(kubectlMissing() !== undefined, kubectlMissing());
  const world = await clusters(onTestFinished);
  expect(await run(world, ['switch', 'pods', 'bare', 'whole', 'half', 'nodes', 'everywhere', 'steps'])).toEqual([
    'switch ok: ',
    'pods ok: here-default',
    'bare ok: here-default',
    'whole ok: here-default',
    'half ok: here-default',
    'nodes ok: here-node',
    'everywhere ok: here-default,here-other',
    'steps ok: ',
  ]);
  const asked = (server: ApiServer) =>
    server.requests.map(({ path }) => path).filter((path) => path.includes('/other/'));
  expect([asked(world.here), world.there.requests]).toEqual([[], []]);
  const { action, decision } = decided(world.home, 'pods') ?? {};
  expect([action?.display, decision?.facts]).toEqual([
    "kubectl get pods --output=name\nwith the session's context test, namespace default",
    expect.objectContaining({ namespace: 'default' }),
  ]);
});

test.skipIf('why' in helm)(
  `so does helm${'why' in helm ? ` (skipped: ${helm.why})` : ''}`,
  async ({ onTestFinished }) => {
    const world = await clusters(onTestFinished);
    expect(await run(world, ['switch', 'releases'])).toEqual(['switch ok: ', 'releases ok: here-default']);
    expect(world.there.requests).toEqual([]);
  },
);

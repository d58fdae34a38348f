import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { startApiServer } from '../helpers/api-server/start.js';
import { EXAMPLE, newHome, readAudit, runCli } from '../helpers/cli.js';
import { startModelServer } from '../helpers/model-server.js';

/** A tool that gives the context another address, and one whose argv only says what it does when it is called. */
const toolsOf = (there: string, kubeconfig: string) => `version: 1
system: kube
tools:
  - { name: repoint, description: Repoints., risk_level: high, run: { kind: command, argv: [cp, ${there}, ${kubeconfig}] } }
  - { name: bare, description: Lists., risk_level: low, run: { kind: command, env: [KUBECONFIG], argv: [kubectl, get, pods] } }
  - name: any_verb
    description: Runs kubectl.
    risk_level: low
    parameters: { type: object, required: [verb], properties: { verb: { type: string, pattern: "^[a-z]+$" } } }
    run: { kind: command, env: [KUBECONFIG], argv: [kubectl, "{{ verb }}", pod, orders-db-0, --namespace=production, { when: context.kube_context, argv: ["--context={{ context.kube_context }}"] }] }
`;

test('nothing is read or changed on another cluster whose address somebody gave to the context of the session', async ({
  skip,
  onTestFinished,
}) => {
  skip(kubectlMissing() !== undefined, kubectlMissing());
  const [here, there] = await Promise.all([startApiServer({ dumpDir: EXAMPLE }), startApiServer({ dumpDir: EXAMPLE })]);
  const home = newHome();
  const kubeconfig = join(home, 'kubeconfig');
  writeFileSync(kubeconfig, readFileSync(here.kubeconfigPath), { mode: 0o600 });
  mkdirSync(join(home, 'tools'));
  writeFileSync(join(home, 'tools/k.yaml'), toolsOf(there.kubeconfigPath, kubeconfig));
  const get = { name: 'kubectl_get', arguments: { kind: 'pods', namespace: 'production' } };
  const calls = [
    get,
    { name: 'repoint', arguments: {} },
    get,
    { name: 'bare', arguments: {} },
    { name: 'any_verb', arguments: { verb: 'get' } },
    { name: 'any_verb', arguments: { verb: 'delete' } },
  ];
  const model = await startModelServer([{ calls }, { text: 'Done.' }]);
  onTestFinished(async () => void (await Promise.all([here.close(), there.close(), model.close()])));
  const flags = ['--model', 'scripted', '--base-url', model.baseUrl, '--tools', join(home, 'tools'), '--yes=critical'];
  const env = { KUBECONFIG: kubeconfig, OPSAGENT_API_KEY: 'sk-test-1234567890' };
  await runCli(['ask', 'delete pod orders-db-0 in production', ...flags], { home, env });
  const ends = readAudit(home).filter(({ event, call_id }) => event === 'finished' && /^c\d$/.test(call_id));
  expect(ends.map(({ status }) => status)).toEqual(['ok', 'ok', 'failed', 'failed', 'failed', 'failed']);
  const errors = ends.map(({ execution_result }) => execution_result?.error ?? '');
  expect(
    errors.filter((error) => error.includes(`test leads to ${there.url} now, and led to ${here.url} before`)),
  ).toEqual(errors.slice(2));
  expect(there.requests).toEqual([]);
});

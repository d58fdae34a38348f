import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, test } from 'vitest';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import type { ApiServerOptions } from '../helpers/api-server/start.js';
import { changesOf, imageOf, replicasOf, start, WEB } from './undo-world.js';

const missing = kubectlMissing();

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

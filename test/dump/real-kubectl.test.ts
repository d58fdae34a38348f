import { execFile, spawnSync } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { type ApiServer, startApiServer } from '../helpers/api-server/start.js';
import { ask, EXAMPLE } from './make-dump.js';

// The same question to the example, served by an API server, through the real kubectl.
const hasKubectl = spawnSync('kubectl', ['version', '--client']).status === 0;
const run = promisify(execFile);
let server: ApiServer;

beforeAll(async () => {
  server = await startApiServer({ dumpDir: EXAMPLE, controllers: false });
});
afterAll(() => server.close());

const P = ['-n', 'production'];
const QUESTIONS: string[][] = [
  ['get', 'pods', ...P, '-o', 'name'],
  ['get', '-oname', '-nproduction', 'pods'],
  ['-n=production', 'get', '-o=name', 'deployments.v1.apps,svc'],
  ['get', 'pods', '-A', '-l', 'app in (order-service, orders-db),!nothing', '-o', 'name'],
  ['get', 'pods', ...P, '-l', 'app!=order-service', '--field-selector=spec.nodeName=worker-1', '-o', 'name'],
  ['get', 'pods', ...P, '--sort-by=.status.containerStatuses[0].restartCount', '-o', 'name'],
  ['get', 'all', ...P, '-o', 'name'],
  ['get', 'po/orders-db-0', 'svc/orders-db', ...P, '-o', 'name'],
  ['get', 'cm', 'order-service-config', ...P, '-o', 'jsonpath={.data}'],
  ['get', 'pods', ...P, '-o', 'jsonpath={range .items[*]}{.metadata.name}{"\\t"}{.status.phase}{"\\n"}{end}'],
  ['get', 'pods', ...P, '-o', 'jsonpath={.items[?(@.status.phase=="Succeeded")].metadata.name}'],
  [
    'get',
    'pods',
    ...P,
    '-o',
    "jsonpath={..image}|{.items[0:2].metadata.name}|{.items[-1]['metadata']['name']}|{.nope}",
  ],
  [
    'get',
    'deploy',
    'order-service',
    ...P,
    '-o',
    'jsonpath={.metadata.annotations.deployment\\.kubernetes\\.io/revision}',
  ],
  ['get', 'pods', ...P, '-o', 'custom-columns=N:.metadata.name,C:.spec.containers[*].name,X:.nope'],
  ['get', 'pods', ...P, '-o', 'custom-columns=N'],
  ['get', 'pod', 'nope', ...P],
  ['get', 'deploy', 'nope', ...P, '-o', 'json'],
  ['get', 'pod', 'nope', '--ignore-not-found'],
  ['get', 'pods', '-n', 'default'],
  ['get', 'pods', 'x', '-A'],
  ['get', 'pods', 'x', '-l', 'a=b'],
  ['get', 'netpol', ...P],
  ['logs', 'order-service-7d8f9b-abc12', ...P, '-p', '--tail=3'],
  ['logs', 'deploy/order-service', ...P, '--tail=1'],
  ['logs', 'orders-db-0', ...P, '--all-containers=true', '--prefix=true', '--tail=2'],
  ['logs', 'orders-db-0', ...P, '-c', 'x'],
  ['logs', 'orders-db-0', ...P, '--previous'],
  ['events', '-n', 'default'],
  ['events', '--for', 'foo'],
];

test.skipIf(!hasKubectl).each(QUESTIONS)('kubectl %s %s %s %s … answers the same', async (...argv) => {
  const real = await run('kubectl', argv, { env: { ...process.env, ...server.env } }).then(
    ({ stdout, stderr }) => ({ stdout, stderr, exitCode: 0 }),
    ({ stdout, stderr, code }) => ({ stdout, stderr, exitCode: code }),
  );
  const { stdout, stderr, exitCode } = await ask(EXAMPLE, ...argv);
  expect({ stdout, stderr, exitCode }).toEqual(real);
});

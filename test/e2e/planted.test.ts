import { mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, expect, test } from 'vitest';
import { serve, type TestServer } from '../exec/http-servers.js';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { sampleObjects } from '../helpers/api-server/sample.js';
import { type ApiServer, startApiServer } from '../helpers/api-server/start.js';
import { kubeEnv, newHome, runCli } from '../helpers/cli.js';
import { startModelServer } from '../helpers/model-server.js';
import { PLANTED } from '../secrets/planted.js';

const missing = kubectlMissing();

/**
 * Those of one line: every channel below can carry them as they are, but for SQL, which kubectl may fold between `IDENTIFIED` and
 * `BY` when it prints YAML. A word that several share becomes one of its own in each, long
 * enough to be searched for.
 */
const SECRETS = PLANTED.filter(([title, text]) => title !== 'SQL' && !text.includes('\n')).map((planted, i) =>
  planted.map((part) => part.replaceAll('mauve', `mauveW0rd${i}x`)),
);
const ALL = SECRETS.map(([, text = '']) => text);

const objects = [
  {
    kind: 'Pod',
    metadata: { name: 'leaky', namespace: 'shop' },
    spec: { containers: [{ name: 'app', image: 'order:1.0', env: ALL.map((value, i) => ({ name: `V${i}`, value })) }] },
    status: { phase: 'Running' },
  },
  { kind: 'ConfigMap', metadata: { name: 'leaky', namespace: 'shop' }, data: Object.fromEntries(ALL.entries()) },
  ...ALL.map((message, i) => ({
    kind: 'Event',
    metadata: { name: `leaky.${i}`, namespace: 'shop' },
    involvedObject: { kind: 'Pod', name: 'leaky', namespace: 'shop' },
    type: 'Warning',
    reason: `Failed${i}`,
    message,
  })),
];

const TOOLS = `version: 1
system: planted
env: [PLANTED_URL]
tools:
  - { name: answer, description: Asks a server., risk_level: low, run: { kind: http, url: "{{ env.PLANTED_URL }}/x" } }
  - { name: printed_env, description: Prints an environment., risk_level: low, run: { kind: command, argv: [docker, container, ls] } }
`;

const CALLS = [
  { name: 'kubectl_get', arguments: { kind: 'pod', name: 'leaky', namespace: 'shop', output: 'json' } },
  { name: 'kubectl_get', arguments: { kind: 'pod', name: 'leaky', namespace: 'shop', output: 'yaml' } },
  { name: 'kubectl_get', arguments: { kind: 'configmap', name: 'leaky', namespace: 'shop', output: 'json' } },
  { name: 'kubectl_get', arguments: { kind: 'configmap', name: 'leaky', namespace: 'shop', output: 'yaml' } },
  { name: 'kubectl_describe', arguments: { kind: 'pod', name: 'leaky', namespace: 'shop' } },
  { name: 'kubectl_describe', arguments: { kind: 'configmap', name: 'leaky', namespace: 'shop' } },
  { name: 'kubectl_logs', arguments: { pod_name: 'leaky', namespace: 'shop' } },
  { name: 'kubectl_events', arguments: { namespace: 'shop' } },
  { name: 'docker_inspect', arguments: { name: 'leaky' } },
  { name: 'printed_env', arguments: {} },
  { name: 'answer', arguments: {} },
];

/** A `docker` that prints what the real one would of a container whose environment holds the secrets. */
function fakeDocker(): string {
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-planted-'));
  const env = ALL.map((value, i) => `V${i}=${value}`);
  writeFileSync(join(dir, 'inspect'), JSON.stringify({ Id: 'a', Name: '/leaky', Config: { Env: env } }));
  writeFileSync(join(dir, 'env'), env.join('\n'));
  const script = `#!/bin/sh\ncase "$*" in *inspect*) cat ${dir}/inspect ;; *) cat ${dir}/env ;; esac\n`;
  writeFileSync(join(dir, 'docker'), script, { mode: 0o755 });
  mkdirSync(join(dir, 'tools'));
  writeFileSync(join(dir, 'tools/planted.yaml'), TOOLS);
  return dir;
}

const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile() && !path.includes('/cache/'));

let api: ApiServer;
let web: TestServer;
beforeAll(async () => {
  if (missing) return;
  api = await startApiServer({ objects: [...sampleObjects(), ...objects], logs: { 'shop/leaky/app': ALL.join('\n') } });
  web = await serve((_request, response) => {
    response.writeHead(200, { 'content-type': 'text/plain' });
    response.end(ALL.join('\n'));
  });
});
beforeEach(({ skip }) => skip(missing !== undefined, missing));
afterAll(() => Promise.all([api?.close(), web?.close()]));

test('sixty secrets and more, through every channel, reach no model, no screen, no log and no file', async () => {
  expect(SECRETS.length).toBeGreaterThanOrEqual(60);
  const dir = fakeDocker();
  const home = newHome();
  const model = await startModelServer([...CALLS.map((call) => ({ calls: [call] })), { text: 'Done.' }]);
  const env = { ...kubeEnv(api), PATH: `${dir}${delimiter}${process.env.PATH ?? ''}`, PLANTED_URL: web.url };
  const flags = [
    '--model',
    'scripted',
    '--base-url',
    model.baseUrl,
    '--tools',
    join(dir, 'tools'),
    '--max-steps',
    '20',
  ];
  const run = await runCli(['ask', 'look', ...flags, '--output', 'jsonl'], {
    home,
    env: { ...env, OPSAGENT_API_KEY: 'sk-test-1234567890' },
  });
  await model.close();
  const places = {
    model: JSON.stringify(model.requests),
    stdout: run.stdout,
    stderr: run.stderr,
    ...Object.fromEntries(filesBelow(home).map((path) => [path.slice(home.length), readFileSync(path, 'utf8')])),
  };
  const told = model.requests.at(-1)?.body.messages?.filter(({ role }) => role === 'tool') ?? [];
  expect(told.map(({ content }) => [/\] ok\n/.test(content ?? ''), /<secret:\d+>/.test(content ?? '')])).toEqual(
    CALLS.map(() => [true, true]),
  );
  const leaks = Object.entries(places).flatMap(([place, text]) =>
    SECRETS.flatMap(([title, , ...values]) =>
      values.filter((value) => text.includes(value)).map((value) => `${place}: ${title}: ${value}`),
    ),
  );
  expect(leaks).toEqual([]);
});

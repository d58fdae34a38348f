import { mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../exec/http-servers.js';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { sampleObjects } from '../helpers/api-server/sample.js';
import { type ApiServer, startApiServer } from '../helpers/api-server/start.js';
import { kubeEnv, newHome, runCli } from '../helpers/cli.js';
import { type Dockerd, dockerdMissing, IMAGE, startDockerd } from '../helpers/dockerd.js';
import { type ServerCall, startModelServer } from '../helpers/model-server.js';
import { needsItsLines, PLANTED, type Planted } from '../secrets/planted.js';

/** A word that several share becomes one of its own in each, long enough to be searched for. */
const SECRETS: readonly Planted[] = PLANTED.map(
  (planted, i) => planted.map((part) => part.replaceAll('mauve', `mauveW0rd${i}x`)) as unknown as Planted,
);
/**
 * What every channel can carry as it is. The others need lines and columns of their own, as logs and bodies have: `kubectl describe`
 * writes a block of YAML behind a name, where nothing tells its columns.
 */
const ANYWHERE = SECRETS.map(([, text]) => text).filter((text) => !needsItsLines(text) && !/[|>]-?\n/.test(text));
const LINES = SECRETS.map(([, text]) => text).join('\n---\n');
const IN_HEADERS = ANYWHERE.filter((text) => /^[\x20-\x7e]+$/.test(text));
const TOKENS = SECRETS.filter(([title]) => title.startsWith('the token ')).map(([, , token = '']) => token);

/** Servers and clients take at most 16 KiB of headers in one answer. */
const HEADERS_OF_ONE = 60;
const shares = Array.from({ length: Math.ceil(IN_HEADERS.length / HEADERS_OF_ONE) }, (_, share) => share);

const TOOLS = `version: 1
system: planted
env: [PLANTED_URL]
tools:
  - { name: answer, description: Asks a server., risk_level: low, run: { kind: http, url: "{{ env.PLANTED_URL }}/x" } }
  - { name: get, description: Asks a server., risk_level: low, rate_limit: 1000, parameters: { type: object, required: [path, which], properties: { path: { type: string }, which: { type: integer } } },
      run: { kind: http, url: "{{ env.PLANTED_URL }}/{{ path }}/{{ which }}" }, output: { format: json } }
  - { name: raw_inspect, description: Prints all of a container., risk_level: low, run: { kind: command, env: [DOCKER_HOST], argv: [docker, container, inspect, leaky] } }
  - { name: labels, description: Prints the labels of a container., risk_level: low, run: { kind: command, env: [DOCKER_HOST], argv: [docker, container, inspect, "--format={{json .Config.Labels}}", leaky] } }
`;

const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile() && !path.includes('/cache/'));

/** Lets a model make these calls. What it was told of each, and every secret that is anywhere, with its place. */
async function leaksOf(calls: readonly ServerCall[], env: Readonly<Record<string, string>>) {
  const tools = mkdtempSync(join(tmpdir(), 'opsagent-planted-'));
  writeFileSync(join(tools, 'planted.yaml'), TOOLS);
  const home = newHome();
  const model = await startModelServer([...calls.map((call) => ({ calls: [call] })), { text: 'Done.' }]);
  const endpoint = ['--model', 'scripted', '--base-url', model.baseUrl, '--max-steps', `${calls.length + 2}`];
  const run = await runCli(['ask', 'look', ...endpoint, '--tools', tools, '--yes=critical', '--output', 'jsonl'], {
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
  const leaks = Object.entries(places).flatMap(([place, text]) =>
    SECRETS.flatMap(([title, , ...values]) =>
      values
        .filter((value) => value.length > 5 && text.includes(value))
        .map(
          (value) =>
            `${place}: ${title}: ${value}: ${text.slice(Math.max(0, text.indexOf(value) - 80), text.indexOf(value) + 60)}`,
        ),
    ),
  );
  const told = model.requests.at(-1)?.body.messages?.filter(({ role }) => role === 'tool') ?? [];
  return { told: told.map(({ content }) => content ?? ''), leaks };
}

/** Every call ran, and its output held what stands for a secret. */
const shown = (told: readonly string[]) => told.map((text) => [/\] ok\n/.test(text), /<secret(?::\d+)?>/.test(text)]);

test('the secrets that are planted are sixty and more', () => {
  expect([SECRETS.length >= 60, ANYWHERE.length >= 60, IN_HEADERS.length >= 60]).toEqual([true, true, true]);
});

const kubectl = kubectlMissing();

describe('a cluster', () => {
  const leaky = { name: 'leaky', namespace: 'shop' };
  const objects = [
    {
      kind: 'Pod',
      metadata: leaky,
      spec: {
        containers: [
          {
            name: 'app',
            image: 'order:1.0',
            env: ANYWHERE.map((value, i) => ({ name: `V${i}`, value })),
            args: ANYWHERE,
          },
        ],
      },
      status: { phase: 'Running' },
    },
    { kind: 'ConfigMap', metadata: leaky, data: Object.fromEntries(ANYWHERE.entries()) },
    ...ANYWHERE.map((message, i) => ({
      kind: 'Event',
      metadata: { name: `leaky.${i}`, namespace: 'shop' },
      involvedObject: { kind: 'Pod', name: 'leaky', namespace: 'shop' },
      type: 'Warning',
      reason: `Failed${i}`,
      message,
    })),
  ];
  const calls = [
    { name: 'kubectl_get', arguments: { kind: 'pod', ...leaky, output: 'json' } },
    { name: 'kubectl_get', arguments: { kind: 'pod', ...leaky, output: 'yaml' } },
    { name: 'kubectl_get', arguments: { kind: 'configmap', ...leaky, output: 'json' } },
    { name: 'kubectl_get', arguments: { kind: 'configmap', ...leaky, output: 'yaml' } },
    { name: 'kubectl_describe', arguments: { kind: 'pod', ...leaky } },
    { name: 'kubectl_describe', arguments: { kind: 'configmap', ...leaky } },
    { name: 'kubectl_logs', arguments: { pod_name: 'leaky', namespace: 'shop' } },
    { name: 'kubectl_events', arguments: { namespace: 'shop' } },
  ];
  let api: ApiServer | undefined;
  beforeAll(async () => {
    if (kubectl) return;
    api = await startApiServer({ objects: [...sampleObjects(), ...objects], logs: { 'shop/leaky/app': LINES } });
  });
  beforeEach(({ skip }) => skip(kubectl !== undefined, kubectl));
  afterAll(() => api?.close());

  test('shows no secret in get, describe, logs and events, on screen, to the model and in any file', async () => {
    const { told, leaks } = await leaksOf(calls, api ? kubeEnv(api) : {});
    expect(shown(told)).toEqual(calls.map(() => [true, true]));
    expect(leaks).toEqual([]);
  });
});

describe('an HTTP service', () => {
  let web: TestServer;
  const headers = (share: number) =>
    IN_HEADERS.slice(share * HEADERS_OF_ONE, (share + 1) * HEADERS_OF_ONE).map((text, i) => [`X-Any-${i}`, text]);
  beforeAll(async () => {
    web = await serve((request, response) => {
      const [, path = '', which = '0'] = request.url?.split('/') ?? [];
      const token = TOKENS[Number(which)] ?? '';
      const all = headers(Number(which));
      const answer = (status: number, more: readonly (readonly string[])[], body = '{}') => {
        const typed = more.some(([name]) => name === 'Content-Type')
          ? more
          : [['Content-Type', 'application/json'], ...more];
        response.writeHead(status, typed.flat());
        response.end(body);
      };
      if (path === 'x') return answer(200, [['Content-Type', 'text/plain']], LINES);
      if (path === 'ok') return answer(200, all, '{"password": "mauveW0rd"}');
      if (path === 'denied') return answer(401, [['WWW-Authenticate', `Bearer token="${token}"`], ...all]);
      if (path === 'busy') return answer(503, [['Retry-After', token], ['Set-Cookie', `sid=${token}`], ...all]);
      if (path === 'typed') return answer(200, [['Content-Type', `text/plain; x=${token}`]], 'no JSON');
      if (path === 'packed') return answer(200, [['Content-Encoding', token]]);
      if (path === 'page') return answer(200, [['Content-Type', 'text/html']], `<title>${token}</title>`);
      if (path === 'body') return answer(400, [], JSON.stringify({ message: `${'x '.repeat(88)}${token}` }));
      const login = `http://ada:mauveW0rd21x@login.example.com/${token}/#access_token=${token}`;
      return answer(302, [['Location', path === 'moved' ? login : `/loop/${token}`]]);
    });
  });
  afterAll(() => web.close());

  const get = (path: string, which: number) => ({ name: 'get', arguments: { path, which } });

  test('shows no secret of its bodies', async () => {
    const { told, leaks } = await leaksOf([{ name: 'answer', arguments: {} }], { PLANTED_URL: web.url });
    expect(shown(told)).toEqual([[true, true]]);
    expect(leaks).toEqual([]);
  });

  test('shows none of the headers of an answer or of an error, and no status text', async () => {
    const calls = ['ok', 'denied', 'busy'].flatMap((path) => shares.map((share) => get(path, share)));
    const { told, leaks } = await leaksOf(calls, { PLANTED_URL: web.url });
    expect(told.map((text) => /\] (\w+)\n/.exec(text)?.[1])).toEqual(
      ['ok', 'failed', 'failed'].flatMap((status) => shares.map(() => status)),
    );
    expect(told.filter((text) => /x-any|sid=/i.test(text))).toEqual([]);
    expect(leaks).toEqual([]);
  });

  test.each(['moved', 'loop', 'typed', 'packed', 'page', 'body'])(
    'shows no secret where it quotes what was answered: %s',
    async (path) => {
      const calls = TOKENS.map((_, which) => get(path, which));
      const { told, leaks } = await leaksOf(calls, { PLANTED_URL: web.url });
      expect(told.map((text) => /\] failed\n/.test(text))).toEqual(calls.map(() => true));
      // Nor half of one, where the quotation was cut.
      const halves = TOKENS.map((token) => token.slice(0, Math.ceil(token.length / 2)));
      expect(halves.flatMap((half) => told.filter((text) => text.includes(half)))).toEqual([]);
      expect(leaks).toEqual([]);
    },
  );
});

const startedDocker = await (async (): Promise<Dockerd | string> => dockerdMissing() ?? startDockerd().catch(String))();
const noDocker = typeof startedDocker === 'string' ? ` (skipped: ${startedDocker})` : '';

describe.skipIf(typeof startedDocker === 'string')(`a real container${noDocker}`, () => {
  const dockerd = startedDocker as Dockerd;
  const calls = [
    { name: 'docker_inspect', arguments: { name: 'leaky' } },
    { name: 'docker_logs', arguments: { name: 'leaky', tail: 50_000 } },
    { name: 'docker_exec', arguments: { name: 'leaky', command: ['cat', '/environment'] } },
    { name: 'labels', arguments: {} },
    { name: 'docker_exec', arguments: { name: 'leaky', command: ['env'] } },
    { name: 'raw_inspect', arguments: {} },
  ];
  beforeAll(() => {
    const env = ANYWHERE.map((text, i) => `--env=V${i}=${text}`);
    const labels = ANYWHERE.map((text, i) => `--label=l${i}=${text}`);
    const program = ['sh', '-c', `env >/environment; cat <<'END'\n${LINES}\nEND\nexec sleep 1000`, ...ANYWHERE];
    dockerd.docker('run', '--detach', '--network=none', '--name=leaky', ...env, ...labels, IMAGE, ...program);
  });
  afterAll(async () => {
    expect(await dockerd.stop()).toEqual([]);
  });

  test('shows no secret of its environment, labels, command and log, however it is looked at', async () => {
    const { told, leaks } = await leaksOf(calls, { DOCKER_HOST: dockerd.host });
    // The shipped inspection shows no values at all, and the shipped policy lets nothing print the environment itself.
    expect(told.map((text) => [/\] (\w+)\n/.exec(text)?.[1], /<secret(?::\d+)?>/.test(text)])).toEqual([
      ['ok', false],
      ['ok', true],
      ['ok', true],
      ['ok', true],
      ['denied', false],
      ['denied', false],
    ]);
    expect(leaks).toEqual([]);
  });
});

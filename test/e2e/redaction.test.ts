import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  statSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { delimiter, join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { sampleObjects } from '../helpers/api-server/sample.js';
import { type ApiServer, startApiServer } from '../helpers/api-server/start.js';
import { type CliRun, kubeEnv, newHome, readAudit, runCli } from '../helpers/cli.js';
import { type ModelServer, type ServerAnswer, startModelServer } from '../helpers/model-server.js';

const missing = kubectlMissing();

/** Every value that is planted somewhere; none of them may leave. */
const PLANTED = {
  env: 'mauve-Env-41!',
  other: 'mauve plain words',
  annotation: 'bWF1dmUtYW5ub3RhdGlvbg==',
  event: 'mauve-Event-7x',
  log: 'mauve-Log-8y',
  url: 'mauveUrl9z',
  bearer: 'mauve.Bearer.0123456789',
  config: 'mauve-Config-3q',
  key: 'MIIEmauveKeyOfTheConfigMap0123',
  github: 'ghp_aB3dE5gH7jK9mN1pQ3sT5vW7yZ9bC1dE3fG5',
  pasted: 'mauve-Pasted-5',
  typed: 'mauve-Typed-6',
} as const;

const pod = {
  kind: 'Pod',
  metadata: {
    name: 'leaky',
    namespace: 'shop',
    annotations: {
      'kubectl.kubernetes.io/last-applied-configuration': JSON.stringify({
        data: { x: PLANTED.annotation },
        kind: 'Secret',
      }),
    },
  },
  spec: {
    containers: [
      {
        name: 'app',
        image: 'order:1.0',
        args: ['--db-password', PLANTED.env],
        env: [
          { name: 'DB_PASSWORD', value: PLANTED.env },
          { name: 'API_PASSWORD', value: PLANTED.other },
          { name: 'DATABASE_URL', value: `postgres://app:${PLANTED.url}@db:5432/shop` },
        ],
      },
    ],
  },
  status: { phase: 'Running' },
};
const event = {
  kind: 'Event',
  metadata: { name: 'leaky.1', namespace: 'shop' },
  involvedObject: { kind: 'Pod', name: 'leaky', namespace: 'shop' },
  type: 'Warning',
  reason: 'Failed',
  message: `cannot log in with password=${PLANTED.event}`,
};
const config = {
  kind: 'ConfigMap',
  metadata: { name: 'leaky', namespace: 'shop' },
  data: {
    'app.properties': `color=green\ndb.password=${PLANTED.config}\n`,
    'tls.key': `-----BEGIN PRIVATE KEY-----\n${PLANTED.key}\n-----END PRIVATE KEY-----\n`,
  },
};
const logs = {
  'shop/leaky/app': `starting\ntoken=${PLANTED.github}\nAuthorization: Bearer ${PLANTED.bearer}\nlogin {"password":"${PLANTED.log}"}\n`,
};

const filesBelow = (dir: string): string[] =>
  readdirSync(dir, { recursive: true, encoding: 'utf8' })
    .map((name) => join(dir, name))
    .filter((path) => statSync(path).isFile());

/** Names of the planted values that a text holds, plain or in base64. */
const leaksIn = (text: string): string[] =>
  Object.entries(PLANTED).flatMap(([name, value]) =>
    text.includes(value) || text.includes(Buffer.from(value).toString('base64')) ? [name] : [],
  );

/** All that a run left behind or said, except its own kubectl cache. */
function leaksOf(run: CliRun, model: ModelServer): Record<string, string[]> {
  const places = {
    model: JSON.stringify(model.requests),
    stdout: run.stdout,
    stderr: run.stderr,
    ...Object.fromEntries(filesBelow(run.home).map((path) => [path, readFileSync(path, 'latin1')])),
  };
  return Object.fromEntries(
    Object.entries(places).flatMap(([place, text]) => (leaksIn(text).length > 0 ? [[place, leaksIn(text)]] : [])),
  );
}

async function askModel(
  script: readonly ServerAnswer[],
  request: string,
  args: readonly string[],
  env: Record<string, string>,
  home = newHome(),
) {
  const model = await startModelServer(script);
  const flags = ['--model', 'scripted', '--base-url', model.baseUrl, ...args];
  const run = await runCli(['ask', request, ...flags], {
    home,
    env: { OPSAGENT_API_KEY: 'sk-test-1234567890', ...env },
  });
  await model.close();
  return { run, model };
}

const READS = [
  { name: 'kubectl_get', arguments: { kind: 'pod', name: 'leaky', namespace: 'shop', output: 'json' } },
  { name: 'kubectl_get', arguments: { kind: 'pod', name: 'leaky', namespace: 'shop', output: 'yaml' } },
  { name: 'kubectl_get', arguments: { kind: 'configmap', namespace: 'shop', output: 'json' } },
  { name: 'kubectl_get', arguments: { kind: 'configmap', namespace: 'shop', output: 'yaml' } },
  { name: 'kubectl_describe', arguments: { kind: 'pod', name: 'leaky', namespace: 'shop' } },
  { name: 'kubectl_describe', arguments: { kind: 'configmap', name: 'leaky', namespace: 'shop' } },
  { name: 'kubectl_logs', arguments: { pod_name: 'leaky', namespace: 'shop' } },
  { name: 'kubectl_events', arguments: { namespace: 'shop' } },
  { name: 'kubectl_get', arguments: { kind: 'event', namespace: 'shop', output: 'json' } },
  { name: 'kubectl_diagnose', arguments: { target: 'leaky', namespace: 'shop' } },
];

describe('secrets that a cluster prints', () => {
  let server: ApiServer;
  beforeAll(async () => {
    if (!missing) server = await startApiServer({ objects: [...sampleObjects(), pod, event, config], logs });
  });
  beforeEach(({ skip }) => skip(missing !== undefined, missing));
  afterAll(() => server?.close());

  test.for(['json', 'jsonl', 'text'])('reach no model, no screen and no file with --output %s', async (output) => {
    const script = [{ calls: READS }, { text: 'Done.' }];
    const { run, model } = await askModel(
      script,
      `look, password=${PLANTED.pasted}`,
      ['--output', output],
      kubeEnv(server),
    );
    expect(leaksOf(run, model)).toEqual({});
    const told = model.requests[1]?.body.messages?.filter(({ role }) => role === 'tool') ?? [];
    expect(told.filter(({ content }) => /\] ok\n/.test(content ?? '')).length).toBeGreaterThanOrEqual(READS.length - 1);
    expect(told.filter(({ content }) => /<secret:\d+>/.test(content ?? '')).length).toBeGreaterThanOrEqual(7);
    expect(JSON.stringify(model.requests[0]?.body.messages)).toContain('password=<secret:1>');
  });

  test('are hidden in what one tool prints, and in its stored output', async () => {
    const args = ['tools', 'run', 'kubectl_logs', '--arg', 'pod_name=leaky', '--arg', 'namespace=shop'];
    const run = await runCli([...args, '--output', 'json'], { env: kubeEnv(server) });
    const shown = await runCli(['audit', 'tail', '--lines', '5'], { home: run.home });
    const [call] = [...new Set(readAudit(run.home).map((record) => record.call_id))];
    const whole = await runCli(['audit', 'show', `${call}`], { home: run.home });
    const kept = filesBelow(run.home).flatMap((path) => leaksIn(readFileSync(path, 'latin1')));
    expect([run.code, leaksIn(run.stdout + run.stderr + shown.stdout + whole.stdout), kept]).toEqual([0, [], []]);
  });
});

/** A program that writes its arguments down, and a low-risk tool that runs it. */
function aRecorder(): { readonly env: Record<string, string>; readonly tools: string; readonly argv: () => string[] } {
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-recorder-'));
  const log = join(dir, 'argv.json');
  const program = join(dir, 'recorder');
  const code = `require('node:fs').writeFileSync(${JSON.stringify(log)}, JSON.stringify(process.argv.slice(2)))`;
  writeFileSync(program, `#!${process.execPath}\n${code}\n`);
  chmodSync(program, 0o755);
  const tools = join(dir, 'tools');
  mkdirSync(tools);
  writeFileSync(join(dir, 'config'), `DB_PASSWORD=${PLANTED.env}\n`);
  const text = `version: 1
system: recorder
tools:
  - name: show_secret
    description: Prints a password.
    risk_level: low
    parameters: []
    run: { kind: command, argv: [cat, ${dir}/config] }
    examples: [{ arguments: {}, argv: [cat, ${dir}/config] }]
  - name: say_reference
    description: Prints a reference.
    risk_level: low
    parameters: []
    run: { kind: command, argv: [echo, "record <secret:1>"] }
    examples: [{ arguments: {}, argv: [echo, "record <secret:1>"] }]
  - name: record
    description: Records a word.
    risk_level: low
    parameters:
      type: object
      required: [word]
      properties: { word: { type: string, description: Word, pattern: "^mauve", maxLength: 20 } }
    run: { kind: command, argv: [recorder, "--word={{ word }}"] }
    examples: [{ arguments: { word: mauve }, argv: [recorder, --word=mauve] }]
`;
  writeFileSync(join(tools, 'recorder.yaml'), text);
  const env = { PATH: `${dir}${delimiter}${process.env.PATH ?? ''}` };
  return {
    env,
    tools,
    argv: () => (existsSync(log) ? (JSON.parse(readFileSync(log, 'utf8')) as string[]) : []),
  };
}

const SHOW = { calls: [{ name: 'show_secret', arguments: {} }] };
const record = (word: string) => ({ calls: [{ name: 'record', arguments: { word } }] });
const DONE = { text: 'Done.' };

describe('a reference to a secret in a call', () => {
  test('asks first when a tool printed the value, and nothing runs without an answer', async () => {
    const { env, tools, argv } = aRecorder();
    const { run } = await askModel([SHOW, record('<secret:1>'), DONE], 'go', ['--tools', tools], env);
    expect([run.code, argv()]).toEqual([4, []]);
  });

  test('is the value for the program that was allowed, and a reference for everybody else', async () => {
    const { env, tools, argv } = aRecorder();
    const flags = ['--tools', tools, '--yes=critical', '--output', 'jsonl'];
    const { run, model } = await askModel([SHOW, record('<secret:1>'), DONE], 'go', flags, env);
    expect(argv()).toEqual([`--word=${PLANTED.env}`]);
    expect(leaksOf(run, model)).toEqual({});
    const decided = readAudit(run.home).find(({ event: at, tool }) => at === 'decided' && tool === 'record');
    expect(decided?.action?.tokens).toEqual(['recorder', '--word=<secret:1>']);
    expect(decided?.decision?.reason).toContain('it uses <secret:1>, which a tool printed in this session');
    expect(decided?.risk_level).toBe('critical');
    expect(run.stdout).toContain('--word=<secret:1>');
  });

  test('raises nothing when the value is the person’s own, and is given to the program', async () => {
    const { env, tools, argv } = aRecorder();
    const { run, model } = await askModel(
      [record('<secret:1>'), DONE],
      `password=${PLANTED.typed}`,
      ['--tools', tools, '--yes'],
      env,
    );
    expect([run.code, argv(), leaksOf(run, model)]).toEqual([0, [`--word=${PLANTED.typed}`], {}]);
  });

  test('asks first for the person’s own value when output held its reference, and nothing runs without an answer', async () => {
    const { env, tools, argv } = aRecorder();
    const { run } = await askModel(
      [{ calls: [{ name: 'say_reference', arguments: {} }] }, record('<secret:1>'), DONE],
      `password=${PLANTED.typed}`,
      ['--tools', tools, '--mode', 'auto'],
      env,
    );
    expect([run.code, argv()]).toEqual([4, []]);
  });

  test('is judged by its value: a rule sees through it', async () => {
    const { env, tools, argv } = aRecorder();
    const policies = mkdtempSync(join(tmpdir(), 'opsagent-policies-'));
    const rule = 'id: no.mauve, effect: deny, reason: No., tokens: [recorder, "--word=mauve-Typed*"]';
    const examples = 'examples: { match: [[recorder, --word=mauve-Typed-1]] }';
    writeFileSync(join(policies, 'p.yaml'), `version: 1\nrules:\n  - { ${rule}, ${examples} }\n`);
    const flags = ['--tools', tools, '--policies', policies, '--yes=critical'];
    const { run, model } = await askModel([record('<secret:1>'), DONE], `password=${PLANTED.typed}`, flags, env);
    expect([run.code, argv(), leaksOf(run, model)]).toEqual([3, [], {}]);
  });

  test.for<[string, string, string]>([
    ['that is unknown', '<secret:9>', 'There is no <secret:9>'],
    ['whose value does not fit', '<secret:2>', '<secret:2>'],
  ])('%s is answered in words, and nothing runs', async ([, word, said]) => {
    const { env, tools, argv } = aRecorder();
    const request = `password=${PLANTED.typed} token=green0123`;
    const { run, model } = await askModel([record(word), DONE], request, ['--tools', tools], env);
    const told = model.requests[1]?.body.messages?.at(-1)?.content ?? '';
    expect([argv(), told.includes('invalid-arguments'), told.includes(said), told.includes('green0123')]).toEqual([
      [],
      true,
      true,
      false,
    ]);
    expect(leaksOf(run, model)).toEqual({});
  });
});

describe('the values of a manifest', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  test('of a Secret reach the cluster, and no log, screen or file', async () => {
    const server = await startApiServer({ objects: sampleObjects() });
    const manifest = `apiVersion: v1\nkind: Secret\nmetadata: {name: new, namespace: shop}\nstringData: {color: mauve, password: "${PLANTED.typed}"}\n`;
    const script = [{ calls: [{ name: 'kubectl_apply', arguments: { manifest, namespace: 'shop' } }] }, DONE];
    const { run } = await askModel(script, 'go', ['--yes=critical', '--output', 'jsonl'], kubeEnv(server));
    const [made] = server.objects('Secret').filter((object) => JSON.stringify(object).includes('"new"'));
    await server.close();
    const said = run.stdout + run.stderr + JSON.stringify(readAudit(run.home));
    expect([leaksIn(said), /mauve/.test(said.replaceAll(/mauve-\w+/g, ''))]).toEqual([[], false]);
    expect(JSON.stringify(made)).toContain(PLANTED.typed);
  });
});

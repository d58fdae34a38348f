import { describe, expect, test } from 'vitest';
import { answerKubectl } from '../../src/dump/answer.js';
import { openDump } from '../../src/dump/open.js';
import { aDump, ask, askExample, EXAMPLE } from './make-dump.js';

const LIVE = 'use a live cluster: run the same without --dump.';

describe('what no dump can answer', () => {
  test.each([
    'delete pod order-service-7d8f9b-abc12 -n production',
    'delete pod x --grace-period=0 --force',
    '-n production delete pod x',
    'apply -f x.yaml',
    'exec web -- ls',
    'scale deploy/web --replicas=3',
    'edit deploy web',
    'cordon worker-1',
    'frobnicate',
  ])('kubectl %s changes nothing and says so', async (words) => {
    const verb = words.replace('-n production ', '').split(' ')[0];
    const answer = await askExample(words);
    const message = `cannot answer "kubectl ${verb}": it is a recording, and nothing in it can be changed.`;
    expect(answer).toMatchObject({ stdout: '', stderr: `error: a dump ${message}\n`, exitCode: 1 });
    expect(answer.error).toMatchObject({
      category: 'execution',
      message: `A dump ${message}`,
      hint: expect.stringContaining(LIVE),
    });
  });

  test.each(['explain pods', 'diff -f -', 'auth can-i get pods', 'wait pod/x --for=condition=Ready'])(
    'kubectl %s',
    async (words) => {
      const answer = await askExample(words);
      expect(answer.error?.message).toMatch(
        /^A dump cannot answer "kubectl \w+": it holds recorded objects and logs only\.$/,
      );
    },
  );

  test.each([
    ['get pods --foo', 'A dump cannot answer "kubectl get" with the flag --foo: this flag is not known here.'],
    ['get pods --watch', 'A dump cannot watch: nothing in it changes (--watch).'],
    ['logs x -f', 'A dump cannot follow a log: nothing in it changes (-f).'],
    ['get pods --as=root', 'A dump cannot act as somebody: nobody is asked, the answers are recorded (--as).'],
    ['get pods -o go-template={{.items}}', 'A dump cannot evaluate a go-template.'],
    ['rollout restart deploy/x', 'A dump cannot run "kubectl rollout restart": nothing in it can be changed.'],
    ['config use-context x', 'A dump cannot answer "kubectl config use-context": it has no kubeconfig.'],
    ['cluster-info dump', 'A dump cannot answer "kubectl cluster-info dump".'],
    ['top pods --sum -n production', 'A dump cannot add up recorded numbers (--sum).'],
  ])('kubectl %s', async (words, message) => {
    const answer = await askExample(words);
    expect(answer.exitCode).toBe(1);
    expect(answer.error).toMatchObject({ category: 'execution', message });
  });
});

describe('what was not recorded is not passed off as absent', () => {
  const dir = (): string =>
    aDump({ 'nodes.json': [], 'shop/pods.json': [], 'shop/services.json': [], 'blog/services.json': [] });

  test('a kind without a file', async () => {
    const answer = await ask(dir(), 'get', 'ingresses', '-n', 'shop', '-o', 'json');
    expect([answer.stdout, answer.exitCode]).toEqual(['', 1]);
    expect(answer.error?.message).toBe('Ingresses are not recorded: the dump holds no ingresses of namespace shop');
    expect(answer.error?.hint).toContain('Recorded kinds: nodes, pods, services.');
  });

  test('a namespace without a folder; the recorded ones are named', async () => {
    const answer = await ask(dir(), 'get', 'pods', '-n', 'shopp');
    expect(answer.error).toMatchObject({ hint: 'Recorded namespaces: blog, shop.' });
  });

  test('a kind that has a file and no object: none exist', async () => {
    expect(await ask(dir(), 'get', 'pods', '-n', 'shop')).toEqual({
      stdout: '',
      stderr: 'No resources found in shop namespace.\n',
      exitCode: 0,
    });
  });

  test('one of several kinds: the others are shown, and the answer fails as a partial one does in kubectl', async () => {
    const answer = await ask(dir(), 'get', 'pods,jobs', '-n', 'shop', '-o', 'json');
    expect(JSON.parse(answer.stdout)).toMatchObject({ kind: 'List', items: [] });
    expect([answer.stderr, answer.exitCode]).toEqual([
      'jobs are not recorded: the dump holds no jobs of namespace shop\n',
      1,
    ]);
  });

  test('a kind that only some namespaces hold', async () => {
    const answer = await ask(dir(), 'get', 'pods', '-A');
    expect([answer.stderr, answer.exitCode]).toEqual([
      'pods are not recorded: the dump holds no pods of namespace blog\n',
      1,
    ]);
  });

  test('the reason that the recording gave', async () => {
    const missing = [{ what: 'ingresses', why: 'ingresses is forbidden' }];
    const manifest = {
      version: 1,
      recorded_at: '2024-07-01T00:00:00Z',
      complete: true,
      namespaces: 'all',
      kinds: {},
      missing,
    };
    const answer = await ask(aDump({ 'nodes.json': [], 'opsagent-dump.json': manifest }), 'get', 'ing');
    expect(answer.stderr).toBe(
      'ingresses are not recorded: the dump holds no ingresses of namespace default, because: ingresses is forbidden\n',
    );
  });

  test('a kind that the recording found none of, unless its file was deleted since', async () => {
    const kinds = { jobs: [], pods: ['shop/pods.json'] };
    const manifest = { version: 1, complete: true, namespaces: 'all', kinds, missing: [] };
    const dump = aDump({ 'nodes.json': [], 'opsagent-dump.json': manifest });
    expect(await ask(dump, 'get', 'jobs', '-n', 'shop')).toMatchObject({
      exitCode: 0,
      stderr: 'No resources found in shop namespace.\n',
    });
    expect(await ask(dump, 'get', 'pods', '-n', 'shop')).toMatchObject({ exitCode: 1 });
    expect(await ask(dump, 'get', 'pods', '-n', 'blog')).toMatchObject({ exitCode: 0 });
  });
});

describe('Secrets', () => {
  test.each(['json', 'yaml', 'jsonpath={.items[0].data}', 'custom-columns=D:.data'])(
    'are never shown as %s',
    async (output) => {
      const answer = await ask(EXAMPLE, 'get', 'secrets', '-A', `--output=${output}`);
      expect(answer.stdout).toBe('');
      expect(answer.error?.message).toMatch(
        /^A dump cannot show Secrets as .*: their values are never part of a dump\.$/,
      );
    },
  );

  test('lose their values even when a file of the dump holds them', async () => {
    const annotations = { 'kubectl.kubernetes.io/last-applied-configuration': 'hunter2' };
    const secret = {
      metadata: { name: 'db', namespace: 'shop', annotations },
      data: { password: 'hunter2' },
      stringData: { user: 'hunter2' },
    };
    const dir = aDump({ 'shop/secrets.json': [secret], 'shop/pods.json': [{ kind: 'Secret', ...secret }] });
    for (const words of [
      'get secrets -n shop',
      'describe secret db -n shop',
      'get secrets -n shop -o go-template={{x}}',
      'get pods -n shop -o json',
    ]) {
      const { stdout, stderr } = await ask(dir, ...words.split(' '));
      expect(stdout + stderr).not.toContain('hunter2');
    }
    expect((await ask(dir, 'get', 'secrets', '-n', 'shop')).stdout).toBe(
      'NAME   TYPE     DATA   AGE\ndb     Opaque   2      <unknown>\n',
    );
  });

  test('are listed by their keys for the template with which opsagent asks', async () => {
    const { stdout } = await askExample(
      'get secrets --namespace=production --output=go-template={{x}} --request-timeout=20s',
    );
    expect(JSON.parse(stdout)).toMatchObject({
      kind: 'SecretList',
      items: [
        {
          kind: 'Secret',
          metadata: { namespace: 'production', name: 'orders-db-credentials' },
          type: 'Opaque',
          data: { password: '', username: '' },
        },
        { metadata: { name: 'payment-service-api' }, data: { API_KEY: '' } },
        { metadata: { name: 'shop-example-com-tls' }, type: 'kubernetes.io/tls' },
      ],
    });
  });
});

test('a dump that names its cluster does not answer for another one', async () => {
  const dir = aDump({
    'nodes.json': [],
    'opsagent-dump.json': { version: 1, context: 'staging', kinds: {}, missing: [] },
  });
  expect((await ask(dir, 'get', 'nodes', '--context=production')).error?.message).toBe(
    'A dump cannot answer for the context production: it was recorded from staging.',
  );
  expect(await ask(dir, 'get', 'nodes', '--context=staging')).toMatchObject({ exitCode: 0 });
  expect((await ask(dir, 'config', 'current-context')).stdout).toBe('staging\n');
});

test('an interrupted question is cancelled', async () => {
  const answer = await answerKubectl(await openDump(EXAMPLE), ['kubectl', 'get', 'pods'], AbortSignal.abort());
  expect(answer).toMatchObject({ exitCode: 130, error: { category: 'cancelled' } });
});

test('terminal escapes and line breaks of a cluster stay one cell of a table, and data in JSON', async () => {
  const event = {
    metadata: { name: 'e' },
    type: 'Warning',
    reason: 'x',
    message: 'a\u001b[2Jb\nsecond\tline',
    involvedObject: { kind: 'Pod', name: 'p' },
  };
  const dir = aDump({ 'shop/events.json': [event], 'shop/pods.json': [] });
  expect((await ask(dir, 'get', 'events', '-n', 'shop', '--no-headers')).stdout).toBe(
    '<unknown>   Warning   x     pod/p   a^[[2Jb...\n',
  );
  expect(JSON.parse((await ask(dir, 'get', 'events', '-n', 'shop', '-o', 'json')).stdout).items[0].message).toBe(
    event.message,
  );
});

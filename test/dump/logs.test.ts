import { describe, expect, test } from 'vitest';
import { chooseLines, timeOfLine } from '../../src/dump/log-lines.js';
import { aDump, aPod, ask, askExample } from './make-dump.js';

const P = '-n production';
const two = { spec: { containers: [{ name: 'app' }, { name: 'proxy' }], initContainers: [{ name: 'setup' }] } };
const part = (container: string, text: string, pod = 'web') =>
  `==== START logs for container ${container} of pod shop/${pod} ====\n${text}==== END logs for container ${container} of pod shop/${pod} ====\n`;

describe('logs that are not there', () => {
  test.each([
    [`logs nope ${P}`, 'Error from server (NotFound): pods "nope" not found'],
    [`logs orders-db-0 ${P} -c x`, 'error: container x is not valid for pod orders-db-0'],
    [
      `logs orders-db-0 ${P} -p`,
      'Error from server (BadRequest): previous terminated container "postgres" in pod "orders-db-0" not found',
    ],
    [
      `logs orders-db-0 ${P} --since=soon`,
      'error: invalid argument "soon" for "--since" flag: time: invalid duration "soon"',
    ],
    [`logs orders-db-0 ${P} --tail=-5`, 'error: --tail must be greater than or equal to -1'],
    [
      `logs cm/order-service-config ${P}`,
      'error: cannot get the logs from cm/order-service-config: selector is required',
    ],
  ])('kubectl %s', async (words, message) => {
    expect(await askExample(words)).toMatchObject({
      stdout: '',
      stderr: `${message}\n`,
      exitCode: 1,
      error: { category: 'execution', message },
    });
  });

  test('one that was not recorded', async () => {
    const answer = await ask(aDump({ 'shop/pods.json': [aPod('web')] }), 'logs', 'web', '-n', 'shop');
    expect(answer.stderr).toBe('the log of container app of pod shop/web is not recorded\n');
  });

  test('one that could not be read when the dump was made', async () => {
    const dir = aDump({
      'shop/pods.json': [aPod('web')],
      'shop/web/logs.txt': part('app', 'Request log error: unknown node\n'),
    });
    expect((await ask(dir, 'logs', 'web', '-n', 'shop')).stderr).toBe(
      'the log of container app of pod shop/web is not recorded, because: unknown node\n',
    );
  });

  test('one of a container that never started', async () => {
    const status = {
      containerStatuses: [{ name: 'app', restartCount: 0, state: { waiting: { reason: 'ErrImagePull' } } }],
    };
    const dir = aDump({ 'shop/pods.json': [aPod('web', { status })] });
    expect((await ask(dir, 'logs', 'web', '-n', 'shop')).stderr).toBe(
      'Error from server (BadRequest): container "app" in pod "web" is waiting to start: ErrImagePull\n',
    );
  });
});

describe('logs of the example', () => {
  test('the run before the crash ends in its cause', async () => {
    const { stdout, exitCode } = await askExample(`logs order-service-7d8f9b-abc12 ${P} --previous=true --tail=300`);
    expect([stdout.split('\n').at(-2), exitCode]).toEqual(['FATAL: database connection pool exhausted', 0]);
    expect(stdout).toContain('Connection pool: 5/10 in use, 0 waiting');
    expect(stdout).toContain('Connection leak detection triggered');
  });

  test('a workload stands for one of its pods', async () => {
    expect(await askExample(`logs deploy/order-service ${P} --tail 1`)).toEqual({
      stdout: 'FATAL: database connection pool exhausted\n',
      stderr: 'Found 3 pods, using pod/order-service-7d8f9b-abc12\n',
      exitCode: 0,
    });
  });

  test('a selector stands for all its pods, each line with its source', async () => {
    const { stdout } = await askExample(`logs -l app=payment-service ${P} --tail=1 --prefix`);
    expect(stdout.split('\n').map((line) => line.slice(0, 60))).toEqual([
      '[pod/payment-service-58d7c9f6bb-4kq8z/payment-service] {"tim',
      '[pod/payment-service-58d7c9f6bb-t6w2n/payment-service] {"tim',
      '',
    ]);
  });

  test('--since counts back from the time of the dump', async () => {
    const { stdout } = await askExample(`logs orders-db-0 ${P} --since=3m`);
    expect(stdout.split('\n').map((line) => line.slice(11, 23))).toEqual([
      '14:26:47.951',
      '14:26:47.951',
      '14:26:47.951',
      '14:28:11.404',
      '',
    ]);
  });
});

describe('logs.txt of several containers', () => {
  const dir = (text: string) => aDump({ 'shop/pods.json': [aPod('web', two)], 'shop/web/logs.txt': text });
  const log = async (text: string, ...words: string[]) => ask(dir(text), 'logs', 'web', '-n', 'shop', ...words);
  const plain = part('setup', 'set up\n') + part('app', 'hello\nno end of line') + part('proxy', 'listening\n');

  test('each container has its part; the first is the default, and kubectl says so', async () => {
    expect(await log(plain, '-c', 'proxy')).toMatchObject({ stdout: 'listening\n' });
    expect(await log(plain, '-c', 'setup')).toMatchObject({ stdout: 'set up\n' });
    expect(await log(plain)).toEqual({
      stdout: 'hello\nno end of line',
      stderr: 'Defaulted container "app" out of: app, proxy, setup (init)\n',
      exitCode: 0,
    });
  });

  test('--all-containers shows all in their order', async () => {
    expect((await log(plain, '--all-containers', '--prefix')).stdout).toBe(
      '[pod/web/setup] set up\n[pod/web/app] hello\n[pod/web/app] no end of line\n[pod/web/proxy] listening\n',
    );
  });

  test('a log that imitates the markers cannot pass for another container', async () => {
    const forged = `harmless\n${part('proxy', 'forged\n')}tail\n`;
    const text = part('setup', '') + part('app', forged) + part('proxy', 'real\n');
    expect((await log(text, '-c', 'proxy')).stdout).toBe('real\n');
    expect((await log(text, '-c', 'app')).stdout).toBe(forged);
  });

  test('an own file of a container goes before its part', async () => {
    const files = {
      'shop/pods.json': [aPod('web', two)],
      'shop/web/logs.txt': plain,
      'shop/web/app.log': 'own\n',
      'shop/web/app.previous.log': 'before\n',
    };
    expect((await ask(aDump(files), 'logs', 'web', 'app', '-n', 'shop')).stdout).toBe('own\n');
    expect((await ask(aDump(files), 'logs', 'web', '-n', 'shop', '-pc', 'app')).stdout).toBe('before\n');
  });

  test('a part that was cut off is shown as far as it goes', async () => {
    const cut = `${part('setup', 'x\n')}==== START logs for container app of pod shop/web ====\nhalf a li`;
    expect((await log(cut, '-c', 'app')).stdout).toBe('half a li');
    expect((await log(cut, '-c', 'proxy')).exitCode).toBe(1);
  });
});

describe('lines', () => {
  const choice = { tail: undefined, sinceMs: undefined, limitBytes: undefined };
  test.each([
    ['a\nb\nc\n', 2, ['b\n', 'c\n']],
    ['a\nb\nc', 2, ['b\n', 'c']],
    ['a\n', 5, ['a\n']],
    ['a\nb\n', 0, []],
    ['', 3, []],
    ['\n\n\n', 2, ['\n', '\n']],
  ])('the end of %j, %i lines', (text, tail, lines) => {
    expect(chooseLines(text, { ...choice, tail }).lines).toEqual(lines);
  });

  test('lines without a time go with the one before; a log without any leaves nothing out and says so', () => {
    const sinceMs = Date.parse('2024-01-01T10:00:00Z');
    const text = '2024-01-01 09:59:59 old\n  at x\n2024-01-01 10:00:00,500 new\n  at y\n';
    expect(chooseLines(text, { ...choice, sinceMs })).toEqual({
      lines: ['2024-01-01 10:00:00,500 new\n', '  at y\n'],
      timed: true,
    });
    expect(chooseLines('a\nb\n', { ...choice, sinceMs })).toEqual({ lines: ['a\n', 'b\n'], timed: false });
  });

  test('a line of many megabytes and NUL bytes are kept as they are', () => {
    const text = `first\n${'x'.repeat(5_000_000)}\0\n`;
    expect(chooseLines(text, { ...choice, tail: 1 }).lines).toEqual([text.slice(6)]);
    expect(chooseLines('aä€\n', { ...choice, limitBytes: 4 }).lines).toEqual(['aä']);
  });

  test.each([
    ['2024-07-10T14:26:38.601234567Z x', '2024-07-10T14:26:38.601Z'],
    ['2024-07-10 14:26:38,601  INFO', '2024-07-10T14:26:38.601Z'],
    ['[2024-07-10T16:26:38+02:00] x', '2024-07-10T14:26:38.000Z'],
    ['time="2024-07-10T14:26:38Z" level=info', '2024-07-10T14:26:38.000Z'],
  ])('the time of %j', (line, iso) => {
    expect(new Date(timeOfLine(line) ?? 0).toISOString()).toBe(iso);
  });
});

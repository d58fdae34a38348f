import { describe, expect, test } from 'vitest';
import { result } from '../diagnose/fixtures/cluster.js';
import { diagnose, exited, idOf, inspected, log, looping, ps, row, runBuiltin, stats } from './containers.js';

const of = (service: string, project = 'shop') => ({ Project: project, Service: service });
const db = row('shop-db-1', 'exited', 'Exited (1) 3 minutes ago', of('db'));
const web = row('shop-web-1', 'restarting', 'Restarting (1) 2 seconds ago', of('web'));
const REFUSED = 'ERROR dial tcp db:5432: connect: connection refused';
const noDaemon = {
  category: 'network',
  exit: 'unavailable',
  message: 'Cannot connect to the Docker daemon',
  hint: 'start it',
} as const;

describe('docker_target', () => {
  const target = (name: string, language = 'en', rows = [db, web]) =>
    runBuiltin('docker_target', [ps(...rows)], { ...(name !== '' && { name }), language });

  test('passes on that the daemon cannot be reached', async () => {
    const cut = result('ps', { tool: 'docker_ps', status: 'failed', error: noDaemon });
    expect((await runBuiltin('docker_target', [cut], { name: 'web' })).outcome).toEqual({
      status: 'failed',
      error: noDaemon,
    });
  });

  test('offers the nearest names, and else says what there is', async () => {
    expect((await target('shop-wep-1')).outcome.error).toEqual({
      category: 'validation',
      exit: 'usage',
      message: 'there is no container "shop-wep-1" among the 2 of this daemon',
      hint: 'did you mean shop-web-1?',
    });
    expect((await target('payments')).outcome.error?.hint).toBe('there are shop-db-1, db, shop-web-1, web');
    expect((await target('payments', 'zh', [])).outcome.error?.hint).toContain('没有任何容器');
  });

  test('does not choose between projects', async () => {
    const other = row('blog-web-1', 'running', 'Up', of('web', 'blog'));
    expect((await target('web', 'en', [web, other])).outcome.error?.hint).toBe(
      'name the container: shop-web-1, blog-web-1',
    );
  });

  test('finds by name, id and service; without a name all, the worst first', async () => {
    const names = async (name: string) => (await target(name)).output;
    for (const name of ['shop-web-1', idOf('shop-web-1').slice(0, 12), 'web'])
      expect(await names(name)).toMatchObject({ names: ['shop-web-1'], running: [], images: ['shop/base:1'] });
    expect(await names('')).toMatchObject({ names: ['shop-web-1', 'shop-db-1'] });
  });
});

test('docker_log_targets takes those that end before those that are unhealthy, and no healthy one', async () => {
  const sick = inspected('sick', { Health: { Status: 'unhealthy' } });
  const { output } = await runBuiltin('docker_log_targets', [
    sick,
    inspected('fine'),
    exited('done', 0),
    exited('bad', 1),
    looping('web', 1),
  ]);
  expect(output).toEqual({ names: ['web', 'bad', 'sick'] });
});

describe('docker_diagnose', () => {
  test('has no diagnosis without a daemon', async () => {
    const cut = result('ps', { tool: 'docker_ps', status: 'failed', error: noDaemon });
    expect((await runBuiltin('docker_diagnose', [cut])).outcome.error).toEqual(noDaemon);
    expect((await runBuiltin('docker_diagnose', [], { results: ['c9'] })).outcome.error?.message).toContain('c9');
  });

  test('puts a failed connection down to the container that does not run', async () => {
    const { findings } = await diagnose([ps(db, web), looping('shop-web-1', 1), log('shop-web-1', REFUSED)], {
      name: 'web',
    });
    expect(findings).toMatchObject([
      {
        title: 'Container shop-web-1 keeps restarting, probably because container shop-db-1 does not run',
        certainty: 'likely',
        cause: { text: 'container shop-db-1, which the quoted line names, does not run (Exited (1) 3 minutes ago)' },
        evidence: [{ quote: REFUSED }, { callId: 'ps' }, {}],
      },
    ]);
  });

  test('blames no container that runs, is in another project, or is not named', async () => {
    for (const rows of [
      [web, row('shop-db-1', 'running', 'Up', of('db'))],
      [web, row('blog-db-1', 'exited', 'Exited (1)', of('db', 'blog'))],
      [web, row('cache', 'exited', 'Exited (1)')],
    ]) {
      const { findings } = await diagnose([ps(...rows), looping('shop-web-1', 1), log('shop-web-1', REFUSED)], {
        name: 'web',
      });
      expect(findings[0]?.title).toBe(
        'Container shop-web-1 keeps restarting because a service that it needs refuses the connection',
      );
    }
  });

  test('names one cause, with what it explains under it', async () => {
    const { findings } = await diagnose([
      ps(db, web),
      looping('shop-web-1', 1),
      log('shop-web-1', REFUSED),
      exited('shop-db-1', 1),
    ]);
    expect(findings.map((f) => [f.title, f.symptoms.map((s) => s.title)])).toEqual([
      [
        'Container shop-db-1 ended with exit code 1',
        ['Container shop-web-1 keeps restarting, probably because container shop-db-1 does not run'],
      ],
    ]);
  });

  test('leaves two that blame each other side by side', async () => {
    const rows = ps(row('a', 'restarting', 'Restarting (1)'), row('b', 'restarting', 'Restarting (1)'));
    const blames = (from: string, to: string) => [
      looping(from, 1),
      log(from, `ERROR dial tcp ${to}:80: connection refused`),
    ];
    expect((await diagnose([rows, ...blames('a', 'b'), ...blames('b', 'a')])).findings).toHaveLength(2);
  });

  test('puts high usage under the unhealthy container that shows it', async () => {
    const sick = inspected('web', { Health: { Status: 'unhealthy' } }, { Memory: 1e8 });
    const { findings } = await diagnose([
      sick,
      stats('web', { CPUPerc: '1%', MemPerc: '99%', MemUsage: '99MB / 100MB' }),
    ]);
    expect(findings.map((f) => [f.rule, f.symptoms.map((s) => s.rule)])).toEqual([
      ['container.unhealthy', ['container.memory-high']],
    ]);
  });

  test('does not call healthy what it could not see', async () => {
    const gone = result('i-web', {
      tool: 'docker_inspect',
      status: 'failed',
      tokens: ['docker', 'container', 'inspect', 'web'],
      errorText: 'Error response from daemon: No such container: web',
    });
    const report = await diagnose([ps(row('web', 'running', 'Up')), gone], { name: 'web' });
    expect(report).toMatchObject({
      healthy: false,
      findings: [],
      unseen: [{ what: 'docker container inspect web', why: expect.stringContaining('gone') }],
    });
    expect(report.text).not.toContain('No problem was found.');
    const driver = result('l-web', {
      tool: 'docker_logs',
      status: 'failed',
      tokens: ['docker', 'logs', 'web'],
      errorText: 'Error response from daemon: configured logging driver does not support reading',
    });
    expect((await diagnose([inspected('web'), driver])).unseen).toMatchObject([
      { hint: 'read it where the driver sends it' },
    ]);
  });

  test('lets no output of a container break the report or become a command', async () => {
    const name = 'x; rm -rf ~';
    const bad = inspected(name, {
      Status: 'created',
      Error: '\u001b[2J`**boom**`\nnetwork x not found',
      StartedAt: '',
    });
    const { text, findings } = await diagnose([bad]);
    expect(text).not.toContain('\u001b');
    expect(findings[0]?.stopgap.map((s) => s.command)).toEqual([undefined]);
  });
});

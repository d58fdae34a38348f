import { describe, expect, test } from 'vitest';
import { ago, always, diagnose, event, events, exited, inspected, log, looping } from './containers.js';

const FATAL = 'FATAL: password authentication failed for user "shop"';

describe('a restart loop', () => {
  test('is put down to the last fatal line of the run that ended', async () => {
    const { findings, text } = await diagnose([looping('web', 1), log('web', `starting\n${FATAL}`)]);
    expect(findings).toMatchObject([
      {
        rule: 'container.restart-loop',
        severity: 'critical',
        certainty: 'confirmed',
        title: 'Container web keeps restarting because the database refuses the login',
        detail: '7 restarts; exit code 1: the program reported an error.',
        evidence: [{ callId: 'l-web', quote: FATAL }, { callId: 'i-web' }],
        // A restart would end the same way.
        stopgap: [],
      },
    ]);
    expect(text).toContain('DB_USER');
  });

  test('is said in Chinese', async () => {
    const { text } = await diagnose([looping('web', 1), log('web', FATAL)], { language: 'zh' });
    expect(text).toContain('容器 web 反复重启，原因是数据库拒绝登录');
  });

  test('without a known line is not explained by a guess', async () => {
    const { findings } = await diagnose([looping('web', 3), log('web', 'hello\nbye')]);
    expect(findings).toMatchObject([{ title: 'Container web keeps restarting', certainty: 'unknown' }]);
    expect(findings[0]?.cause).toBeUndefined();
    expect(findings[0]?.detail).toContain('no line that speaks of an error');
  });

  test('is seen between two ends, with the exit code of the last event', async () => {
    const between = inspected('web', { StartedAt: ago(5), FinishedAt: ago(10) }, { RestartCount: 4, ...always });
    const died = events(event('web', 'die', 70, { exitCode: '1' }), event('web', 'die', 10, { exitCode: '3' }));
    const { findings } = await diagnose([between, died, log('web', FATAL, 10)]);
    expect(findings[0]).toMatchObject({
      rule: 'container.restart-loop',
      detail: expect.stringContaining('exit code 3'),
    });
    const unknown = await diagnose([between]);
    expect(unknown.findings[0]?.detail).toContain('exit code of its last run is not known');
  });

  test('is not blamed on what the present run prints', async () => {
    const between = inspected('web', { StartedAt: ago(9), FinishedAt: ago(10) }, { RestartCount: 4, ...always });
    const { findings } = await diagnose([between, log('web', `all fine\nlistening\n${FATAL}`, 2)]);
    expect(findings[0]?.certainty).not.toBe('confirmed');
  });

  test('long over is a remark', async () => {
    const { findings, healthy } = await diagnose([
      inspected('web', { StartedAt: ago(3000), FinishedAt: ago(3001) }, { RestartCount: 5, ...always }),
    ]);
    expect([healthy, findings.map((f) => [f.rule, f.severity])]).toEqual([true, [['container.restarted', 'low']]]);
  });
});

describe('an exit', () => {
  test.each([
    [1, 'exit code 1: the program reported an error'],
    [126, 'exit code 126: the command cannot be executed'],
    [127, 'exit code 127: the command was not found'],
    [134, 'exit code 134: ended by signal 6 (SIGABRT)'],
    [139, 'exit code 139: ended by signal 11 (SIGSEGV)'],
  ])('%i is explained, and why Docker leaves it at that', async (code, meaning) => {
    const { findings } = await diagnose([exited('web', code)]);
    expect(findings[0]).toMatchObject({ rule: 'container.exited', severity: 'high' });
    expect(findings[0]?.detail).toContain(`${meaning}. Its restart policy is "no"`);
  });

  test('with the restarts of its policy used up says so', async () => {
    const policy = { RestartCount: 3, RestartPolicy: { Name: 'on-failure', MaximumRetryCount: 3 } };
    expect((await diagnose([exited('web', 1, {}, policy)])).findings[0]?.detail).toContain(
      'allows 3 restarts, and they are used up',
    );
  });

  test('by a kill that somebody sent is no crash', async () => {
    const killed = events(event('web', 'kill', 60.5, { signal: '15' }), event('web', 'die', 60, { exitCode: '1' }));
    const { findings } = await diagnose([exited('web', 1), killed, log('web', FATAL, 61)]);
    expect(findings).toMatchObject([{ rule: 'container.stopped', certainty: 'confirmed', severity: 'medium' }]);
    const hup = events(event('web', 'kill', 60.5, { signal: '1' }));
    expect((await diagnose([exited('web', 1), hup])).findings[0]?.rule).toBe('container.exited');
  });

  test('without an error is no problem', async () => {
    const { healthy, findings } = await diagnose([exited('migrate', 0)]);
    expect([healthy, findings.map((f) => f.severity)]).toEqual([true, ['info']]);
  });

  test('of last month is no emergency', async () => {
    const { findings } = await diagnose([exited('web', 1, { StartedAt: ago(3e6), FinishedAt: ago(2.9e6) })]);
    expect(findings[0]?.severity).toBe('low');
  });
});

describe('lack of memory', () => {
  const limit = { Memory: 512 * 1024 * 1024 };

  test('is confirmed by the daemon, with the limit', async () => {
    const { findings } = await diagnose([exited('web', 137, { OOMKilled: true }, limit)]);
    expect(findings).toMatchObject([
      {
        rule: 'container.oom-killed',
        certainty: 'confirmed',
        title: 'Container web was killed for using more memory than its limit (512m) (OOMKilled)',
      },
    ]);
    expect(findings[0]?.stopgap[0]?.command).toEqual(['docker', 'update', '--memory=1g', '--memory-swap=1g', 'web']);
  });

  test('of the host is told from that of a limit', async () => {
    const { findings } = await diagnose([exited('web', 137, { OOMKilled: true })]);
    expect(findings[0]?.title).toBe('Container web was killed because the host ran out of memory');
    expect(findings[0]?.detail).toContain('no memory limit of its own');
  });

  test('of one process leaves the container running', async () => {
    const { findings } = await diagnose([inspected('web', {}, limit), events(event('web', 'oom', 30))]);
    expect(findings[0]?.title).toBe('A process of container web was killed for lack of memory; the container runs on');
  });

  test('is not claimed for exit code 137 alone', async () => {
    const { findings } = await diagnose([exited('web', 137, {}, limit)]);
    expect(findings[0]?.title).toBe(
      'Container web ended with exit code 137 because it was killed (SIGKILL) from outside',
    );
    expect(findings[0]?.cause?.text).toContain('OOMKilled is not set');
  });
});

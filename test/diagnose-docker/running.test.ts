import { describe, expect, test } from 'vitest';
import { ago, diagnose, image, inspected, log, stats } from './containers.js';

const unhealthy = (output: string, exitCode = 1) =>
  inspected(
    'web',
    {
      Health: {
        Status: 'unhealthy',
        FailingStreak: 4,
        Log: [
          { ExitCode: 0, Output: 'ok' },
          { ExitCode: exitCode, Output: output },
        ],
      },
    },
    { Healthcheck: { Kind: 'CMD-SHELL', Program: null, ArgCount: 1 } },
  );

describe('a health check that fails', () => {
  test.each([
    [
      'curl: (7) Failed to connect to localhost port 80: Connection refused',
      'nothing listens where the check connects to',
    ],
    [
      'OCI runtime exec failed: exec failed: unable to start container process: exec: "curl": executable file not found in $PATH: unknown',
      'the program that the check runs is not in the image',
    ],
    ['/bin/sh: curl: not found', 'the program that the check runs is not in the image'],
    ['Health check exceeded timeout (5s)', 'the check gets no answer in time'],
    ['curl: (22) The requested URL returned error: 503', 'the program answers the check with an error'],
    ['first line\nqueue is not draining\n', 'queue is not draining'],
  ])('%j', async (output, reason) => {
    const { findings } = await diagnose([unhealthy(output)]);
    expect(findings.map((f) => [f.rule, f.title])).toEqual([
      ['container.unhealthy', `Container web runs but fails its health check: ${reason}`],
    ]);
    expect(findings[0]?.checks[0]).toMatchObject({
      text: 'Read the command of its health check, and run it by hand.',
      command: ['docker', 'container', 'inspect', '--format={{json .Config.Healthcheck.Test}}', 'web'],
    });
  });

  test('has the log as its likely cause', async () => {
    const { findings } = await diagnose([
      unhealthy('', 1),
      log('web', 'ERROR HikariPool-1 - Connection is not available, request timed out', 5),
    ]);
    expect(findings[0]?.cause).toEqual({ text: 'the database connection pool is exhausted', certainty: 'likely' });
  });

  test('is not reported before Docker has made up its mind', async () => {
    const starting = inspected('web', {
      Health: { Status: 'starting', FailingStreak: 1, Log: [{ ExitCode: 1, Output: 'x' }] },
    });
    expect((await diagnose([starting])).findings).toEqual([]);
  });
});

describe('a container that runs', () => {
  const limits = { Memory: 64 * 1024 * 1024, NanoCpus: 5e8 };

  test.each([
    ['paused', 'container.paused', 'high'],
    ['dead', 'container.dead', 'high'],
    ['removing', 'container.removing', 'low'],
  ])('or is %s', async (status, rule, severity) => {
    const { findings } = await diagnose([inspected('web', { Status: status, StartedAt: ago(50) })]);
    expect(findings.map((f) => [f.rule, f.severity])).toContainEqual([rule, severity]);
  });

  test('near its memory limit is reported, one without a limit is not', async () => {
    const usage = stats('web', { CPUPerc: '1.00%', MemPerc: '95.31%', MemUsage: '61MiB / 64MiB' });
    const { findings } = await diagnose([inspected('web', {}, limits), usage]);
    expect(findings.map((f) => f.title)).toEqual(['Container web uses 95.31 % of its memory limit (61MiB / 64MiB)']);
    expect((await diagnose([inspected('web'), usage])).findings).toEqual([]);
  });

  test('at its CPU limit is reported, below it not', async () => {
    const at = (percent: string) =>
      diagnose([inspected('web', {}, limits), stats('web', { CPUPerc: percent, MemPerc: '5%', MemUsage: '' })]);
    expect((await at('49.80%')).findings.map((f) => f.rule)).toEqual(['container.cpu-high']);
    expect((await at('30.00%')).findings).toEqual([]);
  });

  test('with an image for another CPU is reported', async () => {
    const { findings } = await diagnose([inspected('web'), image('arm64')]);
    expect(findings.map((f) => f.title)).toEqual(['Container web: its image is made for arm64, the host is amd64']);
    expect((await diagnose([inspected('web'), image('amd64')])).findings).toEqual([]);
  });
});

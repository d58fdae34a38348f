import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { describe, expect, test } from 'vitest';
import { type ProcessOptions, runProcess } from '../../src/exec/process.js';

function run(argv: readonly string[], overrides: Partial<ProcessOptions> = {}) {
  const seen = { stdout: '', stderr: '' };
  const end = runProcess({
    argv,
    env: { PATH: process.env.PATH ?? '' },
    signal: new AbortController().signal,
    timeoutMs: 10_000,
    onStdout: (chunk) => {
      seen.stdout += Buffer.from(chunk).toString();
      return true;
    },
    onStderr: (chunk) => {
      seen.stderr += Buffer.from(chunk).toString();
    },
    ...overrides,
  });
  return { end, seen };
}

/** Whether a process with this mark in its arguments is alive; zombies do not count. */
const isAlive = (mark: string): boolean =>
  execFileSync('ps', ['-eo', 'stat,args'], { encoding: 'utf8' })
    .split('\n')
    .some((line) => line.includes(mark) && !line.startsWith('Z') && !line.includes('ps -eo'));

/** A duration that no other process has in its arguments. */
const uniqueSeconds = () => `${300 + Math.floor(Math.random() * 90_000) / 100}`;

describe('runProcess', () => {
  test('ends a program that ignores SIGTERM, with its children, at the deadline', async () => {
    const seconds = uniqueSeconds();
    const { end } = run(['sh', '-c', `trap "" TERM; sleep ${seconds} & sleep ${seconds}`], { timeoutMs: 200 });
    expect(await end).toEqual({ type: 'timed-out' });
    expect(isAlive(`sleep ${seconds}`)).toBe(false);
  });

  test('ends the whole group when the run is aborted', async () => {
    const seconds = uniqueSeconds();
    const controller = new AbortController();
    const { end } = run(['sh', '-c', `sleep ${seconds} & sleep ${seconds}`], { signal: controller.signal });
    setTimeout(() => controller.abort(), 100);
    expect(await end).toEqual({ type: 'aborted' });
    expect(isAlive(`sleep ${seconds}`)).toBe(false);
  });

  test('ends what left the group, too, when it has to end a call', async () => {
    const seconds = uniqueSeconds();
    const { end } = run(['sh', '-c', `setsid sleep ${seconds} & sleep ${seconds}`], { timeoutMs: 300 });
    expect(await end).toEqual({ type: 'timed-out' });
    expect(isAlive(`sleep ${seconds}`)).toBe(false);
  });

  test('loses nothing that a program wrote when its end is told first, since others held the event loop', async () => {
    const hold = (ms: number) => {
      for (const until = performance.now() + ms; performance.now() < until; );
    };
    // While the first end waits to be told, another program's output holds the loop; meanwhile the last one writes and ends. Its end is
    // then told with the first, its output is not read yet, and the grace passes before anybody looks.
    const onStdout = () => {
      hold(1_200);
      setImmediate(hold, 500);
      return true;
    };
    const first = run(['sleep', '0.4']);
    const second = run(['sh', '-c', 'sleep 0.4; echo a; sleep 0.1'], { onStdout });
    const last = run(['sh', '-c', 'sleep 1.2; echo b']);
    await pause(200);
    hold(600);
    expect(await Promise.all([first.end, second.end, last.end])).toEqual(
      Array(3).fill({ type: 'exited', exitCode: 0 }),
    );
    expect(last.seen.stdout).toBe('b\n');
  });

  test('leaves alone what a program started that ended by itself', async () => {
    const seconds = uniqueSeconds();
    const { end } = run(['sh', '-c', `setsid sleep ${seconds} & exit 0`]);
    expect(await end).toEqual({ type: 'exited', exitCode: 0 });
    expect(isAlive(`sleep ${seconds}`)).toBe(true);
    execFileSync('pkill', ['-f', `sleep ${seconds}`]);
  });

  test('does not start when the run is aborted already', async () => {
    const file = join(mkdtempSync(join(tmpdir(), 'opsagent-test-')), 'made');
    const { end } = run(['touch', file], { signal: AbortSignal.abort() });
    expect(await end).toEqual({ type: 'aborted' });
    expect(() => readFileSync(file)).toThrow('ENOENT');
  });

  test('is not held up by a grandchild that keeps the pipe open', async () => {
    const seconds = uniqueSeconds();
    const { end, seen } = run(['sh', '-c', `sleep ${seconds} & echo done`]);
    expect(await end).toEqual({ type: 'exited', exitCode: 0 });
    expect(seen.stdout).toBe('done\n');
    expect(isAlive(`sleep ${seconds}`)).toBe(false);
  });

  test('ends a program whose reader wants no more', async () => {
    let bytes = 0;
    const { end } = run(['sh', '-c', 'yes'], {
      onStdout: (chunk) => {
        bytes += chunk.length;
        return bytes < 100_000;
      },
    });
    expect(await end).toEqual({ type: 'output-full' });
  });

  test('says that a program does not exist', async () => {
    expect(await run(['opsagent-no-such-program']).end).toMatchObject({ type: 'not-started', code: 'ENOENT' });
  });

  test('gives exit code and both streams, a closed stdin, and nothing of our environment', async () => {
    process.env.OPSAGENT_TEST_SECRET = 'leak';
    const { end, seen } = run(['sh', '-c', 'cat; echo "[$OPSAGENT_TEST_SECRET]"; echo err >&2; exit 3']);
    expect(await end).toEqual({ type: 'exited', exitCode: 3 });
    expect(seen).toEqual({ stdout: '[]\n', stderr: 'err\n' });
  });

  test('passes stdin and ends it', async () => {
    const { end, seen } = run(['cat'], { stdin: 'kind: Pod\n' });
    expect(await end).toEqual({ type: 'exited', exitCode: 0 });
    expect(seen.stdout).toBe('kind: Pod\n');
  });

  test('names the signal that killed a program', async () => {
    expect(await run(['sh', '-c', 'kill -SEGV $$']).end).toEqual({ type: 'killed', signal: 'SIGSEGV' });
  });
});

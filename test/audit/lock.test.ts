import { spawn, spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, utimesSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { sweepTickets, withLock } from '../../src/audit/lock.js';
import { folder } from './records.js';

/** What a lock that this process holds would say, with some of it changed. */
async function lockText(changes: Record<string, unknown> = {}): Promise<string> {
  const path = join(folder(), 'lock');
  const text = await withLock(path, 0, () => readFileSync(path, 'utf8'));
  return JSON.stringify({ ...JSON.parse(text), ...changes });
}

/** A lock with this content, taken so long ago. */
function lockFile(text: string, ageMs = 0): string {
  const path = join(folder(), 'lock');
  writeFileSync(path, text);
  const at = (Date.now() - ageMs) / 1000;
  utimesSync(path, at, at);
  return path;
}

const taken = (path: string) => withLock(path, 500, () => 'taken');
const deadPid = () => spawnSync('true').pid;

afterEach(() => {
  vi.useRealTimers();
});

describe('the lock of the audit log', () => {
  test('is not taken from a process that lives, however old it is: a bounded wait, then what to do', async () => {
    const path = lockFile(await lockText(), 3_600_000);
    await expect(taken(path)).rejects.toMatchObject({
      message: expect.stringMatching(`process ${process.pid} on .* holds .*, for more than 0.5 s. Nothing runs`),
      hint: expect.stringContaining(`delete ${path}`),
    });
    expect(existsSync(path)).toBe(true);
  });

  test.each([
    ['on another host', { host: 'elsewhere', pid: 1 }],
    ['of another boot', { boot: 'another', pid: 1 }],
    ['in another container, whose pids are not ours', { namespace: 'pid:[1]', pid: deadPid() }],
  ])('of a process %s, which cannot be looked up, is taken only when it is old', async (_, changes) => {
    await expect(taken(lockFile(await lockText(changes), 30_000))).rejects.toThrow('Nothing runs');
    expect(await taken(lockFile(await lockText(changes), 61_000))).toBe('taken');
  });

  test('that cannot be read is taken only when it is old', async () => {
    await expect(taken(lockFile(''))).rejects.toThrow('somebody holds');
    expect(await taken(lockFile('', 61_000))).toBe('taken');
  });

  test('of a process that died is taken', async () => {
    expect(await taken(lockFile(await lockText({ pid: deadPid() })))).toBe('taken');
  });

  test('of a process that died, whose pid another has now, is taken: the start time decides', async () => {
    expect(await taken(lockFile(await lockText({ start: '1' })))).toBe('taken');
  });

  test('of a process that was killed and that its parent has not waited for is taken', async () => {
    const parent = spawn('sh', ['-c', 'sleep 0.5 & echo $!; exec sleep 60']);
    const pid = await new Promise<string>((resolve) => parent.stdout.once('data', (text) => resolve(`${text}`.trim())));
    const stat = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? [];
    await vi.waitUntil(() => stat()[0] === 'Z', 30_000);
    const path = lockFile(await lockText({ pid: Number(pid), start: stat()[19] }));
    expect(await taken(path)).toBe('taken');
    parent.kill('SIGKILL');
  });

  test('of a dead process, which another dead process was about to take away, is taken', async () => {
    const path = lockFile(await lockText({ pid: deadPid(), nonce: 'a'.repeat(16) }));
    writeFileSync(`${path}.${'a'.repeat(16)}.right`, await lockText({ pid: deadPid(), nonce: 'b'.repeat(16) }));
    expect(await taken(path)).toBe('taken');
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  test('of a dead process, which a living one is about to take away, is left to that one', async () => {
    const path = lockFile(await lockText({ pid: deadPid(), nonce: 'a'.repeat(16) }));
    writeFileSync(`${path}.${'a'.repeat(16)}.right`, await lockText());
    await expect(taken(path)).rejects.toThrow('Nothing runs');
  });

  test('a process that was stopped for long writes nothing, and leaves the lock of the one after it alone', async () => {
    const path = join(folder(), 'lock');
    const other = await lockText();
    const work = (check: () => void) => {
      vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 120_000 });
      writeFileSync(path, other);
      check();
    };
    await expect(withLock(path, 0, work)).rejects.toThrow('has lost it');
    expect(readFileSync(path, 'utf8')).toBe(other);
  });

  test('leaves nothing behind, also when the work fails', async () => {
    const path = join(folder(), 'lock');
    await expect(
      withLock(path, 0, () => {
        throw new Error('disk full');
      }),
    ).rejects.toThrow('disk full');
    expect(readdirSync(join(path, '..'))).toEqual([]);
  });

  test('what killed processes left while they waited is swept away; what others wait with is not', async () => {
    const path = join(folder(), 'lock');
    writeFileSync(`${path}.${'a'.repeat(16)}`, await lockText({ pid: deadPid() }));
    writeFileSync(`${path}.${'b'.repeat(16)}`, await lockText());
    sweepTickets(path);
    expect(readdirSync(join(path, '..'))).toEqual([`lock.${'b'.repeat(16)}`]);
  });
});

import { execFile, spawn } from 'node:child_process';
import { once } from 'node:events';
import {
  existsSync,
  lstatSync,
  mkdtempSync,
  readdirSync,
  readFileSync,
  readlinkSync,
  statSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { beforeAll, describe, expect, test } from 'vitest';
import { openLockedState } from '../../src/lib/locked-state.js';
import { bundleProgram } from '../helpers/bundle.js';

const run = promisify(execFile);
const newPath = () => join(mkdtempSync(join(tmpdir(), 'opsagent-state-')), 'state', 'limits.json');

/** `program PATH TIMES [hold]`: adds 1 to `count` TIMES times; `hold`: keeps the lock until it is killed. */
const PROGRAM = `
import { openLockedState } from '#src/lib/locked-state.ts';
const [path, times, hold] = process.argv.slice(2);
const state = openLockedState(path);
for (let n = 0; n < Number(times); n += 1) {
  await state.update((old) => {
    if (hold) {
      process.stdout.write('held');
      Atomics.wait(new Int32Array(new SharedArrayBuffer(4)), 0, 0);
    }
    return { state: { count: (old.count ?? 0) + 1 }, result: undefined };
  });
}
`;
let program: string;
beforeAll(async () => {
  program = await bundleProgram(PROGRAM);
});

const add = (state: { count?: unknown }) => ({ state: { count: Number(state.count ?? 0) + 1 }, result: 'added' });

/** A process that holds the lock until `die`. */
async function holding(path: string): Promise<{ die(): Promise<unknown> }> {
  const child = spawn(process.execPath, [program, path, '1', 'hold'], { stdio: ['ignore', 'pipe', 'inherit'] });
  await once(child.stdout, 'data');
  return {
    die: () => {
      child.kill('SIGKILL');
      return once(child, 'exit');
    },
  };
}

const dieHolding = async (path: string) => (await holding(path)).die();

describe('a state that cannot be trusted stops everything', () => {
  test.each([
    ['cut off', '{"count": 1'],
    ['empty', ''],
    ['no object', '[1]'],
  ])('a file that is %s is an error that says how to begin anew, and stays as it is', async (_what, text) => {
    const path = newPath();
    const state = openLockedState(path);
    await state.update(add);
    writeFileSync(path, text);
    await expect(state.update(add)).rejects.toMatchObject({
      exit: 'failed',
      message: `The state ${path} is damaged: it holds no JSON object. Nothing runs without it.`,
      hint: `Begin anew with: rm ${path}`,
    });
    expect(readFileSync(path, 'utf8')).toBe(text);
  });

  test('a folder that cannot be made is an error that says what to do', async () => {
    await expect(openLockedState('/proc/nowhere/limits.json').update(add)).rejects.toMatchObject({
      exit: 'failed',
      message: expect.stringMatching(/^The state \/proc\/nowhere\/limits.json cannot be read and written: ENOENT/),
      hint: expect.stringContaining('OPSAGENT_STATE_DIR'),
    });
  });

  test('a symbolic link in place of the file is not followed', async () => {
    const path = newPath();
    await openLockedState(path).update((state) => ({ state, result: undefined }));
    const other = join(path, '../../other.json');
    writeFileSync(other, '{"count":7}');
    symlinkSync(other, path);
    await expect(openLockedState(path).update(add)).rejects.toMatchObject({ exit: 'failed' });
    expect(readFileSync(other, 'utf8')).toBe('{"count":7}');
  });

  test('a lock of another machine or container is waited for, and never taken away', async () => {
    const path = newPath();
    await openLockedState(path).update(add);
    symlinkSync('1.1@elsewhere', `${path}.lock`);
    await expect(openLockedState(path, 20).update(add)).rejects.toMatchObject({
      exit: 'failed',
      message: `The state ${path} stays locked by another process (1.1@elsewhere).`,
      hint: expect.stringContaining(`rm ${path}.lock`),
    });
    expect(lstatSync(`${path}.lock`).isSymbolicLink()).toBe(true);
  });

  test('a change that throws leaves the state as it was, and the lock free', async () => {
    const path = newPath();
    const state = openLockedState(path);
    await state.update(add);
    const thrown = new Error('no');
    await expect(
      state.update(() => {
        throw thrown;
      }),
    ).rejects.toBe(thrown);
    expect(readdirSync(join(path, '..'))).toEqual(['limits.json']);
    expect(readFileSync(path, 'utf8')).toBe('{"count":1}');
  });
});

test('the file is for its owner alone, and so is its folder', async () => {
  const path = newPath();
  expect(await openLockedState(path).update(add)).toBe('added');
  expect([statSync(path).mode & 0o777, statSync(join(path, '..')).mode & 0o777]).toEqual([0o600, 0o700]);
});

test('an update that changes nothing writes nothing', async () => {
  const path = newPath();
  await openLockedState(path).update((state) => ({ state, result: undefined }));
  expect(existsSync(path)).toBe(false);
});

describe('several processes', () => {
  test('eight processes, and a hundred updates at once in this one, lose no update', async () => {
    const path = newPath();
    const state = openLockedState(path);
    await Promise.all([
      ...Array.from({ length: 8 }, () => run(process.execPath, [program, path, '100'])),
      ...Array.from({ length: 100 }, () => state.update(add)),
    ]);
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ count: 900 });
  });

  test('the lock of a process that was killed is taken over, by many at once, and no update is lost', async () => {
    const path = newPath();
    await dieHolding(path);
    expect(lstatSync(`${path}.lock`).isSymbolicLink()).toBe(true);
    await Promise.all(Array.from({ length: 8 }, () => run(process.execPath, [program, path, '25'])));
    expect(JSON.parse(readFileSync(path, 'utf8'))).toEqual({ count: 200 });
    expect(readdirSync(join(path, '..'))).toEqual(['limits.json']);
  });

  test('while one takes over a dead lock, nobody else removes it', async () => {
    const [path, other] = [newPath(), newPath()];
    await dieHolding(path);
    const living = await holding(other);
    const dead = readlinkSync(`${path}.lock`);
    symlinkSync(readlinkSync(`${other}.lock`), `${path}.lock~${dead}`);
    await expect(openLockedState(path, 20).update(add)).rejects.toMatchObject({ exit: 'failed' });
    expect(readlinkSync(`${path}.lock`)).toBe(dead);
    await living.die();
    await openLockedState(path).update(add);
    expect(readFileSync(path, 'utf8')).toBe('{"count":1}');
  });

  test('so is the lock of one that was killed while it took over another', async () => {
    const path = newPath();
    await dieHolding(path);
    const dead = readlinkSync(`${path}.lock`);
    symlinkSync(dead, `${path}.lock~${dead}`);
    await openLockedState(path).update(add);
    expect(readdirSync(join(path, '..'))).toEqual(['limits.json']);
  });
});

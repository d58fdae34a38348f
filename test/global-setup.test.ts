import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { leftIn, processIds } from './global-setup.js';

/** The other tests run the built program meanwhile. */
const ROOT = '/project';
const newFolder = () => mkdtempSync(join(tmpdir(), 'left-'));

test('a process that knows the folder by its arguments, environment or place, or is of the program, is left behind; another one, and one from before, is not', async () => {
  const folder = newFolder();
  const known = new Set(processIds());
  const children = [
    spawn('sleep', ['61'], { env: { TMPDIR: folder } }),
    spawn('sleep', ['62'], { cwd: folder, env: {} }),
    spawn('tail', ['-f', '/dev/null', `--pid=${process.pid}`, join(folder, 'absent')], { env: {} }),
    spawn('sleep', ['64'], { env: {} }),
    spawn('sleep', ['65'], { argv0: `${ROOT}/dist/x`, env: {} }),
  ];
  await Promise.all(children.map((child) => once(child, 'spawn')));
  const named = (left: readonly string[]) => left.map((one) => one.replace(/^process \d+: /, '').trim()).sort();
  try {
    const tail = `tail -f /dev/null --pid=${process.pid} ${join(folder, 'absent')}`;
    expect(named(leftIn(folder, known, ROOT))).toEqual([`${ROOT}/dist/x 65`, 'sleep 61', 'sleep 62', tail]);
    expect(leftIn(folder, new Set(processIds()), ROOT)).toEqual([]);
  } finally {
    for (const child of children) child.kill('SIGKILL');
    await Promise.all(children.map((child) => once(child, 'close')));
  }
  expect(leftIn(folder, known, ROOT)).toEqual([]);
});

test('a folder that the program made and did not remove is left behind; one of a test is not', () => {
  const folder = newFolder();
  for (const name of ['opsagent-script-a1B2c3', 'opsagent-rego-a1B2c3', 'opsagent-rego-test-a1B2c3', 'opsagent-home-x'])
    mkdirSync(join(folder, name));
  const left = ['opsagent-rego-a1B2c3', 'opsagent-script-a1B2c3'].map((name) => `folder ${join(folder, name)}`);
  expect(leftIn(folder, new Set(processIds()), ROOT).sort()).toEqual(left);
});

const mounted = newFolder();
mkdirSync(join(mounted, 'disk'));
const cannot = spawnSync('mount', ['-t', 'tmpfs', 'tmpfs', join(mounted, 'disk')]).status !== 0;

test.skipIf(cannot)('a file system that is mounted in the folder is left behind', () => {
  const left = leftIn(mounted, new Set(processIds()), ROOT);
  spawnSync('umount', [join(mounted, 'disk')]);
  expect(left).toEqual([`mount ${join(mounted, 'disk')}`]);
  expect(leftIn(mounted, new Set(processIds()), ROOT)).toEqual([]);
});

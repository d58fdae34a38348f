import { writeFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newHome } from '../helpers/cli.js';
import { aSandbox, storedBytes } from './guests.js';

const { exec, sandbox } = aSandbox();
const log = storedBytes('c1', Buffer.from('one\ntwo\nthree\n'));

describe('python in the sandbox refuses', () => {
  test('an id that no call has', async () => {
    const { outcome } = await exec('pass', { args: { files: ['c9'] }, results: [log] });
    expect(outcome).toEqual({
      status: 'failed',
      error: {
        category: 'validation',
        message: 'there is no result "c9" in this session',
        hint: 'files takes the ids of earlier calls of this session, such as c3.',
      },
    });
  });

  test('more input than it takes, before anything of it is read', async () => {
    const huge = storedBytes('c1', Buffer.alloc(0), {
      storedBytes: 128 * 1024 * 1024 + 1,
      readBytes: () => {
        throw new Error('it was read');
      },
    });
    const { outcome } = await exec('pass', { args: { files: ['c1'] }, results: [huge] });
    expect(outcome.error).toEqual({
      category: 'validation',
      message:
        'input limit: 1 files of 134217729 bytes together are more than the sandbox takes (64 files, 134217728 bytes)',
      hint: 'Hand in fewer results, or ask the tool for less: a shorter time, a narrower selector.',
    });
  });

  test('code of 5 MB', async () => {
    await expect(exec('#'.repeat(5_000_000))).rejects.toThrow(
      'The code is 5000000 bytes long; the limit is 1048576. Hand data in as files, not as code.',
    );
  });

  test('an interpreter that is missing, foreign, corrupt or not the one of this version', async () => {
    const home = newHome();
    const file = (name: string, bytes: Uint8Array) => {
      writeFileSync(join(home, name), bytes);
      return join(home, name);
    };
    const header = Buffer.from('0061736d01000000', 'hex');
    const withImport = Buffer.concat([
      header,
      Buffer.from('01040160000002', 'hex'),
      Buffer.from([12, 1, 3, ...Buffer.from('env'), 4, ...Buffer.from('open'), 0, 0]),
    ]);
    const said = async (path: string) => {
      process.env.PYTHON_WASI_WASM_PATH = path;
      const message = await exec('pass').then(
        () => 'it ran',
        (error: Error) => error.message.replace(path, 'PATH'),
      );
      delete process.env.PYTHON_WASI_WASM_PATH;
      return message;
    };
    expect([
      await said(join(home, 'none.wasm')),
      await said(file('text.wasm', Buffer.from('not a module at all'))),
      await said(relative(process.cwd(), file('text.wasm', Buffer.from('seen from the working folder')))),
      await said(file('empty.wasm', header)),
      await said(file('foreign.wasm', withImport)),
      await said(file('cut.wasm', Buffer.concat([header, Buffer.from([5, 200, 1])]))),
      await said(file('broken.gz', Buffer.from([0x1f, 0x8b, 8, 0, 1, 2, 3]))),
    ]).toEqual([
      expect.stringMatching(/^PATH cannot be read: ENOENT/),
      'PATH cannot be used: it is not a core WebAssembly module.',
      expect.stringMatching(/text\.wasm cannot be used: it is not a core WebAssembly module\.$/),
      'PATH cannot be used: it does not export _start.',
      'PATH cannot be used: it imports open from env, and may import functions of wasi_snapshot_preview1 only.',
      'PATH cannot be used: the module ends too early.',
      expect.stringMatching(/^PATH cannot be unpacked: /),
    ]);
    expect((await exec('print(1)')).stdout).toBe('1\n');
  });

  test('a file of the package that was changed', async () => {
    const path = join(newHome(), 'python.wasm.gz');
    writeFileSync(path, 'other bytes');
    const job = { args: [], files: [], timeoutMs: 1_000, onOutput: () => undefined };
    const changed = { module: { path, sha256: '0'.repeat(64) }, memoryMb: 64 };
    await expect(sandbox.run(changed, job, new AbortController().signal)).rejects.toThrow(
      'is not the file that belongs to this version: its SHA-256 differs.',
    );
  });

  test('a limit of the environment that is no number', async () => {
    process.env.WASI_TIMEOUT_SECONDS = 'sixty';
    await expect(exec('pass')).rejects.toThrow('WASI_TIMEOUT_SECONDS is "sixty".');
    delete process.env.WASI_TIMEOUT_SECONDS;
  });
});

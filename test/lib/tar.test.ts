import { spawnSync } from 'node:child_process';
import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { fileOfTar } from '../../src/lib/tar.js';

describe('fileOfTar', () => {
  const folder = mkdtempSync(join(tmpdir(), 'opsagent-tar-'));
  writeFileSync(join(folder, 'first.txt'), 'x'.repeat(513));
  writeFileSync(join(folder, 'policy.wasm'), Buffer.from([0, 1, 2, 255]));
  const archive = spawnSync('tar', ['-cf', '-', 'first.txt', './policy.wasm'], { cwd: folder }).stdout;

  test('a file that is not there is undefined, and so is one in what is no archive', () => {
    expect(fileOfTar(archive, 'policy')).toBeUndefined();
    expect(fileOfTar(Buffer.alloc(4096, 'x'), 'policy.wasm')).toBeUndefined();
    expect(fileOfTar(new Uint8Array(), 'policy.wasm')).toBeUndefined();
  });

  test('files come out whole, behind others', () => {
    expect(Buffer.from(fileOfTar(archive, 'policy.wasm') ?? [])).toEqual(Buffer.from([0, 1, 2, 255]));
    expect(Buffer.from(fileOfTar(archive, 'first.txt') ?? []).toString()).toBe('x'.repeat(513));
  });
});

import { execFileSync } from 'node:child_process';
import { mkdtempSync, symlinkSync, truncateSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { openRegularFile, readRegularFile } from '../../src/lib/regular-file.js';

const folder = mkdtempSync(join(tmpdir(), 'opsagent-regular-'));
const path = (name: string) => join(folder, name);

describe('a regular file', () => {
  test.each(['fifo', 'link'])('is no FIFO that nobody writes to, and no link to one: %s', async (name) => {
    if (name === 'fifo') execFileSync('mkfifo', [path('fifo')]);
    else symlinkSync(path('fifo'), path('link'));
    await expect(readRegularFile(path(name), 100)).rejects.toThrow(`${path(name)} is not a regular file.`);
  });

  test.each(['/dev/zero', tmpdir()])('is no device and no folder: %s', async (name) => {
    await expect(readRegularFile(name, 100)).rejects.toThrow(`${name} is not a regular file.`);
  });

  test('has an end: a longer one is not read, one of just that length is', async () => {
    writeFileSync(path('long'), '');
    truncateSync(path('long'), 3 * 1024 * 1024);
    await expect(readRegularFile(path('long'), 2 * 1024 * 1024)).rejects.toThrow('long is larger than 2 MiB.');
    writeFileSync(path('short'), 'abc');
    expect((await readRegularFile(path('short'), 3)).toString()).toBe('abc');
    writeFileSync(path('empty'), '');
    expect((await readRegularFile(path('empty'), 3)).toString()).toBe('');
  });

  test('that is not there is named by the system', async () => {
    await expect(openRegularFile(path('none'), 3)).rejects.toThrow(/ENOENT.*none/);
  });
});

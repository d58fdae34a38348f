import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** A new temporary folder. */
export const folder = () => mkdtempSync(join(tmpdir(), 'opsagent-policy-'));

/** A new folder with one policy file. */
export const write = (text: string, name = 'team.yaml') => {
  const dir = folder();
  writeFileSync(join(dir, name), text);
  return dir;
};

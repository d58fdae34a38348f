import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { onTestFinished } from 'vitest';
import { answerKubectl, type KubectlAnswer } from '../../src/dump/answer.js';
import { openDump } from '../../src/dump/open.js';

/** The dump that ships with opsagent. */
export const EXAMPLE = join(import.meta.dirname, '../../examples/order-service');

/** A new folder that is gone after the test. */
export function aFolder(): string {
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-dump-'));
  onTestFinished(() => rmSync(dir, { recursive: true, force: true }));
  return dir;
}

/** A folder with these files; what is not text is written as JSON, a list as the items of a list. */
export function aDump(files: Readonly<Record<string, unknown>>): string {
  const dir = aFolder();
  for (const [name, content] of Object.entries(files)) {
    const path = join(dir, name);
    mkdirSync(dirname(path), { recursive: true });
    const data = Array.isArray(content) ? { items: content } : content;
    writeFileSync(path, typeof content === 'string' ? content : JSON.stringify(data));
  }
  return dir;
}

/** What kubectl's words bring from the dump in a folder. */
export async function ask(dir: string, ...argv: string[]): Promise<KubectlAnswer> {
  return answerKubectl(await openDump(dir), ['kubectl', ...argv], new AbortController().signal);
}

/** The same for the example, with the words in one text. */
export const askExample = (words: string): Promise<KubectlAnswer> => ask(EXAMPLE, ...words.split(' '));

/** A pod of one container `app`. */
export const aPod = (name: string, rest: object = {}, namespace = 'shop'): object => ({
  metadata: { name, namespace },
  spec: { containers: [{ name: 'app', image: 'app:1' }] },
  status: {
    phase: 'Running',
    containerStatuses: [{ name: 'app', ready: true, restartCount: 0, state: { running: {} } }],
  },
  ...rest,
});

import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { runCli } from '../helpers/cli.js';

export const sandboxRun = (code: string, more: readonly string[] = [], options: Parameters<typeof runCli>[1] = {}) =>
  runCli(['sandbox', 'run', '-', ...more], { stdin: code, ...options });

/** Processes of the sandbox that belong to a program with this id. */
export const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
        return args[1]?.endsWith('/dist/sandbox-child.js') && args[2] === String(parent);
      } catch {
        return false;
      }
    })
    .map(Number);

/** Ended, whether or not somebody has taken notice of it yet: a process that has ended has no command line. */
export const isGone = (pid: number): boolean =>
  !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '';

export async function until<T>(look: () => T | undefined | false, deadlineMs = 30_000): Promise<T> {
  for (const end = Date.now() + deadlineMs; Date.now() < end; await pause(25)) {
    const found = look();
    if (found) return found;
  }
  throw new Error('it did not come');
}

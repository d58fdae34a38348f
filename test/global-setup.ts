import { chmodSync, mkdtempSync, readdirSync, readFileSync, readlinkSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ROOT } from './helpers/cli.js';

/** Folders that the program itself makes in the temporary folder, and has to remove. */
const OWN_FOLDER = /^opsagent-(?:script|rego)-[^-]+$/;
/** The workers of vitest may still be ending. */
const RUNNER = /node_modules\/vitest\//;
const PATIENCE = 50;

/**
 * Gives the tests, and whatever they start, one temporary folder, and removes it at the end. What is left then makes the run fail
 * and is listed: processes, mounts, folders of the program. Nothing is killed. The folder's name is short, for a Unix socket has 107
 * bytes, and its mode that of /tmp, for some tests run as another account.
 */
export default function setUp(): () => Promise<void> {
  const system = tmpdir();
  const before = new Set(readdirSync(system));
  const known = new Set(processIds());
  const folder = mkdtempSync(join(system, 'ops-'));
  chmodSync(folder, 0o1777);
  process.env.TMPDIR = folder;
  return async () => {
    process.env.TMPDIR = system;
    for (let waits = 0; waits < PATIENCE && processesOf(folder, known, ROOT).length > 0; waits++) await sleep(100);
    // What the program made there, started without TMPDIR; elsewhere than in CI it may be somebody's at work.
    const beside = process.env.CI ? readdirSync(system).filter((name) => OWN_FOLDER.test(name)) : [];
    const added = beside.filter((name) => !before.has(name)).map((name) => `folder ${join(system, name)}`);
    const left = leftIn(folder, known, ROOT);
    // What is mounted there may be more than the tests' own.
    const all = [...left, ...added, ...(left.some((one) => one.startsWith('mount')) ? [] : remove(folder))];
    if (all.length === 0) return;
    process.exitCode = 1;
    console.error(`\nThe tests left something behind:\n${all.map((one) => `  ${one}`).join('\n')}`);
  };
}

/** What must not be there when all tests have ended; `known` are the processes from before, `root` the folder of the project. */
export const leftIn = (folder: string, known: ReadonlySet<string>, root: string): string[] => [
  ...processesOf(folder, known, root),
  ...mountsIn(folder).map((path) => `mount ${path}`),
  ...readdirSync(folder)
    .filter((name) => OWN_FOLDER.test(name))
    .map((name) => `folder ${join(folder, name)}`),
];

/** The processes of now. */
export const processIds = (): string[] => readdirSync('/proc').filter((name) => /^\d+$/.test(name));

/** Every process since then that has the folder in its arguments, environment or place, or is a guest of the built program. */
const processesOf = (folder: string, known: ReadonlySet<string>, root: string): string[] =>
  processIds()
    .filter((pid) => !known.has(pid))
    .map((pid) => ({ pid, line: read(() => readFileSync(`/proc/${pid}/cmdline`, 'utf8')).replaceAll('\0', ' ') }))
    .filter(({ line }) => line !== '' && !RUNNER.test(line))
    .filter(({ pid, line }) => {
      const environment = read(() => readFileSync(`/proc/${pid}/environ`, 'utf8'));
      // The guest of a sandbox has no environment; a part of the program that has one may be of another run.
      const isOurs = environment === '' && line.includes(join(root, 'dist/'));
      const place = read(() => readlinkSync(`/proc/${pid}/cwd`));
      return isOurs || line.includes(folder) || environment.includes(folder) || place.startsWith(folder);
    })
    .map(({ pid, line }) => `process ${pid}: ${line.slice(0, 200)}`);

/** A process may end between the list and the look, or belong to somebody else. */
function read(look: () => string): string {
  try {
    return look();
  } catch {
    return '';
  }
}

const mountsIn = (folder: string): string[] =>
  read(() => readFileSync('/proc/mounts', 'utf8'))
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${folder}/`));

function remove(folder: string): string[] {
  try {
    rmSync(folder, { recursive: true, force: true });
    return [];
  } catch (error) {
    return [`folder ${folder}: ${String(error)}`];
  }
}

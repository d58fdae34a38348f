import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type IPty, spawn } from '@lydell/node-pty';
import { build } from 'esbuild';

/** Bundles a program for Node into a folder of its own. */
export async function bundle(entry: string): Promise<{ readonly file: string; readonly remove: () => Promise<void> }> {
  const folder = await mkdtemp(join(tmpdir(), 'opsagent-ui-'));
  const file = join(folder, 'app.mjs');
  await build({
    entryPoints: [entry],
    outfile: file,
    bundle: true,
    platform: 'node',
    format: 'esm',
    jsx: 'automatic',
    logLevel: 'warning',
    banner: { js: "import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);" },
    plugins: [
      {
        // Ink imports it only when DEV is set; nobody installs it.
        name: 'without-devtools',
        setup: (context) => {
          context.onResolve({ filter: /^react-devtools-core$/ }, ({ path }) => ({ path, namespace: 'none' }));
          context.onLoad({ filter: /.*/, namespace: 'none' }, () => ({ contents: 'export default {}' }));
        },
      },
    ],
  });
  return { file, remove: () => rm(folder, { recursive: true, force: true }) };
}

export interface TerminalOptions {
  readonly columns: number;
  readonly rows: number;
  readonly env?: Readonly<Record<string, string>>;
}

/** A program in a pseudo-terminal. */
export interface Terminal {
  /** Everything it wrote so far, escapes included. */
  readonly output: () => string;
  readonly write: (keys: string) => void;
  readonly resize: IPty['resize'];
  /** Resolves when the screen, without escapes and as one line, holds the text; rejects when the program ends before. */
  readonly waitFor: (text: string) => Promise<void>;
  /** Resolves with the exit code when the program ends. */
  readonly ended: Promise<number>;
}

/** Starts a bundled program in a pseudo-terminal. CI is set to false: in CI Ink draws nothing but the last frame. */
export function openTerminal(file: string, args: readonly string[], { columns, rows, env }: TerminalOptions): Terminal {
  const { NO_COLOR: _, FORCE_COLOR: __, ...inherited } = process.env;
  const pty = spawn(process.execPath, [file, ...args], {
    cols: columns,
    rows,
    env: { ...inherited, CI: 'false', TERM: 'xterm-256color', ...env },
  });
  let output = '';
  let over = false;
  const watchers = new Set<() => void>();
  const wake = () => {
    for (const watcher of watchers) watcher();
  };
  pty.onData((data) => {
    output += data;
    wake();
  });
  const ended = new Promise<number>((resolve) => {
    pty.onExit(({ exitCode }) => {
      over = true;
      resolve(exitCode);
      wake();
    });
  });
  const waitFor = (text: string) =>
    new Promise<void>((resolve, reject) => {
      const look = () => {
        if (!over && !lastFrame(output).replaceAll(/\s+/g, ' ').includes(text)) return;
        watchers.delete(look);
        if (lastFrame(output).replaceAll(/\s+/g, ' ').includes(text)) resolve();
        else reject(new Error(`the program ended before it showed "${text}":\n${output}`));
      };
      watchers.add(look);
      look();
    });
  return { output: () => output, write: (keys) => pty.write(keys), resize: pty.resize.bind(pty), waitFor, ended };
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is looked for
const ESCAPES = /\u001b\[[0-9;?]*[A-Za-z]/g;
// biome-ignore lint/suspicious/noControlCharactersInRegex: escapes are what is looked for
const ERASE = /(?:\u001b\[2K\u001b\[1A)+\u001b\[2K\u001b\[G/;

/** What was drawn since the last time the live part was erased, without escapes. */
export const lastFrame = (output: string): string =>
  (output.split(ERASE).at(-1) ?? '').replaceAll(ESCAPES, '').replaceAll('\r\n', '\n');

import { spawn } from '@lydell/node-pty';
import { lastFrame } from '../ui/terminal.js';
import { BIN, cleanEnv, newHome } from './cli.js';

export interface CliTerminalOptions {
  readonly columns: number;
  readonly rows: number;
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
}

/** How a run in a terminal ended. */
export interface CliTerminalEnd {
  readonly code: number;
  /** Everything that was written to the terminal, escapes included. */
  readonly output: string;
  /** The flags of the terminal after the program was gone, as `stty -a` prints them: `echo`, `-icanon` … */
  readonly flags: ReadonlySet<string>;
}

export interface CliTerminal {
  readonly home: string;
  readonly write: (keys: string) => void;
  /** The live part of the screen, without escapes and as one line. */
  readonly screen: () => string;
  /** Resolves when the screen holds the text or passes the test; rejects when the program ends before. */
  readonly waitFor: (wanted: string | ((screen: string) => boolean)) => Promise<void>;
  readonly ended: Promise<CliTerminalEnd>;
  /** Ends the program when it still runs, as a terminal that is closed does. */
  readonly end: () => void;
}

// A shell in between, as a person has one: it sees what state the program leaves the terminal in. It ends only when its
// last words were read: what a process writes right before it ends may never leave a pseudo-terminal.
const SCRIPT = '"$@"; code=$?; printf "\\n[exit %s]\\n" "$code"; stty -a; printf "[end]"; read -r _';

/** Runs the built program in a pseudo-terminal. CI is set to false: in CI Ink draws nothing but the last frame. */
export function openCli(args: readonly string[], { columns, rows, ...options }: CliTerminalOptions): CliTerminal {
  const home = options.home ?? newHome();
  const env = cleanEnv(home, { CI: 'false', TERM: 'xterm-256color', ...options.env });
  const argv = ['-c', SCRIPT, 'sh', process.execPath, BIN, ...args];
  const pty = spawn('/bin/sh', argv, { cols: columns, rows, env, cwd: home });
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
  const ended = new Promise<CliTerminalEnd>((resolve) => {
    const finish = () => {
      over = true;
      resolve(endOf(output));
      wake();
    };
    const onEnd = () => {
      if (!output.endsWith('[end]')) return;
      watchers.delete(onEnd);
      pty.write('\n');
    };
    watchers.add(onEnd);
    pty.onExit(finish);
  });
  const screen = () => screenText(output);
  const waitFor: CliTerminal['waitFor'] = (wanted) =>
    new Promise((resolve, reject) => {
      const look = () => {
        const isThere = typeof wanted === 'string' ? screen().includes(wanted) : wanted(screen());
        if (!isThere && !over && !output.includes('[exit ')) return;
        watchers.delete(look);
        if (isThere) resolve();
        else reject(new Error(`the program ended before it showed ${wanted}:\n${output}`));
      };
      watchers.add(look);
      look();
    });
  const end = () => {
    if (!over) pty.kill('SIGHUP');
  };
  return { home, write: (keys) => pty.write(keys), screen, waitFor, ended, end };
}

/** The bar at the left of a card and the folds of its lines are no text. */
const screenText = (output: string): string => lastFrame(output).replaceAll('┃', ' ').replaceAll(/\s+/g, ' ');

function endOf(output: string): CliTerminalEnd {
  const [, code = 'NaN', flags = ''] = /\[exit (\d+)\]([\s\S]*)$/.exec(output) ?? [];
  return { code: Number(code), output, flags: new Set(flags.split(/[\s;]+/)) };
}

/** The last state of the cursor (h shown, l hidden) and of bracketed paste (h on, l off) that the output asked for. */
export function terminalModes(output: string): { readonly cursor: string; readonly paste: string } {
  const last = (mode: string) => output.charAt(output.lastIndexOf(`\u001b[?${mode}`) + mode.length + 3);
  return { cursor: last('25'), paste: last('2004') };
}

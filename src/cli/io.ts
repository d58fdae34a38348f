import type { ReadStream, WriteStream } from 'node:tty';
import { EXIT, type ExitName, OpsError } from '../domain/errors.js';
import { wantsColour } from '../lib/colour.js';
import { kubeconfigPaths } from '../lib/kubeconfig.js';
import { findPaths, homeFolder, type Paths } from '../lib/paths.js';
import { visible } from '../lib/visible.js';

/** The world of a command: streams, environment, folders, and whether a person is there. The only place that looks at isTTY. */
export interface Io {
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly cwd: string;
  readonly paths: Paths;
  /** The kubeconfig files, as kubectl would find them. */
  readonly kubeconfig: readonly string[];
  readonly stdin: NodeJS.ReadStream;
  readonly stderr: NodeJS.WriteStream;
  /** Results go to stdout and nothing else does. */
  readonly out: (text: string) => void;
  /** Talk goes to stderr. */
  readonly say: (text: string) => void;
  /** A person can be asked: stdin and stderr are a terminal. */
  readonly canAsk: boolean;
  readonly outIsTerminal: boolean;
  readonly outColour: boolean;
  readonly errColour: boolean;
  /** Columns of the terminal; 80 without one. */
  readonly width: number;
  /** Aborted by Ctrl-C, SIGTERM and SIGHUP. */
  readonly signal: AbortSignal;
  readonly interrupt: () => void;
  exit: ExitName;
}

export interface IoOptions {
  readonly noColour: boolean;
  readonly controller: AbortController;
}

/** The real world. */
export function createIo({ noColour, controller }: IoOptions): Io {
  const { env, stdin, stdout, stderr } = process;
  const isTty = (stream: Partial<ReadStream | WriteStream>) => stream.isTTY === true;
  const colour = (stream: NodeJS.WriteStream) => wantsColour({ noColorFlag: noColour, env, isTty: isTty(stream) });
  return {
    env,
    cwd: workingFolder(),
    paths: findPaths(env),
    kubeconfig: kubeconfigPaths(env, homeFolder(env)),
    stdin,
    stderr,
    out: (text) => void stdout.write(text),
    say: (text) => void stderr.write(text),
    // A dumb terminal cannot show a card; nobody can be asked there.
    canAsk: isTty(stdin) && isTty(stderr) && env.TERM !== 'dumb',
    outIsTerminal: isTty(stdout),
    outColour: colour(stdout),
    errColour: colour(stderr),
    // A terminal that says 0 columns has not been told its size.
    width: stdout.columns || stderr.columns || 80,
    signal: controller.signal,
    interrupt: () => controller.abort(),
    exit: 'ok',
  };
}

/** The working folder; the root when it was deleted meanwhile, so that nothing of it is used. */
function workingFolder(): string {
  try {
    return process.cwd();
  } catch {
    return '/';
  }
}

/** How an error reads on a terminal: what happened, then what to do. */
export function describeError(error: unknown): { text: string; code: number } {
  if (error instanceof OpsError) {
    const text = `opsagent: ${error.message}\n${error.hint ? `${error.hint}\n` : ''}`;
    return { text: visible(text), code: EXIT[error.exit] };
  }
  const trace = error instanceof Error ? (error.stack ?? error.message) : String(error);
  return { text: `opsagent: this is a bug, please report it.\n${trace}\n`, code: EXIT.bug };
}

import { createRequire } from 'node:module';
import { EXIT } from '../domain/errors.js';
import { findPaths } from '../lib/paths.js';
import { createIo, describeError } from './io.js';
import { runProgram } from './program.js';

const SIGNALS = ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const;
/** How long an interrupted command may take to write down what it stopped. */
const LAST_CHANCE_MS = 5_000;

/** Runs the program with its signals, errors and exit code; the only place that prints an error. */
export async function runMain(argv: readonly string[]): Promise<void> {
  keepCompiledCode();
  const controller = new AbortController();
  const io = createIo({ noColour: argv.includes('--no-color'), controller });
  watchSignals(controller);
  // The reader of a pipe has gone: nobody reads what follows, which is no failure of ours.
  let readerGone = false;
  for (const stream of [process.stdout, process.stderr]) {
    stream.on('error', (error: NodeJS.ErrnoException) => {
      if (error.code !== 'EPIPE') throw error;
      readerGone = true;
      controller.abort();
    });
  }
  try {
    const code = await runProgram(io, argv);
    process.exitCode = controller.signal.aborted && code === EXIT.ok ? EXIT.interrupted : code;
  } catch (error) {
    const { text, code } = describeError(error);
    if (!readerGone) io.say(text);
    process.exitCode = controller.signal.aborted ? EXIT.interrupted : code;
  }
}

/** From Node.js 22.1 on. In our own folder: one in /tmp could be written by others. */
function keepCompiledCode(): void {
  const { enableCompileCache } = createRequire(import.meta.url)('node:module') as {
    enableCompileCache?: (folder: string) => void;
  };
  enableCompileCache?.(`${findPaths(process.env).cache}/compile`);
}

/** The first signal ends the run in order: process groups are killed, records written. The second ends it at once. */
function watchSignals(controller: AbortController): void {
  for (const signal of SIGNALS) {
    process.removeAllListeners(signal);
    process.on(signal, () => {
      if (controller.signal.aborted) process.exit(EXIT.interrupted);
      controller.abort();
      setTimeout(() => process.exit(EXIT.interrupted), LAST_CHANCE_MS).unref();
    });
  }
}

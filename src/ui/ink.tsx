import type { ReadStream, WriteStream } from 'node:tty';
import chalk from 'chalk';
import { type Instance, render } from 'ink';
import { colourLevel } from '../lib/colour.js';
import { App } from './app.js';
import type { Size } from './card-layout.js';
import type { CheckArguments } from './edit-form.js';
import { createStore, type Store } from './store.js';
import type { Language, Ui } from './ui.js';
import { wordsIn } from './words.js';

export interface InkUiOptions {
  /** The keyboard; when it is no terminal, every question is answered with `no-terminal`. */
  readonly stdin: ReadStream;
  /** The screen. It must be a terminal. */
  readonly stderr: WriteStream;
  readonly color: boolean;
  readonly language?: Language;
  /** Ctrl-C. In raw mode it raises no signal. */
  readonly onInterrupt: () => void;
  /** Says what is wrong with arguments that the person changed. */
  readonly check?: CheckArguments;
}

// Bracketed paste: the terminal marks what was pasted, so that a pasted `y` is told from a pressed one.
const PASTE_ON = '\u001b[?2004h';
const PASTE_OFF = '\u001b[?2004l';

/**
 * Starts the interactive screen. While it runs, the keyboard is in raw mode, so that keys pressed early are read and thrown
 * away instead of waiting for the first question. `stop` rejects when drawing failed.
 */
export function startInkUi({ stdin, stderr, color, language = 'en', ...options }: InkUiOptions): Ui {
  // Ink paints with chalk's default instance, whose level was guessed from stdout; this screen is on stderr.
  chalk.level = colourLevel(color);
  const keyboard = stdin.isTTY === true;
  const words = wordsIn(language);
  const store = createStore({
    ...options,
    now: () => performance.now(),
    size: sizeOf(stderr),
    words,
    canAsk: keyboard,
    // Only an open question keeps the process alive; the keyboard alone does not.
    onAsking: (asking) => {
      if (asking) stdin.ref();
      else stdin.unref();
    },
  });
  const onResize = () => store.resize(sizeOf(stderr));
  stderr.on('resize', onResize);
  const instance = render(<App store={store} words={words} keyboard={keyboard} />, {
    stdout: screenOf(stderr),
    stdin,
    exitOnCtrlC: false,
    patchConsole: false,
    onRender: store.frameDrawn,
  });
  // Also after an error that nobody caught; Ink itself brings back the cursor and the mode of the keyboard.
  const pasteOff = () => stderr.write(PASTE_OFF);
  if (keyboard) {
    stderr.write(PASTE_ON);
    process.once('exit', pasteOff);
    stdin.unref();
  }
  const finished = watch(instance, store);
  return {
    ...{ emit: store.emit, approver: store.approver, offerModes: store.offerModes },
    async stop() {
      store.close();
      // React draws the closed screen in a microtask; unmounting before it would leave the live part behind.
      await Promise.resolve();
      instance.unmount();
      stderr.off('resize', onResize);
      if (process.listeners('exit').includes(pasteOff)) pasteOff();
      process.off('exit', pasteOff);
      const failure = await finished;
      if (failure) throw failure;
    },
  };
}

/** Resolves when the renderer is gone, with its error if it had one; then no question stays open. */
async function watch(instance: Instance, store: Store): Promise<Error | undefined> {
  try {
    await instance.waitUntilExit();
    return undefined;
  } catch (thrown) {
    return thrown instanceof Error ? thrown : new Error(String(thrown));
  } finally {
    store.close();
  }
}

const sizeOf = (screen: WriteStream): Size => ({ columns: screen.columns || 80, rows: screen.rows || 24 });

/**
 * The screen without its height. Ink clears the terminal with its whole scrollback when a frame is as high as the screen;
 * frames are kept lower here, and a resize in between is no reason to take the person's history away.
 */
const screenOf = (screen: WriteStream): WriteStream =>
  new Proxy(screen, {
    get(target, key) {
      if (key === 'rows') return undefined;
      const value: unknown = Reflect.get(target, key, target);
      return typeof value === 'function' ? value.bind(target) : value;
    },
  });

import { Chalk, type ChalkInstance, supportsColorStderr } from 'chalk';

/** Where the wish for colour comes from. */
export interface ColourWish {
  /** `--no-color` was given. */
  readonly noColorFlag?: boolean;
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The stream that will be written is a terminal. */
  readonly isTty: boolean;
}

/**
 * Whether to colour a stream. Strictest first: `--no-color`, a non-empty `NO_COLOR`, `FORCE_COLOR` (0 and false mean no),
 * `TERM=dumb`, then whether it is a terminal.
 */
export function wantsColour({ noColorFlag, env, isTty }: ColourWish): boolean {
  if (noColorFlag || env.NO_COLOR) return false;
  const forced = env.FORCE_COLOR;
  if (forced !== undefined) return forced !== '0' && forced !== 'false';
  return isTty && env.TERM !== 'dumb';
}

/** Levels of chalk: 0 none, 1 sixteen colours, 2 256, 3 all. Never 0 when colour is wanted. */
export function colourLevel(color: boolean): 0 | 1 | 2 | 3 {
  if (!color) return 0;
  const detected = supportsColorStderr ? supportsColorStderr.level : 0;
  return detected === 0 ? 1 : detected;
}

/** A chalk of its own, which paints when `color` is true and passes text through when it is not. */
export const createPainter = (color: boolean): ChalkInstance => new Chalk({ level: colourLevel(color) });

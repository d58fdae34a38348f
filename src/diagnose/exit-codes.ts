import { MESSAGES } from './messages.js';
import { fill } from './say.js';
import type { Language } from './types.js';

/** Signals that end containers. */
const SIGNALS: Readonly<Record<number, string>> = {
  1: 'SIGHUP',
  2: 'SIGINT',
  3: 'SIGQUIT',
  4: 'SIGILL',
  6: 'SIGABRT',
  7: 'SIGBUS',
  8: 'SIGFPE',
  9: 'SIGKILL',
  11: 'SIGSEGV',
  13: 'SIGPIPE',
  14: 'SIGALRM',
  15: 'SIGTERM',
};

/** What an exit code means; 128 + n is signal n. */
export function explainExit(code: number, language: Language): string {
  const key = `exit.${code}`;
  if (isExitKey(key)) return fill(MESSAGES[key], language, {});
  const signal = code > 128 && code < 193 ? code - 128 : undefined;
  if (signal === undefined) return fill(MESSAGES['exit.other'], language, { code });
  return fill(MESSAGES['exit.signal'], language, {
    code,
    signal: `${signal}${SIGNALS[signal] === undefined ? '' : ` (${SIGNALS[signal]})`}`,
  });
}

const EXIT_KEYS = ['exit.0', 'exit.1', 'exit.2', 'exit.126', 'exit.127', 'exit.128'] as const;
const isExitKey = (key: string): key is (typeof EXIT_KEYS)[number] => EXIT_KEYS.some((known) => known === key);

import type { CallError } from '../domain/types.js';

/** What kubectl would have written and returned; `error` says why when `exitCode` is not 0. */
export interface KubectlAnswer {
  readonly stdout: string;
  readonly stderr: string;
  readonly exitCode: number;
  readonly error?: CallError;
}

/** Ends an answer early; `answerKubectl` turns it into a KubectlAnswer. */
export class AnswerError extends Error {
  override readonly name = 'AnswerError';
  constructor(
    readonly stderr: string,
    readonly callError: CallError,
    /** What was already found, for an answer that is complete only in part. */
    readonly stdout = '',
  ) {
    super(stderr);
  }

  /** By its name, since the bundle holds this class more than once. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === 'AnswerError';
  }
}

const LIVE = 'Ask a live cluster: run the same without --dump.';

/** A question that no dump can answer. `what` completes "a dump cannot …". */
export function cannot(what: string, hint: string = LIVE): AnswerError {
  const message = `a dump cannot ${what}.`;
  return new AnswerError(`error: ${message}\n`, { category: 'execution', message: sentence(message), hint });
}

/** A complaint in kubectl's own words, which it ends with exit code 1. */
export function complaint(message: string, stdout = '', hint?: string): AnswerError {
  const error: CallError = { category: 'execution', message, ...(hint === undefined ? {} : { hint }) };
  return new AnswerError(`${message}\n`, error, stdout);
}

/** Something that this dump does not hold, though another might. */
export function notRecorded(message: string, hint: string): AnswerError {
  return new AnswerError(`${message}\n`, { category: 'execution', message: sentence(message), hint });
}

const sentence = (text: string): string => text.slice(0, 1).toUpperCase() + text.slice(1);

export const answerOf = (stdout: string, stderr = ''): KubectlAnswer => ({ stdout, stderr, exitCode: 0 });

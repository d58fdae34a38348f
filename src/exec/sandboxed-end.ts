import type { RunOutcome } from '../domain/ports.js';
import { FILES_HEAP_MIB, MAX_NEW_FILES, MAX_OUTPUT_BYTES } from '../sandbox/limits.js';
import type { GuestNote } from '../sandbox/messages.js';
import type { GuestEnd } from '../sandbox/process.js';

/** What a guest was given. */
export interface Asked {
  /** `Python`, or the path of a module. */
  readonly program: string;
  readonly timeoutMs: number;
  readonly memoryMb: number;
}

/** How the end of a guest reads: each limit has words of its own. */
export function explainEnd(end: GuestEnd, asked: Asked, stderr: string): RunOutcome {
  const { program } = asked;
  switch (end.type) {
    case 'exited':
      return exited(end.exitCode, end.note, asked, stderr);
    case 'timed-out':
      return {
        status: 'timed-out',
        error: {
          category: 'execution',
          message: `time limit: ${program} did not end within ${asked.timeoutMs / 1000} s and was killed`,
          hint: 'What it printed until then is kept. Do less, or raise the timeout, up to WASI_TIMEOUT_SECONDS (60).',
        },
      };
    case 'aborted':
      return { status: 'cancelled', error: { category: 'cancelled', message: `${program} was interrupted` } };
    case 'disk-full':
      return failed(
        `disk limit: the files of the sandbox need more than ${FILES_HEAP_MIB} MiB, and ${program} was ended`,
        'Work through what is handed in piece by piece and write less.',
      );
    case 'trapped':
      return /call stack|stack overflow/i.test(end.message)
        ? failed(`stack limit: ${program} called itself too often and was ended`, 'Use a loop instead of recursion.')
        : failed(`${program} crashed in the sandbox: ${end.message.slice(0, 300)}`);
    case 'lost':
      return failed(`the sandbox ended while ${program} ran: ${end.how}`, 'Is there memory left on this machine?');
  }
}

const LIMITS: Readonly<Record<NonNullable<GuestNote['limit']>, (asked: Asked) => [string, string]>> = {
  memory: ({ memoryMb }) => [
    `memory limit: the code needs more than ${memoryMb} MB`,
    'Read files line by line instead of whole, or allow more memory, up to WASI_MEMORY_LIMIT_MB (512).',
  ],
  files: () => [
    `file limit: the code made more than ${MAX_NEW_FILES} files`,
    'Keep things in memory, or in fewer files.',
  ],
  result: () => [
    `output limit: result is more than ${MAX_OUTPUT_BYTES} bytes of JSON`,
    'Give counts and the few lines that matter, not everything.',
  ],
};

function exited(exitCode: number, { limit, missingModule }: GuestNote, asked: Asked, stderr: string): RunOutcome {
  if (exitCode === 0) return { status: 'ok', exitCode };
  if (limit) return { ...failed(...LIMITS[limit](asked)), exitCode };
  if (missingModule !== undefined) {
    const hint = 'There is only the standard library, and nothing can be installed; stderr lists the modules.';
    return { ...failed(`the module ${missingModule} is not in the sandbox`, hint), exitCode };
  }
  const said = stderr.trim().split('\n').at(-1)?.slice(0, 300);
  return { ...failed(`${asked.program} ended with exit code ${exitCode}${said ? `: ${said}` : ''}`), exitCode };
}

const failed = (message: string, hint?: string) => ({
  status: 'failed' as const,
  error: { category: 'execution' as const, message, ...(hint !== undefined && { hint }) },
});

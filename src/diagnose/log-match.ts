import { LOG_SIGNATURES } from './log-signatures.js';
import type { LogSignature } from './signatures/signature.js';

/** Only this much of the end of a log is looked at: 256 Ki characters, 1000 lines, 1000 characters of a line. */
const MAX_TAIL = 256 * 1024;
const MAX_LINES = 1000;
const MAX_LINE = 1000;
/** How far before a line that says only "it broke" the line may stand that says why. */
const WHY_WINDOW = 5;

export interface LogMatch {
  readonly signature: LogSignature;
  readonly line: string;
  /** Where in the line it matched. */
  readonly index: number;
  /** Lines of the log after this one. */
  readonly linesAfter: number;
  /** fatal: the line calls itself fatal, or is a panic · error: says error, or has no level · warning. */
  readonly level: 'fatal' | 'error' | 'warning';
}

/**
 * The signature of the last fatal thing a log says. Debug and info lines, counters at zero, and failures that a later line shows
 * to be overcome do not count. A line that names the fault is preferred to one just after it that only says that the program broke.
 */
export function matchLog(text: string): LogMatch | undefined {
  const lines = tailLines(text);
  const found: (LogMatch & { readonly at: number })[] = [];
  let recovered = false;
  for (let at = lines.length - 1; at >= 0; at--) {
    const line = lines[at] ?? '';
    if (isRecovery(line)) recovered = true;
    const match = matchLine(line);
    if (match === undefined || (recovered && match.signature.transient === true)) continue;
    found.push({ ...match, linesAfter: lines.length - 1 - at, at });
  }
  const level = (['fatal', 'error', 'warning'] as const).find((l) => found.some((m) => m.level === l));
  const last = found.find((m) => m.level === level);
  if (last === undefined || last.signature.weight > 1) return last;
  return found.find((m) => m.signature.weight > 1 && Math.abs(last.at - m.at) <= WHY_WINDOW) ?? last;
}

/** The heaviest signature that one line matches; undefined for lines that do not speak of a failure. */
export function matchLine(line: string): Omit<LogMatch, 'linesAfter'> | undefined {
  const bounded = line.slice(0, MAX_LINE);
  const level = levelOf(bounded);
  if (level === 'quiet' || BENIGN.test(bounded)) return undefined;
  let best: { signature: LogSignature; index: number } | undefined;
  for (const signature of LOG_SIGNATURES) {
    if (best !== undefined && best.signature.weight >= signature.weight) continue;
    const index = bounded.search(signature.pattern);
    if (index >= 0) best = { signature, index };
  }
  return best === undefined ? undefined : { ...best, line: bounded, level };
}

/** The last line that calls itself an error or exception, for when no signature fits. */
export function lastErrorLine(text: string): string | undefined {
  return tailLines(text).findLast(
    (line) => !BENIGN.test(line) && (levelOf(line) === 'fatal' || (levelOf(line) === 'error' && ERROR_WORD.test(line))),
  );
}

/** The last lines of a text, bounded in number and length, without empty ones. */
export function tailLines(text: string): readonly string[] {
  return text
    .slice(-MAX_TAIL)
    .split('\n', MAX_TAIL)
    .slice(-MAX_LINES)
    .map((line) => line.slice(0, MAX_LINE).trimEnd())
    .filter((line) => line !== '');
}

const ERROR_WORD = /\b(?:error|exception|fatal|critical|severe|panic)\b|(?:Error|Exception)\b/i;

/** Counters at zero and denials of a problem. */
const BENIGN =
  /\b(?:0|no|zero) (?:errors?|failures?|timeouts?|exceptions?|deadlocks?)\b|\b(?:errors?|failures?|failed|timeouts?|timed_out|exhausted|deadlocks?|refused|denied|oom|rejected|resets?)(?:_(?:count|total))?["']?\s{0,3}[=:]\s{0,3}(?:0\b(?!\.\d)|false\b)|\bno longer\b|\bwithout (?:an )?errors?\b/i;

const RECOVERY =
  /\b(?:re)?connected\b|connection (?:was )?(?:re-?)?established|\brecovered\b|\bsucceeded\b|retry success|back online|\bis ready\b|started successfully|now healthy/i;
const NOT_RECOVERY = /\bnot\b|fail|error|unable|cannot|can't|refused|lost|exhausted|timeout|timed out|before/i;

const isRecovery = (line: string): boolean => RECOVERY.test(line) && !NOT_RECOVERY.test(line);

type Level = LogMatch['level'] | 'quiet';

const KEYED = /["']?(?:level|severity|lvl|levelname|log\.level)["']?\s{0,3}[:=]\s{0,3}["']?([a-z]{1,10}|\d{2})\b/i;
const BARE =
  /(?:^|[\s[(|:<])(TRACE|DEBUG|INFO|NOTICE|WARN|WARNING|ERROR|ERR|SEVERE|CRITICAL|CRIT|FATAL|PANIC|EMERG)(?=[\s\]:)|>,-]|$)/;
const LEADING = /^\s{0,8}(trace|debug|info|notice|warn|warning|error|fatal|panic|critical)\b\s{0,2}[:\]-]/i;
const KLOG = /^([IWEF])\d{4} \d{2}:\d{2}:\d{2}/;

const LEVELS: Readonly<Record<string, Level>> = {
  trace: 'quiet',
  debug: 'quiet',
  info: 'quiet',
  information: 'quiet',
  notice: 'quiet',
  i: 'quiet',
  '10': 'quiet',
  '20': 'quiet',
  '30': 'quiet',
  warn: 'warning',
  warning: 'warning',
  w: 'warning',
  '40': 'warning',
  error: 'error',
  err: 'error',
  severe: 'error',
  e: 'error',
  '50': 'error',
  fatal: 'fatal',
  panic: 'fatal',
  critical: 'fatal',
  crit: 'fatal',
  emerg: 'fatal',
  f: 'fatal',
  '60': 'fatal',
};

/** The level a line gives itself; a line without one counts as an error, since stack traces and plain messages have none. */
function levelOf(line: string): Level {
  const head = line.slice(0, 300);
  const word = KLOG.exec(head)?.[1] ?? KEYED.exec(head)?.[1] ?? LEADING.exec(head)?.[1] ?? BARE.exec(head)?.[1];
  const key = word?.toLowerCase() ?? '';
  return Object.hasOwn(LEVELS, key) ? (LEVELS[key] ?? 'error') : 'error';
}

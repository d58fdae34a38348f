import { type LogMatch, lastErrorLine, matchLog } from '../log-match.js';
import { quoteAround, quoteOf } from '../plain-text.js';
import type { Certainty, Evidence } from '../types.js';
import type { Container } from './container.js';
import { type DockerContext, say } from './context.js';
import type { LogLine } from './snapshot.js';
import type { WordKey } from './words.js';

/** A fatal line further from the end than this may belong to something that was overcome. */
const NEAR_END_LINES = 50;
/** Clocks of the program's output and of its end differ by a little. */
const SLACK_MS = 2_000;

/** What a container's log says about the end of its last run, or about its present state. */
export interface LogVerdict {
  readonly match: LogMatch | undefined;
  readonly certainty: Certainty;
  readonly evidence: readonly Evidence[];
  /** Why there is no match. */
  readonly without: WordKey;
}

/** Reads the log of the run that ended; of the present run when the container never ended. */
export function readLog(context: DockerContext, container: Container): LogVerdict {
  const log = context.snapshot.logs.get(container.name);
  if (log === undefined) return { match: undefined, certainty: 'unknown', evidence: [], without: 'detail.no-log' };
  const { lines, ended } = lastRun(log.lines, container);
  const text = lines.map((line) => line.text).join('\n');
  const evidence = (quote: string): readonly Evidence[] => [
    { callId: log.callId, quote, where: say(context, 'where.log', { name: container.name }) },
  ];
  const match = matchLog(text);
  if (match !== undefined) {
    const sure = ended && match.level !== 'warning' && match.linesAfter <= NEAR_END_LINES;
    const quoted = evidence(quoteAround(match.line, match.index));
    return { match, certainty: sure ? 'confirmed' : 'likely', evidence: quoted, without: 'detail.no-signature' };
  }
  const line = lastErrorLine(text);
  if (line !== undefined) {
    return {
      match: undefined,
      certainty: 'unknown',
      evidence: evidence(quoteOf(line)),
      without: 'detail.no-signature',
    };
  }
  const without = text.trim() === '' ? 'detail.empty-log' : 'detail.no-error-line';
  return { match: undefined, certainty: 'unknown', evidence: [], without };
}

/** One log holds all runs; their ends and the times of the lines tell them apart. */
function lastRun(lines: readonly LogLine[], container: Container): { lines: readonly LogLine[]; ended: boolean } {
  const { startedMs, finishedMs } = container;
  if (finishedMs === undefined) return { lines, ended: false };
  const before = lines.filter((line) => line.ms === undefined || line.ms <= finishedMs + SLACK_MS);
  // Running again: what was printed since belongs to the run that goes on.
  if (startedMs !== undefined && startedMs > finishedMs) {
    const old = before.filter((line) => line.ms === undefined || line.ms < startedMs);
    return old.length > 0 ? { lines: old, ended: true } : { lines, ended: false };
  }
  const own = before.filter(
    (line) => line.ms === undefined || startedMs === undefined || line.ms >= startedMs - SLACK_MS,
  );
  return { lines: own, ended: true };
}

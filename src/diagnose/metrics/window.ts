import { OpsError } from '../../domain/errors.js';
import { durationMs, durationText, momentMs } from '../../lib/moment.js';

/** A time range in unix seconds. */
export interface Window {
  readonly start: number;
  readonly end: number;
  readonly step: number;
  /** Points that a series without gaps has. */
  readonly points: number;
}

/** What a chart and a mean need; more points cost the server and show nothing more. */
const WANTED_POINTS = 240;
/** Prometheus itself refuses more points in a series. */
export const MAX_POINTS = 11_000;
const NICE_STEPS_S = [1, 2, 5, 10, 15, 30, 60, 120, 300, 600, 900, 1800, 3600, 7200, 14_400, 21_600, 43_200, 86_400];

/**
 * The range that start, end and step mean. Without a step, a round one that gives about 240 points, 5 s or more.
 * @throws OpsError usage when one of them means nothing, the range is empty, or it would have more than 11 000 points.
 */
export function planWindow(start: string, end: string, step: string, nowMs: number): Window {
  const startMs = momentMs(start, nowMs, 'ago');
  const endMs = momentMs(end, nowMs, 'ago');
  if (endMs <= startMs) {
    throw new OpsError(
      'usage',
      `The range is empty: its end (${iso(endMs)}) is not after its start (${iso(startMs)}).`,
      'Durations count back from now: start 6h and end 1h is the time from six hours to one hour ago.',
    );
  }
  const stepMs = step === '' ? chooseStepMs(endMs - startMs) : readStepMs(step);
  const points = Math.floor((endMs - startMs) / stepMs) + 1;
  if (points > MAX_POINTS) {
    const least = durationText(Math.ceil((endMs - startMs) / (MAX_POINTS - 1) / 1000) * 1000);
    throw new OpsError(
      'usage',
      `${durationText(endMs - startMs)} in steps of ${durationText(stepMs)} are ${points} points; ${MAX_POINTS} are allowed.`,
      `Use a step of ${least} or more, a shorter range, or leave the step out.`,
    );
  }
  return { start: startMs / 1000, end: endMs / 1000, step: stepMs / 1000, points };
}

function readStepMs(step: string): number {
  const ms = durationMs(step.trim());
  if (ms !== undefined && ms > 0) return ms;
  throw new OpsError(
    'usage',
    `${JSON.stringify(step.slice(0, 40))} is not a step.`,
    'Use a duration such as 15s, 1m or 1h.',
  );
}

function chooseStepMs(rangeMs: number): number {
  const wanted = rangeMs / 1000 / WANTED_POINTS;
  const nice = NICE_STEPS_S.find((seconds) => seconds >= Math.max(wanted, 5));
  // Whole days beyond the longest round step.
  return (nice ?? Math.ceil(wanted / 86_400) * 86_400) * 1000;
}

const iso = (ms: number): string => new Date(ms).toISOString();

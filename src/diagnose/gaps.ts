import type { StoredResult } from '../domain/ports.js';
import type { CallError } from '../domain/types.js';
import { kindOf } from './kinds.js';
import { MESSAGES } from './messages.js';
import { quoteOf } from './plain-text.js';
import { fill } from './say.js';
import type { Language, Unseen } from './types.js';

export type GapReason =
  | 'forbidden'
  | 'not-served'
  | 'not-recorded'
  | 'unreachable'
  | 'not-found'
  | 'refused'
  | 'timed-out'
  | 'not-json'
  | 'no-such-result'
  | 'failed';

/** Something a call did not bring back, and why. */
export interface Gap {
  readonly callId: string;
  readonly reason: GapReason;
  /** What was wanted: a kind, or the command. */
  readonly what: string;
  /** The words of the failure. Untrusted. */
  readonly quote: string;
}

const FORBIDDEN = /\bforbidden\b|cannot (?:list|get|watch) resource|\bUnauthorized\b|must be logged in/i;
const NOT_SERVED = /doesn't have a resource type|could not find the requested resource|no matches for kind/i;
const NOT_RECORDED = /not recorded|not (?:part of|in) (?:the|this) dump/i;
const UNREACHABLE =
  /connection to the server .{1,300} was refused|unable to connect to the server|no such host|connect(?:ion)?:? (?:connection )?refused|i\/o timeout|TLS handshake timeout|no route to host|context deadline exceeded|current-context is not set|no configuration has been provided/i;
const NOT_FOUND = /\(NotFound\)|\bnot found\b/i;
/** `events is forbidden`, `cannot list resource "events"`, `a resource type "widgets"`. */
const RESOURCE =
  /cannot \w{1,12} resource "([\w./-]{1,80})"|resource type "([\w./-]{1,80})"|^(?:error: )?([a-z.]{1,80}) (?:is|are|were) not recorded/i;

const MAX_LINES = 8;

/** What this result failed to show. A readable result of a call that went well has no gaps. */
export function gapsOf(result: StoredResult, readable: boolean): readonly Gap[] {
  const gap = (reason: GapReason, quote: string, what = commandOf(result)): Gap => ({
    callId: result.callId,
    reason,
    what,
    quote,
  });
  if (result.status === 'ok') return readable ? [] : [gap('not-json', '')];
  if (result.status === 'timed-out') return [gap('timed-out', result.error?.message ?? '')];
  const refused = result.status === 'denied' || result.status === 'rejected';
  if (refused) return [gap('refused', result.error?.message ?? '')];
  const lines = result.errorText
    .split('\n')
    .map((l) => l.trim())
    .filter((l) => l !== '')
    .slice(0, MAX_LINES);
  const known = lines.flatMap((line) => {
    const reason = reasonOf(line);
    return reason === 'failed' ? [] : [gap(reason, line, resourceIn(line) ?? commandOf(result))];
  });
  if (known.length > 0) return known;
  const words = result.error?.message ?? lines[0] ?? '';
  return [gap(result.error?.exit === 'unavailable' ? 'unreachable' : reasonOf(words), words)];
}

function reasonOf(line: string): GapReason {
  if (FORBIDDEN.test(line)) return 'forbidden';
  if (NOT_SERVED.test(line)) return 'not-served';
  if (NOT_RECORDED.test(line)) return 'not-recorded';
  if (UNREACHABLE.test(line)) return 'unreachable';
  return NOT_FOUND.test(line) ? 'not-found' : 'failed';
}

function resourceIn(line: string): string | undefined {
  const match = RESOURCE.exec(line.slice(0, 1000));
  return match?.[1] ?? match?.[2] ?? match?.[3];
}

/**
 * The kinds that a call in part did not get, when every line of its error says of one kind that it may not be read, is not
 * known or is not recorded: what else it asked for was read. Undefined when the error says anything else.
 */
export function kindsNotRead(errorText: string): ReadonlySet<string> | undefined {
  const lines = errorText.split('\n').filter((line) => line.trim() !== '');
  const kinds = lines.map((line) =>
    ['forbidden', 'not-served', 'not-recorded'].includes(reasonOf(line)) ? resourceIn(line.trim()) : undefined,
  );
  if (lines.length === 0 || kinds.includes(undefined)) return undefined;
  return new Set(kinds.map((kind) => kindOf(kind ?? '')));
}

/** Whether an error text speaks of a kind, by its kind or its plural. */
export const mentions = (errorText: string, kind: string): boolean =>
  errorText.slice(0, 20_000).toLowerCase().includes(kind.toLowerCase());

const commandOf = (result: StoredResult): string => (result.tokens.length > 0 ? result.tokens.join(' ') : result.tool);

/** The gap in words. */
export function unseenOf(gap: Gap, language: Language): Unseen {
  const words = MESSAGES[`gap.${gap.reason}`];
  const hint = MESSAGES[`gap.${gap.reason}.hint`];
  const quote = quoteOf(gap.quote);
  const call = gap.callId === '' ? '' : ` [${gap.callId}]`;
  return {
    what: quoteOf(gap.what, 120),
    why: `${fill(words, language, {})}${quote === '' ? '' : `${fill(MESSAGES['report.colon'], language, {})}${quote}`}${call}`,
    hint: fill(hint, language, {}),
  };
}

/** The error to pass on when not one result could be read; undefined when something was. */
export function nothingReadError(
  results: readonly StoredResult[],
  gaps: readonly Gap[],
  readAny: boolean,
  language: Language,
): CallError | undefined {
  if (readAny || results.length === 0) return undefined;
  const unavailable = results.find((r) => r.error?.exit === 'unavailable')?.error;
  if (unavailable !== undefined) return unavailable;
  const cut = gaps.find((g) => g.reason === 'unreachable');
  if (cut !== undefined) {
    return {
      category: 'network',
      message: fill(MESSAGES['error.unreachable'], language, { quote: quoteOf(cut.quote) }),
      hint: fill(MESSAGES['error.unreachable.hint'], language, {}),
      exit: 'unavailable',
    };
  }
  return results.find((r) => r.status !== 'ok' && r.error !== undefined)?.error;
}

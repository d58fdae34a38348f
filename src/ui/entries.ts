import type { ToolStatus } from '../domain/types.js';
import { stripTerminal, visibleLine } from '../lib/visible.js';
import { truncateToWidth, widthOf, wrapToWidth } from '../lib/width.js';
import type { CallView, UiEvent, UiState } from './reducer.js';

export type Tone = 'good' | 'bad' | 'stopped' | 'quiet' | 'plain';

/** Something that stays on the screen: a line about a call, or a few lines of text. */
export type Entry =
  | {
      readonly type: 'call';
      readonly depth: number;
      readonly glyph: string;
      readonly tone: Tone;
      readonly id: string;
      readonly label: string;
      readonly tail: string;
    }
  | {
      readonly type: 'text';
      readonly depth: number;
      readonly glyph: string;
      readonly tone: Tone;
      readonly text: string;
    };

/** A line in pieces that are painted differently; together they are at most as wide as was asked. */
export interface Line {
  readonly lead: string;
  readonly body: string;
  readonly tail: string;
  readonly tone: Tone;
}

const GLYPHS: Readonly<Record<ToolStatus, readonly [glyph: string, tone: Tone]>> = {
  ok: ['✔', 'good'],
  failed: ['✖', 'bad'],
  'timed-out': ['✖', 'bad'],
  cancelled: ['⊘', 'stopped'],
  denied: ['⊘', 'stopped'],
  rejected: ['⊘', 'stopped'],
  suggested: ['✎', 'good'],
  limited: ['⊘', 'stopped'],
  'unknown-tool': ['✖', 'bad'],
  'invalid-arguments': ['✖', 'bad'],
  unavailable: ['✖', 'bad'],
};
/** Lines of one notice or of the model's text that stay on the screen. */
const MAX_TEXT_LINES = 12;
const MAX_TEXT = 4_000;

/**
 * What an event leaves on the screen for good, given the states before and after it. `starts` adds a line for each call
 * that begins; without it only workflows get one, as the heading of their steps.
 */
export function entriesFor(event: UiEvent, before: UiState, after: UiState, starts: boolean): readonly Entry[] {
  const find = (id: string) => after.calls.find((call) => call.id === id);
  switch (event.type) {
    case 'call-requested':
      return before.text.trim() ? [textEntry(0, ' ', 'quiet', before.text.trim())] : [];
    case 'call-decided': {
      const call = find(event.call.id);
      return call?.stage === 'running' && (starts || call.kind === 'workflow') ? [startEntry(call)] : [];
    }
    case 'call-finished': {
      const call = find(event.result.callId);
      return call ? finishEntries(call) : [];
    }
    case 'turn-finished':
      return after.spent === undefined ? [] : [textEntry(0, '·', 'quiet', after.spent)];
    case 'mode-switched':
      return [textEntry(0, '·', 'plain', `The mode is ${event.to} from here on; it was ${event.from}.`)];
    case 'notice':
      return [textEntry(0, '·', 'plain', event.text)];
    default:
      return [];
  }
}

/** An entry as lines of at most `width` columns. Everything in it that a terminal could act on is made harmless. */
export function layEntry(entry: Entry, width: number): readonly Line[] {
  const indent = '  '.repeat(Math.min(entry.depth, 4));
  if (entry.type === 'call') {
    const lead = `${indent}${entry.glyph} ${entry.id} `;
    const room = width - widthOf(lead) - (entry.tail ? widthOf(entry.tail) + 1 : 0);
    const body = truncateToWidth(visibleLine(entry.label), Math.max(1, room));
    return [{ lead, body, tail: entry.tail && ` ${entry.tail}`, tone: entry.tone }];
  }
  const lead = `${indent}${entry.glyph} `;
  const text = stripTerminal(entry.text).replaceAll('\t', ' ');
  const lines = wrapToWidth(text, width - widthOf(lead));
  const shown = lines.length > MAX_TEXT_LINES ? [...lines.slice(0, MAX_TEXT_LINES), '…'] : lines;
  return shown.map((body, index) => ({
    lead: index === 0 ? lead : ' '.repeat(widthOf(lead)),
    body,
    tail: '',
    tone: entry.tone,
  }));
}

/** `0.4 s`, `12 s`, `3 min 05 s`. */
export function formatDuration(ms: number): string {
  const seconds = Math.max(0, ms) / 1000;
  if (seconds < 9.95) return `${seconds.toFixed(1)} s`;
  const whole = Math.round(seconds);
  return whole < 60 ? `${whole} s` : `${Math.floor(whole / 60)} min ${String(whole % 60).padStart(2, '0')} s`;
}

/** `812 B`, `12 kB`, `3.4 MB`: powers of 1000. */
export function formatBytes(bytes: number): string {
  if (bytes < 1000) return `${bytes} B`;
  if (bytes < 999_500) return `${(bytes / 1000).toFixed(0)} kB`;
  return `${(bytes / 1e6).toFixed(1)} MB`;
}

const startEntry = (call: CallView): Entry => ({
  type: 'call',
  depth: call.depth,
  glyph: '▸',
  tone: 'quiet',
  id: call.id,
  label: call.label,
  tail: '',
});

function finishEntries(call: CallView): readonly Entry[] {
  const [glyph, tone] = GLYPHS[call.status ?? 'failed'];
  const ran = call.startedAtMs !== undefined;
  const tail = ran ? formatDuration(call.durationMs ?? 0) : (call.status ?? '');
  const line: Entry = { type: 'call', depth: call.depth, glyph, tone, id: call.id, label: call.label, tail };
  const repairs = call.repairs.map((repair) => textEntry(call.depth + 1, '~', 'quiet', repair));
  const { retry } = call;
  const tries = retry ? [textEntry(call.depth + 1, '↻', 'quiet', `try ${retry.attempt}, after: ${retry.reason}`)] : [];
  const problem = call.problem === undefined ? [] : [textEntry(call.depth + 1, '↳', tone, call.problem)];
  return [line, ...repairs, ...tries, ...problem];
}

const textEntry = (depth: number, glyph: string, tone: Tone, text: string): Entry => ({
  type: 'text',
  depth,
  glyph,
  tone,
  text: text.slice(0, MAX_TEXT),
});

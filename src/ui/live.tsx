import { Box, Text } from 'ink';
import { useEffect, useState } from 'react';
import { stripTerminal, visibleLine } from '../lib/visible.js';
import { truncateToWidth, widthOf, wrapToWidth } from '../lib/width.js';
import type { Size } from './card-layout.js';
import { formatBytes, formatDuration } from './entries.js';
import type { CallView, UiState } from './reducer.js';
import type { Words } from './words.js';

const FRAMES = ['⠋', '⠙', '⠹', '⠸', '⠼', '⠴', '⠦', '⠧', '⠇', '⠏'];
const FRAME_MS = 100;
const TEXT_LINES = 3;

/** What is going on: the calls that run, each with its time, and the end of what the model says. Lower than the screen. */
export function Live({ ui, size, words }: { ui: UiState; size: Size; words: Words }) {
  const busy = ui.calls.filter((call) => call.stage !== 'finished');
  const active = busy.length > 0 || ui.waitingFor !== undefined;
  const glyph = useSpinner(active);
  const width = size.columns - 1;
  const room = Math.max(1, Math.min(10, size.rows - TEXT_LINES - 3));
  const shown = busy.slice(0, room);
  const text = lastLines(ui.text, width - 2);
  const thinks = busy.length === 0 && ui.waitingFor !== undefined && text.length === 0;
  const status = [
    ...(thinks ? [`${glyph} ${visibleLine(words.thinking(ui.waitingFor ?? ''))}`] : []),
    ...(active && ui.spent !== undefined ? [ui.spent] : []),
    ...(active && ui.mode !== undefined && ui.mode !== 'ask' ? [words.mode.current(ui.mode)] : []),
  ];
  return (
    <Box flexDirection="column">
      {text.map((row, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a row is its place on the screen
        <Text key={index} dimColor wrap="truncate">{`  ${row}`}</Text>
      ))}
      {shown.map((call) => (
        <CallRow key={call.id} call={call} glyph={glyph} width={width} words={words} />
      ))}
      {busy.length > shown.length && (
        <Text dimColor>{truncateToWidth(words.more(busy.length - shown.length), width)}</Text>
      )}
      {status.length > 0 && <Text dimColor>{truncateToWidth(status.join(' · '), width)}</Text>}
    </Box>
  );
}

function CallRow({ call, glyph, width, words }: { call: CallView; glyph: string; width: number; words: Words }) {
  const lead = `${'  '.repeat(Math.min(call.depth, 4))}${glyph} ${call.id} `;
  // A note on why it is tried again may be long; what runs is told from it also on a narrow screen.
  const tail = ` ${truncateToWidth(visibleLine(progressOf(call, words)), Math.max(20, Math.floor((width * 2) / 3)))}`;
  const label = truncateToWidth(visibleLine(call.label), Math.max(1, width - widthOf(lead) - widthOf(tail)));
  return (
    <Text wrap="truncate">
      <Text color="cyan">{lead}</Text>
      {label}
      <Text dimColor>{tail}</Text>
    </Text>
  );
}

/** How far a call is: seconds, and bytes when it has written some. */
function progressOf(call: CallView, words: Words): string {
  if (call.stage === 'checking') return words.checking;
  if (call.stage === 'inspecting') return words.inspecting;
  if (call.stage === 'asking') return words.asking;
  const now = performance.now();
  const { retry } = call;
  const pauseMs = retry ? retry.untilMs - now : 0;
  if (retry && pauseMs > 0) return words.retrying(wholeSeconds(pauseMs + 999), retry.attempt, retry.reason);
  const tried = retry ? `${words.attempt(retry.attempt)} ` : '';
  const bytes = call.bytes > 0 ? ` ${formatBytes(call.bytes)}` : '';
  const progress = call.progress === undefined ? '' : ` ${visibleLine(call.progress).slice(0, 40)}`;
  return `${tried}${wholeSeconds(now - (call.startedAtMs ?? now))}${bytes}${progress}`;
}

const wholeSeconds = (ms: number): string => formatDuration(Math.floor(ms / 1000) * 1000).replace('.0', '');

function lastLines(text: string, width: number): string[] {
  const trimmed = stripTerminal(text).replaceAll('\t', ' ').trim();
  // The end of the text is enough: laying all of it out again at each word would be slow.
  return trimmed === '' ? [] : wrapToWidth(trimmed.slice(-width * (TEXT_LINES + 1)), width).slice(-TEXT_LINES);
}

/** A glyph that changes while something is active; drawing it again also moves the seconds on. */
function useSpinner(active: boolean): string {
  const [frame, setFrame] = useState(0);
  useEffect(() => {
    if (!active) return;
    const timer = setInterval(() => setFrame((n) => n + 1), FRAME_MS);
    timer.unref();
    return () => clearInterval(timer);
  }, [active]);
  return FRAMES[frame % FRAMES.length] ?? '';
}

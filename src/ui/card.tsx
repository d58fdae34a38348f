import { Box, Text, type TextProps } from 'ink';
import { useInsertionEffect } from 'react';
import type { Risk } from '../domain/types.js';
import { faceOf } from './card-keys.js';
import { type Ask, type CardLine, layCard, MARGIN, type Size } from './card-layout.js';
import { layModes } from './mode-list.js';
import { MODE_LIST, type QuestionQueue, type Questions } from './questions.js';
import type { Words } from './words.js';

const RISK_COLOURS: Readonly<Record<Risk, string>> = { low: 'cyan', medium: 'cyan', high: 'yellow', critical: 'red' };

/** The confirmation card: what would run on what, why it is asked, and the keys. Draws what `layCard` lays, no more. */
export function Card({
  ask,
  questions,
  size,
  words,
  onCommit,
}: {
  ask: Ask;
  questions: Questions;
  size: Size;
  words: Words;
  /** Called before the frame with this card is drawn. */
  onCommit: QuestionQueue['committed'];
}) {
  const face = faceOf(questions.card);
  useInsertionEffect(() => onCommit(ask, face), [ask, face, onCommit]);
  const frame = layCard(ask, questions.card, size, questions.waiting, words);
  return <Frame lines={frame.lines} colour={RISK_COLOURS[frame.risk]} />;
}

/** The list of modes while no question is open. */
export function ModeList({
  questions,
  size,
  words,
  onCommit,
}: {
  questions: Questions;
  size: Size;
  words: Words;
  onCommit: QuestionQueue['committed'];
}) {
  useInsertionEffect(() => onCommit(MODE_LIST, 'modes'), [onCommit]);
  const room = { columns: Math.max(10, size.columns - MARGIN), rows: size.rows - 1 };
  return <Frame lines={layModes(questions.card, room, words)} colour="cyan" />;
}

function Frame({ lines, colour }: { lines: readonly CardLine[]; colour: string }) {
  return (
    <Box flexDirection="column">
      {lines.map((line, index) => (
        // biome-ignore lint/suspicious/noArrayIndexKey: a line is its place on the screen
        <Text key={index} wrap="truncate">
          <Text color={colour}>┃</Text> {line.label && <Text dimColor>{line.label}</Text>}
          <Text {...styleOf(line.tone, colour)}>{line.text}</Text>
        </Text>
      ))}
    </Box>
  );
}

function styleOf(tone: CardLine['tone'], colour: string): TextProps {
  switch (tone) {
    case 'head':
      return { bold: true, inverse: true, color: colour };
    case 'strong':
      return { bold: true };
    case 'warning':
      return { color: 'magenta' };
    case 'quiet':
      return { dimColor: true };
    case 'input':
      return { color: colour };
    case 'added':
      return { color: 'green' };
    case 'removed':
      return { color: 'red' };
    default:
      return {};
  }
}

import { Box, Static, Text, useInput } from 'ink';
import { useCallback, useSyncExternalStore } from 'react';
import { Card, ModeList } from './card.js';
import { type Line, layEntry } from './entries.js';
import { toCardKey } from './keys.js';
import { Live } from './live.js';
import type { Store } from './store.js';
import type { Words } from './words.js';

/** The interactive screen: what is over, then what is going on, then the question. */
export function App({ store, words, keyboard }: { store: Store; words: Words; keyboard: boolean }) {
  const { log, ui, questions, size, closed } = useSyncExternalStore(store.subscribe, store.snapshot);
  useInput(
    useCallback((input, key) => store.press(toCardKey(input, key)), [store]),
    { isActive: keyboard },
  );
  const { ask } = questions;
  const choosesMode = !ask && questions.card.step === 'modes';
  return (
    <>
      <Static items={[...log]}>
        {(entry, index) => (
          <Box key={index} flexDirection="column">
            {layEntry(entry, size.columns - 1).map((line, row) => (
              // biome-ignore lint/suspicious/noArrayIndexKey: lines of an entry never change
              <Row key={row} line={line} />
            ))}
          </Box>
        )}
      </Static>
      {!closed && choosesMode && (
        <ModeList questions={questions} size={size} words={words} onCommit={store.cardCommitted} />
      )}
      {!closed && !ask && !choosesMode && <Live ui={ui} size={size} words={words} />}
      {!closed && ask && (
        <Card ask={ask} questions={questions} size={size} words={words} onCommit={store.cardCommitted} />
      )}
    </>
  );
}

const TONES = { good: 'green', bad: 'red', stopped: 'yellow', quiet: undefined, plain: undefined } as const;

function Row({ line }: { line: Line }) {
  const colour = TONES[line.tone];
  return (
    <Text wrap="truncate" dimColor={line.tone === 'quiet'}>
      {colour ? <Text color={colour}>{line.lead}</Text> : line.lead}
      {line.body}
      <Text dimColor>{line.tail}</Text>
    </Text>
  );
}

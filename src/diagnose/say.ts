import type { Language, Text } from './types.js';

export type Values = Readonly<Record<string, string | number>>;

/** Fills `{name}` in a sentence. A name without a value stays visible, so that a test sees the mistake. */
export const fill = (text: Text, language: Language, values: Values): string =>
  text[language].replaceAll(/\{(\w+)\}/g, (whole, name: string) =>
    Object.hasOwn(values, name) ? `${values[name]}` : whole,
  );

/** Sentences one after the other; empty ones are left out. */
export const joinSentences = (sentences: readonly string[], language: Language): string =>
  sentences.filter((one) => one !== '').join(language === 'zh' ? '' : ' ');

/** Joins a list the way the language writes it. */
export const joinWords = (words: readonly string[], language: Language): string =>
  words.join(language === 'zh' ? '、' : ', ');

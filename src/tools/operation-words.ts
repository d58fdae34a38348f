import { CHINESE_WORDS } from './words/chinese.js';
import { ENGLISH_WORDS } from './words/english.js';

const lines = `${CHINESE_WORDS}${ENGLISH_WORDS}`.split('\n').filter((line) => line.includes(' = '));

/** What is said, in lower case → the words of tools. A thing that is said in several lines means all of them. */
export const OPERATION_WORDS: ReadonlyMap<string, readonly string[]> = lines.reduce((all, line) => {
  const [said = '', words = ''] = line.split(' = ');
  for (const one of said.split(',').map((text) => text.trim())) {
    all.set(one, [...(all.get(one) ?? []), ...words.trim().split(' ')]);
  }
  return all;
}, new Map<string, readonly string[]>());

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { createToolFinder } from '../../src/tools/finder.js';
import { ROOT } from '../helpers/cli.js';
import { loadPacks } from '../llm-offline/packs.js';
import { distractors } from './distractors.js';
import { CHINESE, ENGLISH, HELD_OUT, type Labelled } from './selection-requests.js';

const shipped = loadPacks(...readdirSync(join(ROOT, 'tools.d')).map((name) => name.replace('.yaml', '')));
const tools = [...shipped, ...distractors];
const finder = createToolFinder(() => tools);

/** Requests whose tool is not among the first ten, with what is. */
async function missed(requests: readonly Labelled[]): Promise<string[]> {
  const found = await Promise.all(requests.map(([request]) => finder.find(request)));
  return requests.flatMap(([request, ...right], at) => {
    const first = found[at]?.slice(0, 10).map(({ name }) => name) ?? [];
    return right.some((name) => first.includes(name)) ? [] : [`${request}: ${first.join(' ')}`];
  });
}

describe('among 500 tools', () => {
  test('there are 500, each with a name of its own, and each label names some of them', () => {
    const names = new Set(tools.map(({ name }) => name));
    const labels = [...ENGLISH, ...CHINESE, ...HELD_OUT].flatMap(([, ...right]) => right);
    expect([tools.length >= 500, names.size]).toEqual([true, tools.length]);
    expect(labels.filter((name) => !names.has(name))).toEqual([]);
  });

  test.each([
    ['65 English requests', ENGLISH],
    ['65 Chinese ones', CHINESE],
  ])('the right one is among the first ten for 95 % of %s', async (_, requests) => {
    const wrong = await missed(requests);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(requests.length * 0.05);
  });

  test('and for four fifths of 30 that the words were not chosen for', async () => {
    const wrong = await missed(HELD_OUT);
    expect(wrong.length, wrong.join('\n')).toBeLessThanOrEqual(6);
  });
});

import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ToolDefinition } from '../../src/domain/types.js';
import { createToolFinder, indexTools } from '../../src/tools/finder.js';
import { createSelection, type Selection } from '../../src/tools/selection.js';
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

describe('an index that was made before', () => {
  const namesFor = async (find: ReturnType<typeof createToolFinder>, requests: readonly Labelled[]) =>
    Promise.all(requests.map(async ([request]) => (await find.find(request)).map(({ name }) => name)));
  const all = [...ENGLISH, ...CHINESE, ...HELD_OUT];

  test('ranks as a new one does, for every labelled request, with and without tools that came later', async () => {
    const kept = JSON.parse(JSON.stringify(await indexTools(shipped))) as Awaited<ReturnType<typeof indexTools>>;
    for (const list of [shipped, tools]) {
      const stored = createToolFinder(() => list, { stored: () => kept });
      expect(await namesFor(stored, all)).toEqual(
        await namesFor(
          createToolFinder(() => list),
          all,
        ),
      );
    }
  });

  test('finds no tool that cannot be used, and leaves the order of the others', async () => {
    const usable = tools.filter((_, at) => at % 3 === 0);
    const some = createToolFinder(() => tools, { usable: () => usable });
    const isUsable = new Set(usable.map(({ name }) => name));
    const expected = (await namesFor(finder, all)).map((names) => names.filter((name) => isUsable.has(name)));
    expect(await namesFor(some, all)).toEqual(expected);
  });
});

describe('what a model is offered', () => {
  const tokensOf = (some: readonly ToolDefinition[]) => some.length * 100;
  const select = (request: string, maxTokens: number, all: readonly ToolDefinition[] = tools) =>
    createSelection({ tools: () => all, finder: createToolFinder(() => all), tokensOf, maxTokens, request });
  const namesOf = async (selection: Selection) => (await selection.offered()).map(({ name }) => name);

  test('is never more than the budget holds, however long or strange the request', async () => {
    const strange = [
      '',
      '?',
      '🤷',
      'x'.repeat(100_000),
      '日志'.repeat(10_000),
      'constructor __proto__ toString',
      'a\u0000b',
    ];
    for (const request of [...strange, 'restart everything everywhere']) {
      expect((await namesOf(select(request, 2_000))).length).toBeLessThanOrEqual(20);
    }
  });

  test('is everything, without a tool to find more, where everything fits', async () => {
    const few = shipped.filter(({ category }) => category === 'git' || category === 'opsagent');
    expect(await namesOf(select('anything', 5_000, few))).toEqual(
      few.map(({ name }) => name).filter((name) => name !== 'find_tools'),
    );
  });

  test('begins with the way to the rest and the diagnoses; then come those that fit best', async () => {
    const names = await namesOf(select('drain node-3', 1_200));
    expect(names.slice(0, 7).toSorted()).toEqual([
      'diagnose_container',
      'diagnose_docker',
      'diagnose_host',
      'diagnose_metrics',
      'diagnose_namespace',
      'diagnose_service',
      'find_tools',
    ]);
    expect([names[7], names.length]).toEqual(['kubectl_drain', 12]);
  });

  test('stays the same list until something is found or used; what is added stands at its end and stays', async () => {
    const selection = select('drain node-3', 1_200);
    const first = await selection.offered();
    expect(await selection.offered()).toBe(first);
    selection.add(['slack_create_message', 'no_such_tool', 'kubectl_drain']);
    const more = await selection.offered();
    expect(more.map(({ name }) => name)).toEqual([...first.map(({ name }) => name), 'slack_create_message']);
    selection.add(['jira_create_issue']);
    expect((await namesOf(selection)).slice(-2)).toEqual(['slack_create_message', 'jira_create_issue']);
  });

  test('holds no more than 24 that were added: the one that was used again stays, the oldest goes', async () => {
    const selection = select('drain node-3', 1_200);
    const first = (await selection.offered()).length;
    const others = distractors.slice(0, 30).map(({ name }) => name);
    for (const name of others) selection.add([name]);
    selection.add([others[6] ?? '']);
    const names = await namesOf(selection);
    expect([names.length, names.at(-1), names.includes(others[0] ?? '')]).toEqual([first + 24, others[6], false]);
  });

  test('knows a tool that came later', async () => {
    const all = [...shipped];
    const later = createToolFinder(() => all);
    await later.find('open pull requests');
    all.push(...distractors);
    expect((await later.find('list open pull requests on github'))[0]?.category).toBe('github');
  });
});

import type { ToolDefinition } from '../domain/types.js';
import { isObject, objectAt } from '../lib/json-values.js';
import { createRanking, type RankedDocument, type Ranking, type StoredIndex, storeIndex } from '../lib/ranking.js';
import { stem, termsOf } from '../lib/terms.js';
import { OPERATION_WORDS } from './operation-words.js';

/** Finds the tools that fit a request. */
export interface ToolFinder {
  /** Tools that have to do with a text, best first; English or Chinese. */
  find(text: string): Promise<readonly ToolDefinition[]>;
}

/** What each part of a tool counts. Chosen on labelled requests; see test/tools/selection.test.ts. */
const BOOST = { name: 2.5, display: 2, description: 1.5, ways: 1.5, category: 1, parameters: 0.3 };
/** A word that somebody may have meant counts less than one that was said. */
const MEANT = 0.6;
/** Longest text that is ranked; in characters. What a request is about stands at its beginning. */
const MAX_TEXT = 1_000;

/** What `indexTools` made. */
export interface ToolIndex {
  /** How many tools it holds: the first ones of the list. */
  readonly count: number;
  readonly index: StoredIndex;
}

/** Indexes tools before anybody asks. */
export const indexTools = async (tools: readonly ToolDefinition[]): Promise<ToolIndex> => ({
  count: tools.length,
  index: await storeIndex(tools.map(documentOf), Object.keys(BOOST)),
});

export interface FinderOptions {
  /** Only these are found; their places are those among all tools. */
  readonly usable?: () => readonly ToolDefinition[];
  /** The index of the first ones of these tools, when there is one. */
  readonly stored?: (tools: readonly ToolDefinition[]) => ToolIndex | undefined;
}

/** A finder over tools that may come and go; they are indexed when they are first asked for, and again when they are others. */
export function createToolFinder(tools: () => readonly ToolDefinition[], options: FinderOptions = {}): ToolFinder {
  const { usable = tools, stored = () => undefined } = options;
  let indexed: readonly ToolDefinition[] = [];
  let ranking: Promise<Ranking> | undefined;
  return {
    async find(text) {
      const present = tools();
      if (!ranking || present.length !== indexed.length || present.some((tool, at) => tool !== indexed[at])) {
        // A copy: the list may be one that grows.
        indexed = [...present];
        const known = stored(indexed);
        const others = indexed.slice(known?.count ?? 0).map(documentOf);
        ranking = createRanking(others, { queryTerms, boost: BOOST }, known?.index);
      }
      const byName = new Map(usable().map((tool) => [tool.name, tool]));
      return (await ranking)(text.slice(0, MAX_TEXT)).flatMap((name) => byName.get(name) ?? []);
    },
  };
}

function documentOf(tool: ToolDefinition): RankedDocument {
  const parameters = Object.entries(objectAt(tool.parameters, 'properties')).flatMap(([name, schema]) => [
    name,
    isObject(schema) && typeof schema.description === 'string' ? schema.description : '',
  ]);
  const ways = [...tool.intents.phrases, ...tool.intents.keywords].map((phrase) => phrase.replaceAll(/\{\w+\}/g, ' '));
  const fields = {
    name: tool.name,
    display: tool.displayName,
    description: tool.description,
    ways: ways.join('\n'),
    category: tool.category,
    parameters: parameters.join(' '),
  };
  const terms = Object.entries(fields).map(([field, text]) => [field, termsOf(text).join(' ')]);
  return { id: tool.name, fields: Object.fromEntries(terms) };
}

/** The terms of a request, and of what its words mean in operations. */
function queryTerms(text: string): ReadonlyMap<string, number> {
  const weights = new Map<string, number>();
  for (const term of meantBy(text)) weights.set(term, MEANT);
  for (const term of termsOf(text)) weights.set(term, 1);
  return weights;
}

const meanings: readonly { readonly said: string; readonly isHan: boolean; readonly terms: readonly string[] }[] = [
  ...OPERATION_WORDS,
].map(([said, words]) => ({
  said: /\p{Script=Han}/u.test(said) ? said : ` ${said.split(' ').map(stem).join(' ')} `,
  isHan: /\p{Script=Han}/u.test(said),
  terms: words.map(stem),
}));

function meantBy(text: string): string[] {
  const plain = text.normalize('NFKC').toLowerCase();
  const stems = ` ${[...plain.matchAll(/[a-z0-9]+/g)].map(([word]) => stem(word)).join(' ')} `;
  return meanings.flatMap(({ said, isHan, terms }) => ((isHan ? plain : stems).includes(said) ? terms : []));
}

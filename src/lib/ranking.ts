/** The one door of minisearch. */

export interface RankedDocument {
  readonly id: string;
  /** The terms of each field, with one space between two. */
  readonly fields: Readonly<Record<string, string>>;
}

export interface RankingOptions {
  /** The terms of a query with what each counts; 1 is full. */
  readonly queryTerms: (query: string) => ReadonlyMap<string, number>;
  /** What a field counts; fields that are not named are not searched. */
  readonly boost: Readonly<Record<string, number>>;
}

/** Ids of the documents that hold a term of the query, best first. */
export type Ranking = (query: string) => string[];

/** An index as JSON. */
export type StoredIndex = import('minisearch').AsPlainObject;

const indexSettings = (fields: readonly string[]): import('minisearch').Options<RankedDocument> => ({
  fields: [...fields],
  extractField: (document, field) => (field === 'id' ? document.id : (document.fields[field] ?? '')),
  tokenize: (terms) => (terms === '' ? [] : terms.split(' ')),
  processTerm: (term) => term,
});

/** The index of documents, to be kept. `fields` are those that will be searched. */
export async function storeIndex(
  documents: readonly RankedDocument[],
  fields: readonly string[],
): Promise<StoredIndex> {
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch(indexSettings(fields));
  index.addAll(documents);
  return index.toJSON();
}

/** Indexes documents for ranking by BM25+, in memory. Those that are in a stored index come before them. */
export async function createRanking(
  documents: readonly RankedDocument[],
  options: RankingOptions,
  stored?: StoredIndex,
): Promise<Ranking> {
  const { default: MiniSearch } = await import('minisearch');
  const settings = indexSettings(Object.keys(options.boost));
  const index = stored ? MiniSearch.loadJS(stored, settings) : new MiniSearch(settings);
  index.addAll(documents);
  return (query) => {
    const weights = options.queryTerms(query);
    const found = index.search(query, {
      tokenize: () => [...weights.keys()],
      boost: options.boost,
      boostTerm: (term) => weights.get(term) ?? 1,
      // Names of things are long: a letter more or less in one is a slip.
      fuzzy: (term) => (/^[a-z]{6,}$/.test(term) ? 1 : false),
      weights: { fuzzy: 0.3, prefix: 0.3 },
    });
    return found.map(({ id }) => id as string);
  };
}

/** The one door of minisearch. */

export interface RankedDocument {
  readonly id: string;
  readonly fields: Readonly<Record<string, string>>;
}

export interface RankingOptions {
  /** The terms of a document's text. */
  readonly terms: (text: string) => readonly string[];
  /** The terms of a query with what each counts; 1 is full. */
  readonly queryTerms: (query: string) => ReadonlyMap<string, number>;
  /** What a field counts; fields that are not named are not searched. */
  readonly boost: Readonly<Record<string, number>>;
}

/** Ids of the documents that hold a term of the query, best first. */
export type Ranking = (query: string) => string[];

/** Indexes documents for ranking by BM25+, in memory. */
export async function createRanking(documents: readonly RankedDocument[], options: RankingOptions): Promise<Ranking> {
  const { default: MiniSearch } = await import('minisearch');
  const index = new MiniSearch<RankedDocument>({
    fields: Object.keys(options.boost),
    extractField: (document, field) => (field === 'id' ? document.id : (document.fields[field] ?? '')),
    tokenize: (text) => [...options.terms(text)],
    processTerm: (term) => term,
  });
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

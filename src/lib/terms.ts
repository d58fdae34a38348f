const STOP_WORDS = new Set(
  `a an the this that these those it its is are was were be been am do does did of in on at to for from by with and or not no as into
  i me my we our us you your he she they them there here what which who whom whose when where how can could will would should please
  all any some every each more most very just now right yet than then so if but about up out have has had many much give tell show
  see look want need let make get`.split(/\s+/),
);

/** A word without its ending, so that restarts, restarted and restarting are one; English, by a few rules. */
export function stem(word: string): string {
  if (word.length < 4 || /\d/.test(word)) return word;
  const singular = word
    .replace(/ies$/, 'y')
    .replace(/(ch|sh|x|ss|z)es$/, '$1')
    .replace(/([^su])s$/, '$1');
  const bare = singular.replace(/([a-z]{3,})(?:ing|ed)$/, '$1').replace(/([bdgmnprt])\1$/, '$1');
  return bare.length > 3 ? bare.replace(/e$/, '') : bare;
}

/**
 * Each pair of neighbours in a run of Chinese characters. Most words have two; a dictionary (Intl.Segmenter) found no more of the
 * labelled requests, and took half the time of indexing.
 */
const pairsOf = (run: string): string[] => {
  const characters = [...run];
  return characters.slice(1).map((character, at) => `${characters[at]}${character}`);
};

/** The terms of a text for ranking: stems of Latin words, parts of names_like_this and namesLikeThis, pairs of Chinese characters. */
export function termsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return [...plain.matchAll(/[a-z0-9]+|\p{Script=Han}+/gu)].flatMap(([run]) => {
    if (/\p{Script=Han}/u.test(run)) return pairsOf(run);
    return run.length < 2 || STOP_WORDS.has(run) ? [] : [stem(run)];
  });
}

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

let segmenter: Intl.Segmenter | undefined;

/** Words of a run of Chinese characters, and each pair of neighbours: a word that the dictionary cuts otherwise is found by its pairs. */
function hanTerms(run: string): string[] {
  segmenter ??= new Intl.Segmenter('zh', { granularity: 'word' });
  const words = [...segmenter.segment(run)].map(({ segment }) => segment).filter((word) => word.length > 1);
  const pairs = [...run].slice(1).map((character, at) => `${[...run][at]}${character}`);
  return [...words, ...pairs];
}

/** The terms of a text for ranking: stems of Latin words, parts of names_like_this and namesLikeThis, Chinese words and pairs. */
export function termsOf(text: string): string[] {
  const plain = text
    .normalize('NFKC')
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase();
  return [...plain.matchAll(/[a-z0-9]+|\p{Script=Han}+/gu)].flatMap(([run]) => {
    if (/\p{Script=Han}/u.test(run)) return hanTerms(run);
    return run.length < 2 || STOP_WORDS.has(run) ? [] : [stem(run)];
  });
}

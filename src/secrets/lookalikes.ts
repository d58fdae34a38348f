/** Letters of Cyrillic and Greek that look like one of Latin, each with that one. */
const LOOKALIKES = new Map(
  [
    ...['аa', 'сc', 'ԁd', 'еe', 'һh', 'іi', 'јj', 'кk', 'ӏl', 'оo', 'рp', 'ѕs', 'тt', 'ѵv', 'ԝw', 'хx', 'уy'],
    ...['АA', 'ВB', 'СC', 'ЕE', 'НH', 'ІI', 'КK', 'МM', 'ОO', 'РP', 'ЅS', 'ТT', 'ХX', 'УY'],
    ...['αa', 'εe', 'ιi', 'κk', 'οo', 'ρp', 'τt', 'υu', 'ωw'],
  ].map((pair) => [[...pair][0] ?? '', [...pair][1] ?? ''] as const),
);
const INVISIBLE = ['\u00ad', '\u200b', '\u200c', '\u200d', '\u2060', '\ufeff'];
/** Words of a telling name, in which two letters that follow each other may be told apart by a look-alike. */
const WORDS = ['password', 'passwd', 'token', 'secret', 'apikey', 'api_key', 'auth', 'credential', 'access_key'];

/** Parts of telling names with one look-alike or an invisible character: what a line with such a name holds. */
export function disguises(): string[] {
  const twins = new Map<string, string[]>();
  for (const [twin, letter] of LOOKALIKES) {
    const lower = letter.toLowerCase();
    twins.set(lower, [...(twins.get(lower) ?? []), twin]);
  }
  const parts = WORDS.flatMap((word) =>
    [...word.slice(1)].flatMap((second, index) => {
      const first = word[index] ?? '';
      return [
        ...(twins.get(second) ?? []).map((twin) => first + twin),
        ...(twins.get(first) ?? []).map((twin) => twin + second),
        ...INVISIBLE.map((mark) => first + mark),
      ];
    }),
  );
  const wide = [...'ackpst']
    .flatMap((letter) => [letter, letter.toUpperCase()])
    .map((letter) => String.fromCharCode(letter.charCodeAt(0) + 0xfee0));
  return [...new Set([...parts, ...wide])];
}

/** A text of many bytes in Latin-1; another letter stands for the no-break space in it, as in `stream.ts`. */
const WIDE = /[\xc2-\xf4][\x80-\xbf\u01a0]{1,3}/g;

/** The line with look-alikes as the letters they look like, and where each of its characters stood; undefined when there are none. */
export function undisguised(line: string): { readonly text: string; readonly at: readonly number[] } | undefined {
  let text = '';
  const at: number[] = [];
  const add = (part: string, start: number, step: number) => {
    for (let i = 0; i < part.length; i++) at.push(start + i * step);
    text += part;
  };
  let done = 0;
  let isOther = false;
  for (const match of line.matchAll(WIDE)) {
    const [bytes] = match;
    const letter = letterOf(Buffer.from(bytes, 'latin1').toString('utf8'));
    if (letter === undefined) continue;
    isOther = true;
    add(line.slice(done, match.index), done, 1);
    add(letter, match.index, 0);
    done = match.index + bytes.length;
  }
  add(line.slice(done), done, 1);
  at.push(line.length);
  return isOther ? { text, at } : undefined;
}

/** The letter, digit or joint that a character looks like, '' for one that is not seen; undefined for any other. */
function letterOf(character: string): string | undefined {
  if (INVISIBLE.includes(character)) return '';
  const letter = LOOKALIKES.get(character) ?? character.normalize('NFKC');
  return /^[\w.-]$/.test(letter) ? letter : undefined;
}

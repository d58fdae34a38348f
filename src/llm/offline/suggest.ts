import type { ToolDefinition } from '../../domain/types.js';
import { changes, hasParameter } from './schema.js';
import type { Language } from './text.js';

/**
 * Ways to ask that are nearest to a request, at most one a tool, in its language; slots are shown as `<name>`. Those with a
 * slot for each of `slots` come first.
 */
export function suggestPhrases(
  tools: readonly ToolDefinition[],
  request: string,
  language: Language,
  max: number,
  slots: readonly string[] = [],
): string[] {
  const wanted = pairsOf(request);
  const best = tools.flatMap((tool) => {
    const [first] = tool.intents.phrases
      .filter((phrase) => /\p{Script=Han}/u.test(phrase) === (language === 'zh'))
      .map((phrase) => ({ phrase, likeness: likeness(wanted, phrase) }))
      .toSorted((a, b) => holds(b.phrase, slots) - holds(a.phrase, slots) || b.likeness - a.likeness);
    if (!first) return [];
    const phrase = changes(tool) ? completed(tool, first.phrase, language) : first.phrase;
    return [{ likeness: first.likeness, phrase, workflow: tool.run.kind === 'workflow' ? 1 : 0 }];
  });
  return best
    .toSorted((a, b) => b.likeness - a.likeness || b.workflow - a.workflow)
    .slice(0, max)
    .map(({ phrase }) =>
      phrase
        .replaceAll(/\{(\w+)\}/g, ' <$1> ')
        .replaceAll(/ +/g, ' ')
        .trim(),
    );
}

const holds = (phrase: string, slots: readonly string[]): number =>
  slots.filter((slot) => phrase.includes(`{${slot}}`)).length;

/** An order as it has to be given: with the kind of the object and its namespace. */
function completed(tool: ToolDefinition, phrase: string, language: Language): string {
  const full = hasParameter(tool, 'kind') ? phrase.replace('{name}', '{kind} {name}') : phrase;
  if (!hasParameter(tool, 'namespace')) return full;
  return language === 'en' ? `${full} in namespace {namespace}` : `在 {namespace} 命名空间${full}`;
}

/** Pairs of neighbouring characters: works for both languages. */
const pairsOf = (text: string): Set<string> => {
  const plain = text
    .toLowerCase()
    .replaceAll(/\{\w+\}|[^\p{L}\p{N}]+/gu, ' ')
    .slice(0, 500);
  return new Set([...plain].flatMap((c, i) => (c === ' ' ? [] : [c + (plain[i + 1] ?? '')])));
};

function likeness(wanted: ReadonlySet<string>, phrase: string): number {
  const own = pairsOf(phrase);
  const shared = [...own].filter((pair) => wanted.has(pair)).length;
  return own.size + wanted.size === 0 ? 0 : (2 * shared) / (own.size + wanted.size);
}

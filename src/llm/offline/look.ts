import type { Json, ToolDefinition } from '../../domain/types.js';
import { type Bound, bind, type Supply } from './bind.js';
import { ANY_NAME_PATTERN, anyOf, KIND_PATTERN, NAMESPACE_MARK, refsIn, SCOPE_MARK } from './names.js';
import { matchPhrase, weigh } from './phrase.js';
import type { Reading } from './reading.js';
import { changes, hasParameter } from './schema.js';
import type { Scope } from './scope.js';
import { clausesOf, type RequestText } from './text.js';
import { SYNONYMS } from './words.js';

/** A tool that reads and could answer, with how well its words fit. */
export interface Look {
  readonly tool: ToolDefinition;
  readonly bound: Bound;
  readonly score: number;
  /** The request joins several objects; the call would be about one of them. */
  readonly leavesOut: boolean;
}

/** A phrase always counts for more than keywords. */
const PHRASE = 1_000;
/** A call that needs a value from the session may fail; one that needs none is better. */
const FROM_SESSION = 30;
/** `web-1 and web-2`. */
const JOINED = new RegExp(`^\\s*(?:,|and\\s|or\\s|&|和|与|跟|以及|或)\\s*${ANY_NAME_PATTERN}`, 'i');

/** Every tool that reads and whose phrases or keywords stand in the request, best first. */
export function findLooks({ tools, request: asked, scopeFor }: Reading): Look[] {
  const request = { ...asked, text: commonWords(asked.text) };
  const looks = tools
    .filter((tool) => !changes(tool))
    .flatMap((tool) => {
      const read = scopeFor(tool);
      const scope = { ...read, masked: commonWords(read.masked) };
      const texts = [scope.masked, ...clausesOf(scope.masked)];
      return byPhrase(tool, texts, request, scope) ?? byKeyword(tool, request, scope) ?? [];
    });
  return looks.toSorted((a, b) => b.score - a.score);
}

const commonWords = (text: string): string =>
  [...SYNONYMS, ...WHOLE].reduce((left, [said, common]) => left.replaceAll(said, common), text);

const OBJECT = `(?:${KIND_PATTERN}[\\s/]+)?${ANY_NAME_PATTERN}`;
const PLACE = `(?:\\s|[${SCOPE_MARK}${NAMESPACE_MARK}])*`;
/** Other systems have ways of their own to ask this. */
const SYSTEMS = '(?!(?:docker|systemd|prometheus|alertmanager)(?![\\w-]))';
/** Requests of few words, each as a whole: is it well, or nothing but the object. */
const WHOLE: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      `^(${PLACE})is\\s+${SYSTEMS}(${OBJECT})\\s+(?:ok|okay|fine|healthy|well|up|down|alive|working|running|available|reachable|slow)(?![\\w-])(?=${PLACE}[?.!]*${PLACE}$)`,
      'gi',
    ),
    '$1 check $2',
  ],
  [
    new RegExp(
      `^(${PLACE})${SYSTEMS}(${OBJECT})\\s*(?:还好|正常|健康|没问题|好着|可用)(?=(?:吗|么)?[?。]*${PLACE}$)`,
      'gi',
    ),
    '$1 检查 $2',
  ],
  [
    new RegExp(`^(?:the\\s+)?(${KIND_PATTERN}[\\s/]+${ANY_NAME_PATTERN})(?=${PLACE}[?.!]*${PLACE}$)`, 'gi'),
    'status of $1',
  ],
];

function byPhrase(
  tool: ToolDefinition,
  texts: readonly string[],
  request: RequestText,
  scope: Scope,
): Look | undefined {
  const matches = tool.intents.phrases.flatMap((phrase) =>
    texts.flatMap((text) => matchPhrase(tool, phrase, text, 'look') ?? []),
  );
  const looks = matches.map((match) =>
    lookOf(tool, match, PHRASE + match.score, request, scope, JOINED.test(match.rest)),
  );
  return best(looks);
}

function byKeyword(tool: ToolDefinition, request: RequestText, scope: Scope): Look | undefined {
  const hits = tool.intents.keywords.filter((word) => new RegExp(anyOf([word]), 'i').test(request.text));
  if (hits.length === 0) return undefined;
  const refs = refsIn(scope.masked);
  const [ref] = refs;
  const param = ['name', 'pod_name', 'node'].find((name) => hasParameter(tool, name));
  const supply: Supply = { values: {}, takesNamespace: false, ...(ref && param && { ref, refParam: param }) };
  if (ref && !param) return undefined;
  const score = Math.min(
    hits.reduce((sum, word) => sum + weigh(word), 0),
    PHRASE - 1,
  );
  const look = lookOf(tool, supply, score, request, scope, refs.length > 1);
  // Keywords alone say too little to look wherever the session happens to be.
  const missing = [...look.bound.missing, ...look.bound.fromSession];
  return { ...look, bound: { ...look.bound, missing } };
}

function lookOf(
  tool: ToolDefinition,
  supply: Supply,
  score: number,
  request: RequestText,
  scope: Scope,
  leavesOut: boolean,
): Look {
  const bound = bind(tool, supply, scope, request.text, request.language);
  // A diagnosis looks around by itself; any other call is about what it names and nothing else.
  const named = Object.values(bound.args);
  const forgotten =
    tool.run.kind !== 'workflow' && refsIn(scope.masked, true).some((ref) => !named.some((v) => isAbout(v, ref.name)));
  return { tool, bound, leavesOut: leavesOut || forgotten, score: score - FROM_SESSION * bound.fromSession.length };
}

const isAbout = (value: Json, name: string): boolean => String(value).toLowerCase().includes(name);

/** The best that could be called; else the best of the rest. */
function best(looks: readonly Look[]): Look | undefined {
  const sorted = looks.toSorted((a, b) => b.score - a.score);
  return sorted.find(isComplete) ?? sorted[0];
}

export const isComplete = ({ bound }: Look): boolean => bound.missing.length === 0 && bound.unplaced.length === 0;

import type { Json, ToolDefinition } from '../../domain/types.js';
import { type Bound, bind, type Supply } from './bind.js';
import { ANY_NAME_PATTERN, anyOf, KIND_PATTERN, NAMESPACE_MARK, refsIn, SCOPE_MARK } from './names.js';
import { partOfMachine } from './part.js';
import { matchPhrase, piecesOf, weigh } from './phrase.js';
import type { Reading } from './reading.js';
import { changes, hasParameter } from './schema.js';
import type { Scope } from './scope.js';
import { clausesOf, type RequestText } from './text.js';
import { DAEMONS, LISTED_EVERYWHERE, POD_LISTS, SYNONYMS } from './words.js';

/** A tool that reads and could answer, with how well its words fit. */
export interface Look {
  readonly tool: ToolDefinition;
  readonly bound: Bound;
  readonly score: number;
  /** The request joins several objects; the call would be about one of them. */
  readonly leavesOut: boolean;
  /** A part of the machine that the request names, while the tool answers for the whole. */
  readonly part?: string;
}

/** A phrase always counts for more than keywords. */
export const PHRASE = 1_000;
/** A call that needs a value from the session may fail; one that needs none is better. */
const FROM_SESSION = 30;
/** `web-1 and web-2`. */
const JOINED = new RegExp(`^\\s*(?:,|and\\s|or\\s|&|和|与|跟|以及|或)\\s*${ANY_NAME_PATTERN}`, 'i');

/** Every tool that reads and whose phrases or keywords stand in the request, best first. */
export function findLooks({ tools, request: asked, scopeFor, orderScope }: Reading): Look[] {
  const toUnits = unitWords(tools);
  const isPlaced = orderScope.stated.some((s) => s.param === 'namespace');
  // In one namespace it is a diagnosis; everywhere, a list.
  const podsAsked = (text: string, common: string): string =>
    POD_LISTS.reduce((left, asks) => left.replaceAll(asks, common), text);
  const unhealthy = asked.language === 'zh' ? 'pod异常' : 'pods not ready';
  const request = {
    ...asked,
    text: commonWords(toUnits(isPlaced ? podsAsked(asked.text, unhealthy) : asked.text)),
  };
  const looks = tools
    .filter((tool) => !changes(tool))
    .flatMap((tool) => {
      const read = scopeFor(tool);
      const listed = isPlaced ? read.masked : podsAsked(read.masked, 'list pods');
      const scope = { ...read, masked: commonWords(toUnits(listed)) };
      const texts = [scope.masked, ...clausesOf(scope.masked)];
      return byPhrase(tool, texts, request, scope) ?? byKeyword(tool, request, scope) ?? [];
    });
  return looks.toSorted((a, b) => b.score - a.score);
}

const commonWords = (text: string): string =>
  [...SYNONYMS, ...WHOLE].reduce((left, [said, common]) => left.replaceAll(said, common), text);

const UNIT_NAME = '[\\w@.-]+\\.service';

/**
 * `is cron running` asks for a unit of the machine when such can be asked for: by a name that is hardly anything else, or
 * by any when no other tool takes names.
 */
function unitWords(tools: readonly ToolDefinition[]): (text: string) => string {
  if (!tools.some((tool) => !changes(tool) && hasParameter(tool, 'unit'))) return (text) => text;
  const name = tools.some((tool) => hasParameter(tool, 'name'))
    ? `${UNIT_NAME}|${anyOf(DAEMONS)}`
    : `${UNIT_NAME}|${ANY_NAME_PATTERN}`;
  const en = new RegExp(
    `^is\\s+(?:the\\s+)?(?:unit\\s+)?(${name})(?:\\s+(?:service|daemon))?\\s+(?:running|active|up|alive)(?=[?.!\\s]*$)`,
    'i',
  );
  const zh = new RegExp(`^(${name})\\s*(?:服务)?(?:是否)?(?:正?在)?(?:运行|跑|活动)(?:吗|么|着吗)?(?=[?。\\s]*$)`, 'i');
  return (text) => text.replace(en, 'is unit $1 running').replace(zh, 'unit $1是否运行');
}

const OBJECT = `(?:(?:${KIND_PATTERN}|container)[\\s/]+)?${ANY_NAME_PATTERN}`;
const PLACE = `(?:\\s|[${SCOPE_MARK}${NAMESPACE_MARK}])*`;
/** Other systems have ways of their own to ask this. */
const SYSTEMS = '(?!(?:docker|systemd|prometheus|alertmanager)(?![\\w-]))';
/** Requests of few words, each as a whole: is it well, or nothing but the object. */
const WHOLE: readonly (readonly [RegExp, string])[] = [
  [
    new RegExp(
      `^(${PLACE})is\\s+(?:the\\s+)?${SYSTEMS}(${OBJECT})\\s+(${PLACE})(?:ok|okay|fine|healthy|well|up|down|alive|working|running|available|reachable|slow)(?![\\w-])(?=${PLACE}[?.!]*${PLACE}$)`,
      'gi',
    ),
    '$1 $3 check $2',
  ],
  [
    new RegExp(
      `^(${PLACE})${SYSTEMS}((?:容器(?!组)\\s*)?${OBJECT})\\s*(?:还好|正常|健康|没问题|好着|可用)(?=(?:吗|么)?[?。]*${PLACE}$)`,
      'gi',
    ),
    '$1 检查$2',
  ],
  [
    new RegExp(`^(?:the\\s+)?(${KIND_PATTERN}[\\s/]+${ANY_NAME_PATTERN})(?=${PLACE}[?.!]*${PLACE}$)`, 'gi'),
    'status of $1',
  ],
  [
    new RegExp(`^(?:(?:the|all)\\s+)?(?=[a-z]+s(?![\\w-]))(${KIND_PATTERN})(?=${PLACE}[?.!]*${PLACE}$)`, 'gi'),
    'list $1',
  ],
  [/^(?:the\s+)?(memory|cpu)\s+(?=of\s+(?:containers?|pods|nodes)(?![\w-]))/gi, '$1 usage '],
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
  const looks = matches.map((match) => {
    const part = partOfMachine(tool, match);
    const look = lookOf(tool, match, PHRASE + match.score, request, scope, JOINED.test(match.rest));
    return { ...look, ...(part !== undefined && { part }) };
  });
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
  const bound = everywhere(tool, bind(tool, supply, scope, request.text, request.language));
  // A diagnosis looks around by itself; any other call is about what it names and nothing else.
  const named = Object.values(bound.args);
  const own = ownWords(tool);
  const forgotten =
    tool.run.kind !== 'workflow' &&
    refsIn(scope.masked, true).some(({ name }) => !own.includes(name) && !named.some((v) => isAbout(v, name)));
  return { tool, bound, leavesOut: leavesOut || forgotten, score: score - FROM_SESSION * bound.fromSession.length };
}

/** A list of pods, deployments or events, where nobody said whose: of all namespaces, for a session may have none of its own. */
function everywhere(tool: ToolDefinition, bound: Bound): Bound {
  const { args } = bound;
  const isList =
    hasParameter(tool, 'all_namespaces') &&
    args.name === undefined &&
    args.namespace === undefined &&
    args.all_namespaces === undefined &&
    (args.kind === undefined ? tool.name === 'kubectl_events' : LISTED_EVERYWHERE.includes(String(args.kind)));
  return isList ? { ...bound, args: { ...args, all_namespaces: true }, isSpread: true } : bound;
}

/** `unit`, `syslog`: among Chinese words these look like names. */
const ownWords = (tool: ToolDefinition): string[] =>
  tool.intents.phrases.flatMap((phrase) =>
    piecesOf(phrase).flatMap((piece) => ('literal' in piece && /^[a-z]+$/.test(piece.literal) ? [piece.literal] : [])),
  );

const isAbout = (value: Json, name: string): boolean => String(value).toLowerCase().includes(name);

/** The best that could be called; else the best of the rest. A part that one way to ask leaves out, another may take. */
function best(looks: readonly Look[]): Look | undefined {
  const sorted = looks.toSorted((a, b) => b.score - a.score);
  return sorted.find(isComplete) ?? sorted[0];
}

export const isComplete = ({ bound, part }: Look): boolean =>
  part === undefined && bound.missing.length === 0 && bound.unplaced.length === 0;

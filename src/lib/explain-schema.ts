import type { Json } from '../domain/types.js';
import type { SchemaProblem } from './json-schema.js';
import { type Finding, formatPath, isList, isObject, showValue, valueAt } from './json-values.js';
import { didYouMean, nearest } from './nearest.js';

/** More are the same mistake again and again, and sorting out their branches takes time. */
const MAX_EXPLAINED = 200;

/**
 * Schema problems as sentences that a person or a model can act on: what was found, what is expected, how to mend it.
 * `what` names the whole value ("the tool", "the arguments").
 */
export function explainProblems(problems: readonly SchemaProblem[], data: Json, what: string): Finding[] {
  return pickBranches(problems.slice(0, MAX_EXPLAINED), data)
    .filter(({ keyword }) => keyword !== 'if')
    .map((problem) => explainOne(problem, data, what));
}

function explainOne(problem: SchemaProblem, data: Json, what: string): Finding {
  const { path, params, expected } = problem;
  const place = path.length === 0 ? what : formatPath(path).slice(0, 200);
  const found = valueAt(data, path);
  const key = (name: string) => String(params[name]);
  switch (problem.keyword) {
    case 'required': {
      const missing = key('missingProperty');
      return { path, message: `${place} lacks "${missing}".`, fix: `Add "${missing}".` };
    }
    case 'additionalProperties': {
      const unknown = key('additionalProperty');
      const known = keysOf(expected.properties);
      return {
        path: [...path, unknown],
        message: `${place} has an unknown key ${showValue(unknown)}.`,
        fix: fixUnknownKey(unknown, known),
      };
    }
    case 'type':
      return {
        path,
        message: `${place} must be ${typeWords(params.type)}, but is ${describeValue(found)}.`,
        ...typeFix(params.type, found),
      };
    case 'enum':
      return explainEnum(problem, place, found);
    case 'const':
      return {
        path,
        message: `${place} must be ${showValue(params.allowedValue as Json)}, but is ${showValue(found)}.`,
      };
    case 'pattern':
      return { path, message: `${place} is ${showValue(found)}, which does not fit the pattern ${key('pattern')}.` };
    case 'anyOf':
    case 'oneOf':
      return {
        path,
        message: `${place} has none of the forms that are allowed here, or several: ${showValue(found)}.`,
      };
    default:
      return { path, message: `${place} ${problem.message}, but is ${describeValue(found)}.` };
  }
}

function explainEnum({ path, params }: SchemaProblem, place: string, found: Json | undefined): Finding {
  const allowed = isList(params.allowedValues as Json) ? (params.allowedValues as readonly Json[]) : [];
  const listed = allowed.slice(0, 20).map((value) => (typeof value === 'string' ? value : showValue(value)));
  const message = `${place} must be one of ${listed.join(', ')}; it is ${showValue(found)}.`;
  const hint = typeof found === 'string' ? didYouMean(found, listed).trim() : '';
  return { path, message, ...(hint !== '' && { fix: hint }) };
}

function fixUnknownKey(unknown: string, known: readonly string[]): string {
  const [near] = nearest(unknown, known, 1);
  if (near !== undefined) return `Did you mean "${near}"?`;
  return known.length === 0 ? 'Remove it.' : `Remove it, or use one of: ${known.slice(0, 40).join(', ')}.`;
}

const typeFix = (type: unknown, found: Json | undefined): { fix: string } | undefined =>
  type === 'string' && (typeof found === 'number' || typeof found === 'boolean')
    ? { fix: `Write it in quotes: "${found}".` }
    : undefined;

const TYPE_WORDS: Readonly<Record<string, string>> = {
  string: 'text',
  integer: 'a whole number',
  number: 'a number',
  boolean: 'true or false',
  array: 'a list',
  object: 'a map of keys',
  null: 'null',
};

const typeWords = (type: unknown): string =>
  (Array.isArray(type) ? type : [type]).map((name) => TYPE_WORDS[String(name)] ?? String(name)).join(' or ');

function describeValue(value: Json | undefined): string {
  if (value === undefined) return 'missing';
  if (isList(value)) return value.length === 0 ? 'an empty list' : `a list: ${showValue(value)}`;
  if (isObject(value)) return `a map: ${showValue(value)}`;
  return typeof value === 'string' ? `text: ${showValue(value)}` : showValue(value);
}

const keysOf = (value: unknown): string[] => (typeof value === 'object' && value !== null ? Object.keys(value) : []);

/**
 * Of every `anyOf` and `oneOf` keeps only the problems of the branch that fits best; what the other branches say
 * misleads.
 */
function pickBranches(problems: readonly SchemaProblem[], data: Json): SchemaProblem[] {
  let kept = [...problems];
  for (const choice of problems.filter(({ keyword }) => keyword === 'anyOf' || keyword === 'oneOf')) {
    const inside = kept.filter(
      (problem) =>
        problem !== choice && problem.schemaPath.startsWith(`${choice.schemaPath}/`) && isUnder(problem, choice),
    );
    const best = bestBranch(inside, choice, data);
    const general = best.length === 0;
    kept = kept.filter((problem) =>
      problem === choice ? general : !inside.includes(problem) || best.includes(problem),
    );
  }
  return kept;
}

function bestBranch(inside: readonly SchemaProblem[], choice: SchemaProblem, data: Json): SchemaProblem[] {
  const branches = new Map<string, SchemaProblem[]>();
  for (const problem of inside) {
    const name = problem.schemaPath.slice(choice.schemaPath.length + 1).split('/')[0] ?? '';
    branches.set(name, [...(branches.get(name) ?? []), problem]);
  }
  const found = valueAt(data, choice.path);
  const scored = [...branches.values()].map((branch) => ({ branch, score: misfit(branch, choice, found) }));
  scored.sort((a, b) => a.score - b.score);
  const [first, second] = scored;
  // Two branches that fit equally badly: the general sentence is truer than either.
  return first === undefined || first.score === second?.score ? [] : first.branch;
}

/** A wrong type tells that another form was meant; so does a missing key more than a wrong value. */
function misfit(branch: readonly SchemaProblem[], choice: SchemaProblem, found: Json | undefined): number {
  const own = branch.filter(({ path }) => path.length === choice.path.length);
  if (own.some(({ keyword }) => keyword === 'type') && found !== undefined) return 1000;
  return own.filter(({ keyword }) => keyword === 'required').length * 10 + branch.length;
}

const isUnder = (problem: SchemaProblem, choice: SchemaProblem): boolean =>
  choice.path.every((key, index) => problem.path[index] === key);

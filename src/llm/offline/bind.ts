import type { Json, JsonObject, ToolDefinition } from '../../domain/types.js';
import { compileSchema } from '../../lib/json-schema.js';
import { kindWord, looksLikePod, NAMESPACE_MARK, type ObjectRef } from './names.js';
import type { PhraseMatch } from './phrase.js';
import { changes, hasParameter, isFromSession, propertiesOf, propertyOf, requiredOf } from './schema.js';
import type { Scope, Stated } from './scope.js';
import type { Language } from './text.js';
import { CLUSTER_KINDS } from './words.js';

/** What a request supplies for a call. */
export type Supply = Pick<PhraseMatch, 'ref' | 'refParam' | 'kind' | 'values' | 'takesNamespace'>;

export interface Bound {
  readonly args: JsonObject;
  /** Required parameters that the request does not state. */
  readonly missing: readonly string[];
  /** What the request states and the tool has no parameter for; ignoring it would answer another question. */
  readonly unplaced: readonly string[];
  /** Required, not stated, and supplied by the session if it has a value. */
  readonly fromSession: readonly string[];
  /** Nobody said where: all namespaces are looked at, unless the session has one of its own. */
  readonly isSpread?: boolean;
}

/** Makes the arguments of a call from what the request states, and from nothing else. */
export function bind(tool: ToolDefinition, supply: Supply, scope: Scope, text: string, language: Language): Bound {
  const namesNamespace = supply.ref?.kind === 'namespace' && supply.ref.name === '';
  const namespaces = scope.stated.filter((s) => s.param === 'namespace');
  const [namespace] = namespaces;
  const ref = namesNamespace && namespace ? { kind: 'namespace', name: String(namespace.value) } : supply.ref;
  const stated = namesNamespace ? scope.stated.filter((s) => s !== namespace) : scope.stated;
  // A change needs firm words; what they only suggest counts as not stated. `delete namespace a deployment b` may mean both.
  const isBoth = !namesNamespace && DELETES_NAMESPACE.test(scope.masked);
  const isPlace = (s: (typeof stated)[number]) =>
    !(isBoth && s.param === 'namespace') && (!s.implied || (s.bare === true && isNamespaced(ref)));
  const firm = changes(tool) ? stated.filter(isPlace) : stated;
  const unfirm = stated.filter((s) => !firm.includes(s)).map((s) => s.param);
  const { values, missing } = objectArguments(tool, supply, ref);
  const placed = firm.filter((s) => hasParameter(tool, s.param));
  const found: Record<string, Json> = { ...supply.values, ...values, ...extras(tool, text, language) };
  for (const { param, value } of placed) found[param] = value;
  const absent = requiredOf(tool).filter((name) => found[name] === undefined && !missing.includes(name));
  const args = inOrder(tool, found);
  return {
    args,
    missing: [
      ...missing,
      ...absent.filter((name) => !isFromSession(tool, name)),
      ...invalid(tool, args),
      // `delete namespace a in namespace b`: which of them?
      ...(namesNamespace && namespaces.filter((s) => !s.implied).length > 1 ? ['name'] : []),
      ...vague(tool, stated),
      ...unfirm,
    ].filter(isFirst),
    unplaced: stated.filter((s) => !hasParameter(tool, s.param)).map((s) => s.param),
    fromSession: absent.filter((name) => isFromSession(tool, name)),
  };
}

const DELETES_NAMESPACE = new RegExp(`(?:(?:delete|remove)\\s+(?:the\\s+)?|删除\\s*|删掉\\s*)${NAMESPACE_MARK}`, 'i');

/** Whether an object surely stands in a namespace; for one that does not, `in production` means something else. */
const isNamespaced = (ref: ObjectRef | undefined): boolean =>
  ref?.kind === undefined || (!CLUSTER_KINDS.includes(ref.kind) && !ref.kind.includes('.'));

/** The name and the kind of the object; a kind that was not said is missing, for the same name may stand for several objects. */
function objectArguments(tool: ToolDefinition, supply: Supply, ref: ObjectRef | undefined) {
  const values: Record<string, Json> = {};
  const missing: string[] = [];
  const param = supply.refParam ?? 'name';
  if (ref) values[param] = ref.name;
  if (ref && param === 'pod_name' && changes(tool) && ref.kind !== 'pod') missing.push('pod_name');
  if (!hasParameter(tool, 'kind')) return { values, missing };
  const kind = supply.kind ?? ref?.kind ?? (ref && !changes(tool) && looksLikePod(ref.name) ? 'pod' : undefined);
  const allowed = propertyOf(tool, 'kind').enum;
  const isGuess = kind === undefined && ref !== undefined && !changes(tool);
  // A look at the wrong kind finds nothing and harms nothing; most workloads are deployments.
  if (isGuess && Array.isArray(allowed) && allowed.includes('deployment')) {
    return { values: { ...values, kind: 'deployment' }, missing };
  }
  if (kind !== undefined && (!Array.isArray(allowed) || allowed.includes(kind))) {
    values.kind = Array.isArray(allowed) ? kind : kindWord(kind, ref === undefined);
  } else if (ref) missing.push('kind');
  return { values, missing };
}

function extras(tool: ToolDefinition, text: string, language: Language): Record<string, Json> {
  const found: Record<string, Json> = {};
  const languages = propertyOf(tool, 'language').enum;
  if (Array.isArray(languages) && languages.includes(language)) found.language = language;
  if (hasParameter(tool, 'warnings_only') && /\bwarnings?\b|告警|警告/i.test(text)) found.warnings_only = true;
  return found;
}

/** Two different values for one parameter: which one is meant? */
const vague = (tool: ToolDefinition, stated: readonly Stated[]): string[] =>
  stated
    .filter((s) => hasParameter(tool, s.param) && stated.some((o) => o.param === s.param && o.value !== s.value))
    .map((s) => s.param);

const isFirst = (name: string, index: number, all: readonly string[]): boolean => all.indexOf(name) === index;

/** Parameters whose value the tool would refuse. */
function invalid(tool: ToolDefinition, args: JsonObject): string[] {
  const names = compileSchema(tool.parameters)(args).flatMap(({ path, keyword }) =>
    keyword === 'required' || path[0] === undefined ? [] : [String(path[0])],
  );
  return [...new Set(names)];
}

const inOrder = (tool: ToolDefinition, found: Readonly<Record<string, Json>>): JsonObject =>
  Object.fromEntries(
    Object.keys(propertiesOf(tool)).flatMap((name) => {
      const value = found[name];
      return value === undefined || Number.isNaN(value) ? [] : [[name, value] as const];
    }),
  );

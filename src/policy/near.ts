import type { Json, JsonObject } from '../domain/types.js';
import { isList, isObject } from '../lib/json-values.js';
import type { PolicyInput } from './input.js';
import { matches, type Rule } from './rules.js';

/** Whether a rule that does not match would, if one of its conditions were left out; the program always counts. */
export function isNear(rule: Rule, input: PolicyInput): boolean {
  const { match, tokens } = rule;
  const weaker = [
    ...(tokens ?? []).slice(1).map((_, i) => ({ ...rule, tokens: (tokens ?? []).filter((_one, j) => j !== i + 1) })),
    ...(match ? weakened(match) : []).map((less) => ({ ...rule, match: less as JsonObject })),
  ];
  return !matches(rule, input) && weaker.some((one) => matches(one, input));
}

/** The same schema with one of its conditions left out, in each possible way: a property, or a part of an `allOf`. */
function weakened(schema: Json): Json[] {
  if (!isObject(schema)) return [];
  const { properties, allOf, required } = schema;
  const byProperty = Object.entries(isObject(properties) ? properties : {}).flatMap(([name, one]) => {
    const { [name]: _, ...others } = properties as JsonObject;
    const needed = isList(required) ? required.filter((key) => key !== name) : [];
    // Without its argv a rule would speak of every program.
    const without = name === 'argv' || name === 'tokens' ? [] : [{ ...schema, properties: others, required: needed }];
    return [...without, ...weakened(one).map((less) => ({ ...schema, properties: { ...others, [name]: less } }))];
  });
  const parts = isList(allOf) ? allOf : [];
  const byPart = parts.flatMap((one, i) => [
    ...(isObject(one) && 'prefixItems' in one ? [] : [{ ...schema, allOf: parts.filter((_, j) => j !== i) }]),
    ...weakened(one).map((less) => ({ ...schema, allOf: parts.with(i, less) })),
  ]);
  return [...byProperty, ...byPart].filter((less) => !('allOf' in less) || (less.allOf as Json[]).length > 0);
}

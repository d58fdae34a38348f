import type { Classification, Risk } from '../domain/types.js';
import { rank } from './rank.js';

/** Names of contexts and namespaces that count as production when nobody configured others. */
export const DEFAULT_PRODUCTION_PATTERNS = [
  'prod',
  'prod-*',
  '*-prod',
  '*-prod-*',
  'prd',
  'prd-*',
  '*-prd',
  '*production*',
];

/**
 * The name that has to be typed before a change in production: of the context, else of the namespace; undefined elsewhere, and for
 * reads. Patterns are names in which `*` stands for any characters; case does not matter.
 */
export function productionName(
  patterns: readonly string[],
  risk: Risk,
  context: string | undefined,
  does: Classification | undefined,
  namespace: string | undefined,
): string | undefined {
  if (rank(risk) < rank('high')) return undefined;
  return [context, does?.namespace ?? namespace].find(
    (name) => name !== undefined && patterns.some((pattern) => isLike(pattern, name)),
  );
}

function isLike(pattern: string, name: string): boolean {
  const parts = pattern
    .toLowerCase()
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  return new RegExp(`^${parts.join('.*')}$`, 's').test(name.toLowerCase());
}

import { fill, type Values } from '../say.js';
import type { Finding, Language, Severity } from '../types.js';
import type { MetricsSnapshot, Target } from './snapshot.js';
import { WORDS, type WordKey } from './words.js';

/** What every rule about metrics gets. */
export interface MetricsContext {
  readonly snapshot: MetricsSnapshot;
  readonly language: Language;
  readonly nowMs: number;
}

/** A finding, with the targets whose state it is or speaks of. */
export interface Found {
  readonly finding: Finding;
  readonly targets: readonly Target[];
}

/** A sentence in the context's language. */
export const say = (context: MetricsContext, key: WordKey, values: Values = {}): string =>
  fill(WORDS[key], context.language, values);

/** Completes a finding. */
export const findingOf = (
  given: Pick<Finding, 'rule' | 'object' | 'severity' | 'title' | 'evidence'> & Partial<Finding>,
): Finding => ({ certainty: 'confirmed', detail: '', checks: [], stopgap: [], symptoms: [], also: [], ...given });

const GRADES: readonly (readonly [RegExp, Severity])[] = [
  [/^(?:critical|page|paging|emergency|disaster|fatal|p0|p1|sev-?[01])$/i, 'critical'],
  [/^(?:high|major|error|p2|sev-?2|severe)$/i, 'high'],
  [/^(?:info|information|none|debug|notice|p5)$/i, 'info'],
  [/^(?:low|minor|ticket|p4)$/i, 'low'],
];

/** The severity that the `severity` label means; medium when it says nothing known. */
export const gradeOf = (labels: Readonly<Record<string, string>>): Severity =>
  GRADES.find(([pattern]) => pattern.test(labels.severity ?? labels.priority ?? ''))?.[1] ?? 'medium';

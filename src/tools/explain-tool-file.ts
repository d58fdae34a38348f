import type { Json } from '../domain/types.js';
import { explainProblems } from '../lib/explain-schema.js';
import type { SchemaProblem } from '../lib/json-schema.js';
import type { Finding } from '../lib/json-values.js';

/** How to add a key that is missing; other keys need no example. */
const HOW_TO_ADD: Readonly<Record<string, string>> = {
  name: 'Add name: a short name in small letters, digits and underscores.',
  description: 'Add description: one or two sentences from which a model can choose the tool.',
  risk_level:
    'Add risk_level: low (reads), medium (reads that may expose or load), high (changes) or critical (cannot be undone).',
  run: 'Add run: what the tool does, for example run: { kind: command, argv: [kubectl, get, pods] }.',
  kind: 'Add kind: command, script, http, workflow, builtin …',
};

/** Like {@link explainProblems}, for a tool file: a missing key comes with an example of what to write. */
export const explainToolFile = (problems: readonly SchemaProblem[], data: Json, what: string): Finding[] =>
  explainProblems(problems, data, what).map((finding) => {
    const missing = /^.* lacks "(.*)"\.$/.exec(finding.message)?.[1] ?? '';
    return Object.hasOwn(HOW_TO_ADD, missing) ? { ...finding, fix: HOW_TO_ADD[missing] as string } : finding;
  });

import { OpsError } from '../domain/errors.js';
import type { Effect, Json, JsonObject } from '../domain/types.js';
import { explainProblems } from '../lib/explain-schema.js';
import { compileSchema } from '../lib/json-schema.js';
import { formatProblems, type Problem } from '../lib/problems.js';
import { type ParsedYaml, parseYaml } from '../lib/yaml.js';
import { exampleInput, matches, type Rule } from './rules.js';

const TOKEN = { anyOf: [{ type: 'string' }, { type: 'array', minItems: 1, items: { type: 'string' } }] };
const EXAMPLES = {
  type: 'array',
  minItems: 1,
  items: { anyOf: [{ type: 'array', items: { type: 'string' } }, { type: 'object' }] },
};

/** JSON Schema of a policy file. */
export const POLICY_FILE_SCHEMA: JsonObject = {
  type: 'object',
  required: ['version', 'rules'],
  additionalProperties: false,
  properties: {
    version: { const: 1 },
    description: { type: 'string' },
    rules: {
      type: 'array',
      items: {
        type: 'object',
        required: ['id', 'effect', 'reason', 'examples'],
        anyOf: [{ required: ['tokens'] }, { required: ['match'] }],
        additionalProperties: false,
        properties: {
          id: { type: 'string', pattern: '^[a-z0-9][a-z0-9._-]*$' },
          effect: { enum: ['allow', 'confirm', 'deny'] },
          reason: { type: 'string', minLength: 1 },
          tokens: { type: 'array', minItems: 1, items: TOKEN },
          match: { type: 'object' },
          examples: {
            type: 'object',
            required: ['match'],
            additionalProperties: false,
            properties: { match: EXAMPLES, not_match: EXAMPLES },
          },
        },
      },
    },
  },
};

interface RawRule {
  readonly id: string;
  readonly effect: Effect;
  readonly reason: string;
  readonly tokens?: NonNullable<Rule['tokens']>;
  readonly match?: JsonObject;
  readonly examples: { readonly match: readonly Json[]; readonly not_match?: readonly Json[] };
}

/**
 * Reads policy files; the ids of `loadedBefore` are taken. A rule that disagrees with its own examples, has an unknown key or a schema that does not compile
 * is a mistake; nothing starts with a rule that cannot be trusted.
 * @throws OpsError usage with every mistake of every file.
 */
export function loadPolicies(
  files: readonly { readonly path: string; readonly text: string }[],
  loadedBefore: readonly Rule[] = [],
): Rule[] {
  const problems: Problem[] = [];
  const seen = new Map(loadedBefore.map((rule) => [rule.id, rule.source]));
  const rules = files.flatMap(({ path, text }) => {
    const parsed = parseYaml(text, path);
    const wrong = parsed.problems.length > 0 ? parsed.problems : shapeProblems(parsed, path);
    problems.push(...wrong);
    if (wrong.length > 0) return [];
    const raw = (parsed.data as unknown as { rules: readonly RawRule[] }).rules;
    return raw.map((rule, index) => {
      const place = parsed.locate(['rules', index]);
      const at = { file: path, ...place };
      const source = `${path}:${place.line}`;
      problems.push(...ruleProblems(rule, at));
      const twin = seen.get(rule.id);
      if (twin)
        problems.push({ ...at, message: `rule ${rule.id} exists already, in ${twin}`, fix: 'Give it another id.' });
      seen.set(rule.id, source);
      const { id, effect, reason, tokens, match } = rule;
      return { id, effect, reason, source, ...(tokens && { tokens }), ...(match && { match }) };
    });
  });
  if (problems.length > 0) {
    throw new OpsError(
      'usage',
      `The policy cannot be used:\n${formatProblems(problems)}`,
      'Mend these files; nothing runs without a sound policy.',
    );
  }
  return rules;
}

function shapeProblems(parsed: ParsedYaml, file: string): Problem[] {
  if (parsed.data === undefined) return [{ file, line: 1, column: 1, message: 'The file is empty.' }];
  const problems = compileSchema(POLICY_FILE_SCHEMA)(parsed.data);
  return explainProblems(problems, parsed.data, 'the file').map(({ path, message, fix }) => ({
    file,
    ...parsed.locate(path),
    message,
    ...(fix !== undefined && { fix }),
  }));
}

function ruleProblems(rule: RawRule, at: Pick<Problem, 'file' | 'line' | 'column'>): Problem[] {
  try {
    if (rule.match) compileSchema(rule.match);
  } catch (error) {
    return [{ ...at, message: `rule ${rule.id}: ${error instanceof Error ? error.message : error}` }];
  }
  const bad = (example: Json, should: string): Problem => ({
    ...at,
    message: `rule ${rule.id} should ${should}: ${JSON.stringify(example)}`,
    fix: 'Mend the rule or its example.',
  });
  return [
    ...rule.examples.match.filter((e) => !matches(rule, exampleInput(e))).map((e) => bad(e, 'match')),
    ...(rule.examples.not_match ?? []).filter((e) => matches(rule, exampleInput(e))).map((e) => bad(e, 'not match')),
  ];
}

import { messageOf, OpsError } from '../domain/errors.js';
import type { Json } from '../domain/types.js';
import { explainProblems } from '../lib/explain-schema.js';
import { compileSchema } from '../lib/json-schema.js';
import { didYouMean } from '../lib/nearest.js';
import { formatProblems, type Problem } from '../lib/problems.js';
import { type ParsedYaml, parseYaml, type YamlPath } from '../lib/yaml.js';
import { unvouchedKeyword } from './known.js';
import { POLICY_FILE_SCHEMA, type RawPolicyFile, type RawRule } from './policy-file.js';
import type { Access, Binding, Role } from './roles.js';
import { exampleInput, matches, type Rule } from './rules.js';

/** What policy files hold, checked. */
export interface PolicySet extends Access {
  readonly rules: readonly Rule[];
}

const NOTHING: PolicySet = { rules: [], roles: [], bindings: [] };

type Place = Pick<Problem, 'file' | 'line' | 'column'>;

/** A file on the way to its policy set. */
interface Reading {
  readonly raw: RawPolicyFile;
  readonly place: (path: YamlPath) => Place;
}

/**
 * Reads policy files; what `before` holds is in force already, its ids and names are taken. A rule that disagrees with its own
 * examples, has an unknown key or a schema that does not compile is a mistake, and so is a binding to a role that does not exist;
 * nothing starts with a policy that cannot be trusted.
 * @returns what these files add.
 * @throws OpsError usage with every mistake of every file.
 */
export function loadPolicies(
  files: readonly { readonly path: string; readonly text: string }[],
  before: PolicySet = NOTHING,
): PolicySet {
  const problems: Problem[] = [];
  const readings = files.flatMap(({ path, text }): Reading[] => {
    const parsed = parseYaml(text, path);
    const wrong = parsed.problems.length > 0 ? parsed.problems : shapeProblems(parsed, path);
    problems.push(...wrong);
    const place = (at: YamlPath) => ({ file: path, ...parsed.locate(at) });
    return wrong.length > 0 ? [] : [{ raw: parsed.data as unknown as RawPolicyFile, place }];
  });
  const rules = readings.flatMap((reading) => readRules(reading, problems));
  const roles = readings.flatMap(readRoles);
  problems.push(...twins('rule', [...before.rules.map((rule) => ({ ...rule, name: rule.id })), ...rules]));
  problems.push(...twins('role', [...before.roles, ...roles]));
  const names = [...before.roles, ...roles].map(({ name }) => name);
  const bindings = readings.flatMap((reading) => readBindings(reading, names, problems));
  if (problems.length > 0) {
    throw new OpsError(
      'usage',
      `The policy cannot be used:\n${formatProblems(problems)}`,
      'Mend these files; nothing runs without a sound policy.',
    );
  }
  return { rules: rules.map(({ name, at, ...rule }) => rule), roles: roles.map(({ at, ...role }) => role), bindings };
}

const sourceOf = ({ file, line }: Place): string => `${file}:${line}`;

function readRules({ raw, place }: Reading, problems: Problem[]): (Rule & Named)[] {
  return (raw.rules ?? []).map((rule, index) => {
    const at = place(['rules', index]);
    problems.push(...ruleProblems(rule, at));
    const { examples, ...kept } = rule;
    return { ...kept, name: rule.id, source: sourceOf(at), at };
  });
}

const readRoles = ({ raw, place }: Reading): (Role & Named)[] =>
  Object.entries(raw.roles ?? {}).map(([name, { permissions }]) => {
    const at = place(['roles', name]);
    return { name, permissions, source: sourceOf(at), at };
  });

function readBindings({ raw, place }: Reading, roles: readonly string[], problems: Problem[]): Binding[] {
  return (raw.bindings ?? []).map(({ role, users = [], groups = [] }, index) => {
    const at = place(['bindings', index]);
    if (!roles.includes(role)) {
      const fix = `Define it under roles.${didYouMean(role, roles)}`;
      problems.push({ ...at, message: `there is no role ${role} to bind`, fix });
    }
    return { role, users, groups, source: sourceOf(at) };
  });
}

interface Named {
  readonly name: string;
  readonly source: string;
  /** Absent for what was loaded before. */
  readonly at?: Place;
}

function twins(what: string, entries: readonly Named[]): Problem[] {
  const seen = new Map<string, string>();
  return entries.flatMap(({ name, source, at }) => {
    const twin = seen.get(name);
    seen.set(name, source);
    if (twin === undefined || !at) return [];
    return [{ ...at, message: `${what} ${name} exists already, in ${twin}`, fix: 'Give it another name.' }];
  });
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

function ruleProblems(rule: RawRule, at: Place): Problem[] {
  try {
    if (rule.match) compileSchema(rule.match);
  } catch (error) {
    return [{ ...at, message: `rule ${rule.id}: ${messageOf(error)}` }];
  }
  const unvouched = rule.effect === 'allow' ? unvouchedKeyword(rule.match) : undefined;
  if (unvouched !== undefined) {
    const message = `rule ${rule.id}: an allow rule cannot use "${unvouched}", which may be silent about what is missing`;
    return [{ ...at, message, fix: 'Write it with properties, allOf, anyOf, not, items, const, enum, pattern.' }];
  }
  const bad = (example: Json, should: string): Problem => ({
    ...at,
    message: `rule ${rule.id} should ${should}: ${JSON.stringify(example)}`,
    fix:
      rule.effect === 'allow' && should === 'match'
        ? 'Mend the rule or its example. An allow matches only a call with every property that it names.'
        : 'Mend the rule or its example.',
  });
  return [
    ...rule.examples.match.filter((e) => !matches(rule, exampleInput(e))).map((e) => bad(e, 'match')),
    ...(rule.examples.not_match ?? []).filter((e) => matches(rule, exampleInput(e))).map((e) => bad(e, 'not match')),
  ];
}

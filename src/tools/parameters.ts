import { messageOf } from '../domain/errors.js';
import type { Json, JsonObject, ToolDefinition } from '../domain/types.js';
import { explainProblems } from '../lib/explain-schema.js';
import { checkExpression } from '../lib/jmespath.js';
import { compileSchema } from '../lib/json-schema.js';
import { type Finding, objectAt, type Path, textsAt } from '../lib/json-values.js';
import { didYouMean } from '../lib/nearest.js';
import { CONTEXT_NAMES } from './placeholders.js';

/** Mistakes in the parameters of a tool: names, the schema itself, defaults that the schema refuses. */
export function checkParameters(tool: ToolDefinition): Finding[] {
  const names = Object.keys(objectAt(tool.parameters, 'properties'));
  const broken = schemaProblem(tool.parameters, ['parameters'], 'The schema of the parameters');
  return [
    ...names.flatMap((name) => checkName(name, names)),
    ...checkRequired(tool, names),
    ...names.flatMap((name) => checkContext(name, objectAt(objectAt(tool.parameters, 'properties'), name))),
    ...(broken ? [broken] : checkDefaults(tool.parameters)),
  ];
}

/** Mistakes in `raise`, `fields` and `output.select`. */
export function checkExpressions(tool: ToolDefinition): Finding[] {
  const expressions: [Path, string][] = Object.entries(tool.fields).map(([name, text]) => [['fields', name], text]);
  if (tool.output.select !== undefined) expressions.push([['output', 'select'], tool.output.select]);
  const findings = expressions.flatMap(([path, text]): Finding[] => {
    const problem = checkExpression(text);
    return problem === undefined ? [] : [{ path, message: `"${text}" is not a JMESPath expression: ${problem}.` }];
  });
  return [
    ...findings,
    ...tool.raise.flatMap((rule, index) => checkCondition(rule.when, ['raise', index, 'when'], tool)),
  ];
}

/** A rule about a parameter that does not exist would never hold, and nobody would notice. */
export function checkCondition(when: JsonObject, path: Path, tool: ToolDefinition): Finding[] {
  const broken = schemaProblem(when, path, 'The condition');
  if (broken) return [broken];
  const known = Object.keys(objectAt(tool.parameters, 'properties'));
  const named = [...Object.keys(objectAt(when, 'properties')), ...textsAt(when, 'required')];
  return [...new Set(named)]
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path,
      message: `The condition names "${name}", which is not a parameter of this tool.`,
      fix: `Use one of: ${known.join(', ')}.${didYouMean(name, known)}`,
    }));
}

/** Why a schema of a tool file cannot be used. */
export function schemaProblem(schema: JsonObject, path: Path, what: string): Finding | undefined {
  try {
    compileSchema(schema);
    return undefined;
  } catch (error) {
    return {
      path,
      message: `${what} is not valid. ${messageOf(error)}`,
      fix: 'See JSON Schema 2020-12; extra keys must begin with "x-".',
    };
  }
}

function checkName(name: string, names: readonly string[]): Finding[] {
  const path = ['parameters', 'properties', name];
  if (!/^[A-Za-z][A-Za-z0-9_]{0,63}$/.test(name)) {
    return [
      {
        path,
        message: `"${name}" cannot be the name of a parameter.`,
        fix: 'Use letters, digits and "_", beginning with a letter.',
      },
    ];
  }
  if (name === 'item') return [{ path, message: '"item" is the element of for_each.', fix: 'Choose another name.' }];
  const twin = names.find((other) => other < name && other.toLowerCase() === name.toLowerCase());
  return twin === undefined
    ? []
    : [{ path, message: `"${name}" and "${twin}" differ only in case.`, fix: 'Rename one of them.' }];
}

function checkRequired(tool: ToolDefinition, names: readonly string[]): Finding[] {
  return textsAt(tool.parameters, 'required')
    .filter((name) => !names.includes(name))
    .map((name) => ({
      path: ['parameters', 'required'],
      message: `"${name}" is required but not declared.`,
      fix: `Add it to properties.${didYouMean(name, names)}`,
    }));
}

function checkContext(name: string, schema: JsonObject): Finding[] {
  const wanted = schema['x-context'];
  if (wanted === undefined || CONTEXT_NAMES.some((known) => known === wanted)) return [];
  return [
    {
      path: ['parameters', 'properties', name, 'x-context'],
      message: `There is no context value ${JSON.stringify(wanted)}.`,
      fix: `Known: ${CONTEXT_NAMES.join(', ')}.`,
    },
  ];
}

function checkDefaults(parameters: JsonObject): Finding[] {
  const defaults = defaultsOf(parameters);
  return explainProblems(compileSchema(parameters)(defaults), defaults, 'the defaults')
    .filter(({ path }) => path.length > 0)
    .map(({ path, message, ...fix }) => ({
      path: ['parameters', 'properties', String(path[0]), 'default'],
      message: `The default is not valid: ${message}`,
      ...fix,
    }));
}

/** Parameter name → default, of those that have one. */
export function defaultsOf(parameters: JsonObject): Record<string, Json> {
  const properties = Object.entries(objectAt(parameters, 'properties'));
  const pairs = properties.flatMap(([name, schema]): [string, Json][] => {
    const value = typeof schema === 'object' && schema !== null && 'default' in schema ? schema.default : undefined;
    return value === undefined ? [] : [[name, value]];
  });
  return Object.fromEntries(pairs);
}

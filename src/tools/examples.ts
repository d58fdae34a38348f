import { messageOf } from '../domain/errors.js';
import type { Executor, PlanContext } from '../domain/ports.js';
import type { Action, JsonObject, ToolDefinition, ToolExample } from '../domain/types.js';
import { explainProblems } from '../lib/explain-schema.js';
import { compileSchema } from '../lib/json-schema.js';
import { type Finding, objectAt, type Path } from '../lib/json-values.js';
import { defaultsOf } from './parameters.js';

/**
 * Runs the examples of a tool through its schema and its executor's `plan`, so that a tool file tests itself. Examples
 * are planned without a context (`context.x` has no value); `{{ env.X }}` stands for itself.
 */
export function checkExamples(tool: ToolDefinition, executor: Executor | undefined): Finding[] {
  const context = exampleContext(tool);
  return tool.examples.flatMap((example, index) => checkExample(tool, example, ['examples', index], executor, context));
}

/** Phrases may hold `{parameter}` slots of parameters that exist. */
export function checkIntents(tool: ToolDefinition): Finding[] {
  const known = Object.keys(objectAt(tool.parameters, 'properties'));
  return tool.intents.phrases.flatMap((phrase, index) =>
    [...phrase.matchAll(/\{(\w+)\}/g)]
      .map((match) => match[1] ?? '')
      .filter((name) => !known.includes(name))
      .map((name) => ({
        path: ['intents', 'phrases', index],
        message: `The phrase has a slot {${name}}, which is not a parameter.`,
        fix: `Use one of: ${known.join(', ')}.`,
      })),
  );
}

function checkExample(
  tool: ToolDefinition,
  example: ToolExample,
  path: Path,
  executor: Executor | undefined,
  context: PlanContext,
): Finding[] {
  const args: JsonObject = { ...defaultsOf(tool.parameters), ...example.arguments };
  const problems = explainProblems(compileSchema(tool.parameters)(args), args, 'the call');
  if (problems.length > 0) {
    return problems.map((problem) => ({
      ...problem,
      path: [...path, 'arguments', ...problem.path],
      message: `The example is not valid: ${problem.message}`,
    }));
  }
  if (!executor) return [];
  try {
    return compareAction(executor.plan(tool.run, args, context), example, path);
  } catch (error) {
    return [{ path, message: `The example cannot be planned: ${messageOf(error)}` }];
  }
}

function compareAction(action: Action, example: ToolExample, path: Path): Finding[] {
  const wanted = example.argv ?? (example.request && [example.request.method, example.request.url]);
  if (wanted === undefined || JSON.stringify(wanted) === JSON.stringify(action.tokens)) return [];
  const key = example.argv ? 'argv' : 'request';
  return [
    {
      path: [...path, key],
      message: `The example would run\n    ${JSON.stringify(action.tokens)}\nand not\n    ${JSON.stringify(wanted)}`,
      fix: `Correct the ${key} of the example, or run.`,
    },
  ];
}

const exampleContext = (tool: ToolDefinition): PlanContext => ({
  context: {},
  env: Object.fromEntries(tool.env.map((name) => [name, `{{ env.${name} }}`])),
});

import { compile, type JSONValue, search } from '@jmespath-community/jmespath';
import { messageOf, OpsError } from '../domain/errors.js';
import type { Json } from '../domain/types.js';

/**
 * What a JMESPath expression selects from a value; null when it selects nothing.
 * @throws OpsError `usage` when the expression is not valid or does not fit the value (`length(…)` of a number, say).
 */
export function query(expression: string, data: Json): Json {
  try {
    return search(data as JSONValue, expression) ?? null;
  } catch (error) {
    throw new OpsError('usage', `JMESPath "${expression}": ${messageOf(error)}.`, undefined, { cause: error });
  }
}

/** What is wrong with an expression, unknown functions included; undefined when it can be used. */
export function checkExpression(expression: string): string | undefined {
  try {
    return functionsIn(compile(expression))
      .map(checkFunction)
      .find((problem) => problem !== undefined);
  } catch (error) {
    return messageOf(error);
  }
}

/**
 * The library looks a function up only when it is called, so each one is called without arguments: that fails, but
 * says how.
 */
function checkFunction(name: string): string | undefined {
  try {
    search(null, `${name}()`);
  } catch (error) {
    const message = messageOf(error);
    return message.startsWith('Unknown function') ? message : undefined;
  }
  return undefined;
}

function functionsIn(node: unknown): string[] {
  if (typeof node !== 'object' || node === null) return [];
  const inner = Object.values(node).flatMap(functionsIn);
  return 'type' in node && node.type === 'Function' && 'name' in node ? [String(node.name), ...inner] : inner;
}

import type { ToolDefinition } from '../domain/types.js';
import { isObject, objectAt } from '../lib/json-values.js';
import type { Problem } from '../lib/problems.js';

/** What works but could be better, for `tools lint`. The place is that of the definition. */
export function lintTools(tools: readonly ToolDefinition[]): Problem[] {
  // Tools that share a place come from a source: their words are somebody else's, and cannot be mended here.
  const counts = new Map<string, number>();
  for (const { source } of tools) counts.set(source, (counts.get(source) ?? 0) + 1);
  const own = tools.filter(({ source }) => counts.get(source) === 1);
  return own.flatMap((tool) =>
    adviceFor(tool).map(({ message, fix }) => ({ ...placeOf(tool.source), message: `${tool.name}: ${message}`, fix })),
  );
}

interface Advice {
  readonly message: string;
  readonly fix: string;
}

function adviceFor(tool: ToolDefinition): Advice[] {
  const advice: Advice[] = [...lintParameters(tool), ...lintExamples(tool), ...lintChange(tool)];
  if (tool.description.length < 20) {
    advice.push({
      message: 'the description is very short.',
      fix: 'Say what the tool returns and when to use it; a model chooses by this text.',
    });
  }
  if (tool.run.kind === 'workflow' && tool.intents.phrases.length === 0) {
    advice.push({
      message: 'a workflow without intents is never chosen without a model.',
      fix: 'Add intents: { phrases: [...] } in English and Chinese.',
    });
  }
  return advice;
}

function lintParameters(tool: ToolDefinition): Advice[] {
  const properties = Object.entries(objectAt(tool.parameters, 'properties'));
  return properties.flatMap(([name, schema]): Advice[] => {
    if (!isObject(schema)) return [];
    const untyped = ['type', 'enum', 'const', '$ref', 'anyOf', 'oneOf', 'allOf'].every(
      (key) => schema[key] === undefined,
    );
    const described = typeof schema.description === 'string' && schema.description.trim() !== '';
    return [
      ...(described
        ? []
        : [{ message: `parameter "${name}" has no description.`, fix: 'Say what it means, with an example value.' }]),
      ...(untyped
        ? [{ message: `parameter "${name}" has no type, so that every value is accepted.`, fix: 'Add type:.' }]
        : []),
    ];
  });
}

function lintExamples(tool: ToolDefinition): Advice[] {
  if (tool.run.kind === 'builtin') return [];
  if (tool.examples.length === 0)
    return [
      {
        message: 'there are no examples, so that nothing tests what the tool runs.',
        fix: 'Add examples: with arguments and the argv or request that must come out.',
      },
    ];
  const isTested = tool.examples.some((example) => example.argv !== undefined || example.request !== undefined);
  if (isTested || !['command', 'http'].includes(tool.run.kind)) return [];
  return [{ message: 'no example says what must come out.', fix: 'Add argv: or request: to an example.' }];
}

function lintChange(tool: ToolDefinition): Advice[] {
  const changes = tool.riskLevel === 'high' || tool.riskLevel === 'critical';
  if (!changes) {
    return tool.run.kind === 'http' && tool.run.method === 'POST' && tool.riskLevel === 'low'
      ? [
          {
            message: 'a POST request often changes something, but risk_level is low.',
            fix: 'Use high unless it only asks.',
          },
        ]
      : [];
  }
  const advice: Advice[] = [];
  if (tool.permissions.length === 0)
    advice.push({
      message: 'a tool that changes something has no permissions.',
      fix: 'Add permissions: [system:object:verb].',
    });
  if ((tool.retryPolicy?.maxRetries ?? 0) > 0)
    advice.push({
      message: 'a change would be repeated after a failure.',
      fix: 'Remove retry_policy unless repeating is harmless.',
    });
  return advice;
}

function placeOf(source: string): { file: string; line: number; column: number } {
  const match = /^(.*):(\d+)$/s.exec(source);
  return { file: match?.[1] ?? source, line: Number(match?.[2] ?? 1), column: 1 };
}

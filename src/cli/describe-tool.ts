import type { JsonObject, ToolDefinition } from '../domain/types.js';
import { visible } from '../lib/visible.js';
import { stringifyYaml } from '../lib/yaml.js';

/** One tool for a person: what it does, its parameters, its risk, how it runs. */
export function describeTool(tool: ToolDefinition): string {
  const properties = (tool.parameters.properties ?? {}) as Record<string, JsonObject>;
  const required = new Set((tool.parameters.required ?? []) as readonly string[]);
  const parameters = Object.entries(properties).map(([name, schema]) => {
    const notes = [String(schema.type ?? 'any'), required.has(name) ? 'required' : 'optional'];
    if (schema.default !== undefined) notes.push(`default ${JSON.stringify(schema.default)}`);
    return `  ${name} (${notes.join(', ')})  ${schema.description ?? ''}`;
  });
  const raises = tool.raise.map((rule) => `  ${rule.riskLevel} when ${JSON.stringify(rule.when)}: ${rule.reason}`);
  const lines = [
    `${tool.name}  ${tool.displayName}`,
    tool.description,
    '',
    `category     ${tool.category}`,
    `risk         ${tool.riskLevel}`,
    ...raises,
    `permissions  ${tool.permissions.join(', ') || 'none declared'}`,
    `time limit   ${tool.timeoutMs / 1000} s`,
    `defined in   ${tool.source}`,
    '',
    'parameters',
    ...(parameters.length > 0 ? parameters : ['  none']),
    '',
    'run',
    ...stringifyYaml(tool.run)
      .trimEnd()
      .split('\n')
      .map((line) => `  ${line}`),
  ];
  return `${lines.map(visible).join('\n')}\n`;
}

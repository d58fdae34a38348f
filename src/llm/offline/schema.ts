import type { Json, JsonObject, ToolDefinition } from '../../domain/types.js';

const isObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** The schemas of a tool's parameters, by name, in their order. */
export const propertiesOf = (tool: ToolDefinition): JsonObject =>
  isObject(tool.parameters.properties) ? tool.parameters.properties : {};

/** The schema of one parameter; an empty one when the tool has no such parameter. */
export function propertyOf(tool: ToolDefinition, name: string): JsonObject {
  const properties = propertiesOf(tool);
  const schema = Object.hasOwn(properties, name) ? properties[name] : undefined;
  return isObject(schema) ? schema : {};
}

export const hasParameter = (tool: ToolDefinition, name: string): boolean => Object.hasOwn(propertiesOf(tool), name);

export const requiredOf = (tool: ToolDefinition): string[] =>
  Array.isArray(tool.parameters.required)
    ? tool.parameters.required.filter((name): name is string => typeof name === 'string')
    : [];

/** Whether the session itself supplies the value when a call does not: its namespace, for example. */
export const isFromSession = (tool: ToolDefinition, name: string): boolean =>
  typeof propertyOf(tool, name)['x-context'] === 'string';

/** Whether a call of this tool changes something. */
export const changes = (tool: ToolDefinition): boolean => tool.riskLevel === 'high' || tool.riskLevel === 'critical';

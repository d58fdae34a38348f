import type { Json, JsonObject } from '../../../domain/types.js';
import { isList, isObject, objectAt } from '../../../lib/json-values.js';
import type { Problem } from '../../../lib/problems.js';
import { toolNameOf } from '../names.js';
import type { RawToolset } from './files.js';

/**
 * What to write under `sources:` for an entry of `mcp_servers`. A server's tools have to be accepted by a person, who names a source
 * for that; so a toolset file alone connects to none.
 */
export function adviceForServer({ name, raw, place }: RawToolset): Problem {
  if (raw.enabled === false) return { ...place, message: `${name}: it is turned off (enabled: false).` };
  return {
    ...place,
    message: `${name}: a toolset file does not connect to MCP servers.`,
    fix: `Add to sources: of a tool file: ${JSON.stringify(sourceOf(name, raw))}`,
  };
}

function sourceOf(name: string, raw: JsonObject): JsonObject {
  const { url = raw.url, command, args, headers, env } = objectAt(raw, 'config');
  const words = [...(isList(command) ? command : [command]), ...(isList(args) ? args : [])];
  return {
    ...{ kind: 'mcp', name: toolNameOf(name).slice(0, 32) },
    ...(command === undefined || command === null ? url !== undefined && { url } : { command: words as Json[] }),
    ...(isObject(headers) && {
      headers: Object.fromEntries(Object.entries(headers).map(([key, value]) => [key, headerOf(value)])),
    }),
    ...(isObject(env) && { env: Object.keys(env) }),
  };
}

/** `Bearer {{ env.TOKEN }}` as a secret with what stands before it. */
function headerOf(value: Json): Json {
  const [, prefix, secret] = /^([^{]*)\{\{\s*env\.(\w+)\s*\}\}$/.exec(`${value}`) ?? [];
  return secret === undefined ? value : { secret, ...(prefix !== '' && { prefix: prefix ?? '' }) };
}

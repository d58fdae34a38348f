import type { Json, JsonObject } from '../../../domain/types.js';
import { isList, isObject } from '../../../lib/json-values.js';
import type { Problem } from '../../../lib/problems.js';
import { parseYaml } from '../../../lib/yaml.js';

/** A toolset file as it was read from disk. */
export interface ToolsetFile {
  readonly path: string;
  readonly text: string;
}

/** One toolset, or one entry of `mcp_servers`, with its place. */
export interface RawToolset {
  readonly name: string;
  readonly raw: JsonObject;
  readonly place: Pick<Problem, 'file' | 'line' | 'column'>;
}

/** Everything that several files hold. */
export interface RawToolsets {
  readonly toolsets: readonly RawToolset[];
  readonly servers: readonly RawToolset[];
  readonly warnings: readonly Problem[];
}

/** Reads toolset files. One that comes later changes the toolsets of the same name: what it sets and is not empty replaces what was. */
export function readToolsetFiles(files: readonly ToolsetFile[]): RawToolsets {
  const toolsets = new Map<string, RawToolset>();
  const servers = new Map<string, RawToolset>();
  const warnings: Problem[] = [];
  for (const { path, text } of files) {
    const { data, problems, locate } = parseYaml(text, path);
    warnings.push(...problems);
    if (data === undefined || problems.length > 0) continue;
    const add = (into: Map<string, RawToolset>, name: string, raw: Json, at: readonly (string | number)[]) => {
      const place = { file: path, ...locate(at) };
      if (isObject(raw)) into.set(name, merge(into.get(name), { name, raw, place }));
      else warnings.push({ ...place, message: `${name} is left out: it is no map.` });
    };
    const file = isObject(data) ? data : {};
    for (const key of ['toolsets', 'customToolsets']) {
      const sets = file[key];
      if (isObject(sets)) for (const [name, raw] of Object.entries(sets)) add(toolsets, name, raw, [key, name]);
      if (!isList(sets)) continue;
      warnings.push({
        file: path,
        ...locate([key]),
        message: `${key} is a list, as it was long ago; it is read as a map.`,
      });
      sets.forEach((raw, index) => {
        add(toolsets, isObject(raw) && typeof raw.name === 'string' ? raw.name : `toolset ${index + 1}`, raw, [
          key,
          index,
        ]);
      });
    }
    const mcp = file.mcp_servers;
    if (isObject(mcp)) for (const [name, raw] of Object.entries(mcp)) add(servers, name, raw, ['mcp_servers', name]);
    if (!['toolsets', 'customToolsets', 'mcp_servers'].some((key) => Object.hasOwn(file, key)))
      warnings.push({ file: path, line: 1, column: 1, message: 'It holds neither "toolsets" nor "mcp_servers".' });
  }
  const [mcp, own] = [[...toolsets.values()].filter(({ raw }) => raw.type === 'mcp'), [...toolsets.values()]];
  return { toolsets: own.filter((one) => !mcp.includes(one)), servers: [...servers.values(), ...mcp], warnings };
}

function merge(before: RawToolset | undefined, after: RawToolset): RawToolset {
  if (!before) return after;
  const set = Object.entries(after.raw).filter(([, value]) => !isEmpty(value));
  return { ...before, raw: { ...before.raw, ...Object.fromEntries(set) } };
}

const isEmpty = (value: Json): boolean =>
  value === null || value === '' || (typeof value === 'object' && Object.keys(value).length === 0);

import { readdir } from 'node:fs/promises';
import { basename, dirname, join } from 'node:path';
import { messageOf, OpsError } from '../../domain/errors.js';
import type { JsonObject } from '../../domain/types.js';
import { isList } from '../../lib/json-values.js';
import { readToolFile } from '../read-files.js';
import type { ToolsetFile } from './holmesgpt/files.js';
import type { ImportedToolsets } from './holmesgpt/import.js';
import { type SourceContext, type SourceKind, sourceSchema } from './source.js';

const PATH: JsonObject = { type: 'string', minLength: 1 };

/** `kind: holmesgpt`: the tools of HolmesGPT toolset files, as they are. */
export const holmesgpt: SourceKind = {
  kind: 'holmesgpt',
  specSchema: sourceSchema('holmesgpt', ['path'], {
    path: {
      description:
        'Toolset files; * in the last part stands for any characters. Later files change toolsets of earlier ones',
      anyOf: [PATH, { type: 'array', minItems: 1, items: PATH }],
    },
  }),
  async load({ path }, context) {
    const patterns = isList(path) ? path : [path ?? ''];
    const files = (await Promise.all(patterns.map((pattern) => filesAt(`${pattern}`, context)))).flat();
    const { defaults = null, instructions = null } = context.header;
    const key = JSON.stringify(['holmesgpt with servers', defaults, instructions, files]);
    const { servers, ...made } = context.cache.read<ImportedToolsets>(key) ?? (await importAnew(files, context, key));
    if (servers.length === 0) return made;
    const { toolsOfEntry } = await import('./holmesgpt/servers.js');
    const more = await Promise.all(servers.map((server) => toolsOfEntry(server, context)));
    return {
      tools: [...made.tools, ...more.flatMap(({ tools }) => tools)],
      warnings: [...made.warnings, ...more.flatMap(({ warnings }) => warnings)],
      accepts: more.flatMap(({ accepts = [] }) => accepts),
    };
  },
};

async function importAnew(
  files: readonly ToolsetFile[],
  context: SourceContext,
  key: string,
): Promise<ImportedToolsets> {
  const { importToolsets } = await import('./holmesgpt/import.js');
  const made = await importToolsets(files, context);
  context.cache.write(key, made);
  return made;
}

async function filesAt(pattern: string, context: SourceContext): Promise<ToolsetFile[]> {
  const path = context.path(pattern);
  try {
    const paths = basename(path).includes('*') ? await matching(path) : [path];
    if (paths.length === 0) throw new OpsError('usage', `no file matches ${pattern}.`, 'Mend path: of the source.');
    return await Promise.all(paths.map((one) => readToolFile(context.path(one))));
  } catch (error) {
    if (error instanceof OpsError) throw error;
    throw new OpsError('usage', `${pattern} cannot be read: ${messageOf(error)}`, 'Mend path: of the source.', {
      cause: error,
    });
  }
}

async function matching(path: string): Promise<string[]> {
  const parts = basename(path)
    .split('*')
    .map((part) => part.replaceAll(/[.+?^${}()|[\]\\]/g, '\\$&'));
  const pattern = new RegExp(`^${parts.join('.*')}$`);
  const names = await readdir(dirname(path));
  return names
    .filter((name) => pattern.test(name))
    .sort()
    .map((name) => join(dirname(path), name));
}

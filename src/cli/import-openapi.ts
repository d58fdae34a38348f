import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { OpsError } from '../domain/errors.js';
import type { JsonObject } from '../domain/types.js';
import { toolNameOf } from '../tools/sources/names.js';
import { describeApi } from '../tools/sources/openapi/describe.js';
import { addSource, fileOfSource } from './import-source.js';
import type { Io } from './io.js';

export interface ImportOptions {
  readonly name?: string;
  readonly baseUrl?: string;
  readonly prefix?: string;
  readonly include?: readonly string[];
  readonly tag?: readonly string[];
  readonly max?: number;
  readonly dryRun?: boolean;
}

/**
 * `tools import openapi SPEC`: writes a tool file with the description as its source, and lists the tools that come of it.
 * @throws OpsError when there is nothing to add, or the file exists already; nothing is written then.
 */
export async function importOpenApi(io: Io, spec: string, options: ImportOptions): Promise<void> {
  const isUrl = /^https?:\/\//i.test(spec);
  const where = isUrl ? spec : resolve(io.cwd, spec);
  if (!isUrl && !existsSync(where)) throw new OpsError('usage', `There is no file ${where}.`, 'Mend the path.');
  const api = await describeApi(where, { place: 'the command line', env: io.env, signal: io.signal });
  const name = toolNameOf(options.name ?? (api.title || basename(spec).replace(/\.\w+$/, ''))).slice(0, 32);
  const dryRun = options.dryRun === true;
  fileOfSource(io, name, dryRun);
  const auth = api.suggestAuth(name);
  await addSource(io, { name, source: sourceOf(where, options, auth), dryRun, where });
  if (dryRun) return;
  for (const secret of secretsIn(auth))
    io.say(
      `They need the secret ${secret}: set the environment variable, or ${secret}_FILE to a file that holds it.\n`,
    );
}

function sourceOf(spec: string, options: ImportOptions, auth: JsonObject | undefined) {
  const include = {
    ...(options.include && { operations: options.include }),
    ...(options.tag && { tags: options.tag }),
    ...(options.max !== undefined && { max: options.max }),
  };
  return {
    kind: 'openapi',
    spec,
    ...(options.baseUrl !== undefined && { base_url: options.baseUrl }),
    ...(options.prefix !== undefined && { prefix: options.prefix }),
    ...(Object.keys(include).length > 0 && { include }),
    ...(auth && { auth }),
  };
}

/** Names of the secrets in an `auth:` block. */
function secretsIn(auth: JsonObject | undefined): string[] {
  return [...JSON.stringify(auth ?? {}).matchAll(/"secret":"(\w+)"/g)].map(([, name]) => name ?? '');
}

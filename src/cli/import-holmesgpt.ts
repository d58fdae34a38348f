import { existsSync } from 'node:fs';
import { basename, resolve } from 'node:path';
import { OpsError } from '../domain/errors.js';
import { toolNameOf } from '../tools/sources/names.js';
import { addSource } from './import-source.js';
import type { Io } from './io.js';

export interface ImportOptions {
  readonly name?: string;
  readonly prefix?: string;
  readonly dryRun?: boolean;
}

/** `tools import holmesgpt FILE…`: @throws OpsError when there is nothing to add; nothing is written then. */
export async function importHolmesGpt(io: Io, files: readonly string[], options: ImportOptions): Promise<void> {
  const path = files.map((file) => resolve(io.cwd, file));
  const missing = path.find((one) => !existsSync(one));
  if (missing !== undefined) throw new OpsError('usage', `There is no file ${missing}.`, 'Mend the path.');
  const name = toolNameOf(options.name ?? basename(path[0] ?? '').replace(/\.\w+$/, '')).slice(0, 32);
  const prefix = options.prefix === undefined ? {} : { prefix: options.prefix };
  await addSource(io, { name, source: { kind: 'holmesgpt', path, ...prefix }, dryRun: options.dryRun === true });
}

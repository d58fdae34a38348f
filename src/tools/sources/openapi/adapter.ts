import { realpathSync } from 'node:fs';
import { stat } from 'node:fs/promises';
import { dirname, resolve } from 'node:path';
import { messageOf, OpsError } from '../../../domain/errors.js';
import type { JsonObject } from '../../../domain/types.js';
import { isObject, objectAt } from '../../../lib/json-values.js';
import { MAX_ADAPTER_BYTES, notAccepted, textDigest } from '../../../lib/mcp-pins.js';
import { readRegularFile } from '../../../lib/regular-file.js';
import { CONTEXT_NAMES } from '../../placeholders.js';
import type { Acceptable, SourceContext } from '../source.js';

/** The adapter of a source, as far as it can be used. */
export interface ReadAdapter {
  /** What it says, with `module: { path, sha256 }` where its module was accepted; undefined when there is none. */
  readonly data?: JsonObject;
  readonly faults: readonly string[];
  /** Why the tools that it is for cannot run. */
  readonly unavailable?: string;
  readonly accepts: readonly Acceptable[];
}

/**
 * Reads the adapter that a source names. Nothing of its module is run: its text is only compared with the accepted one. Never throws
 * for what an adapter is: what cannot be used is a fault, in words.
 */
export async function readAdapter({ adapter: name }: JsonObject, context: SourceContext): Promise<ReadAdapter> {
  if (typeof name !== 'string') return { faults: [], accepts: [] };
  const found = Object.hasOwn(context.adapters, name) ? context.adapters[name] : undefined;
  if (!isObject(found)) {
    const known = Object.keys(context.adapters).join(', ') || 'none';
    const fault = `There is no adapter "${name}" (known: ${known}); the tools work as their description says.`;
    return { faults: [fault], accepts: [] };
  }
  const faults = unknownContext(found);
  if (found.file === undefined) return { data: found, faults, accepts: [] };
  const { file, ...data } = found;
  try {
    const { path, text } = await moduleOf(`${file}`, context);
    const pins = await context.pins.adapters();
    const pin = Object.hasOwn(pins, path) ? pins[path] : undefined;
    const sha256 = textDigest(text);
    const state = pin === undefined ? 'new' : pin.sha256 === sha256 ? 'accepted' : 'changed';
    const accepts: Acceptable[] = [{ kind: 'adapter', name, path, state }];
    if (state === 'accepted') return { data: { ...data, module: { path, sha256 } }, faults, accepts };
    return { data, faults, accepts, unavailable: notAccepted('the module of adapter', name, state === 'changed') };
  } catch (error) {
    const why = `the module of adapter "${name}" cannot be used: ${messageOf(error)}`;
    return { data, faults: [...faults, why], unavailable: why, accepts: [] };
  }
}

/** The module of an adapter stands beside its tool file, and is read as a whole. */
async function moduleOf(file: string, context: SourceContext): Promise<{ path: string; text: string }> {
  const path = context.path(file);
  const folder = realpathSync(dirname(resolve(context.file)));
  const { size } = await stat(path).catch(() => {
    throw new OpsError('usage', `there is no ${path}.`);
  });
  if (!realpathSync(path).startsWith(`${folder}/`))
    throw new OpsError('usage', `${path} lies outside the folder of the tool file.`);
  if (size > MAX_ADAPTER_BYTES) throw new OpsError('usage', `${path} is longer than ${MAX_ADAPTER_BYTES} bytes.`);
  return { path, text: (await readRegularFile(path, MAX_ADAPTER_BYTES)).toString('utf8') };
}

const unknownContext = (adapter: JsonObject): string[] =>
  Object.entries(objectAt(adapter, 'inject')).flatMap(([name, from]) => {
    const wanted = /^context\.(.*)$/.exec(`${from}`)?.[1];
    if (wanted === undefined || CONTEXT_NAMES.includes(wanted)) return [];
    return [
      `The adapter takes ${name} from ${from}, but the session knows no such value (it knows ${CONTEXT_NAMES.join(', ')}).`,
    ];
  });

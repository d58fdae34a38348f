import type { Json, JsonObject, ToolDefinition } from '../domain/types.js';
import { compileSchema } from '../lib/json-schema.js';
import { isList, isObject, objectAt } from '../lib/json-values.js';
import type { ArgvItem } from '../lib/template.js';
import { nameOnly } from './change-state.js';

type Argv = readonly ArgvItem[];

/** How a change is taken back, from the key `undo` of its tool and the arguments of the call. */
export type UndoSpec =
  | { readonly none: string }
  | {
      /** Prints the state that a restore needs. */
      readonly save: Argv;
      /** JMESPath on the saved state: what `{{ saved.x }}` means. */
      readonly values: Readonly<Record<string, string>>;
      /** Those of the values that a restore does not set back but moves on, such as the number of a revision. */
      readonly advancing: readonly string[];
      /** For what is there: puts back what was. */
      readonly restore?: Argv;
      /** For what was there and is gone. */
      readonly recreate?: Argv;
      /** For what was not there. */
      readonly remove?: Argv;
      /** What an undo does not bring back. */
      readonly note?: string;
    };

/** The way back of a tool for these arguments. The loader has checked the shape of the key. */
export function undoOf(tool: ToolDefinition, args: JsonObject): UndoSpec {
  const { undo } = tool;
  if (undo === undefined) return { none: `${tool.name} knows no way to undo it` };
  if (typeof undo.none === 'string') return { none: undo.none };
  const exceptions = isList(undo.except) ? undo.except.filter(isObject) : [];
  const exception = exceptions.find((one) => compileSchema(objectAt(one, 'when'))(args).length === 0);
  if (exception) return { none: `${exception.reason}` };
  const argvs = Object.fromEntries(
    ['restore', 'recreate', 'remove'].flatMap((key) => (undo[key] ? [[key, undo[key]]] : [])),
  );
  return {
    ...(argvs as { restore?: Argv; recreate?: Argv; remove?: Argv }),
    save: (undo.save ?? []) as unknown as Argv,
    values: objectAt(undo, 'values') as Record<string, string>,
    advancing: isList(undo.advancing) ? undo.advancing.map(String) : [],
    ...(typeof undo.note === 'string' && { note: undo.note }),
  };
}

/** A read that goes with a change: an argv of its own, or another tool with parameters. */
export interface ReadSpec {
  readonly argv?: Argv;
  readonly tool?: string;
  readonly parameters: JsonObject;
  readonly successExitCodes?: readonly number[];
  /** JSON Schema over the parsed output. */
  readonly expect?: JsonObject;
}

/** `dry_run`, `preview` or `verify` of a tool; undefined when it has none for these arguments. */
export function readSpecOf(raw: JsonObject | undefined, args: JsonObject): ReadSpec | undefined {
  if (raw === undefined) return undefined;
  if (isObject(raw.when) && compileSchema(raw.when)(args).length > 0) return undefined;
  return {
    ...(isList(raw.argv) && { argv: raw.argv as unknown as Argv }),
    ...(typeof raw.tool === 'string' && { tool: raw.tool }),
    parameters: objectAt(raw, 'parameters'),
    ...(isList(raw.success_exit_codes) && { successExitCodes: raw.success_exit_codes as readonly number[] }),
    ...(isObject(raw.expect) && { expect: raw.expect }),
  };
}

/** Whether an argv reads standard input, as `--filename=-` says. */
export const readsInput = (argv: readonly Json[]): boolean =>
  argv.some((item) => item === '-' || (typeof item === 'string' && item.endsWith('=-')));

/** Documents of a manifest as `prepare` writes them. */
export const manifestOf = (objects: readonly JsonObject[]): string =>
  objects.map((object) => JSON.stringify(object, null, 1)).join('\n---\n');

/** Names of the parameters that hold Kubernetes manifests. */
export const manifestNames = ({ parameters }: ToolDefinition): string[] =>
  Object.entries(objectAt(parameters, 'properties'))
    .filter(([, schema]) => isObject(schema) && schema['x-format'] === 'kubernetes-manifest')
    .map(([name]) => name);

/** The arguments with every manifest reduced to the names of its objects: all that is needed to read them, and no secret. */
export function namesOnly(tool: ToolDefinition, args: JsonObject): JsonObject {
  const reduced = manifestNames(tool).flatMap((name) => {
    const text = args[name];
    if (typeof text !== 'string') return [];
    return [[name, manifestOf(text.split('\n---\n').map((document) => nameOnly(JSON.parse(document))))] as const];
  });
  return { ...args, ...Object.fromEntries(reduced) };
}

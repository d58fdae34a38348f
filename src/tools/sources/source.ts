import type { JsonObject, Risk, ToolDefinition } from '../../domain/types.js';
import type { Pins } from '../../lib/mcp-pins.js';
import type { McpServer } from '../../lib/mcp-server.js';
import type { Problem } from '../../lib/problems.js';

/** One entry of `sources:` in a tool file, with its place and what its file says for all of its tools. Plain JSON. */
export interface SourceEntry {
  readonly kind: string;
  /** The entry itself, as its kind's `specSchema` allows it. */
  readonly source: JsonObject;
  readonly file: string;
  readonly line: number;
  readonly column: number;
  /** `system`, `defaults`, `requires`, `env` of the file. */
  readonly header: JsonObject;
  /** `adapters:` of the file, by name. */
  readonly adapters: JsonObject;
}

/** A small store on disk for what was made from a source. What cannot be kept is made again. */
export interface SourceCache {
  /** What was written under this key by this version of the program; undefined when there is nothing. */
  read<T>(key: string): T | undefined;
  write(key: string, value: unknown): void;
}

/** What a person accepts by name before anything of it runs, and whether that was done. */
export type Acceptable =
  /** `risks`: what its tool file says of its tools, by the server's own names. */
  (
    | { readonly kind: 'server'; readonly server: McpServer; readonly risks?: Readonly<Record<string, Risk>> }
    | { readonly kind: 'adapter'; readonly path: string }
  ) & {
    readonly name: string;
    /** `new`: never accepted · `changed`: another one was. */
    readonly state: 'new' | 'changed' | 'accepted';
  };

/** What a kind of source may use to load its tools. */
export interface SourceContext extends Omit<SourceEntry, 'kind' | 'source'> {
  /** `tools.d/x.yaml:3`, for messages and for `source` of the tools. */
  readonly place: string;
  /**
   * An absolute path, counted from the folder of the tool file; `~` is the home folder.
   * @throws OpsError usage when the file lies outside a folder that the tool file may not leave.
   */
  path(relative: string): string;
  readonly cache: SourceCache;
  /** The value of a secret. @throws OpsError usage when there is none. */
  secret(name: string): string;
  readonly env: Readonly<Record<string, string | undefined>>;
  readonly pins: Pick<Pins, 'read' | 'adapters'>;
  /** Tells everybody: what changed since the last time, say. */
  notice(text: string): void;
  /** Aborted at Ctrl-C and when the deadline has passed. */
  readonly signal: AbortSignal;
}

/** What a source gave: tools, and what a person who checks the file should know. */
export interface SourceTools {
  readonly tools: readonly ToolDefinition[];
  readonly warnings: readonly Problem[];
  /** What its tools need that a person accepts; nothing when left out. */
  readonly accepts?: readonly Acceptable[];
}

/** One kind of `sources:` entry. Its module is light: what is heavy is imported when `load` needs it. */
export interface SourceKind {
  readonly kind: string;
  /** JSON Schema of the entry; `sourceSchema` makes one with the keys that all kinds share. */
  readonly specSchema: JsonObject;
  /**
   * The tools of a source: ordinary definitions, which walk the same path as all others.
   * @throws OpsError when there are none to be had; the rest of opsagent works on.
   */
  load(source: JsonObject, context: SourceContext): Promise<SourceTools>;
}

/** JSON Schema of an entry: the kind, its own keys, and those that all kinds share. */
export const sourceSchema = (kind: string, required: readonly string[], properties: JsonObject): JsonObject => ({
  type: 'object',
  additionalProperties: false,
  required: ['kind', ...required],
  properties: {
    kind: { const: kind },
    prefix: {
      description: 'Put before the names of its tools, with "_" between',
      type: 'string',
      pattern: '^[a-z][a-z0-9_]{0,31}$',
    },
    ...properties,
  },
});

import { createHash } from 'node:crypto';
import { join } from 'node:path';
import { OpsError } from '../domain/errors.js';
import type { JsonObject } from '../domain/types.js';
import { openLockedState } from './locked-state.js';
import { launchDigest, type McpServer, type McpTool, toolDigest } from './mcp-server.js';
import type { Paths } from './paths.js';

/** The calls by which a person lets in what comes from elsewhere. No tool may be called like one of them. */
export const ACCEPTANCES = ['mcp_connect', 'mcp_accept', 'adapter_accept'] as const;

/** A definition that was accepted, and another one that the server gave since. */
export interface PinnedTool {
  readonly sha256: string;
  readonly definition: McpTool;
  /** What the server says now, when that is something else and nobody accepted it. */
  readonly offered?: McpTool;
}

/** What is known of a server: how it was reached, and its tools by their own names. */
export interface ServerPins {
  readonly launch: string;
  readonly tools: Readonly<Record<string, PinnedTool>>;
}

/** What a look at a server's tools has shown, against what was pinned. */
export interface Sighting {
  /** What was accepted; undefined when nothing of this server ever was. */
  readonly pins: ServerPins | undefined;
  /** Not pinned: nobody has accepted them. */
  readonly added: readonly McpTool[];
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

/** The module of a vendor adapter as a person accepted it: this very text is what runs. */
export interface PinnedAdapter {
  readonly sha256: string;
  readonly text: string;
}

/** What a person has accepted: definitions of MCP tools and modules of adapters, in one file that all processes share. */
export interface Pins {
  readonly path: string;
  /** What is accepted of a server; undefined when nothing ever was. */
  read(server: string): Promise<ServerPins | undefined>;
  /** Compares what a server says with what is accepted. Changes are noted; nothing is accepted by it. */
  see(server: McpServer, tools: readonly McpTool[]): Promise<Sighting>;
  /** Pins these definitions in place of what is known under their names, and forgets the names in `gone`. */
  accept(server: McpServer, tools: readonly McpTool[], gone: readonly string[]): Promise<void>;
  /** Accepted modules of adapters, by their absolute paths. */
  adapters(): Promise<Readonly<Record<string, PinnedAdapter>>>;
  /** Accepts a text as the module at this path, in place of what was accepted before. */
  acceptAdapter(path: string, text: string): Promise<void>;
}

/**
 * Opens the pins: `mcp-pins.json` in the config folder, 0600. A file that is damaged stops everything that needs it, for a definition
 * may have been refused.
 */
export function openPins(paths: Pick<Paths, 'config'>): Pins {
  const file = openLockedState(join(paths.config, 'mcp-pins.json'));
  const update = <T>(name: string, change: (known: ServerPins | undefined) => { pins?: ServerPins; result: T }) =>
    file.update((state) => {
      const servers = serversOf(state, file.path);
      const known = Object.hasOwn(servers, name) ? servers[name] : undefined;
      const { pins, result } = change(known);
      if (pins === undefined || JSON.stringify(pins) === JSON.stringify(known)) return { state, result };
      return {
        state: { ...state, version: 1, servers: { ...servers, [name]: pins } } as unknown as JsonObject,
        result,
      };
    });
  return {
    path: file.path,
    read: (name) => update(name, (known) => ({ result: known })),
    see: (server, tools) =>
      update(server.name, (known) => {
        const sighting = compare(known, tools);
        // What a server says that is reached in another way is no news of the accepted one.
        return { ...(isAccepted(server, known) && sighting.pins && { pins: sighting.pins }), result: sighting };
      }),
    accept: (server, tools, gone) =>
      update(server.name, (known) => {
        const kept = Object.entries(known?.tools ?? {}).filter(([name]) => !gone.includes(name));
        const pinned = tools.map((tool) => [tool.name, pinOf(tool)] as const);
        const all = Object.fromEntries([...kept, ...pinned]);
        return { pins: { launch: launchDigest(server), tools: all }, result: undefined };
      }),
    adapters: () => file.update((state) => ({ state, result: adaptersOf(state, file.path) })),
    acceptAdapter: (path, text) =>
      file.update((state) => {
        const adapters = { ...adaptersOf(state, file.path), [path]: { sha256: textDigest(text), text } };
        return { state: { ...state, version: 1, adapters }, result: undefined };
      }),
  };
}

/** A longer module of an adapter is not read: a person has to look at all of it. */
export const MAX_ADAPTER_BYTES = 256 * 1024;

/** A digest of the text of a module. */
export const textDigest = (text: string): string => createHash('sha256').update(text).digest('hex');

const pinOf = (definition: McpTool): PinnedTool => ({ sha256: toolDigest(definition), definition });

function compare(known: ServerPins | undefined, tools: readonly McpTool[]): Sighting {
  if (!known) return { pins: undefined, added: tools, changed: [], gone: [] };
  const now = new Map(tools.map((tool) => [tool.name, tool]));
  const seen = Object.entries(known.tools).map(([name, pin]): [string, PinnedTool] => {
    const { offered: _before, ...accepted } = pin;
    const offered = now.get(name);
    if (!offered) return [name, pin];
    return [name, toolDigest(offered) === pin.sha256 ? accepted : { ...accepted, offered }];
  });
  return {
    pins: { ...known, tools: Object.fromEntries(seen) },
    added: tools.filter(({ name }) => !Object.hasOwn(known.tools, name)),
    changed: seen.filter(([, { offered }]) => offered !== undefined).map(([name]) => name),
    gone: Object.keys(known.tools).filter((name) => !now.has(name)),
  };
}

/** Whether a server is reached in the way that was accepted; another program or address has to be accepted anew. */
export const isAccepted = (server: McpServer, pins: ServerPins | undefined): pins is ServerPins =>
  pins?.launch === launchDigest(server);

/** Why nothing of a server, or of an adapter, is used, and what to do. */
export const notAccepted = (what: string, name: string, before: boolean): string =>
  `${what} ${name} ${before ? 'is another than the one that was accepted' : 'was not accepted yet'}, and is not used. To see and accept it, run: opsagent tools accept ${name}`;

/** What a person should know of a look at an accepted server, in one line; undefined when all is as it was. */
export function newsOf(name: string, { added, changed, gone }: Omit<Sighting, 'pins'>): string | undefined {
  const parts = [
    told(changed, 'changed since it was accepted', 'changed since they were accepted'),
    told(
      added.map((tool) => tool.name),
      'is new',
      'are new',
    ),
  ].filter((part) => part !== undefined);
  const left = told(gone, 'is gone', 'are gone');
  if (parts.length === 0) return left && `MCP server ${name}: ${left}.`;
  const all = [...parts, ...(left ? [left] : [])].join('; ');
  return `MCP server ${name}: ${all}. Not used until you have looked at it: opsagent tools accept ${name}`;
}

function told(names: readonly string[], one: string, many: string): string | undefined {
  if (names.length === 0) return undefined;
  const more = names.length > 5 ? ` and ${names.length - 5} more` : '';
  return `${names.slice(0, 5).join(', ')}${more} ${names.length === 1 ? one : many}`;
}

/** Every pin is checked against its own digest: a file that was cut or edited by hand is not believed. */
const serversOf = (state: JsonObject, path: string): Record<string, ServerPins> =>
  sound((state.servers ?? {}) as unknown as Record<string, ServerPins>, path, (servers) =>
    Object.values(servers)
      .flatMap(({ tools }) => Object.values(tools))
      .every(({ sha256, definition }) => toolDigest(definition) === sha256),
  );

const adaptersOf = (state: JsonObject, path: string): Record<string, PinnedAdapter & JsonObject> =>
  sound((state.adapters ?? {}) as unknown as Record<string, PinnedAdapter & JsonObject>, path, (adapters) =>
    Object.values(adapters).every(({ sha256, text }) => textDigest(text) === sha256),
  );

function sound<T>(pins: T, path: string, isSound: (pins: T) => boolean): T {
  try {
    if (isSound(pins)) return pins;
  } catch {
    // Said below: it is no file of ours.
  }
  throw new OpsError(
    'failed',
    `The accepted definitions of MCP tools and adapters in ${path} are damaged.`,
    `Remove the file, and look at all of them again: rm ${path} && opsagent tools accept`,
  );
}

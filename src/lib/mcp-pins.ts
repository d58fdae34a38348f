import { join } from 'node:path';
import { OpsError } from '../domain/errors.js';
import type { JsonObject } from '../domain/types.js';
import { openLockedState } from './locked-state.js';
import { launchDigest, type McpServer, type McpTool, toolDigest } from './mcp-server.js';
import type { Paths } from './paths.js';

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
  /** Nothing was known of the server: what it said is pinned now. */
  readonly first: boolean;
  readonly pins: ServerPins;
  /** Not pinned: nobody has accepted them. */
  readonly added: readonly McpTool[];
  readonly changed: readonly string[];
  readonly gone: readonly string[];
}

/** The definitions of MCP tools that a person relies on, in one file that all processes share. */
export interface McpPins {
  readonly path: string;
  /** What is pinned of a server; undefined when it was never seen. */
  read(server: string): Promise<ServerPins | undefined>;
  /** Compares what a server says with what is pinned; pins all of it when the server is new and may be. Changes are noted. */
  see(server: McpServer, tools: readonly McpTool[]): Promise<Sighting>;
  /** Pins these definitions in place of what is known under their names, and forgets the names in `gone`. */
  accept(server: McpServer, tools: readonly McpTool[], gone: readonly string[]): Promise<void>;
}

/**
 * Opens the pins: `mcp-pins.json` in the config folder, 0600. A file that is damaged stops everything that needs it, for a definition
 * may have been refused.
 */
export function openPins(paths: Pick<Paths, 'config'>): McpPins {
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
        const sighting = compare(server, known, tools);
        return { pins: sighting.pins, result: sighting };
      }),
    accept: (server, tools, gone) =>
      update(server.name, (known) => {
        const kept = Object.entries(known?.tools ?? {}).filter(([name]) => !gone.includes(name));
        const pinned = tools.map((tool) => [tool.name, pinOf(tool)] as const);
        const all = Object.fromEntries([...kept, ...pinned]);
        return { pins: { launch: launchDigest(server), tools: all }, result: undefined };
      }),
  };
}

const pinOf = (definition: McpTool): PinnedTool => ({ sha256: toolDigest(definition), definition });

function compare(server: McpServer, known: ServerPins | undefined, tools: readonly McpTool[]): Sighting {
  const launch = launchDigest(server);
  if (!known) {
    const pinned = Object.fromEntries(tools.map((tool) => [tool.name, pinOf(tool)]));
    return { first: true, pins: { launch, tools: pinned }, added: [], changed: [], gone: [] };
  }
  const now = new Map(tools.map((tool) => [tool.name, tool]));
  const seen = Object.entries(known.tools).map(([name, pin]): [string, PinnedTool] => {
    const { offered: _before, ...accepted } = pin;
    const offered = now.get(name);
    if (!offered) return [name, pin];
    return [name, toolDigest(offered) === pin.sha256 ? accepted : { ...accepted, offered }];
  });
  return {
    first: false,
    pins: { launch, tools: Object.fromEntries(seen) },
    added: tools.filter(({ name }) => !Object.hasOwn(known.tools, name)),
    changed: seen.filter(([, { offered }]) => offered !== undefined).map(([name]) => name),
    gone: Object.keys(known.tools).filter((name) => !now.has(name)),
  };
}

/** What a person should know of a look at a server, in one line; undefined when all is as it was. */
export function newsOf(
  name: string,
  { first, tools, added, changed, gone }: Omit<Sighting, 'pins'> & { readonly tools: readonly McpTool[] },
): string | undefined {
  if (first) return `The MCP server ${name} is new here: its ${tools.length} tools are pinned as they are now.`;
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
function serversOf(state: JsonObject, path: string): Record<string, ServerPins> {
  const servers = (state.servers ?? {}) as unknown as Record<string, ServerPins>;
  try {
    const pins = Object.values(servers).flatMap(({ tools }) => Object.values(tools));
    if (pins.every(({ sha256, definition }) => toolDigest(definition) === sha256)) return servers;
  } catch {
    // Said below: it is no file of ours.
  }
  throw new OpsError(
    'failed',
    `The pinned definitions of MCP tools in ${path} are damaged.`,
    `Remove the file, and look at what the servers say now: rm ${path} && opsagent tools accept`,
  );
}

import { createHash } from 'node:crypto';
import type { Json, JsonObject, Risk } from '../domain/types.js';

/** How to reach one MCP server, in the keys of tool files: a program to start, or an address. */
export interface McpServer {
  readonly name: string;
  readonly command?: readonly string[];
  readonly cwd?: string;
  /** Names of environment variables that the program gets beside the base ones. */
  readonly env?: readonly string[];
  readonly url?: string;
  readonly headers?: Readonly<Record<string, string | { readonly secret: string; readonly prefix?: string }>>;
  readonly allow_hosts?: readonly string[];
  /** How long it may take to start and to answer the first questions, in seconds. */
  readonly start_timeout_seconds?: number;
}

/** What a server says of one of its tools; all of it is pinned. */
export interface McpTool {
  readonly name: string;
  readonly title?: string;
  readonly description?: string;
  readonly inputSchema: JsonObject;
  readonly outputSchema?: JsonObject;
  readonly annotations?: JsonObject;
}

/** How long a server may take to start and to answer, in ms; 30 s when its source does not say otherwise. */
export const startTimeoutMs = ({ start_timeout_seconds = 30 }: McpServer): number => start_timeout_seconds * 1_000;

const TEXT: JsonObject = { type: 'string', minLength: 1 };
const VARIABLE: JsonObject = { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$' };

/** JSON Schema of the keys of an {@link McpServer}, as tool files hold them. */
export const MCP_SERVER_KEYS: JsonObject = {
  name: {
    description: 'Name of the server; its tools are called NAME_TOOL',
    type: 'string',
    pattern: '^[a-z][a-z0-9_-]{0,31}$',
  },
  command: { description: 'Program and arguments of a server on stdio', type: 'array', minItems: 1, items: TEXT },
  cwd: TEXT,
  env: {
    description: 'Environment variables that the program gets beside PATH, HOME and the language',
    type: 'array',
    items: VARIABLE,
  },
  url: { description: 'Address of a server on HTTP', type: 'string', pattern: '^https?://' },
  headers: {
    type: 'object',
    additionalProperties: {
      anyOf: [
        TEXT,
        {
          type: 'object',
          required: ['secret'],
          additionalProperties: false,
          properties: { secret: VARIABLE, prefix: { description: 'Before the value: "Bearer "', type: 'string' } },
        },
      ],
    },
  },
  allow_hosts: {
    description: 'Hosts that may be visited; a private or local one must be listed',
    type: 'array',
    items: TEXT,
  },
  start_timeout_seconds: { type: 'number', exclusiveMinimum: 0, maximum: 600 },
};

/** A program or an address, and not both. */
export const MCP_SERVER_CHOICE: Json = [{ required: ['command'] }, { required: ['url'] }];

/** How the risk of a tool is told: that of its tool file goes before what the server says. */
export const riskInForce = (said: Risk, set: Risk | undefined): string =>
  set === undefined || set === said ? said : `${set}; the server says ${said}`;

/**
 * The risk of a tool by the hints of its server (MCP specification 2025-06-18, tool annotations): one that destroys is critical, whatever
 * else it says; one that only reads is low; one that says nothing changes something.
 */
export function riskOf({ annotations }: Pick<McpTool, 'annotations'>): Risk {
  if (annotations?.destructiveHint === true) return 'critical';
  return annotations?.readOnlyHint === true ? 'low' : 'high';
}

/** What is started or visited, for people: the argv, or the address without its query. */
export const placeOfServer = ({ command, url }: McpServer): string =>
  command ? command.join(' ') : (url ?? '').replace(/[?#].*$/, '');

/** A digest of how a server is reached: another program or address may have other tools. */
export const launchDigest = (server: McpServer): string => sha256(canonical(server as unknown as Json));

/** A digest of all that a server says of a tool. The order of keys does not count. */
export const toolDigest = (tool: McpTool): string => sha256(canonical(tool as unknown as Json));

const sha256 = (text: string): string => createHash('sha256').update(text).digest('hex');

/** JSON with sorted keys. */
function canonical(value: Json): string {
  return JSON.stringify(value, (_key, inner: Json) =>
    typeof inner === 'object' && inner !== null && !Array.isArray(inner)
      ? Object.fromEntries(Object.entries(inner).sort(([a], [b]) => (a < b ? -1 : 1)))
      : inner,
  );
}

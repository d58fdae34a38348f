import { OpsError } from '../../../domain/errors.js';
import type { Json, JsonObject, ToolDefinition } from '../../../domain/types.js';
import { isList, isObject, objectAt, textsAt } from '../../../lib/json-values.js';
import type { Problem } from '../../../lib/problems.js';
import { serverOf, toolsOfServer } from '../mcp.js';
import { toolNameOf } from '../names.js';
import type { SourceContext, SourceTools } from '../source.js';
import type { RawToolset } from './files.js';
import { isNamed } from './toolset.js';

const MAX_NAME = 32;
const ENV = /\{\{\s*env\.(\w+)\s*\}\}/;

/**
 * The tools of an entry of `mcp_servers`: an MCP server like one that a tool file names, which a person accepts by its name. What its
 * toolset restricts is at least high. Never throws for what the entry holds.
 */
export async function toolsOfEntry({ name, raw, place }: RawToolset, context: SourceContext): Promise<SourceTools> {
  const warnings: Problem[] = [];
  const warn = (message: string) => warnings.push({ ...place, message: `${name}: ${message}` });
  if (raw.enabled === false) {
    warn('it is turned off (enabled: false).');
    return { tools: [], warnings };
  }
  try {
    const source = sourceOf(name, raw, context.env, warn);
    const here = { ...context, ...place, place: `${place.file}:${place.line}` };
    const made = await toolsOfServer(source, serverOf(source, context), here);
    if (raw.llm_instructions !== undefined) warn('llm_instructions are not given to the model.');
    const guarded = [...textsAt(raw, 'approval_required_tools'), ...textsAt(raw, 'restricted_tools')];
    return {
      ...made,
      tools: made.tools.map((tool) => guard(tool, guarded)),
      warnings: [...warnings, ...made.warnings],
    };
  } catch (error) {
    if (!(error instanceof OpsError)) throw error;
    warn(`the MCP server is left out: ${error.message}`);
    return { tools: [], warnings };
  }
}

/** A tool that its toolset lets nobody use without a yes. */
const guard = (tool: ToolDefinition, patterns: readonly string[]): ToolDefinition =>
  isNamed(`${tool.run.tool}`, patterns) && /^(?:low|medium)$/.test(tool.riskLevel)
    ? { ...tool, riskLevel: 'high' }
    : tool;

/** The entry in the keys of a `kind: mcp` source. @throws OpsError when it cannot be said in them. */
function sourceOf(
  name: string,
  raw: JsonObject,
  env: SourceContext['env'],
  warn: (message: string) => void,
): JsonObject {
  const config = objectAt(raw, 'config');
  if (raw.url !== undefined && config.url === undefined) warn('url belongs into config.');
  const { url = raw.url, mode = raw.mode, command, args, headers = raw.headers, env: variables } = config;
  const base = { kind: 'mcp', name: toolNameOf(name).slice(0, MAX_NAME) };
  const words = [...(isList(command) ? command : [command]), ...(isList(args) ? args : [])];
  if (typeof command === 'string' || isList(command)) {
    const given = variablesOf(isObject(variables) ? variables : {});
    const plain = words.map((word) => filled(`${word}`, env));
    return { ...base, command: [...given.words, ...plain], ...(given.names.length > 0 && { env: given.names }) };
  }
  if (typeof url !== 'string') throw new OpsError('usage', 'it has neither config.url nor config.command.');
  const shown = isObject(headers) && Object.entries(headers).map(([key, value]) => [key, headerOf(key, `${value}`)]);
  return { ...base, url: addressOf(filled(url, env), mode), ...(shown && { headers: Object.fromEntries(shown) }) };
}

/** HolmesGPT speaks SSE where nothing else is said, and adds the usual path to an address that lacks it. */
const addressOf = (url: string, mode: Json | undefined): string =>
  mode === 'streamable-http' || /\/sse\/?$/.test(url) ? url : `${url.replace(/\/$/, '')}/sse`;

/** `{{ env.X }}` with what the environment holds. @throws OpsError when it does not hold it. */
const filled = (text: string, env: SourceContext['env']): string =>
  text.replaceAll(new RegExp(ENV, 'g'), (_whole, name: string) => {
    const value = env[name];
    if (value === undefined) throw new OpsError('usage', `the variable ${name} is not set.`);
    return value;
  });

/** Variables of a program: those of this environment by name, other values as words for `env`, which the person sees. */
function variablesOf(variables: JsonObject): { readonly names: readonly string[]; readonly words: readonly string[] } {
  const all = Object.entries(variables).map(([name, value]) => ({
    name,
    value: `${value}`,
    from: ENV.exec(`${value}`),
  }));
  const other = all.find(({ name, value, from }) => from && !(from[1] === name && from[0] === value.trim()));
  if (other) throw new OpsError('usage', `${other.name} can only be {{ env.${other.name} }} or a plain value.`);
  const plain = all.filter(({ from }) => !from).map(({ name, value }) => `${name}=${value}`);
  return {
    names: all.filter(({ from }) => from).map(({ name }) => name),
    words: plain.length > 0 ? ['env', ...plain] : [],
  };
}

/** `Bearer {{ env.TOKEN }}` as a secret with what stands before it. */
function headerOf(key: string, value: string): Json {
  const [whole, secret] = ENV.exec(value) ?? [];
  if (whole === undefined || secret === undefined) return value;
  const prefix = value.slice(0, value.indexOf(whole));
  if (!value.trimEnd().endsWith(whole) || ENV.test(prefix))
    throw new OpsError('usage', `the header ${key} holds more than one value behind its beginning.`);
  return { secret, ...(prefix !== '' && { prefix }) };
}

import { messageOf, OpsError } from '../../../domain/errors.js';
import type { JsonObject, ToolDefinition } from '../../../domain/types.js';
import { objectAt, textsAt } from '../../../lib/json-values.js';
import type { Problem } from '../../../lib/problems.js';
import { toDefinition } from '../../definition.js';
import { normalise } from '../../forms.js';
import { toolNameOf, uniqueNames } from '../names.js';
import type { SourceContext, SourceTools } from '../source.js';
import { addressOf } from './access.js';
import { adapt } from './adapt.js';
import { type ReadAdapter, readAdapter } from './adapter.js';
import { type ApiDocument, type Operation, operationsOf, readDocument } from './document.js';
import { findSpec, type SpecText } from './spec.js';
import { nameOfOperation, rawTool } from './tool.js';

/** A model cannot choose among thousands. */
export const DEFAULT_MAX = 200;
const MAX_LISTED = 10;

/**
 * The tools of an OpenAPI description. What was made of one is kept by the hash of its content.
 * @throws OpsError when it cannot be read, or has nothing to offer.
 */
export async function loadOpenApi(source: JsonObject, context: SourceContext): Promise<SourceTools> {
  const { prefix: _prefix, spec, ...rest } = source;
  const { OPENAPI_ALLOWED_DOMAINS: fence } = context.env;
  const base = typeof source.base_url === 'string' ? source.base_url : '';
  const variables = [...base.matchAll(/env\.(\w+)/g)].map(([, name]) => context.env[name ?? '']);
  const adapter = await readAdapter(source, context);
  const keyOf = (hash: string) =>
    `openapi ${JSON.stringify([hash, rest, fence, variables, context.header, adapter, context.place])}`;
  const found = await findSpec(spec, source, context, (hash) => context.cache.read(keyOf(hash)) !== undefined);
  const known = context.cache.read<SourceTools>(keyOf(found.hash));
  if (known) return known;
  const made = build(readDocument(await found.text(), found.name), source, context, found, adapter);
  context.cache.write(keyOf(found.hash), made);
  return made;
}

function build(
  document: ApiDocument,
  source: JsonObject,
  context: SourceContext,
  { url, name }: SpecText,
  { data: adapter, faults, unavailable, accepts }: ReadAdapter,
): SourceTools {
  const address = addressOf(document, source, context, url);
  const all = operationsOf(document);
  const wanted = chosen(all, source);
  const { max } = objectAt(source, 'include');
  const most = typeof max === 'number' ? max : DEFAULT_MAX;
  const warnings: string[] = [];
  if (wanted.length > most)
    warnings.push(
      `${name} has ${wanted.length} operations; the first ${most} became tools: choose with include: { tags, operations, max }.`,
    );
  const header = headerOf(document, context);
  warnings.push(...faults);
  const unique = uniqueNames();
  const left: string[] = [];
  let advice: string | undefined;
  const tools = wanted.slice(0, most).flatMap((operation): ToolDefinition[] => {
    try {
      const raw = rawTool(document, operation, unique(nameOfOperation(operation)), address, source.auth);
      const adapted = adapter ? adapt(raw, adapter) : raw;
      return [{ ...finish(adapted, header, context), ...(unavailable !== undefined && { unavailable }) }];
    } catch (error) {
      if (!(error instanceof OpsError)) throw error;
      left.push(`${operation.method} ${operation.path} is left out: ${messageOf(error)}.`);
      advice ??= error.hint;
      return [];
    }
  });
  if (tools.length === 0) throw nothing(name, all, wanted, left, advice);
  const more = left.length > MAX_LISTED ? [`${left.length - MAX_LISTED} more operations are left out.`] : [];
  return {
    tools,
    accepts,
    warnings: [...warnings, ...left.slice(0, MAX_LISTED), ...more].map((message) => warn(context, message, advice)),
  };
}

const warn = ({ file, line, column }: SourceContext, message: string, fix?: string): Problem => ({
  ...{ file, line, column, message },
  ...(fix !== undefined && message.includes('left out') && { fix }),
});

function nothing(
  name: string,
  all: readonly Operation[],
  wanted: readonly Operation[],
  [first]: readonly string[],
  advice?: string,
) {
  if (all.length === 0) return new OpsError('usage', `${name} has no operations.`);
  if (wanted.length === 0) {
    const tags = [...new Set(all.flatMap((operation) => operation.tags))].slice(0, MAX_LISTED);
    return new OpsError(
      'usage',
      `no operation of ${name} is included.`,
      `Look at include: its tags are ${tags.join(', ') || 'none'}; operations are named as in the description, or METHOD /path.`,
    );
  }
  return new OpsError('usage', `${name}: ${first}`, advice);
}

/** By operation id, tool name or `METHOD /path`, or by tag; all when nothing is said. */
function chosen(all: readonly Operation[], source: JsonObject): readonly Operation[] {
  const include = objectAt(source, 'include');
  const [names, tags] = [textsAt(include, 'operations'), textsAt(include, 'tags')];
  if (names.length === 0 && tags.length === 0) return all;
  return all.filter(
    (operation) =>
      [operation.id, nameOfOperation(operation), `${operation.method} ${operation.path}`].some(
        (one) => one !== undefined && names.includes(one),
      ) || operation.tags.some((tag) => tags.includes(tag)),
  );
}

/** The file's own words for its tools; its system, or the title of the API, is their category. */
function headerOf({ root }: ApiDocument, { header }: SourceContext): JsonObject {
  if (typeof header.system === 'string') return header;
  const { title } = objectAt(root, 'info');
  return { ...header, system: toolNameOf(typeof title === 'string' ? title : 'openapi') };
}

function finish(raw: JsonObject, header: JsonObject, context: SourceContext): ToolDefinition {
  const spelled = normalise(raw, undefined, header);
  const own = Array.isArray(spelled.permissions) ? spelled.permissions : [];
  const permissions = own.map((one) => `${one}`.replace(/^openapi:/, `${header.system}:`));
  return toDefinition({ ...spelled, permissions }, header, context.place);
}

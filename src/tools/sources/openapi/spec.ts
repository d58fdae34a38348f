import { createHash } from 'node:crypto';
import { messageOf, OpsError } from '../../../domain/errors.js';
import type { Json, JsonObject } from '../../../domain/types.js';
import { isObject, textsAt } from '../../../lib/json-values.js';
import { readRegularFile } from '../../../lib/regular-file.js';
import type { SourceContext } from '../source.js';
import { fillEnv, requireAllowed } from './access.js';
import { MAX_SPEC_BYTES, tooLarge } from './document.js';

/** What finding a description needs. */
export type SpecContext = Pick<SourceContext, 'place' | 'env' | 'signal' | 'cache' | 'path'>;

/** The text of a description, or only its hash where that is known to be enough. */
export interface SpecText {
  readonly name: string;
  readonly hash: string;
  /** Where it came from by network. */
  readonly url?: URL;
  text(): Promise<string>;
}

interface Fetched {
  /** In ms since 1970. */
  readonly at: number;
  readonly hash: string;
}

/** A description that came by network is asked for again after this time. */
const FRESH_MS = 24 * 3_600_000;

const hashOf = (text: string | Uint8Array): string => createHash('sha256').update(text).digest('hex');

/**
 * Finds a description: inline, a file, or an address, which is asked at most once a day; one that does not answer then is answered
 * for by what is known (`isKnown` says of which hash tools are kept).
 * @throws OpsError when it cannot be read, or is too large.
 */
export async function findSpec(
  spec: Json | undefined,
  source: JsonObject,
  context: SpecContext,
  isKnown: (hash: string) => boolean,
): Promise<SpecText> {
  if (isObject(spec)) {
    const text = JSON.stringify(spec);
    return { name: context.place, hash: hashOf(text), text: async () => text };
  }
  const where = fillEnv(`${spec}`, context.env);
  if (/^https?:\/\//i.test(where)) return fromNetwork(where, source, context, isKnown);
  const path = context.path(where);
  const bytes = await readBounded(path);
  return { name: path, hash: hashOf(bytes), text: async () => bytes.toString('utf8') };
}

async function readBounded(path: string): Promise<Buffer> {
  try {
    return await readRegularFile(path, MAX_SPEC_BYTES);
  } catch (error) {
    if (error instanceof OpsError) throw error;
    throw new OpsError('usage', `${path} cannot be read: ${messageOf(error)}.`, 'Mend the path of spec:.', {
      cause: error,
    });
  }
}

async function fromNetwork(
  where: string,
  source: JsonObject,
  context: SpecContext,
  isKnown: (hash: string) => boolean,
): Promise<SpecText> {
  if (!URL.canParse(where)) throw new OpsError('usage', `${where} is no address.`);
  const url = new URL(where);
  requireAllowed(url, context.env);
  const key = `openapi-url ${url.href}`;
  const known = context.cache.read<Fetched>(key);
  const kept = (one: Fetched): SpecText => ({
    name: url.href,
    hash: one.hash,
    url,
    text: () => fetchSpec(url, source, context),
  });
  if (known && isKnown(known.hash) && Date.now() - known.at < FRESH_MS) return kept(known);
  try {
    const text = await fetchSpec(url, source, context);
    const fresh = { at: Date.now(), hash: hashOf(text) };
    context.cache.write(key, fresh);
    return { ...kept(fresh), text: async () => text };
  } catch (error) {
    if (known && isKnown(known.hash)) return kept(known);
    throw error;
  }
}

async function fetchSpec(url: URL, source: JsonObject, context: SpecContext): Promise<string> {
  const { sendRequest } = await import('../../../lib/http.js');
  const hosts = [url.host, ...textsAt(source, 'allow_hosts')];
  const chunks: Uint8Array[] = [];
  const end = await sendRequest({
    method: 'GET',
    url: url.href,
    headers: { accept: 'application/json, application/yaml;q=0.9, */*;q=0.5' },
    signal: context.signal,
    limits: { connectMs: 5_000, idleMs: 5_000, totalMs: 10_000, maxBytes: MAX_SPEC_BYTES },
    mayVisit: (next) => /^https?:$/.test(next.protocol) && (hosts.includes(next.host) || hosts.includes(next.hostname)),
    onData: (chunk) => chunks.push(chunk) > 0,
  });
  const fail = (why: string) =>
    new OpsError('unavailable', `${url.href} ${why}.`, 'Is the address right, and the service running?');
  if (end.type === 'body-full') throw tooLarge(url.href);
  if (end.type === 'forbidden') throw fail(`leads to ${end.url.split('?')[0]}, which this source may not visit`);
  if (end.type === 'broken') throw fail(`cannot be read: ${messageOf(end.cause)}`);
  if (end.type === 'late') throw fail(`did not answer within ${end.afterMs / 1000} s`);
  if (end.type !== 'answered') throw fail(`cannot be read: ${end.type}`);
  if (end.status !== 200) throw fail(`answered ${end.status}`);
  return Buffer.concat(chunks).toString('utf8');
}

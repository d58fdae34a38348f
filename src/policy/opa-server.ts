import { messageOf, OpsError } from '../domain/errors.js';
import type { Json } from '../domain/types.js';
import type { HttpEnd } from '../lib/http.js';
import { isObject } from '../lib/json-values.js';
import type { Judge } from './decide.js';
import type { PolicyInput } from './input.js';
import { opinionsOf } from './rego-answer.js';

/** One decision; a server of policies answers in milliseconds. */
const LIMITS = { connectMs: 2_000, idleMs: 2_000, totalMs: 2_000, maxBytes: 1024 * 1024 };

/**
 * An OPA server as a judge: the same package `tools` as for compiled Rego, asked with `POST /v1/data/tools`
 * (https://www.openpolicyagent.org/docs/rest-api). Whatever goes wrong throws, and so denies.
 * @throws OpsError usage when the address is no http or https URL.
 */
export function judgeByOpa(address: string): Judge {
  const base = URL.canParse(address) ? new URL(address) : undefined;
  if (!base || !/^https?:$/.test(base.protocol) || base.username !== '') {
    throw new OpsError(
      'usage',
      `The address of the OPA server, ${JSON.stringify(address)}, is no http or https URL without a user.`,
      'Set it like: opsagent config set policy.opa_url http://localhost:8181',
    );
  }
  const url = new URL(`${base.pathname.replace(/\/+$/, '')}/v1/data/tools`, base);
  return async (input) => {
    try {
      return opinionsOf(await askServer(url, input), url.href);
    } catch (error) {
      throw new Error(`the OPA server at ${url.origin}: ${messageOf(error)}`, { cause: error });
    }
  };
}

async function askServer(url: URL, input: PolicyInput): Promise<Json | undefined> {
  const { sendRequest } = await import('../lib/http.js');
  const chunks: Uint8Array[] = [];
  const end = await sendRequest({
    method: 'POST',
    url: url.href,
    headers: { 'content-type': 'application/json', accept: 'application/json' },
    body: JSON.stringify({ input }),
    signal: new AbortController().signal,
    limits: LIMITS,
    mayVisit: ({ origin }) => origin === url.origin,
    onData: (chunk) => chunks.push(chunk) > 0,
  });
  if (end.type !== 'answered') throw new Error(whyNot(end));
  if (end.status !== 200) throw new Error(`it answered with status ${end.status}`);
  const answer = JSON.parse(Buffer.concat(chunks).toString()) as Json;
  return isObject(answer) ? answer.result : undefined;
}

function whyNot(end: Exclude<HttpEnd, { type: 'answered' }>): string {
  if (end.type === 'late') return `it did not answer within ${LIMITS.totalMs} ms`;
  if (end.type === 'broken') return `it cannot be reached: ${messageOf(end.cause)}`;
  return `its answer cannot be used (${end.type})`;
}

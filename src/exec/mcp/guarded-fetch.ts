import { OpsError } from '../../domain/errors.js';
import { domainList, standingOfHost } from '../../lib/hosts.js';
import { proxyFetch, publicFetch } from '../../lib/http.js';
import type { McpServer } from '../../lib/mcp-server.js';
import { isPrivateAddress, PRIVATE } from '../../lib/public-address.js';
import { MAX_MESSAGE_BYTES } from './message.js';

/**
 * A `fetch` that visits only hosts that the source and MCP_ALLOWED_DOMAINS allow, a private or local one only when it is listed by
 * name. It follows no redirect by itself, and ends an answer of which one message is too large.
 */
export function guardedFetch(server: McpServer): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const standing = standingOfHost(url.hostname, [server.allow_hosts, domainList(process.env.MCP_ALLOWED_DOMAINS)]);
    if (standing === undefined) throw refused(`${url.hostname} is not among the allowed hosts`);
    if (standing === 'public' && isPrivateAddress(url.hostname))
      throw refused(`${url.hostname} is a private or local address, which must be listed by name`);
    const visit = standing === 'named' ? proxyFetch : publicFetch;
    try {
      return bounded(await visit(url.href, { ...init, redirect: 'manual' }));
    } catch (error) {
      if (
        error instanceof Error &&
        error.cause instanceof Error &&
        'code' in error.cause &&
        error.cause.code === PRIVATE
      )
        throw refused(`${error.cause.message} and must be listed by name`);
      throw error;
    }
  };
}

const refused = (why: string): OpsError =>
  new OpsError(
    'usage',
    `it is not visited: ${why}`,
    'Add the host to allow_hosts of its source, and to MCP_ALLOWED_DOMAINS where that is set.',
  );

function bounded(response: Response): Response {
  if (response.body === null) return response;
  const { status, statusText, headers } = response;
  const copy = new Response(response.body.pipeThrough(messageLimit()), { status, statusText, headers: [...headers] });
  Object.defineProperty(copy, 'url', { value: response.url });
  return copy;
}

/** Counts the bytes since the last empty line, which ends an event; in a JSON body there is none, as a rule. */
function messageLimit(): TransformStream<Uint8Array, Uint8Array> {
  let bytes = 0;
  return new TransformStream({
    transform(chunk, controller) {
      const text = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      const end = Math.max(text.lastIndexOf('\n\n'), text.lastIndexOf('\r\n\r\n'));
      bytes = end === -1 ? bytes + chunk.length : chunk.length - end;
      if (bytes > MAX_MESSAGE_BYTES) {
        controller.error(new Error(`a message of more than ${MAX_MESSAGE_BYTES / 1024 / 1024} MiB`));
      } else controller.enqueue(chunk);
    },
  });
}

import { OpsError } from '../../domain/errors.js';
import { hostList, refusedHost } from '../../lib/hosts.js';
import { proxyFetch } from '../../lib/http.js';
import type { McpServer } from '../../lib/mcp-server.js';
import { MAX_MESSAGE_BYTES } from './message.js';

/**
 * A `fetch` that visits only hosts that the source and MCP_ALLOWED_DOMAINS allow, follows no redirect by itself, and ends an answer
 * of which one message is too large.
 */
export function guardedFetch(server: McpServer): typeof fetch {
  return async (input, init) => {
    const url = new URL(input instanceof Request ? input.url : input);
    const lists = [server.allow_hosts, hostList(process.env.MCP_ALLOWED_DOMAINS)];
    const refused = await refusedHost(url, { lists });
    if (refused !== undefined) {
      throw new OpsError(
        'usage',
        `it is not visited, for ${refused}.`,
        'Add the host to allow_hosts of its source, and to MCP_ALLOWED_DOMAINS where that is set.',
      );
    }
    return bounded(await proxyFetch(url.href, { ...init, redirect: 'manual' }));
  };
}

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

import { messageOf, OpsError } from '../../domain/errors.js';
import type { RunOutcome } from '../../domain/ports.js';
import type { McpServer } from '../../lib/mcp-server.js';

/** What went wrong with a server, in words: the outcome of the call that met it. */
export interface McpFault {
  readonly message: string;
  readonly hint?: string;
  readonly service?: NonNullable<RunOutcome['service']>;
  readonly timedOut?: boolean;
  /** The server answered, with an error: the connection is sound. */
  readonly answered?: boolean;
  /** What else it said of an error, as text. */
  readonly detail?: string;
  readonly exit?: 'usage' | 'unavailable';
}

/** A program was started and did not become a server; with how it ended and what it printed, in words. */
export class ConnectFailed extends Error {
  override readonly name = 'ConnectFailed';
  constructor(
    cause: unknown,
    readonly ending: string | undefined,
    readonly garbage: string | undefined,
  ) {
    super(messageOf(cause), { cause });
  }

  /** By its name, since the bundle holds this class more than once. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === 'ConnectFailed';
  }
}

interface Known {
  readonly code?: unknown;
  readonly data?: unknown;
  readonly status?: unknown;
}

/**
 * Reads an error of the SDK, of a transport or of our own. `during` is what was asked: "initialize", "tools/list" or a tool's name;
 * `ending` how the connection came to its end; `log` where the server's stderr is.
 */
export function explainMcpError(
  thrown: unknown,
  server: McpServer,
  during: string,
  { timeoutMs, ending, log }: { timeoutMs: number; ending?: string | undefined; log: string },
): McpFault {
  const who = `The MCP server ${server.name}`;
  const failed = thrown instanceof ConnectFailed ? thrown : undefined;
  const cause = failed ? failed.cause : thrown;
  const { code, data, status } = (cause instanceof Error ? cause : {}) as Known;
  const extra = failed?.garbage === undefined ? '' : ` ${failed.garbage}`;
  const seeLog = server.command ? { hint: `What it printed is in ${log}` } : {};
  if (cause instanceof OpsError) {
    const exit = cause.exit === 'usage' ? ('usage' as const) : ('unavailable' as const);
    return { message: `${who}: ${cause.message}`, exit, ...(cause.hint !== undefined && { hint: cause.hint }) };
  }
  if (code === 'REQUEST_TIMEOUT') {
    const message = `${who} did not answer ${during} within ${timeoutMs / 1000} s.${extra}`;
    return { message, timedOut: true, service: 'failing', exit: 'unavailable', ...seeLog };
  }
  if (ending !== undefined || code === 'CONNECTION_CLOSED') {
    const message = `${who} ${failed?.ending ?? ending ?? 'closed the connection'} during ${during}.${extra}`;
    return { message, service: 'failing', exit: 'unavailable', ...seeLog };
  }
  if (typeof status === 'number') return httpFault(who, status, messageOf(cause));
  if (typeof code === 'number') {
    const detail = data === undefined ? {} : { detail: JSON.stringify(data, null, 1) };
    return { message: `${who} answered ${during} with error ${code}: ${messageOf(cause)}`, answered: true, ...detail };
  }
  return {
    message: `${who}: ${rootMessage(cause)}.${extra}`,
    service: serviceOf(cause),
    exit: 'unavailable',
    ...seeLog,
  };
}

function httpFault(who: string, status: number, said: string): McpFault {
  const message = `${who} answered HTTP ${status}: ${said.slice(0, 300)}`;
  if (status === 401 || status === 403)
    return { message, exit: 'usage', hint: 'Give it a credential in headers: of its source, as { secret: NAME }.' };
  if (status === 429) return { message, service: 'busy', exit: 'unavailable' };
  return { message, exit: 'unavailable', ...(status >= 500 && { service: 'failing' as const }) };
}

/** `fetch failed` says nothing: what it wraps does. */
function rootMessage(thrown: unknown): string {
  let error = thrown;
  while (error instanceof Error && error.cause instanceof Error) error = error.cause;
  return messageOf(error).split('\n', 1)[0]?.slice(0, 300).replace(/\.$/, '') || 'it failed';
}

const serviceOf = (thrown: unknown): 'unreachable' | 'failing' =>
  /ECONNREFUSED|ENOTFOUND|EAI_AGAIN|EHOSTUNREACH|ETIMEDOUT|UND_ERR_CONNECT/.test(codesOf(thrown))
    ? 'unreachable'
    : 'failing';

function codesOf(thrown: unknown): string {
  if (!(thrown instanceof Error)) return '';
  return `${'code' in thrown ? thrown.code : ''} ${thrown.message} ${codesOf(thrown.cause)}`;
}

import type { RunOutcome } from '../domain/ports.js';
import type { CallError } from '../domain/types.js';
import type { HttpEnd } from '../lib/http.js';
import { proxyName } from '../lib/proxy.js';
import { authInWords } from './http-auth.js';
import { kindOfBody, lineOf, titleOf, wordsOf } from './http-body.js';
import { explainCause } from './http-errors.js';
import { faultOf, inWords, retryAfterOf } from './http-fault.js';
import type { HttpPayload } from './http-spec.js';

/** What was asked and what came of it. */
export interface Asked {
  readonly payload: HttpPayload;
  /** The tool's output is JSON: anything else is not an answer. */
  readonly wantsJson: boolean;
  /** The beginning of the body. */
  readonly start: string;
}

type Answered = Extract<HttpEnd, { type: 'answered' }>;

/** A result for each way a request can end. Messages name the address as it was asked, without its query where it is long. */
export function outcomeOf(end: HttpEnd, asked: Asked): RunOutcome {
  const asks = `${asked.payload.method} ${shortUrl(asked.payload.url)}`;
  switch (end.type) {
    case 'answered':
      return answeredOutcome(end, asked, asks);
    case 'forbidden':
    case 'downgraded':
    case 'change-moved':
      return movedOutcome(end, asked);
    case 'too-many-redirects':
      return failure(`${asks} is redirected without an end, last to ${withoutQuery(end.url)}`, {
        hint: 'A proxy or login page in front of the service is set up wrongly, or the address is not quite right.',
        exit: 'unavailable',
      });
    case 'private':
      return refused(
        `${originOf(end.url)} is at an address of a private network or of this machine, and nobody listed it by name`,
        'If that is meant, add the host to allow_hosts, or give its address as base_url.',
      );
    case 'body-full':
      return failure(`${asks} answered more than ${size(end.bytes)}; the rest was not read`, {
        hint: 'Ask for less: a narrower selector, a shorter range, a limit.',
      });
    case 'unknown-encoding':
      return failure(`${asks} answered in the encoding "${lineOf(end.encoding, 40)}", which is not understood`, {
        hint: 'Look at the service, or at the proxy in front of it.',
      });
    case 'late':
      return lateOutcome(end, asks);
    case 'broken': {
      const { why, hint, exit, service } = explainCause(end.cause, end.proxy && proxyName(end.proxy));
      const where = end.phase === 'body' ? ` while it answered, after ${size(end.bytes)}` : '';
      return failure(`${originOf(end.url)} could not be ${end.phase === 'body' ? 'read' : 'reached'}${where}: ${why}`, {
        hint,
        exit: exit ?? 'unavailable',
        ...(service && { service }),
      });
    }
  }
}

function answeredOutcome(end: Answered, asked: Asked, asks: string): RunOutcome {
  if (end.status >= 400) return statusOutcome(end, asked, asks);
  const type = end.headers['content-type'] ?? '';
  const kind = kindOfBody(type, asked.start);
  // A redirect that is not followed is no answer to what was asked.
  if (end.status >= 300 && end.status !== 304) {
    return failure(`${asks} answered ${end.status}, which leads nowhere`, { exitCode: end.status });
  }
  if (!asked.wantsJson || kind === 'json' || kind === 'empty' || asked.payload.method === 'HEAD') {
    return { status: 'ok', exitCode: end.status };
  }
  const moved =
    withoutQuery(end.url) === withoutQuery(asked.payload.url) ? '' : ` (redirected to ${withoutQuery(end.url)})`;
  if (kind === 'html')
    return loginPage(
      `${originOf(asked.payload.url)} answered with a web page${titled(asked.start)} instead of JSON${moved}`,
      asked,
      end.status,
    );
  const what =
    kind === 'binary' ? 'binary data' : `${lineOf(type, 60) || 'data without a type'} ("${lineOf(asked.start, 80)}")`;
  return failure(`${asks} answered ${what} instead of JSON${moved}`, {
    hint: 'Is this the right address: the base of the API, with its path and port?',
    exit: 'unavailable',
    exitCode: end.status,
  });
}

const titled = (html: string): string => (titleOf(html) === '' ? '' : ` "${titleOf(html)}"`);

function loginPage(what: string, asked: Asked, exitCode?: number): RunOutcome {
  return failure(`${what}. Is it behind a login page?`, {
    hint: `${credentials(asked.payload)}, or use an address that needs no login (inside the cluster, a port-forward).`,
    exit: 'unavailable',
    ...(exitCode !== undefined && { exitCode }),
  });
}

function credentials(payload: HttpPayload): string {
  const words = authInWords(payload);
  return words === ''
    ? 'Give the tool credentials (auth in its tool file)'
    : `Set ${words} to what the service accepts`;
}

function statusOutcome({ status, headers, url }: Answered, asked: Asked, asks: string): RunOutcome {
  const words = wordsOf(headers['content-type'] ?? '', asked.start);
  const moved = new URL(url).origin !== new URL(asked.payload.url).origin;
  const who = [401, 403, 407, 502, 503].includes(status) ? originOf(asked.payload.url) : asks;
  const message = `${who} answered ${status}${words === '' ? '' : `: ${words}`}${moved ? ` (redirected to ${withoutQuery(url)})` : ''}`;
  const retryAfterMs = retryAfterOf(headers['retry-after']);
  const service = faultOf(status);
  const fail = (hint: string, exit?: CallError['exit']) =>
    failure(message, {
      hint,
      exitCode: status,
      ...(exit && { exit }),
      ...(service && { service }),
      ...(service && retryAfterMs !== undefined && { retryAfterMs }),
    });
  switch (status) {
    case 401:
      return moved
        ? fail('Credentials are not sent on to another host. Set the address that it redirects to.', 'unavailable')
        : fail(`It wants to know who asks. ${credentials(asked.payload)}.`, 'unavailable');
    case 403:
      return fail(
        'The credentials are known, but may not do this. Ask for the right, or use other credentials.',
        'unavailable',
      );
    case 404:
      return fail('Is the address right, with its base path? The service may also be too old for this.');
    case 407:
      return fail(
        'The proxy wants a user name and password: write them into the proxy variable, or name the host in NO_PROXY.',
        'unavailable',
      );
    case 408:
    case 504:
      return fail('It took too long behind the scenes. Ask for less, or try again later.', 'unavailable');
    case 429:
      return fail(`Too many requests. ${inWords(retryAfterMs)}`);
    case 502:
    case 503:
      return fail(`The service behind it is down or starting. ${inWords(retryAfterMs)}`, 'unavailable');
    default:
      return status >= 500
        ? fail('The service failed by itself: look at its log.')
        : fail('The request was not accepted: correct what it says.');
  }
}

function movedOutcome(
  end: Extract<HttpEnd, { type: 'forbidden' | 'downgraded' | 'change-moved' }>,
  asked: Asked,
): RunOutcome {
  const to = withoutQuery(end.url);
  if (end.from === undefined) {
    return refused(
      `${to} is not among the hosts this tool may visit`,
      'Add the host to allow_hosts of the tool, if you trust it.',
    );
  }
  const message = `${originOf(asked.payload.url)} redirects (${end.status}) to ${to}`;
  if (end.type === 'downgraded') {
    return refused(
      `${message}, which is not encrypted; it was not followed`,
      'Look at the proxy in front of the service: it should redirect to https.',
    );
  }
  if (end.type === 'change-moved') {
    return refused(
      `${message}; a change is not repeated elsewhere, so nothing was done`,
      'Set the address that it redirects to, and try again.',
    );
  }
  const outcome = refused(
    `${message}, which this tool may not visit. Is it behind a login page?`,
    `${credentials(asked.payload)}; or set the address that it redirects to, or add the host to allow_hosts, if you trust it.`,
  );
  return outcome.error ? { ...outcome, error: { ...outcome.error, exit: 'unavailable' } } : outcome;
}

function lateOutcome(end: Extract<HttpEnd, { type: 'late' }>, asks: string): RunOutcome {
  const seconds = `${end.afterMs / 1000} s`;
  const proxy = end.proxy ? ` (through the proxy ${proxyName(end.proxy)})` : '';
  const [message, hint] = {
    connect: [
      `no connection within ${seconds}`,
      'Check your VPN, and whether a firewall drops the connection. Is the address right?',
    ],
    headers: [`no answer within ${seconds}`, 'The service is slow or hangs. Ask for less, or look at its load.'],
    idle: [
      `the answer stopped after ${size(end.bytes)} and nothing came for ${seconds}`,
      'The service or the network hangs. Try again.',
    ],
    body: [
      `the answer had not ended after ${seconds}, with ${size(end.bytes)} read`,
      'Ask for less, or raise timeout_seconds of the tool.',
    ],
  }[end.phase];
  const error: CallError = {
    category: 'network',
    message: `${asks}${proxy}: ${message}`,
    exit: 'unavailable',
    ...(hint && { hint }),
  };
  // A long answer that keeps coming is no fault of the service.
  const service = end.phase === 'connect' ? 'unreachable' : 'failing';
  return { status: 'timed-out', error, ...(end.phase !== 'body' && { service }) };
}

function failure(
  message: string,
  more: Omit<CallError, 'category' | 'message'> & Pick<RunOutcome, 'exitCode' | 'service'> = {},
): RunOutcome {
  const { exitCode, service, ...rest } = more;
  const error: CallError = { category: 'network', message, ...rest };
  return { status: 'failed', error, ...(exitCode !== undefined && { exitCode }), ...(service && { service }) };
}

/** A request that was not, or not wholly, made. */
export const refused = (message: string, hint: string, exit?: CallError['exit']): RunOutcome => ({
  status: 'failed',
  error: { category: 'validation', message, hint, ...(exit && { exit }) },
});

const size = (bytes: number): string =>
  bytes < 10_240
    ? `${bytes} bytes`
    : bytes < 10_485_760
      ? `${Math.round(bytes / 1024)} KiB`
      : `${Math.round(bytes / 1_048_576)} MiB`;

/** Of several requests that fail for one reason, a person needs one message: it names the server, not each address. */
const originOf = (url: string): string => new URL(url).origin;

/** The query of a login page holds the way back, and often a token; so may its fragment. */
const withoutQuery = (url: string): string => lineOf(url.split(/[?#]/)[0] ?? '', 240);

/** An address for a message, without a long query. */
function shortUrl(url: string): string {
  const [base = '', query] = url.split('?', 2);
  return lineOf(query !== undefined && query.length > 80 ? `${base}?…` : url, 240);
}

import { messageOf } from '../domain/errors.js';
import type { ServiceFault } from '../domain/ports.js';
import type { CallError } from '../domain/types.js';

/** Why a connection failed, in words that follow "ADDRESS: ", and what to do. */
export interface Explained {
  readonly why: string;
  readonly hint: string;
  readonly exit?: CallError['exit'];
  /** Absent when waiting helps nothing: a certificate, a wrong port, a request that cannot be sent. */
  readonly service?: ServiceFault;
}

interface Sign {
  readonly code: RegExp;
  readonly explained: Explained;
}

const TRUST = 'give its authority in NODE_EXTRA_CA_CERTS=/path/ca.pem (or SSL_CERT_FILE)';

/** By error code of Node, OpenSSL and undici. */
const SIGNS: readonly Sign[] = [
  {
    code: /^DEPTH_ZERO_SELF_SIGNED_CERT$/,
    explained: {
      why: 'its TLS certificate is self-signed, so nobody vouches for it',
      hint: `If the server is yours, ${TRUST.replace('its authority', 'that certificate')}.`,
    },
  },
  {
    code: /^(?:SELF_SIGNED_CERT_IN_CHAIN|UNABLE_TO_GET_ISSUER_CERT(?:_LOCALLY)?|UNABLE_TO_VERIFY_LEAF_SIGNATURE|CERT_UNTRUSTED)$/,
    explained: {
      why: 'its TLS certificate comes from an authority that this machine does not know',
      hint: `Is it the company's own authority, or a proxy that looks into TLS? Then ${TRUST}.`,
    },
  },
  {
    code: /^CERT_HAS_EXPIRED$/,
    explained: {
      why: 'its TLS certificate has expired',
      hint: 'Renew the certificate of the server. If it should still be valid, check the clock of this machine (timedatectl).',
    },
  },
  {
    code: /^CERT_NOT_YET_VALID$/,
    explained: {
      why: 'its TLS certificate is not valid yet',
      hint: 'Check the clock of this machine (timedatectl), then that of the machine that made the certificate.',
    },
  },
  {
    code: /^ERR_TLS_CERT_ALTNAME_INVALID$/,
    explained: {
      why: 'its TLS certificate is for another host name',
      hint: 'Use the name that the certificate is for. If the name is right, another server may be answering in its place.',
    },
  },
  {
    code: /^(?:CERT_|ERR_TLS|UND_ERR_PRX_TLS|ERR_SSL_(?!WRONG_VERSION|PACKET_LENGTH|HTTP_REQUEST))/,
    explained: { why: 'TLS could not be agreed on', hint: 'Look at it with: openssl s_client -connect HOST:PORT' },
  },
  {
    code: /^(?:EPROTO|ERR_SSL_\w+)$/,
    explained: {
      why: 'it does not speak TLS on this port',
      hint: 'Should the address begin with http:// instead of https://?',
    },
  },
  {
    code: /^(?:HPE_\w+)$/,
    explained: {
      why: 'what it answered is not HTTP',
      hint: 'Should the address begin with https:// instead of http://, or is the port that of another service?',
    },
  },
  {
    code: /^ECONNREFUSED$/,
    explained: {
      why: 'the connection was refused: nothing listens there',
      hint: 'Is the address right, and the service running?',
      service: 'unreachable',
    },
  },
  {
    code: /^(?:ENOTFOUND)$/,
    explained: {
      why: 'its host name is not known',
      hint: 'Check the spelling, the DNS of this machine, and your VPN.',
      service: 'unreachable',
    },
  },
  {
    code: /^EAI_AGAIN$/,
    explained: {
      why: 'its host name could not be looked up: DNS does not answer',
      hint: 'Check the network and DNS of this machine, and your VPN.',
      service: 'unreachable',
    },
  },
  {
    code: /^(?:EHOSTUNREACH|ENETUNREACH|EADDRNOTAVAIL)$/,
    explained: {
      why: 'there is no route to it',
      hint: 'Check the network of this machine and your VPN.',
      service: 'unreachable',
    },
  },
  {
    code: /^ETIMEDOUT$/,
    explained: {
      why: 'it does not answer at all',
      hint: 'Check your VPN, and whether a firewall drops the connection.',
      service: 'unreachable',
    },
  },
  {
    code: /^(?:ECONNRESET|EPIPE|UND_ERR_SOCKET)$/,
    explained: {
      why: 'it closed the connection before it had answered',
      hint: 'Try again; if it stays so, look at the log of the service, or of the proxy in front of it.',
      service: 'failing',
    },
  },
  {
    code: /^Z_|^ERR_(?:BUFFER_|_ERR)|^ERR_BROTLI|^ERR__ERROR_FORMAT/,
    explained: {
      why: 'its answer is packed wrongly and cannot be unpacked',
      hint: 'Look at the service, or at the proxy in front of it.',
    },
  },
  {
    code: /^UND_ERR_RES_CONTENT_LENGTH_MISMATCH$/,
    explained: {
      why: 'its answer is not as long as it said',
      hint: 'Look at the service, or at the proxy in front of it.',
      service: 'failing',
    },
  },
  {
    code: /^UND_ERR_HEADERS_OVERFLOW$/,
    explained: { why: 'the headers of its answer are too large', hint: 'Is this the right service?' },
  },
  {
    code: /^UND_ERR_INVALID_ARG$/,
    explained: {
      why: 'the request cannot be sent',
      hint: 'A header holds a line break or a character that HTTP forbids: check the values of the secrets.',
      exit: 'usage',
    },
  },
];

const PROXY_STATUS = /Proxy response \((\d+)\)|Proxy Authentication Required \((407)\)/;

/** Explains what undici threw. `proxy` is the proxy in between, by its name. */
export function explainCause(cause: unknown, proxy: string | undefined): Explained {
  const status = PROXY_STATUS.exec(messageOf(cause));
  if (status && proxy !== undefined) return explainProxyStatus(status[1] ?? status[2] ?? '', proxy);
  const codes = codesOf(cause);
  const sign = SIGNS.find(({ code }) => codes.some((c) => code.test(c)));
  const known = sign?.explained ?? {
    why: words(cause),
    hint: 'Is the address right, and the service running?',
    service: 'failing' as const,
  };
  const why = sign === undefined || /^ECONN|^ENOTFOUND/.test(codes[0] ?? '') ? known.why : `${known.why} (${codes[0]})`;
  if (proxy === undefined) return { ...known, why };
  return {
    ...known,
    why: `${why}; the request goes through the proxy ${proxy}`,
    hint: `${known.hint} Check the proxy too, or name the host in NO_PROXY.`,
  };
}

function explainProxyStatus(status: string, proxy: string): Explained {
  if (status === '407') {
    return {
      why: `the proxy ${proxy} wants a user name and password (407)`,
      hint: 'Write them into the proxy variable (http://USER:PASSWORD@HOST:PORT), or name the host in NO_PROXY.',
    };
  }
  return {
    why: `the proxy ${proxy} refused to connect to it (${status})`,
    hint: 'Ask for the host to be allowed on the proxy, or name it in NO_PROXY.',
    ...(status >= '500' && { service: 'unreachable' as const }),
  };
}

/** The codes of an error, of those it holds and of those behind it. */
function codesOf(cause: unknown, depth = 0): string[] {
  if (!(cause instanceof Error) || depth > 4) return [];
  const code = 'code' in cause && typeof cause.code === 'string' ? cause.code : '';
  // The parser of HTTP gives a code to only some of its errors.
  const own = code !== '' ? [code] : cause.name === 'HTTPParserError' ? ['HPE_OTHER'] : [];
  const inner = cause instanceof AggregateError ? cause.errors : [];
  return [...own, ...[...inner, cause.cause].flatMap((error) => codesOf(error, depth + 1))];
}

const words = (cause: unknown): string =>
  cause instanceof AggregateError && cause.errors.length > 0
    ? cause.errors.map(messageOf).join('; ')
    : messageOf(cause);

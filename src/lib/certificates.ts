import { readFileSync } from 'node:fs';
import { rootCertificates } from 'node:tls';
import { messageOf, OpsError } from '../domain/errors.js';

/**
 * The authorities to trust when SSL_CERT_FILE adds some: those of Node, of NODE_EXTRA_CA_CERTS and of that file. Undefined without
 * it: Node then does the right thing by itself.
 * @throws OpsError usage when the file cannot be read or holds no certificate.
 */
export function trustedAuthorities(env: Readonly<Record<string, string | undefined>>): string[] | undefined {
  if (!env.SSL_CERT_FILE) return undefined;
  const own = readPem(env.SSL_CERT_FILE, 'SSL_CERT_FILE');
  // A list given to TLS replaces what Node has read itself.
  const extra = env.NODE_EXTRA_CA_CERTS ? [readPem(env.NODE_EXTRA_CA_CERTS, 'NODE_EXTRA_CA_CERTS')] : [];
  return [...rootCertificates, ...extra, own];
}

function readPem(path: string, variable: string): string {
  let text: string;
  try {
    text = readFileSync(path, 'utf8');
  } catch (error) {
    throw new OpsError(
      'usage',
      `The file of ${variable} cannot be read: ${messageOf(error)}`,
      `Correct ${variable}, or unset it.`,
    );
  }
  if (text.includes('-----BEGIN')) return text;
  throw new OpsError(
    'usage',
    `The file of ${variable}, ${path}, holds no certificate in PEM form.`,
    `Correct ${variable}, or unset it.`,
  );
}

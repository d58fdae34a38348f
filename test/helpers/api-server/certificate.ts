import { execFileSync } from 'node:child_process';

/** A private key and a certificate that signs itself, both PEM. */
export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const cache = new Map<string, Certificate>();

/**
 * A certificate for 127.0.0.1 and localhost, made once per process and name with the `openssl` program.
 * Throws when openssl is missing.
 */
export function certificate(name = 'opsagent-test'): Certificate {
  const cached = cache.get(name);
  if (cached !== undefined) return cached;
  const pem = execFileSync(
    'openssl',
    ['req', '-x509', '-newkey', 'ec', '-pkeyopt', 'ec_paramgen_curve:prime256v1', '-nodes', '-days', '2'].concat([
      '-subj',
      `/CN=${name}`,
      '-addext',
      'subjectAltName=IP:127.0.0.1,DNS:localhost',
      '-keyout',
      '-',
      '-out',
      '-',
    ]),
    { encoding: 'utf8', stdio: ['ignore', 'pipe', 'pipe'] },
  );
  const part = (label: string): string => {
    const match = new RegExp(`-----BEGIN ${label}-----[\\s\\S]*?-----END ${label}-----\n`).exec(pem);
    if (match === null) throw new Error(`openssl printed no ${label}`);
    return match[0];
  };
  const made = { key: part('PRIVATE KEY'), cert: part('CERTIFICATE') };
  cache.set(name, made);
  return made;
}

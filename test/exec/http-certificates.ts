import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

export interface Certificate {
  readonly key: string;
  readonly cert: string;
}

const CONFIG = `[ca]
default_ca = own
[own]
database = index.txt
new_certs_dir = .
serial = serial
policy = any
default_md = sha256
copy_extensions = copy
unique_subject = no
[any]
commonName = supplied
`;

/** An authority of its own in a temporary folder; `caFile` holds its certificate. */
export function makeAuthority() {
  const folder = mkdtempSync(join(tmpdir(), 'opsagent-ca-'));
  const openssl = (...args: readonly string[]) => execFileSync('openssl', args, { cwd: folder, stdio: 'pipe' });
  writeFileSync(join(folder, 'ca.cnf'), CONFIG);
  writeFileSync(join(folder, 'index.txt'), '');
  writeFileSync(join(folder, 'serial'), '01\n');
  const key = ['-newkey', 'rsa:2048', '-nodes', '-keyout'];
  openssl('req', '-x509', ...key, 'ca.key', '-out', 'ca.pem', '-days', '30', '-subj', '/CN=Test CA');
  const read = (name: string): Certificate => ({
    key: readFileSync(join(folder, `${name}.key`), 'utf8'),
    cert: readFileSync(join(folder, `${name}.pem`), 'utf8'),
  });
  return {
    caFile: join(folder, 'ca.pem'),
    /** Signed by the authority, for `san` such as `IP:127.0.0.1`; days count from now and may be negative. */
    issue(name: string, san: string, fromDays: number, toDays: number): Certificate {
      const date = (days: number) => new Date(Date.now() + days * 86_400_000).toISOString().replace(/[-:T]|\.\d+/g, '');
      openssl(
        'req',
        '-new',
        ...key,
        `${name}.key`,
        '-out',
        `${name}.csr`,
        '-subj',
        `/CN=${name}`,
        '-addext',
        `subjectAltName=${san}`,
      );
      const dates = ['-startdate', date(fromDays), '-enddate', date(toDays)];
      const ca = ['-config', 'ca.cnf', '-cert', 'ca.pem', '-keyfile', 'ca.key', '-batch', '-notext'];
      openssl('ca', ...ca, ...dates, '-in', `${name}.csr`, '-out', `${name}.pem`);
      return read(name);
    },
    selfSigned(name: string, san: string): Certificate {
      const subject = ['-subj', `/CN=${name}`, '-addext', `subjectAltName=${san}`];
      openssl('req', '-x509', ...key, `${name}.key`, '-out', `${name}.pem`, '-days', '30', ...subject);
      return read(name);
    },
    remove: () => rmSync(folder, { recursive: true, force: true }),
  };
}

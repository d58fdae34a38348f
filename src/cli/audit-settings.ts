import { join } from 'node:path';
import { type AuditLog, DEFAULT_MAX_BYTES, openAuditLog } from '../audit/append.js';
import { sessionHeadPath } from '../audit/head.js';
import { OpsError } from '../domain/errors.js';
import { type Config, settingOf } from '../lib/config.js';
import { auditPath } from '../lib/paths.js';
import { isUnsetSecret, readSecret } from '../lib/secrets.js';
import type { Io } from './io.js';

/** A shorter key could be guessed. */
const MIN_KEY_CHARACTERS = 16;

/**
 * Opens the audit log for a session, which keeps a copy of its head, with the key and the size that are configured.
 * @throws OpsError when it cannot be used.
 */
export const openConfiguredLog = (io: Io, config: Config, sessionFolder: string): Promise<AuditLog> =>
  openAuditLog(auditPath(io.paths), {
    key: auditKey(io),
    maxBytes: maxBytes(io, config),
    headCopy: sessionHeadPath(sessionFolder),
  });

/** Where sessions keep what they store. */
export const sessionsFolder = (io: Io): string => join(io.paths.state, 'sessions');

/** The key that signs the audit log, the secret OPSAGENT_AUDIT_KEY; undefined when nobody set it. @throws OpsError usage when it is short. */
export function auditKey(io: Io): string | undefined {
  const key = readOptional(() => readSecret('OPSAGENT_AUDIT_KEY', io.env, io.paths.config));
  if (key === undefined || key.length >= MIN_KEY_CHARACTERS) return key;
  throw new OpsError(
    'usage',
    `OPSAGENT_AUDIT_KEY is shorter than ${MIN_KEY_CHARACTERS} characters.`,
    'Make one with: openssl rand -hex 32',
  );
}

function maxBytes(io: Io, config: Config): number {
  const setting = io.env.OPSAGENT_AUDIT_MAX_BYTES || config.get('audit.max_bytes');
  const least = settingOf('audit.max_bytes')?.min ?? 1;
  const bytes = setting === undefined ? DEFAULT_MAX_BYTES : Number(setting);
  if (Number.isSafeInteger(bytes) && bytes >= least) return bytes;
  throw new OpsError(
    'usage',
    `The size at which the audit log is rotated is ${JSON.stringify(setting)}, which is no number of bytes of ${least} or more.`,
    `Set OPSAGENT_AUDIT_MAX_BYTES or audit.max_bytes to a whole number, such as ${DEFAULT_MAX_BYTES}, or remove it.`,
  );
}

function readOptional(read: () => string): string | undefined {
  try {
    return read();
  } catch (error) {
    if (isUnsetSecret(error)) return undefined;
    throw error;
  }
}

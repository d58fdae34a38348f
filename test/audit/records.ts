import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { decidedRecord } from '../../src/agent/record.js';
import { type AuditLogOptions, openAuditLog } from '../../src/audit/append.js';
import type { AuditRecord } from '../../src/domain/types.js';
import { aCall, aTool, noRedactor } from '../helpers/fakes.js';

/** A new folder for an audit log. */
export const folder = (): string => mkdtempSync(join(tmpdir(), 'opsagent-audit-'));

/** A record as the gate makes it; by default a decision. */
export function aRecord(overrides: Partial<AuditRecord> = {}): AuditRecord {
  const actor = { user: 'ada', ipAddress: '127.0.0.1', sessionId: 's1' };
  const clock = { now: () => new Date('2024-07-10T14:30:00Z') };
  const raw = { id: 'c1', name: 'tool', rawArguments: '{}' };
  return { ...decidedRecord(actor, clock, { raw, call: aCall(aTool()) }, noRedactor), ...overrides };
}

/** Appends records c1, c2 … to a log, which is opened and closed for it. */
export async function write(path: string, count: number, options: AuditLogOptions = {}, from = 1): Promise<void> {
  const log = await openAuditLog(path, options);
  for (let i = from; i < from + count; i++) await log.append(aRecord({ call_id: `c${i}`, event: 'finished' }));
  log.close();
}

/** The lines of a file, without the empty text behind the last line break. */
export const linesOf = (path: string): string[] => readFileSync(path, 'utf8').split('\n').slice(0, -1);

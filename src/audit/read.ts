import { createReadStream } from 'node:fs';
import { createInterface } from 'node:readline';
import type { AuditRecord } from '../domain/types.js';

export interface AuditFilter {
  readonly tool?: string;
  readonly user?: string;
  readonly risk?: string;
  readonly effect?: string;
  readonly status?: string;
  readonly session?: string;
  readonly event?: string;
  /** Records at or after this time, in ms since 1970. */
  readonly sinceMs?: number;
  readonly untilMs?: number;
  /** Found anywhere in the line, without regard to case. */
  readonly text?: string;
}

export interface AuditLine {
  /** From 1. */
  readonly line: number;
  /** Undefined when the line is not a record: cut by a crash, or not written by opsagent. */
  readonly record?: AuditRecord;
}

/** A longer line is no record: the biggest arguments are 256 KiB. */
const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** Reads the log line by line, in order. An absent log is an empty one. */
export async function* readAuditLog(path: string): AsyncGenerator<AuditLine> {
  const input = createReadStream(path, { encoding: 'utf8' });
  let line = 0;
  try {
    for await (const text of createInterface({ input, crlfDelay: Number.POSITIVE_INFINITY })) {
      line += 1;
      // Two processes may both have ended a line that a third left half-written.
      if (text === '') continue;
      const record = text.length <= MAX_LINE_BYTES ? parseRecord(text) : undefined;
      yield record ? { line, record } : { line };
    }
  } catch (error) {
    if ((error as NodeJS.ErrnoException).code !== 'ENOENT') throw error;
  }
}

/** The last `limit` records that pass the filter, oldest first, with their lines. */
export async function searchAuditLog(path: string, filter: AuditFilter, limit: number): Promise<AuditLine[]> {
  const found: AuditLine[] = [];
  for await (const entry of readAuditLog(path)) {
    if (entry.record && !passes(entry.record, filter)) continue;
    if (!entry.record && Object.keys(filter).length > 0) continue;
    found.push(entry);
    if (found.length > limit) found.shift();
  }
  return found;
}

/** Every record of one call, oldest first. Without a session: of the last session that has such a call. */
export async function findCall(path: string, callId: string, session?: string): Promise<AuditRecord[]> {
  let records: AuditRecord[] = [];
  for await (const { record } of readAuditLog(path)) {
    if (record?.call_id !== callId || (session !== undefined && record.session_id !== session)) continue;
    if (records[0] && records[0].session_id !== record.session_id) records = [];
    records.push(record);
  }
  return records;
}

function passes(record: AuditRecord, filter: AuditFilter): boolean {
  const at = Date.parse(record.timestamp);
  const same = (wanted: string | undefined, value: string | undefined) => wanted === undefined || wanted === value;
  return (
    same(filter.tool, record.tool) &&
    same(filter.user, record.user) &&
    same(filter.risk, record.risk_level) &&
    same(filter.effect, record.decision?.effect) &&
    same(filter.status, record.status) &&
    same(filter.session, record.session_id) &&
    same(filter.event, record.event) &&
    (filter.sinceMs === undefined || at >= filter.sinceMs) &&
    (filter.untilMs === undefined || at <= filter.untilMs) &&
    (filter.text === undefined || JSON.stringify(record).toLowerCase().includes(filter.text.toLowerCase()))
  );
}

function parseRecord(text: string): AuditRecord | undefined {
  try {
    const value: unknown = JSON.parse(text);
    const isRecord = typeof value === 'object' && value !== null && 'call_id' in value && 'event' in value;
    return isRecord ? (value as AuditRecord) : undefined;
  } catch {
    return undefined;
  }
}

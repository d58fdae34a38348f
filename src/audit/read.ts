import { basename } from 'node:path';
import type { AuditRecord } from '../domain/types.js';
import { parseObject } from './chain.js';
import { openSegments, type Segment } from './segments.js';

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
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** Undefined when the line is not a record: cut by a crash, or not written by opsagent. */
  readonly record?: AuditRecord;
}

/** Reads the log in order, rotated files first. What the log notes about itself is left out. An absent log is an empty one. */
export async function* readAuditLog(path: string): AsyncGenerator<AuditLine> {
  for (const segment of await openSegments(path)) yield* readSegment(segment);
}

/** The records that pass the filter, oldest first. */
export async function* readMatching(path: string, filter: AuditFilter): AsyncGenerator<AuditRecord> {
  for await (const { record } of readAuditLog(path)) if (record && passes(record, filter)) yield record;
}

/** The last `limit` records that pass the filter, oldest first, with their lines. Reads no file that it does not need. */
export async function searchAuditLog(path: string, filter: AuditFilter, limit: number): Promise<AuditLine[]> {
  const wantsAll = Object.keys(filter).length === 0;
  let found: AuditLine[] = [];
  for (const segment of (await openSegments(path)).reverse()) {
    if (found.length >= limit) {
      await segment.close();
      continue;
    }
    const here: AuditLine[] = [];
    for await (const entry of readSegment(segment)) {
      if (entry.record ? !passes(entry.record, filter) : !wantsAll) continue;
      here.push(entry);
      if (here.length > limit - found.length) here.shift();
    }
    found = [...here, ...found];
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

async function* readSegment(segment: Segment): AsyncGenerator<AuditLine> {
  const file = basename(segment.path);
  for await (const batch of segment.lines()) {
    for (const { bytes, number } of batch) {
      const fields = parseObject(bytes);
      if (fields && 'call_id' in fields) yield { file, line: number, record: fields as unknown as AuditRecord };
      // Two processes of an earlier version may both have ended a line that a third left half-written.
      else if (!fields && bytes.length > 0) yield { file, line: number };
    }
  }
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

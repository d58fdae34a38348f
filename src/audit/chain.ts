import { createHash, createHmac } from 'node:crypto';

/** One place in the chain: the number of a record, its hash and, in a log with a key, its signature. */
export interface Link {
  readonly seq: number;
  readonly hash: string;
  readonly mac?: string;
}

/** What the first record follows. */
export const START: Link = { seq: 0, hash: '0'.repeat(64) };

/** A longer line is no record: the biggest arguments are 256 KiB. */
export const MAX_LINE_BYTES = 4 * 1024 * 1024;

/** SHA-256 in hexadecimal. */
export const sha256 = (data: string | Uint8Array): string => createHash('sha256').update(data).digest('hex');

/** The signature of a hash: HMAC-SHA256 in hexadecimal. The hash speaks for its record and for all before it. */
export const sign = (hash: string, key: string): string => createHmac('sha256', key).update(hash).digest('hex');

/**
 * Writes a record as the line that follows `previous`. Its hash is SHA-256 over the bytes of the line without `,"hash":…`
 * (and the signature behind it), so that any change of a byte shows, and any tool that has SHA-256 can check it.
 */
export function sealLine(record: object, previous: Link, key?: string): { readonly text: string; readonly link: Link } {
  const seq = previous.seq + 1;
  // The number comes first, where `firstSeq` looks for it. Undefined keys are left out: `prev` and the seal come last.
  const open = Object.assign({ v: 1, seq }, record, { seq, prev: undefined, hash: undefined, mac: undefined });
  const body = `${JSON.stringify(open).slice(0, -1)},"prev":"${previous.hash}"`;
  const hash = sha256(`${body}}`);
  const mac = key === undefined ? undefined : sign(hash, key);
  const seal = mac === undefined ? `,"hash":"${hash}"` : `,"hash":"${hash}","mac":"${mac}"`;
  return { text: `${body}${seal}}\n`, link: { seq, hash, ...(mac !== undefined && { mac }) } };
}

export type Fields = Readonly<Record<string, unknown>>;

/**
 * What one line is. chained: a record whose own hash is right · altered: it has a place in the chain, and its hash is wrong ·
 * unchained: a record from before there was a chain · junk: no record at all.
 */
export type ReadLine =
  | { readonly kind: 'chained'; readonly link: Link; readonly prev: string; readonly fields: Fields }
  | { readonly kind: 'altered' | 'unchained' | 'junk' };

const SEAL = /,"hash":"([0-9a-f]{64})"(?:,"mac":"([0-9a-f]{64})")?\}$/;
const MAX_SEAL_BYTES = 152;

/** Reads one line of the log, without its line break, and checks its own hash. */
export function readLine(line: Buffer): ReadLine {
  const fields = parseObject(line);
  if (!fields) return { kind: 'junk' };
  if (typeof fields.seq !== 'number') return { kind: 'unchained' };
  const seal = SEAL.exec(line.toString('latin1', Math.max(0, line.length - MAX_SEAL_BYTES)));
  const hash = seal?.[1];
  const isWhole =
    seal && createHash('sha256').update(line.subarray(0, -seal[0].length)).update('}').digest('hex') === hash;
  if (!isWhole || hash === undefined || typeof fields.prev !== 'string') return { kind: 'altered' };
  const link = { seq: fields.seq, hash, ...(seal[2] !== undefined && { mac: seal[2] }) };
  return { kind: 'chained', link, prev: fields.prev, fields };
}

/** The fields of a line that is a record or a note of the log; undefined when it is neither. */
export function parseObject(line: Buffer): Fields | undefined {
  if (line.length > MAX_LINE_BYTES) return undefined;
  try {
    const value: unknown = JSON.parse(line.toString('utf8'));
    return typeof value === 'object' && value !== null && 'event' in value ? (value as Fields) : undefined;
  } catch {
    return undefined;
  }
}

import { isUnmistakable } from './values.js';

/** Shortest value that is looked for. */
const LENGTH = 6;
/** Forms that are looked for; a session with more has other troubles. */
const MAX_FORMS = 20_000;
/** Long enough to stand inside a longer word by no chance. */
const SURE = 12;

/** Values that are hidden wherever they stand, in the forms in which programs print them. */
export interface Known {
  /** From now on this value is hidden, plain, in base64, in a URL and in JSON. */
  learn(value: string): void;
  readonly isEmpty: boolean;
  /** The same bytes with each known form replaced by what `refer` gives for it. */
  hide(bytes: Buffer, refer: (value: string) => string): Buffer;
}

/** Finds many values in one pass that skips most bytes (Wu and Manber, 1994). */
export function createKnown(): Known {
  const shifts = new Uint8Array(65_536).fill(LENGTH - 1);
  const buckets = new Map<number, { readonly form: Buffer; readonly value: string }[]>();
  const all = new Set<string>();
  const add = (text: string, value: string) => {
    const form = Buffer.from(text);
    if (form.length < LENGTH || all.has(text) || all.size >= MAX_FORMS) return;
    all.add(text);
    for (let at = 1; at < LENGTH; at++) {
      const block = ((form[at - 1] ?? 0) << 8) | (form[at] ?? 0);
      shifts[block] = Math.min(shifts[block] ?? 0, LENGTH - 1 - at);
    }
    const key = form.readUInt32LE(0);
    const bucket = [...(buckets.get(key) ?? []), { form, value }];
    buckets.set(
      key,
      bucket.sort((a, b) => b.form.length - a.form.length),
    );
  };
  return {
    get isEmpty() {
      return all.size === 0;
    },
    learn(value) {
      // A key of several lines is known by its lines.
      if (value.includes('\n')) for (const line of value.split('\n')) this.learn(line.trim());
      else if (isUnmistakable(value)) for (const [form, stands] of formsOf(value)) add(form, stands);
    },
    hide(bytes, refer) {
      if (all.size === 0) return bytes;
      const parts: Buffer[] = [];
      let from = 0;
      for (let at = LENGTH - 1; at < bytes.length; ) {
        const shift = shifts[((bytes[at - 1] ?? 0) << 8) | (bytes[at] ?? 0)] ?? 0;
        const start = at - LENGTH + 1;
        const found =
          shift > 0 || start < from ? undefined : matchAt(bytes, start, buckets.get(bytes.readUInt32LE(start)));
        if (found) {
          parts.push(bytes.subarray(from, start), Buffer.from(refer(found.value)));
          from = start + found.form.length;
          at = from + LENGTH - 1;
        } else at += Math.max(shift, 1);
      }
      return parts.length === 0 ? bytes : Buffer.concat([...parts, bytes.subarray(from)]);
    },
  };
}

/** What is printed, and the value that it stands for when it is put back. */
function formsOf(value: string): [string, string][] {
  const base64 = Buffer.from(value).toString('base64');
  const bare = base64.replace(/=+$/, '');
  const url = encodeURIComponent(value);
  const json = JSON.stringify(value).slice(1, -1);
  return [
    [value, value],
    [json, value],
    [base64, base64],
    [bare, bare],
    [bare.replaceAll('+', '-').replaceAll('/', '_'), bare.replaceAll('+', '-').replaceAll('/', '_')],
    [url, url],
  ];
}

const isWordByte = (byte: number | undefined): boolean =>
  byte !== undefined && ((byte >= 48 && byte <= 57) || (byte >= 65 && byte <= 90) || (byte >= 97 && byte <= 122));

function matchAt(
  bytes: Buffer,
  start: number,
  bucket: readonly { readonly form: Buffer; readonly value: string }[] = [],
) {
  return bucket.find(({ form }) => {
    const end = start + form.length;
    if (end > bytes.length || form.compare(bytes, start, end) !== 0) return false;
    if (form.length >= SURE) return true;
    const touches = (inside: number | undefined, outside: number | undefined) =>
      isWordByte(inside) && isWordByte(outside);
    return !touches(form[0], bytes[start - 1]) && !touches(form.at(-1), bytes[end]);
  });
}

import type { Known } from './known.js';
import { Lines } from './lines.js';
import { MAY_HOLD, scanner } from './triggers.js';
import type { From, Vault } from './vault.js';

/** Longest line that is held whole, in bytes; of a longer one a piece goes on at a time. */
export const MAX_LINE = 1024 * 1024;
const NEWLINE = 10;
const NOTHING = Buffer.alloc(0);
const ADDRESS = MAY_HOLD.url | MAY_HOLD.at;

/**
 * Hides secrets in bytes that come in any chunks: what comes out depends on the whole alone. Lines without any trigger go on as
 * they came, without being copied. Holds a few MiB at most.
 */
export class HidingStream {
  private readonly lines: Lines;
  /** The line that has not ended. */
  private carry: Buffer[] = [];
  private carried = 0;

  constructor(
    private readonly vault: Vault,
    private readonly known: Known,
    private readonly from: From,
  ) {
    this.lines = new Lines(vault, known, from);
  }

  write(chunk: Uint8Array): Buffer {
    const data = Buffer.from(chunk.buffer, chunk.byteOffset, chunk.byteLength);
    if (this.carried + data.length < MAX_LINE && !data.includes(NEWLINE)) {
      this.carry.push(Buffer.from(data));
      this.carried += data.length;
      return NOTHING;
    }
    return this.process(this.carried === 0 ? data : Buffer.concat([...this.carry, data]));
  }

  end(): Buffer {
    const { out, rest, bits } = this.ended(Buffer.concat(this.carry));
    this.keepCarry(NOTHING);
    if (rest.length > 0) {
      const tellsMore = this.lines.isBusy || tells(bits);
      out.push(tellsMore ? this.lines.take(latin1(rest), bits) : this.clean(rest));
    }
    return Buffer.concat([...out, this.lines.end()]);
  }

  private process(data: Buffer): Buffer {
    const { out, rest } = this.ended(data);
    this.keepCarry(rest);
    return out.length === 1 ? (out[0] ?? NOTHING) : Buffer.concat(out);
  }

  /** Hides in the lines that have ended; gives the one that has not, with the bits of its triggers. */
  private ended(data: Buffer): { readonly out: Buffer[]; readonly rest: Buffer; readonly bits: number } {
    const { lineEnd, next, bits: bitsOf } = scanner();
    const out: Buffer[] = [];
    let clean = 0;
    let lineStart = 0;
    let bits = 0;
    let state = 0;
    const flush = () => {
      if (lineStart > clean) out.push(this.clean(data.subarray(clean, lineStart)));
    };
    for (let at = 0; at < data.length; at++) {
      state = next[state + (data[at] ?? 0)] ?? 0;
      if (state > lineEnd) bits |= bitsOf[state >> 8] ?? 0;
      else if (state === lineEnd) {
        if (this.lines.isBusy || tells(bits)) {
          flush();
          out.push(this.lines.take(latin1(data, lineStart, at + 1), bits));
          clean = at + 1;
        }
        lineStart = at + 1;
        bits = 0;
      }
      if (at + 1 - lineStart >= MAX_LINE) {
        flush();
        const piece = this.lines.takePiece(latin1(data, lineStart, at + 1), tells(bits) ? bits : 0);
        out.push(piece.out);
        lineStart += piece.used;
        clean = lineStart;
        at = lineStart - 1;
        bits = 0;
        state = 0;
      }
    }
    flush();
    return { out, rest: data.subarray(lineStart), bits };
  }

  private clean(bytes: Buffer): Buffer {
    return this.known.hide(bytes, (value) => this.vault.keep(value, this.from));
  }

  private keepCarry(rest: Buffer): void {
    // A copy: the chunk belongs to who wrote it.
    this.carry = rest.length === 0 ? [] : [Buffer.from(rest)];
    this.carried = rest.length;
  }
}

/**
 * The bytes as Latin-1, one character each. A no-break space is no blank here: its byte is a part of many characters of UTF-8.
 * Another letter stands for it, which Latin-1 turns back into the same byte.
 */
const latin1 = (bytes: Buffer, start = 0, end = bytes.length): string =>
  bytes.toString('latin1', start, end).replaceAll('\u00a0', '\u01a0');

/** Whether a line with these bits may hold a secret: a URL does with an @ only. */
const tells = (bits: number): boolean => (bits & ~ADDRESS) !== 0 || (bits & ADDRESS) === ADDRESS;

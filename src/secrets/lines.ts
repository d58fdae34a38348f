import { createArmour } from './armour.js';
import { Carry, spansOf } from './carry.js';
import type { Known } from './known.js';
import { type Reading, SecretBlocks } from './secret-blocks.js';
import { type Span, sorted, span, withoutEscapes } from './spans.js';
import { ANYTHING, MAY_HOLD } from './triggers.js';
import { type From, LOST, type Vault } from './vault.js';

const NOTHING = Buffer.alloc(0);
/** Bytes of a long line that are looked at again with what follows them. */
const OVERLAP = 64 * 1024;
const JSON_VALUE = /^(\s*(?:\{.*?)?"(?:[^"\\]|\\.)*"\s*:\s*")((?:[^"\\]|\\.)*)"/;
const YAML_VALUE = /^(\s*(?:["'][^"']*["']|[\w./-]+)\s*:\s+)(\S.*?)\s*$/;
/** What was hidden stays as it is. */
const REFERENCE = /<secret(?::\d+)?>/g;

/** Hides secrets line by line, where texts are Latin-1: one character a byte. The same lines give the same result, however they came. */
export class Lines {
  private readonly blocks = new SecretBlocks();
  private readonly armour = createArmour((body) => this.keep(body), LOST);
  private readonly carry = new Carry();
  /** The secret at the end of the last piece goes on. */
  private isCut = false;

  constructor(
    private readonly vault: Vault,
    private readonly known: Known,
    private readonly from: From,
  ) {}

  /** It must see the next line, whatever that holds. */
  get isBusy(): boolean {
    return this.blocks.isBusy || this.armour.isBusy || this.carry.isBusy || this.isCut;
  }

  /** Takes a line with its line end, and gives what can go on. `bits` are those of the triggers in it. */
  take(line: string, bits: number): Buffer {
    if (this.isCut) {
      const rest = line.slice(this.skip(line));
      return this.isCut ? NOTHING : this.take(rest, ANYTHING);
    }
    const isHeld = this.blocks.isBusy;
    if (!isHeld && (bits & MAY_HOLD.object) === 0) return this.read([line, 'plain'], bits);
    const ready = this.blocks.take(line);
    return Buffer.concat(ready.map((one) => this.read(one, isHeld || ready.length > 1 ? ANYTHING : bits)));
  }

  /** Takes the beginning of a line that is too long to be held: what can go on, and how many characters of it were used. */
  takePiece(piece: string, bits: number): { readonly out: Buffer; readonly used: number } {
    if (this.isCut) return { out: NOTHING, used: this.skip(piece) };
    const spans = spansOf(piece, bits);
    const used = cutOf(piece, spans);
    this.isCut = used === piece.length;
    const inside = spans.filter(({ end }) => end <= used);
    return { out: this.rest(this.replace(piece.slice(0, used), inside)), used };
  }

  /** How much of the text still belongs to the secret that was cut: all to the next quote or line end. */
  private skip(text: string): number {
    const length = /^[^"'<\r\n]*/.exec(text)?.[0].length ?? 0;
    this.isCut = length === text.length;
    return length;
  }

  /** Gives what was held back. */
  end(): Buffer {
    const held = this.blocks.end().map((one) => this.read(one, ANYTHING));
    return Buffer.concat([...held, ...this.armour.end().map((line) => this.besideKey(line))]);
  }

  private read([line, reading]: readonly [string, Reading], bits: number): Buffer {
    const lines = this.armour.take(line) ?? [line];
    const outs = lines.map((one) => {
      if (one !== line || this.armour.isBusy) return this.besideKey(one);
      return reading === 'plain' ? this.plain(line, bits) : this.rest(this.replace(line, dataSpans(line, reading)));
    });
    return Buffer.concat(outs);
  }

  /** A line of a key that is hidden already; what stands before the key in it may be anything. */
  private besideKey(line: string): Buffer {
    return this.rest(this.replace(line, spansOf(line, ANYTHING)));
  }

  private plain(line: string, bits: number): Buffer {
    const own = spansOf(line, bits);
    const carried = this.carry.take(line, bits, own);
    return this.rest(this.replace(line, carried.length > 0 ? sorted([...carried, ...own]) : own));
  }

  private replace(line: string, spans: readonly Span[]): string {
    const references = line.includes('<secret') ? [...line.matchAll(REFERENCE)] : [];
    let out = '';
    let at = 0;
    for (const { start, end, levels, quote = '' } of spans) {
      if (start === end || references.some((one) => isPartOf(one, start, end))) continue;
      out += `${line.slice(at, start)}${quote}${this.keep(line.slice(start, end), levels)}${quote}`;
      at = end;
    }
    return out + line.slice(at);
  }

  private keep(latin1: string, levels = 0): string {
    return this.vault.keep(withoutEscapes(Buffer.from(latin1, 'latin1').toString('utf8'), levels), this.from);
  }

  private rest(line: string): Buffer {
    return this.known.hide(Buffer.from(line, 'latin1'), (value) => this.vault.keep(value, this.from));
  }
}

/** Whether the text between `start` and `end` is, or begins or ends inside, a reference: nothing is hidden twice. */
function isPartOf(reference: RegExpExecArray, start: number, end: number): boolean {
  const { index } = reference;
  const stop = index + reference[0].length;
  const holdsMore = start < index || end > stop;
  return start < stop && index < end && !(start <= index && stop <= end && holdsMore);
}

/** Where a piece of a long line is cut: between words, and not inside a secret. */
function cutOf(piece: string, spans: readonly Span[]): number {
  const limit = piece.length - OVERLAP;
  let cut = limit;
  while (cut > limit - OVERLAP && /[^\s",;]/.test(piece[cut - 1] ?? '')) cut--;
  if (cut === limit - OVERLAP) cut = limit;
  const inside = spans.find(({ from, end }) => from < cut && cut < end);
  if (!inside) return cut;
  if (inside.end < piece.length) return inside.end;
  return inside.from > 0 ? inside.from : piece.length;
}

/** A line of `data` of a Secret: its value, or all of it where a value has many lines. */
function dataSpans(line: string, reading: Reading): Span[] {
  if (reading === 'value') {
    const spans: Span[] = [];
    for (let at = 0, json = JSON_VALUE.exec(line); json; json = JSON_VALUE.exec(line.slice(at).replace(/^",/, ''))) {
      const skipped = at === 0 ? 0 : 2;
      const start = at + skipped + (json[1]?.length ?? 0);
      spans.push(span(start, start + (json[2]?.length ?? 0), 1));
      at = start + (json[2]?.length ?? 0);
    }
    if (spans.length > 0) return spans;
    if (/^\s*(?:["'][^"']*["']|[\w./-]+)\s*:\s*(?:[|>][-+\d]*|\{)?\s*$|^\s*[{}],?\s*$/.test(line)) return [];
    const flow = /^[^{]*\{/.exec(line)?.[0];
    if (flow !== undefined && /^\s*(?:- )*["']?(?:data|stringData)/.test(line)) {
      return [...line.slice(flow.length).matchAll(/[\w.-]+["']?\s*:\s*(["']?)([^,}"']+)\1/dg)].map(({ indices }) =>
        span(flow.length + (indices?.[2]?.[0] ?? 0), flow.length + (indices?.[2]?.[1] ?? 0)),
      );
    }
    const yaml = YAML_VALUE.exec(line);
    if (yaml) return [scalar(yaml[1]?.length ?? 0, yaml[2] ?? '')];
  }
  const start = line.length - line.trimStart().length;
  return [span(start, line.trimEnd().length)];
}

/** A scalar of YAML without its quotes. */
function scalar(start: number, text: string): Span {
  const quote = /^(["']).*\1$/.test(text) && text.length > 1 ? text[0] : undefined;
  if (quote === undefined) return span(start, start + text.length);
  return span(start + 1, start + text.length - 1, quote === '"' ? 1 : 0);
}

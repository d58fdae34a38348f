/** How a line is read: `plain` by the rules of a line · `value`: `key: value` of a Secret · `text`: all of it belongs to a value. */
export type Reading = 'plain' | 'value' | 'text';
type Read = readonly [line: string, reading: Reading];

/** A Secret is at most 1 MiB; a block that is longer than this, in characters, is none. */
const MAX_HELD = 4 * 1024 * 1024;
const OPENS = /^\s*(?:- )*["']?(?:data|stringData)["']?\s*:\s*(\{.*)?[\r\n]*$/;
const KIND = /^\s*(?:- )*["']?kind["']?\s*:\s*["']?(\w+)["']?\s*,?\s*$/;
/** Lines between which the parts of one object stand. */
const IN_OBJECT = /^\s*(?:(?:- )*["']?[\w.$/-]+["']?\s*:|[}\]{[],?\s*$|#|- )/;

interface Held {
  readonly indent: number;
  readonly lines: string[];
  size: number;
}

/**
 * Finds `data` and `stringData` of Kubernetes Secrets in YAML and JSON of many lines. The kind may stand behind the data, as
 * kubectl sorts its JSON: so the lines of such a block are held back until the kind is known or the object has ended. What it
 * finds depends on the lines alone.
 */
export class SecretBlocks {
  private held: Held | undefined;
  /** Column of the keys of the Secret, and of the list of Secrets, that the next line may be in. */
  private secret: number | undefined;
  private list: number | undefined;
  private inData = false;
  private valueIndent: number | undefined;

  /** It must see the next line, whatever that is. */
  get isBusy(): boolean {
    return this.held !== undefined || this.secret !== undefined || this.list !== undefined;
  }

  /** Takes a line, and gives those that can go on, with how each is read. */
  take(line: string): readonly Read[] {
    if (this.held) return this.hold(line, this.held);
    this.leave(line);
    const place = indentOf(line);
    if (!place) return [[line, this.read(line)]];
    const kind = KIND.exec(line)?.[1];
    if (kind === 'SecretList') this.list = place.indent;
    if (kind === 'Secret') this.secret ??= place.indent;
    if (this.secret === undefined && OPENS.test(line)) {
      this.held = { indent: place.indent, lines: [line], size: line.length };
      return [];
    }
    return [[line, this.read(line)]];
  }

  /** Gives the lines that were held back. */
  end(): readonly Read[] {
    return this.held ? this.release(this.held, this.list !== undefined) : [];
  }

  private hold(line: string, held: Held): readonly Read[] {
    const place = indentOf(line);
    const isSibling = place?.indent === held.indent;
    const isOutside =
      line.startsWith('---') ||
      (place !== undefined && place.indent < held.indent) ||
      (isSibling && (place.begins || !IN_OBJECT.test(line)));
    if (isOutside) return [...this.release(held, this.list !== undefined), ...this.take(line)];
    held.lines.push(line);
    held.size += line.length;
    const kind = isSibling ? KIND.exec(line)?.[1] : undefined;
    if (kind !== undefined) return this.release(held, kind === 'Secret');
    return held.size > MAX_HELD ? this.release(held, false) : [];
  }

  /** Gives back what was held, as data of a Secret or not. */
  private release({ indent, lines }: Held, isSecret: boolean): Read[] {
    this.held = undefined;
    if (isSecret) this.secret = indent;
    return lines.map((line) => [line, isSecret ? this.read(line) : 'plain']);
  }

  private read(line: string): Reading {
    const place = indentOf(line);
    if (this.secret === undefined || !place) return this.inData ? 'text' : 'plain';
    if (place.indent === this.secret) {
      this.inData = OPENS.test(line);
      this.valueIndent = undefined;
      return this.inData && /\{\s*\S/.test(line) ? 'value' : 'plain';
    }
    if (!this.inData) return 'plain';
    this.valueIndent ??= place.indent;
    return place.indent > this.valueIndent ? 'text' : 'value';
  }

  /** Leaves the Secret and the list that a line does not belong to. */
  private leave(line: string): void {
    const place = indentOf(line);
    const ends = (column: number | undefined) =>
      line.startsWith('---') ||
      (column !== undefined && place !== undefined && place.indent - (place.begins ? 1 : 0) < column);
    if (ends(this.secret)) {
      this.secret = undefined;
      this.inData = false;
    }
    if (ends(this.list)) this.list = undefined;
  }
}

/** Columns before the key of a line, a dash of a list counted in; undefined for a blank line. */
function indentOf(line: string): { readonly indent: number; readonly begins: boolean } | undefined {
  const [, blank = '', dashes = ''] = /^([ \t]*)((?:- +)*)(?=\S)/.exec(line) ?? ['', undefined];
  return /\S/.test(line) ? { indent: blank.length + dashes.length, begins: dashes !== '' } : undefined;
}

import { createHash } from 'node:crypto';
import { type Fields, type Link, type ReadLine, readLine, START, sha256, sign } from './chain.js';
import type { Line } from './segments.js';

export interface Place {
  readonly file: string;
  /** From 1. */
  readonly line: number;
}

/** The first thing that is wrong with a log. */
export interface Problem {
  readonly file: string;
  readonly line?: number;
  readonly reason: string;
}

/** A record that somebody remembers. */
export interface Expected {
  readonly link: Link;
  /** Who does. */
  readonly by: string;
}

type Chained = Extract<ReadLine, { kind: 'chained' }>;

const WHY = {
  altered: 'was changed: its hash is not the one of its content',
  unchained: 'is not part of the chain',
  junk: 'is no record',
} as const;

/** Checks the lines of a log one after the other; ends at the first that is wrong. */
export class LineCheck {
  records = 0;
  private notes = 0;
  private torn = 0;
  private last: Link = START;
  private next: Place | undefined;
  private signedFrom: number | undefined;
  /** A line that is wrong unless the next one says that a crash left it so. */
  private doubtful:
    | { readonly place: Place; readonly why: string; readonly bytes: Buffer; readonly isEnded: boolean }
    | undefined;
  /** What stands before the chain, while there is none. */
  private readonly older = { lines: 0, bytes: 0, digest: createHash('sha256') };
  private readonly expected = new Map<number, Expected[]>();

  constructor(
    expected: readonly Expected[],
    private readonly key: string | undefined,
  ) {
    for (const one of expected) {
      if (one.link.seq > 0) this.expected.set(one.link.seq, [...(this.expected.get(one.link.seq) ?? []), one]);
    }
  }

  /** The last record that is proven. */
  get head(): Link | undefined {
    return this.last.seq > 0 ? this.last : undefined;
  }

  /** What has been counted so far. */
  counts() {
    const { records, notes, torn, signedFrom } = this;
    return {
      records,
      notes,
      torn,
      unchained: this.older.lines,
      endsTorn: this.doubtful?.isEnded === false,
      signedFrom,
    };
  }

  /** Takes the next line. Returns what is wrong, with the line that is; after that nothing more may be fed. */
  feed(line: Line, place: Place): Problem | undefined {
    const read = readLine(line.bytes);
    this.next = { file: place.file, line: place.line + 1 };
    if (read.kind === 'chained') {
      const problem = this.head ? this.checkDoubtful(read) : this.checkOlder(read);
      return problem ?? this.follow(read, place);
    }
    if (this.head && this.doubtful) return faultOf(this.doubtful);
    this.doubtful ??= { place, why: WHY[read.kind], bytes: line.bytes, isEnded: line.isEnded };
    if (!this.head) this.addOlder(line);
    return undefined;
  }

  /** Takes the end of the log: a line that is in doubt, and records that others remember and that are not there. */
  end(file: string): Problem | undefined {
    const { doubtful } = this;
    if (this.head && doubtful?.isEnded) return faultOf(doubtful);
    const lost = [...this.expected.values()].flat().sort((a, b) => a.link.seq - b.link.seq)[0];
    const place = doubtful?.place ?? this.next ?? { file, line: 1 };
    if (lost && !this.head && doubtful) return faultOf(doubtful);
    if (lost)
      return {
        ...place,
        reason: `is not there: the log ends before record ${lost.link.seq}, which ${lost.by} remembers`,
      };
    if (this.key !== undefined && this.head && this.last.mac === undefined)
      return { ...place, reason: 'ends a log without a signature, although there is a key' };
    return undefined;
  }

  private addOlder({ bytes, isEnded }: Line): void {
    this.older.lines += 1;
    this.older.bytes += bytes.length + (isEnded ? 1 : 0);
    this.older.digest.update(bytes).update(isEnded ? '\n' : '');
  }

  /** The first record of the chain says what it found before it. */
  private checkOlder({ fields }: Chained): Problem | undefined {
    const { doubtful, older } = this;
    if (!doubtful) return undefined;
    const isTorn = fields.event === 'log-torn' && older.lines === 1 && vouchesFor(fields, doubtful.bytes);
    const isVouched =
      fields.event === 'log-chained' && fields.bytes === older.bytes && fields.sha256 === older.digest.digest('hex');
    if (!isTorn && !isVouched) return faultOf(doubtful);
    if (isTorn) {
      this.torn += 1;
      older.lines = 0;
    }
    this.doubtful = undefined;
    return undefined;
  }

  private checkDoubtful({ fields }: Chained): Problem | undefined {
    const { doubtful } = this;
    if (!doubtful) return undefined;
    if (fields.event !== 'log-torn' || !vouchesFor(fields, doubtful.bytes)) return faultOf(doubtful);
    this.doubtful = undefined;
    this.torn += 1;
    return undefined;
  }

  /** Whether a record follows the one before it, and is what others remember. */
  private follow({ link, prev, fields }: Chained, place: Place): Problem | undefined {
    const wrong = (reason: string): Problem => ({ ...place, reason });
    const wanted = this.last.seq + 1;
    if (link.seq !== wanted)
      return wrong(`is record ${link.seq} where ${wanted} was expected: lines are missing, or stand in another order`);
    if (prev !== this.last.hash) return wrong('does not follow the record before it');
    if (fields.event === 'log-cut')
      return wrong(
        `says that records were missing before it: ${fields.expected_seq === null ? 'the head file was lost' : `up to ${fields.expected_seq} there had been`}`,
      );
    const signature = this.signatureFault(link);
    if (signature !== undefined) return wrong(signature);
    const other = this.expected.get(link.seq)?.find((one) => one.link.hash !== link.hash);
    if (other) return wrong(`is not the record ${link.seq} that ${other.by} remembers`);
    this.expected.delete(link.seq);
    if (isNote(fields)) this.notes += 1;
    else this.records += 1;
    if (link.mac !== undefined) this.signedFrom ??= link.seq;
    this.last = link;
    return undefined;
  }

  private signatureFault({ hash, mac }: Link): string | undefined {
    if (mac === undefined)
      return this.signedFrom === undefined ? undefined : 'has no signature, although those before it have one';
    return this.key === undefined || sign(hash, this.key) === mac ? undefined : 'is not signed with the key';
  }
}

const faultOf = ({ place, why }: { readonly place: Place; readonly why: string }): Problem => ({
  ...place,
  reason: why,
});

const isNote = ({ event }: Fields): boolean => typeof event === 'string' && event.startsWith('log-');

const vouchesFor = (fields: Fields, line: Buffer): boolean =>
  fields.bytes === line.length && fields.sha256 === sha256(line);

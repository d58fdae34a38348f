/** Reads the sections of a core WebAssembly module that say what it takes and offers, and rewrites its limits. No other byte changes. */
import { OpsError } from '../domain/errors.js';

const MAGIC = [0, 0x61, 0x73, 0x6d, 1, 0, 0, 0];
/** The only module that a command may import from: WASI preview 1. What is not in it cannot be called. */
const WASI = 'wasi_snapshot_preview1';
const SECTION = { import: 2, table: 4, memory: 5, export: 7 } as const;
const KIND = { function: 0, table: 1, memory: 2, global: 3 } as const;
export const PAGE_BYTES = 64 * 1024;

interface Limits {
  readonly flags: number;
  readonly min: number;
  readonly max: number | undefined;
}

/** A place in the bytes that moves on as it is read. Reading past the end throws a RangeError. */
class Reader {
  constructor(
    readonly bytes: Uint8Array,
    public at: number,
  ) {}

  byte(): number {
    const value = this.bytes[this.at++];
    if (value === undefined) throw new RangeError('the module ends too early');
    return value;
  }

  /** An unsigned LEB128 number of at most 32 bits. */
  number(): number {
    let value = 0;
    for (let scale = 1, left = 5; left > 0; left--, scale *= 128) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
    throw new RangeError('a number of the module is too long');
  }

  name(): string {
    const length = this.number();
    const text = Buffer.from(this.bytes.subarray(this.at, this.at + length)).toString('utf8');
    this.at += length;
    return text;
  }

  limits(): Limits {
    const flags = this.byte();
    const min = this.number();
    return { flags, min, max: flags & 1 ? this.number() : undefined };
  }

  skipType(kind: number): void {
    if (kind === KIND.function) this.number();
    else if (kind === KIND.global) this.at += 2;
    else if (kind === KIND.memory) this.limits();
    else if (kind === KIND.table) {
      this.byte();
      this.limits();
    } else throw new RangeError('the module imports or exports something of an unknown kind');
  }
}

interface Section {
  readonly id: number;
  readonly start: number;
  readonly body: number;
  readonly end: number;
}

function* sections(bytes: Uint8Array): Generator<Section> {
  for (let at = MAGIC.length; at < bytes.length; ) {
    const reader = new Reader(bytes, at);
    const id = reader.byte();
    const length = reader.number();
    const end = reader.at + length;
    if (end > bytes.length) throw new RangeError('the module ends too early');
    yield { id, start: at, body: reader.at, end };
    at = end;
  }
}

/**
 * A copy of a WASI command whose memory and table cannot grow past these limits.
 * @throws OpsError usage when the bytes are no such command, or need more than that to start; `name` says which file it is.
 */
export function limitModule(
  bytes: Uint8Array,
  name: string,
  limits: { readonly memoryPages: number; readonly tableEntries: number },
): Uint8Array {
  const refuse = (why: string): OpsError =>
    new OpsError(
      'usage',
      `${name} cannot be used: ${why}.`,
      'It must be a WASI command: a core WebAssembly module of wasi_snapshot_preview1.',
    );
  if (MAGIC.some((byte, index) => bytes[index] !== byte)) throw refuse('it is not a core WebAssembly module');
  try {
    const all = [...sections(bytes)];
    const lack = lackOf(bytes, all);
    if (lack !== undefined) throw refuse(lack);
    const changed = all.map((section) => {
      const isLimited = section.id === SECTION.memory || section.id === SECTION.table;
      return isLimited ? limitSection(bytes, section, limits, refuse) : bytes.subarray(section.start, section.end);
    });
    return Buffer.concat([bytes.subarray(0, MAGIC.length), ...changed]);
  } catch (error) {
    if (error instanceof RangeError) throw refuse(error.message);
    throw error;
  }
}

/** What a module has that a WASI command may not have, or the other way round. */
function lackOf(bytes: Uint8Array, all: readonly Section[]): string | undefined {
  const imports = all.filter(({ id }) => id === SECTION.import).flatMap(({ body }) => importsAt(bytes, body));
  const foreign = imports.find(({ module, kind }) => module !== WASI || kind !== KIND.function);
  if (foreign) return `it imports ${foreign.name} from ${foreign.module}, and may import functions of ${WASI} only`;
  const exports = all.filter(({ id }) => id === SECTION.export).flatMap(({ body }) => exportsAt(bytes, body));
  const missing = ['_start', 'memory'].find((name) => !exports.includes(name));
  return missing === undefined ? undefined : `it does not export ${missing}`;
}

function importsAt(bytes: Uint8Array, body: number): { module: string; name: string; kind: number }[] {
  const reader = new Reader(bytes, body);
  return Array.from({ length: count(reader) }, () => {
    const found = { module: reader.name(), name: reader.name(), kind: reader.byte() };
    reader.skipType(found.kind);
    return found;
  });
}

function exportsAt(bytes: Uint8Array, body: number): string[] {
  const reader = new Reader(bytes, body);
  return Array.from({ length: count(reader) }, () => {
    const name = reader.name();
    reader.byte();
    reader.number();
    return name;
  });
}

/** Number of entries of a section, each of which has at least one byte. */
function count(reader: Reader): number {
  const entries = reader.number();
  if (entries > reader.bytes.length) throw new RangeError('the module ends too early');
  return entries;
}

/** A memory or table section with a maximum. Both kinds of entry are the same but for the type that a table has before its limits. */
function limitSection(
  bytes: Uint8Array,
  section: Section,
  { memoryPages, tableEntries }: { readonly memoryPages: number; readonly tableEntries: number },
  refuse: (why: string) => OpsError,
): Uint8Array {
  const reader = new Reader(bytes, section.body);
  const isMemory = section.id === SECTION.memory;
  const most = isMemory ? memoryPages : tableEntries;
  const entries = count(reader);
  // Each of several could grow to the limit.
  if (entries > 1 && isMemory) throw refuse('it has more than one memory');
  const body = Array.from({ length: entries }, () => {
    const type = isMemory ? [] : [reader.byte()];
    const { flags, min, max = most } = reader.limits();
    const unit = isMemory ? `${Math.ceil((min * PAGE_BYTES) / 1024 / 1024)} MB of memory` : `${min} table entries`;
    const limit = isMemory ? `${Math.floor((most * PAGE_BYTES) / 1024 / 1024)} MB` : `${most}`;
    if (min > most) throw refuse(`it needs ${unit} to start, and the limit is ${limit}`);
    return [...type, flags | 1, ...leb(min), ...leb(Math.min(max, most))];
  }).flat();
  const content = [...leb(entries), ...body];
  return Uint8Array.from([section.id, ...leb(content.length), ...content]);
}

function leb(value: number): number[] {
  const low = value % 128;
  const rest = Math.floor(value / 128);
  return rest === 0 ? [low] : [low | 128, ...leb(rest)];
}

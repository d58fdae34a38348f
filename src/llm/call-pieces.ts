import type { ModelCall } from '../domain/ports.js';
import { fieldOf } from './field.js';

/** Most calls of one reply. */
export const MAX_CALLS = 64;
/** Bytes of the arguments of one call. */
export const MAX_ARGUMENT_BYTES = 256 * 1024;
/** Bytes of the arguments of all calls of a reply. */
export const MAX_ALL_ARGUMENT_BYTES = 4 * 1024 * 1024;
const MAX_NAME_LENGTH = 256;
/** An id is echoed to the server and used as a key; anything else is replaced. */
const USABLE_ID = /^[\w.:|-]{1,128}$/;

interface OpenCall {
  id: string;
  name: string;
  rawArguments: string;
  bytes: number;
}

interface Piece {
  readonly index: number | undefined;
  readonly id: string;
  readonly name: string;
  readonly rawArguments: string;
}

/** Puts tool calls together from the pieces of a stream. */
export interface CallCollector {
  /** Takes one element of `tool_calls`, whatever it is. Returns what is too much, in words, when a limit is passed. */
  add(rawPiece: unknown): string | undefined;
  /** The calls in the order they began, each with an id that is unique in this reply. */
  calls(): ModelCall[];
}

/** Makes a collector. `takenIds` are ids of earlier calls, which made-up ids must not repeat. */
export function createCallCollector(takenIds: ReadonlySet<string>): CallCollector {
  const calls: OpenCall[] = [];
  const byIndex = new Map<number, OpenCall>();
  const byId = new Map<string, OpenCall>();
  let allBytes = 0;

  const find = ({ index, id, name }: Piece): OpenCall | undefined => {
    if (index !== undefined) {
      const open = byIndex.get(index);
      // Some servers number every call 0: another id with a name of its own begins another call.
      const another = open !== undefined && id !== '' && open.id !== '' && id !== open.id && name !== '';
      return another ? undefined : open;
    }
    if (id !== '') return byId.get(id);
    // Without index and id a name begins a call, and anything else continues the last one.
    return name === '' ? calls.at(-1) : undefined;
  };

  const open = (piece: Piece): OpenCall => {
    const call: OpenCall = { id: piece.id, name: '', rawArguments: '', bytes: 0 };
    calls.push(call);
    return call;
  };

  const add = (rawPiece: unknown): string | undefined => {
    const piece = readPiece(rawPiece);
    if (piece === undefined) return undefined;
    const call = find(piece) ?? open(piece);
    if (calls.length > MAX_CALLS) return `more than ${MAX_CALLS} tool calls in one answer`;
    if (call.id === '') call.id = piece.id;
    if (piece.index !== undefined) byIndex.set(piece.index, call);
    if (piece.id !== '') byId.set(piece.id, call);
    // Some servers repeat the whole name in every piece.
    if (piece.name !== call.name) call.name = (call.name + piece.name).slice(0, MAX_NAME_LENGTH);
    const bytes = Buffer.byteLength(piece.rawArguments);
    call.bytes += bytes;
    allBytes += bytes;
    if (call.bytes > MAX_ARGUMENT_BYTES) return `a tool call with more than ${MAX_ARGUMENT_BYTES} bytes of arguments`;
    if (allBytes > MAX_ALL_ARGUMENT_BYTES)
      return `tool calls with more than ${MAX_ALL_ARGUMENT_BYTES} bytes of arguments`;
    call.rawArguments += piece.rawArguments;
    return undefined;
  };

  return { add, calls: () => nameCalls(calls, takenIds) };
}

/** Gives every call an id: its own when that is usable and not used yet, else the next free `call_<n>`. */
function nameCalls(calls: readonly OpenCall[], takenIds: ReadonlySet<string>): ModelCall[] {
  const own = new Set(calls.map((call) => call.id));
  const used = new Set<string>();
  let next = takenIds.size;
  const makeUp = (): string => {
    for (;;) {
      const id = `call_${next}`;
      next += 1;
      if (!takenIds.has(id) && !own.has(id)) return id;
    }
  };
  return calls.map(({ id: given, name, rawArguments }) => {
    const id = USABLE_ID.test(given) && !used.has(given) ? given : makeUp();
    used.add(id);
    return { id, name, rawArguments };
  });
}

/** Reads one element of `tool_calls`; undefined when it says nothing. */
function readPiece(raw: unknown): Piece | undefined {
  const rawFunction = fieldOf(raw, 'function');
  const index = fieldOf(raw, 'index');
  const piece = {
    index: typeof index === 'number' && Number.isInteger(index) && index >= 0 && index < MAX_CALLS ? index : undefined,
    id: textOf(fieldOf(raw, 'id')),
    name: textOf(fieldOf(rawFunction, 'name')),
    rawArguments: argumentsOf(fieldOf(rawFunction, 'arguments')),
  };
  return piece.id === '' && piece.name === '' && piece.rawArguments === '' ? undefined : piece;
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '');

/** Arguments are JSON in a string; some servers send the object itself. */
const argumentsOf = (value: unknown): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : textOf(value);

import { createHash, type Hash } from 'node:crypto';
import { closeSync, openSync, writeSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join } from 'node:path';
import { messageOf } from '../domain/errors.js';
import type { Redactor, StoredResult } from '../domain/ports.js';
import type { Json, JsonObject, ToolDefinition, ToolResult } from '../domain/types.js';
import { makePrivateFolder } from '../lib/folders.js';

/** How much of the output of one call is stored, in bytes. What comes after is only counted, and its end kept. */
const MAX_STORED_BYTES = 256 * 1024 * 1024;
/** A call that prints more than this, in bytes, is ended. */
const MAX_OUTPUT_BYTES = 1024 * 1024 * 1024;
/** Largest output that is parsed as data, in bytes. */
const MAX_PARSED_BYTES = 64 * 1024 * 1024;
/** Head and tail of stderr that are kept, in bytes each. */
const STDERR_BYTES = 8 * 1024;

export interface Captured {
  readonly bytes: number;
  readonly sha256: string;
  readonly head: Buffer;
  readonly tail: Buffer;
  /** Bytes between head and tail that are only in the file. */
  readonly leftOut: number;
  readonly path?: string;
  /** Why `path` does not hold the whole: a full disk, say. Head and tail are there all the same. */
  readonly unstored?: string;
}

/** Takes what one call prints, and keeps the whole of it in a file. */
export interface Capture {
  write(chunk: string | Uint8Array): boolean;
  writeError(chunk: string | Uint8Array): void;
  /** Ends the file and gives head, tail and digest. */
  end(): { readonly stdout: Captured; readonly stderr: Captured };
}

export interface ResultStore {
  capture(callId: string, keepBytes: number): Capture;
  add(
    result: ToolResult,
    call: { tool?: ToolDefinition; args: JsonObject; tokens: readonly string[] },
    ended: ReturnType<Capture['end']>,
  ): void;
  get(callId: string): StoredResult | undefined;
}

/**
 * Stores the outputs of one session as files 0600 in `folder`, which is made (0700) when the first one is written. What the
 * redactor hides is hidden before it is stored: nothing after this sees it. Without a folder only the ends are kept, in memory.
 */
export function createResultStore(folder: string | undefined, redactor: Pick<Redactor, 'stream'>): ResultStore {
  const results = new Map<string, StoredResult>();
  return {
    capture(callId, keepBytes) {
      const stdout = hidden(keepEnds(keepBytes, folder && join(folder, `${callId}.out`)), redactor);
      const stderr = hidden(keepEnds(STDERR_BYTES), redactor);
      return {
        write: stdout.write,
        writeError: (chunk) => void stderr.write(chunk),
        end: () => ({ stdout: stdout.end(), stderr: stderr.end() }),
      };
    },
    add(result, { tool, args, tokens }, { stdout, stderr }) {
      const readText = async (maxBytes: number) => readWhole(stdout, maxBytes);
      const readData = () => parseCaptured(stdout, tool?.output.format);
      const errorText = textOf(stderr);
      results.set(result.callId, {
        ...result,
        args,
        tokens,
        readText,
        readData,
        errorText,
        fields: tool?.fields ?? {},
      });
    },
    get: (callId) => results.get(callId),
  };
}

/** Puts the redactor before a keeper of ends. */
function hidden(kept: ReturnType<typeof keepEnds>, redactor: Pick<Redactor, 'stream'>): ReturnType<typeof keepEnds> {
  const stream = redactor.stream();
  return {
    write: (chunk) => kept.write(stream.write(typeof chunk === 'string' ? Buffer.from(chunk) : chunk)),
    end() {
      kept.write(stream.end());
      return kept.end();
    },
  };
}

function keepEnds(keepBytes: number, path?: string) {
  const hash: Hash = createHash('sha256');
  let bytes = 0;
  let fd: number | undefined;
  let unstored: string | undefined;
  let head = Buffer.alloc(0);
  let tail = Buffer.alloc(0);
  return {
    write(chunk: string | Uint8Array): boolean {
      const data =
        typeof chunk === 'string' ? Buffer.from(chunk) : Buffer.from(chunk.buffer, chunk.byteOffset, chunk.length);
      bytes += data.length;
      hash.update(data);
      const room = keepBytes - head.length;
      if (room > 0) head = Buffer.concat([head, data.subarray(0, room)]);
      const rest = data.subarray(Math.max(room, 0));
      if (rest.length > 0) tail = Buffer.concat([tail, rest]).subarray(-keepBytes);
      if (path === undefined || unstored !== undefined) return bytes < MAX_OUTPUT_BYTES;
      if (bytes > MAX_STORED_BYTES) unstored = `only its first ${MAX_STORED_BYTES / 1024 / 1024} MiB are kept`;
      try {
        fd ??= openResultFile(path);
        if (writeSync(fd, data) !== data.length) throw new Error('the disk is full');
      } catch (error) {
        unstored = messageOf(error);
      }
      return bytes < MAX_OUTPUT_BYTES;
    },
    end(): Captured {
      if (fd !== undefined) closeSync(fd);
      const leftOut = bytes - head.length - tail.length;
      const stored = fd !== undefined && path !== undefined;
      const digest = { bytes, sha256: hash.digest('hex'), head, tail: Buffer.from(tail), leftOut };
      return { ...digest, ...(stored && { path }), ...(unstored !== undefined && { unstored }) };
    },
  };
}

function openResultFile(path: string): number {
  makePrivateFolder(dirname(path));
  return openSync(path, 'w', 0o600);
}

/** Head and tail as one text, with a note on what is left out. */
export function textOf(captured: Captured): string {
  const ends = captured.leftOut > 0 ? [captured.head, captured.tail] : [Buffer.concat([captured.head, captured.tail])];
  return ends.map((part) => part.toString('utf8')).join(`\n… ${captured.leftOut} bytes left out …\n`);
}

async function readWhole(captured: Captured, maxBytes: number): Promise<string | undefined> {
  if (captured.bytes > maxBytes) return undefined;
  if (captured.leftOut === 0) return Buffer.concat([captured.head, captured.tail]).toString('utf8');
  if (captured.path === undefined) return undefined;
  const { size } = await stat(captured.path);
  return size === captured.bytes ? readFile(captured.path, 'utf8') : undefined;
}

/** What was printed, as data: JSON is tried whatever the format says, YAML only when it says so; undefined when it is neither. */
export async function parseCaptured(captured: Captured, format: string | undefined): Promise<Json | undefined> {
  const text = await readWhole(captured, MAX_PARSED_BYTES);
  if (text === undefined || text.trim() === '') return undefined;
  try {
    return JSON.parse(text) as Json;
  } catch {
    if (format !== 'yaml') return undefined;
    const { parseYaml } = await import('../lib/yaml.js');
    const parsed = parseYaml(text, 'output');
    return parsed.problems.length === 0 ? parsed.data : undefined;
  }
}

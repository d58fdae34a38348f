import type { Json, JsonObject, OutputSpec, ToolResult } from '../domain/types.js';
import { query } from '../lib/jmespath.js';
import type { Captured } from './results.js';
import { textOf } from './results.js';

/** Output with a NUL byte among its first bytes is not text. */
const BINARY_PROBE_BYTES = 8 * 1024;

export interface Presentable {
  readonly callId: string;
  readonly spec: OutputSpec;
  readonly stdout: Captured;
  readonly stderr: Captured;
  /** The parsed output, when `spec.select` asks for a part of it. */
  readonly data: Json | undefined;
  readonly ok: boolean;
}

/** What the model and the screen get of an output: at most `maxBytes`, with what was left out and where the whole is. */
export function present(output: Presentable): Pick<ToolResult, 'text' | 'outputPath'> {
  const { stdout, stderr, spec } = output;
  const selected = selectedText(output);
  const body = selected ?? stdoutText(output);
  // What a program says beside an empty output (kubectl: "No resources found …") is its answer.
  const errors = output.ok && body.trim() !== '' ? '' : textOf(stderr).trim();
  const lost = stdout.unstored === undefined ? '' : `(the whole output is not stored: ${stdout.unstored})`;
  const parts = [lost, body.trimEnd(), errors && (body.trim() === '' ? errors : `stderr:\n${errors}`)].filter(
    (part) => part !== '',
  );
  const shortened = selected === undefined && stdout.bytes > spec.maxBytes;
  return {
    text: parts.length > 0 ? parts.join('\n') : '(no output)',
    ...(shortened && stdout.path !== undefined && { outputPath: stdout.path }),
  };
}

function selectedText({ spec, data, ok, callId }: Presentable): string | undefined {
  if (spec.select === undefined || data === undefined || !ok) return undefined;
  const selected = query(spec.select, data);
  const text = Buffer.from(spec.format === 'table' ? asTable(selected) : asText(selected));
  return text.length > spec.maxBytes ? cut(text, text.length, spec, ` of ${callId}`) : text.toString('utf8');
}

const asText = (value: Json): string => (typeof value === 'string' ? value : JSON.stringify(value, null, 1));

/** A list of flat objects as aligned columns, with their keys as the heading; anything else as text. Nothing for an empty list. */
function asTable(value: Json): string {
  if (!Array.isArray(value)) return asText(value);
  const rows = value.filter((row): row is JsonObject => typeof row === 'object' && row !== null && !Array.isArray(row));
  if (rows.length !== value.length) return asText(value);
  const keys = [...new Set(rows.flatMap((row) => Object.keys(row)))];
  const cells = [keys.map((key) => key.toUpperCase()), ...rows.map((row) => keys.map((key) => cellOf(row[key])))];
  const widths = keys.map((_, column) => Math.max(...cells.map((row) => row[column]?.length ?? 0)));
  return cells
    .map((row) =>
      row
        .map((cell, column) => cell.padEnd(widths[column] ?? 0))
        .join('   ')
        .trimEnd(),
    )
    .join('\n');
}

function cellOf(value: Json | undefined): string {
  if (value === undefined || value === null || value === '') return '-';
  if (Array.isArray(value)) return value.length === 0 ? '-' : value.map((one) => cellOf(one)).join(',');
  return (typeof value === 'object' ? JSON.stringify(value) : `${value}`).replaceAll(/\s+/g, ' ');
}

function stdoutText({ stdout, spec, callId }: Presentable): string {
  if (stdout.head.subarray(0, BINARY_PROBE_BYTES).includes(0)) {
    return `(binary output, ${stdout.bytes} bytes; sha256 ${stdout.sha256})`;
  }
  const all = Buffer.concat([stdout.head, stdout.tail]);
  if (stdout.bytes <= spec.maxBytes) return all.toString('utf8');
  return cut(all, stdout.bytes, spec, ` of ${callId}`);
}

/** Keeps the ends that `keep` names and cuts at line ends, so that no half line looks like a whole one. */
function cut(ends: Buffer, bytes: number, spec: OutputSpec, of: string): string {
  const share = { head: 1, tail: 0, both: 0.6 }[spec.keep];
  const headBytes = Math.floor(spec.maxBytes * share);
  const head = upToLineEnd(ends.subarray(0, headBytes).toString('utf8'));
  const tailBytes = spec.maxBytes - headBytes;
  const tail = tailBytes > 0 ? fromLineStart(ends.subarray(-tailBytes).toString('utf8')) : '';
  const left = bytes - Buffer.byteLength(head) - Buffer.byteLength(tail);
  return [head.trimEnd(), `… ${left} of ${bytes} bytes${of} left out …`, tail].filter((part) => part !== '').join('\n');
}

const upToLineEnd = (text: string): string => (text.includes('\n') ? text.slice(0, text.lastIndexOf('\n')) : text);
const fromLineStart = (text: string): string => (text.includes('\n') ? text.slice(text.indexOf('\n') + 1) : text);

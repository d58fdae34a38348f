/** What Python and other WASI commands have in common: limits, files, and how the end of a guest reads. */
import type { RunContext, RunOutcome, StoredResult } from '../domain/ports.js';
import type { CallError, ClearedCall } from '../domain/types.js';
import { limitsOf, MAX_INPUT_BYTES, MAX_INPUT_FILES, MAX_OUTPUT_BYTES } from '../sandbox/limits.js';
import type { GuestKind, Sandbox } from '../sandbox/pool.js';
import type { GuestResult, InputFile } from '../sandbox/process.js';
import { type Asked, explainEnd } from './sandboxed-end.js';

export interface GuestCall {
  readonly code?: string;
  readonly args: readonly string[];
  readonly stdin?: string;
  /** Ids of results. */
  readonly files: readonly string[];
  readonly timeoutMs?: number;
}

/** Runs a guest for a call: stdout is the call's output, then `result` when the code has set it. */
export async function runGuest(
  sandbox: Sandbox,
  kind: GuestKind,
  call: ClearedCall,
  context: RunContext,
  given: GuestCall,
): Promise<RunOutcome> {
  const results = given.files.map((id) => context.result(id));
  const fault = inputFault(given.files, results);
  if (fault) return { status: 'failed', error: fault };
  const timeoutMs = Math.min(
    limitsOf(process.env).timeoutMs,
    context.timeoutMs,
    given.timeoutMs ?? Number.POSITIVE_INFINITY,
  );
  const isData = call.tool.output.format === 'json';
  const printed = { stdout: [] as Uint8Array[], stderr: '' };
  const ran = await sandbox.run(
    kind,
    {
      args: given.args,
      ...(given.stdin && { stdin: Buffer.from(given.stdin) }),
      files: [...codeFile(given.code), ...dataFiles(results.filter((one) => one !== undefined))],
      timeoutMs,
      onOutput(stream, bytes) {
        if (stream === 'stdout') {
          if (isData || printed.stdout.length === 0) printed.stdout.push(bytes);
          else printed.stdout[0] = bytes;
          if (!isData) context.write(bytes);
        } else {
          if (printed.stderr.length < STDERR_KEPT) printed.stderr += Buffer.from(bytes).toString('utf8');
          context.writeError(bytes);
        }
      },
    },
    context.signal,
  );
  endOutput(ran, printed.stdout, isData, context);
  const asked: Asked = {
    program: kind.program === undefined ? (call.action.tokens[0] ?? '') : 'Python',
    timeoutMs,
    memoryMb: kind.memoryMb,
  };
  return explainEnd(ran.end, asked, printed.stderr);
}

/** Where the last line of stderr is looked for, in characters. */
const STDERR_KEPT = 2 * MAX_OUTPUT_BYTES;

/**
 * Ends the output: what is left out, then a line with `result`. When the tool's output is JSON, the result alone is the output, so
 * that it can be read as data; what was printed, which `stdout` still holds then, stands with stderr.
 */
function endOutput(
  { end, leftOut }: GuestResult,
  stdout: readonly Uint8Array[],
  isData: boolean,
  context: RunContext,
): void {
  const result = end.type === 'exited' ? end.note.result : undefined;
  const write = isData && result !== undefined ? context.writeError : context.write;
  if (isData) for (const bytes of stdout) write(bytes);
  const note = (stream: 'stdout' | 'stderr') =>
    `\n(${stream} is cut: ${leftOut[stream]} bytes beyond the limit of ${MAX_OUTPUT_BYTES} are left out)\n`;
  if (leftOut.stdout > 0) write(note('stdout'));
  if (leftOut.stderr > 0) context.writeError(note('stderr'));
  if (result === undefined) return;
  const isOnNewLine = stdout.length === 0 || stdout.at(-1)?.at(-1) === NEWLINE || leftOut.stdout > 0;
  context.write(isData ? `${result}\n` : `${isOnNewLine ? '' : '\n'}${RESULT_PREFIX}${result}\n`);
}

const NEWLINE = 10;

/** Begins the line of `result`. */
export const RESULT_PREFIX = 'result = ';

function inputFault(ids: readonly string[], results: readonly (StoredResult | undefined)[]): CallError | undefined {
  const unknown = ids.filter((_, index) => results[index] === undefined);
  if (unknown.length > 0) {
    return {
      category: 'validation',
      message: `there is no result ${unknown.map((id) => JSON.stringify(id)).join(', ')} in this session`,
      hint: 'files takes the ids of earlier calls of this session, such as c3.',
    };
  }
  const bytes = results.reduce((sum, one) => sum + (one?.storedBytes ?? 0), 0);
  if (ids.length <= MAX_INPUT_FILES && bytes <= MAX_INPUT_BYTES) return undefined;
  return {
    category: 'validation',
    message: `input limit: ${ids.length} files of ${bytes} bytes together are more than the sandbox takes (${MAX_INPUT_FILES} files, ${MAX_INPUT_BYTES} bytes)`,
    hint: 'Hand in fewer results, or ask the tool for less: a shorter time, a narrower selector.',
  };
}

const codeFile = (code: string | undefined): InputFile[] => (code === undefined ? [] : [fileOf('code.py', code)]);

function fileOf(path: string, text: string): InputFile {
  const bytes = Buffer.from(text);
  return {
    path,
    bytes: bytes.length,
    read: async function* () {
      yield bytes;
    },
  };
}

const EXTENSION = { json: 'json', yaml: 'yaml', text: 'txt', table: 'txt' } as const;

/** An attached file has its own name already. */
const fileName = ({ callId, format }: StoredResult) =>
  callId.includes('.') ? callId : `${callId}.${EXTENSION[format]}`;

/** Each result once, below /data, with an index of them. */
function dataFiles(results: readonly StoredResult[]): InputFile[] {
  const byId = new Map(results.map((result) => [result.callId, result]));
  const files = [...byId.values()].map((result) => ({
    result,
    path: `/data/${fileName(result)}`,
  }));
  const index = files.map(({ result, path }) => ({
    id: result.callId,
    tool: result.tool,
    file: path,
    size: result.storedBytes,
    format: result.format,
    ...(!result.isComplete && { complete: false }),
  }));
  return [
    fileOf('/data/index.json', JSON.stringify(index, null, 1)),
    ...files.map(({ result, path }) => ({ path, bytes: result.storedBytes, read: result.readBytes })),
  ];
}

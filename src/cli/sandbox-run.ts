import { readFileSync, statSync } from 'node:fs';
import { buffer } from 'node:stream/consumers';
import { type ExitName, messageOf, OpsError } from '../domain/errors.js';
import type { ToolResult } from '../domain/types.js';
import { RESULT_PREFIX } from '../exec/sandboxed.js';
import { stripTerminal } from '../lib/visible.js';
import { MAX_CODE_BYTES, MAX_OUTPUT_BYTES } from '../sandbox/limits.js';
import { attachFile } from './attachments.js';
import type { Io } from './io.js';
import { exitOfResult } from './run-tool.js';
import { openSession, type Session } from './session.js';
import { startUi } from './ui.js';

export interface SandboxRunOptions {
  readonly file?: readonly string[];
  readonly memory?: number;
  readonly timeout?: number;
  readonly json?: boolean;
}

/** `sandbox run FILE|-`: a call of `python_exec` on the one path; its whole output goes to stdout. */
export async function runInSandbox(io: Io, file: string, options: SandboxRunOptions): Promise<ExitName> {
  const code = await readCode(io, file);
  const ui = await startUi(io, options.json ? 'json' : 'text');
  try {
    const session = await openSession(io, { toolDirs: [], policyDirs: [] }, ui);
    try {
      session.say(code);
      const files: string[] = [];
      for (const path of options.file ?? []) files.push(await attachFile(session, path));
      const { memory, timeout } = options;
      const limits = { ...(memory !== undefined && { memory }), ...(timeout !== undefined && { timeout }) };
      const result = await session.call('python_exec', { code, files, ...limits });
      await ui.stop();
      await print(io, session, result, options.json === true);
      return io.signal.aborted ? 'interrupted' : exitOfResult(result);
    } finally {
      session.close();
    }
  } finally {
    await ui.stop();
  }
}

async function readCode(io: Io, file: string): Promise<string> {
  try {
    const found = file === '-' ? undefined : statSync(file);
    if (found && !found.isFile())
      throw new Error('it is not a regular file; code that comes through a pipe is named -');
    if (found && found.size > MAX_CODE_BYTES) throw new Error(`it is longer than ${MAX_CODE_BYTES} bytes`);
    const bytes = file === '-' ? await buffer(io.stdin) : readFileSync(file);
    return new TextDecoder('utf-8', { fatal: true }).decode(bytes);
  } catch (error) {
    throw new OpsError('usage', `The code ${file} cannot be read: ${messageOf(error)}`);
  }
}

async function print(io: Io, session: Session, result: ToolResult, asJson: boolean): Promise<void> {
  const stored = session.results.get(result.callId);
  const whole = (await stored?.readText(3 * MAX_OUTPUT_BYTES)) ?? '';
  const stderr = stored?.errorText ?? '';
  if (asJson) {
    const { stdout, value } = splitResult(whole);
    const { status, exitCode = null, error } = result;
    const report = {
      session_id: session.id,
      call_id: result.callId,
      status,
      exit_code: exitCode,
      stdout,
      stderr,
      result: value,
    };
    const problem = error && { category: error.category, message: error.message, hint: error.hint ?? null };
    io.out(`${JSON.stringify({ ...report, error: problem ?? null }, null, 2)}\n`);
    return;
  }
  const shown = (text: string) => (io.outIsTerminal ? stripTerminal(text) : text);
  io.out(shown(whole));
  if (stderr !== '') io.say(`${stripTerminal(stderr).trimEnd()}\n`);
  if (result.error)
    io.say(`${[`${result.status}: ${result.error.message}`, result.error.hint].filter(Boolean).join('\n')}\n`);
}

/** The output as `exec/sandboxed.ts` writes it: what was printed, then the line of `result`. */
function splitResult(whole: string): { readonly stdout: string; readonly value: unknown } {
  const lines = whole.trimEnd().split('\n');
  const last = lines.at(-1) ?? '';
  const text = last.startsWith(RESULT_PREFIX) ? last.slice(RESULT_PREFIX.length) : undefined;
  try {
    if (text !== undefined)
      return { stdout: whole.slice(0, whole.lastIndexOf(RESULT_PREFIX)), value: JSON.parse(text) };
  } catch {
    // A line of the code's own that only looks like a result.
  }
  return { stdout: whole, value: null };
}

import { EXIT, type ExitName, OpsError } from '../domain/errors.js';
import type { ToolResult } from '../domain/types.js';
import { stripTerminal } from '../lib/visible.js';
import type { OutputFormat } from './commands/ask.js';
import type { Io } from './io.js';
import { callReport, refusals } from './report.js';
import { openSession } from './session.js';
import { type RawSessionOptions, toSessionOptions } from './session-options.js';
import { startUi } from './ui.js';

export interface RunToolOptions extends RawSessionOptions {
  readonly arg?: readonly string[];
  readonly args?: string;
  readonly output: OutputFormat;
}

/** `tools run NAME`: one call on the one path; the result goes to stdout. */
export async function runTool(io: Io, name: string, options: RunToolOptions): Promise<ExitName> {
  const rawArguments = argumentsOf(options);
  const ui = await startUi(io, options.output);
  try {
    const session = await openSession(io, toSessionOptions(options), ui);
    try {
      session.say(rawArguments);
      const result = await session.run({ id: session.nextCallId(), name, rawArguments });
      // It may be a tool of a source that could not be loaded.
      if (result.status === 'unknown-tool')
        for (const text of session.toolbox.notices) session.emit({ type: 'notice', text });
      await ui.stop();
      // Ctrl-C at the question refuses the call as well; that the person left says more.
      const exit = io.signal.aborted ? 'interrupted' : exitOfResult(result);
      if (options.output === 'text') print(io, result);
      else {
        const call = { ...callReport(session, result), text: result.text };
        const report = { type: 'result', session_id: session.id, exit_code: EXIT[exit], call };
        io.out(`${JSON.stringify(report, null, options.output === 'json' ? 2 : undefined)}\n`);
      }
      return exit;
    } finally {
      session.close();
    }
  } finally {
    await ui.stop();
  }
}

/** Exit code of a single call. */
export function exitOfResult(result: ToolResult): ExitName {
  switch (result.status) {
    case 'ok':
    case 'suggested':
      return 'ok';
    case 'denied':
      return 'denied';
    case 'rejected':
      return 'unconfirmed';
    case 'limited':
      return result.error?.exit ?? 'limit';
    case 'cancelled':
      return 'interrupted';
    case 'unknown-tool':
    case 'invalid-arguments':
      return 'usage';
    default:
      return result.error?.exit ?? 'failed';
  }
}

function print(io: Io, result: ToolResult): void {
  const text = io.outIsTerminal ? stripTerminal(result.text) : result.text;
  if (result.status === 'ok' || result.status === 'suggested') io.out(`${text.trimEnd()}\n`);
  else io.say(`${stripTerminal(refusals([result])[0] ?? result.text).trimEnd()}\n`);
  if (result.outputPath !== undefined) io.say(`Output as far as it is stored: ${result.outputPath}\n`);
}

/** `--args` as given, with each `--arg key=value` over it; prepare turns texts into the types of the tool. */
function argumentsOf(options: RunToolOptions): string {
  if (!options.arg || options.arg.length === 0) return options.args ?? '{}';
  let base: unknown;
  try {
    base = JSON.parse(options.args ?? '{}');
  } catch {
    throw new OpsError('usage', '--args is not JSON.', `Write it like --args '{"namespace": "production"}'.`);
  }
  if (typeof base !== 'object' || base === null || Array.isArray(base))
    throw new OpsError('usage', '--args must be a JSON object.');
  const pairs = options.arg.map((pair) => {
    const at = pair.indexOf('=');
    if (at < 1) throw new OpsError('usage', `--arg takes key=value, not ${JSON.stringify(pair)}.`);
    return [pair.slice(0, at), pair.slice(at + 1)] as const;
  });
  return JSON.stringify({ ...base, ...Object.fromEntries(pairs) });
}

import type { ToolResult } from '../domain/types.js';
import type { Session } from './session.js';

/** One call for programs that read JSON, in the keys of the audit log. */
export const callReport = (session: Session, result: ToolResult) => ({
  call_id: result.callId,
  tool: result.tool,
  risk_level: session.registry.get(result.tool)?.riskLevel ?? 'unknown',
  tokens: session.results.get(result.callId)?.tokens ?? [],
  status: result.status,
  exit_code: result.exitCode ?? null,
  duration_ms: Math.round(result.durationMs),
  output_path: result.outputPath ?? null,
  error: result.error ?? null,
});

/** What was not run because nobody could confirm it, and how it could be. */
export function refusals(finished: readonly ToolResult[]): string[] {
  return finished
    .filter((result) => result.status === 'rejected' && result.error?.message.includes('there is no terminal'))
    .map((r) => {
      const why = r.error?.message ?? r.status;
      return `opsagent: ${r.callId} ${r.tool} was not run: ${why.replace(/\.$/, '')}. ${why.includes('--yes does not') ? HOW_BEYOND : HOW_TO_CONFIRM}`;
    });
}

const HOW_BEYOND = 'To allow it, answer in a terminal or give --yes=critical.';
const HOW_TO_CONFIRM =
  'To allow it, answer in a terminal or give --yes (critical calls and production: --yes=critical).';

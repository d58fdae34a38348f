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

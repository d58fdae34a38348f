import type { ExitName } from '../domain/errors.js';
import { visibleLine } from '../lib/visible.js';
import { SANDBOX_CHECKS, type SandboxCheck, type Seen } from '../sandbox/checks.js';
import { MAX_OUTPUT_BYTES } from '../sandbox/limits.js';
import type { Io } from './io.js';
import { openSession, type Session } from './session.js';
import { formatTable } from './table.js';
import { startUi } from './ui.js';

/** `sandbox check`: every escape and every limit, each as a call of `python_exec`. Exit 1 when the sandbox did not hold. */
export async function checkSandbox(io: Io): Promise<ExitName> {
  const ui = await startUi(io, 'json');
  const session = await openSession(io, { toolDirs: [], policyDirs: [] }, ui);
  const rows: string[][] = [];
  try {
    for (const check of SANDBOX_CHECKS) {
      if (io.signal.aborted) return 'interrupted';
      const seen = await tryOut(session, check);
      const holds = check.holds(seen);
      const found = seen.error || seen.stdout.trim().split('\n').slice(0, 3).join(' · ');
      rows.push([holds ? 'holds' : 'DOES NOT HOLD', check.kind, check.name, visibleLine(found.slice(0, 200))]);
    }
  } finally {
    session.close();
    await ui.stop();
  }
  io.out(await formatTable(['STATE', 'KIND', 'WHAT', 'FOUND'], rows, io.width));
  const failed = rows.filter(([state]) => state !== 'holds').length;
  io.say(
    failed === 0
      ? `The sandbox holds: ${rows.length} of ${rows.length}.\n`
      : `${failed} of ${rows.length} do not hold.\n`,
  );
  return failed === 0 ? 'ok' : 'failed';
}

/** Runs a check, and before it what it looks for afterwards. */
async function tryOut(session: Session, { code, before, timeout, memory }: SandboxCheck): Promise<Seen> {
  if (before !== undefined) await session.call('python_exec', { code: before });
  const result = await session.call('python_exec', {
    code,
    ...(timeout !== undefined && { timeout }),
    ...(memory !== undefined && { memory }),
  });
  const stored = session.results.get(result.callId);
  return {
    status: result.status,
    stdout: (await stored?.readText(3 * MAX_OUTPUT_BYTES)) ?? '',
    stderr: stored?.errorText ?? '',
    error: result.error?.message ?? '',
  };
}

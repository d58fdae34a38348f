import { setTimeout as sleep } from 'node:timers/promises';
import type { ExitName } from '../domain/errors.js';
import type { JsonObject, ToolResult } from '../domain/types.js';
import { recordDump } from '../dump/record.js';
import { startPlainUi } from '../ui/plain.js';
import type { Io } from './io.js';
import { openSession } from './session.js';
import { type RawSessionOptions, toSessionOptions } from './session-options.js';

/** Largest answer of one read that a dump takes, in bytes. */
const MAX_ANSWER_BYTES = 256 * 1024 * 1024;

/** Records a cluster through the same gate as every call; each read is in the audit log. */
export async function runDump(
  io: Io,
  dir: string,
  options: RawSessionOptions & { readonly only?: readonly string[] },
): Promise<ExitName> {
  const plain = startPlainUi({ write: io.say, color: io.errColour });
  // Hundreds of reads: progress says enough, the audit log has them all.
  const session = await openSession(io, toSessionOptions(options), { ...plain, emit: () => undefined });
  try {
    await recordDump(dir, {
      ...(options.only && { namespaces: options.only }),
      ...(session.planContext.context.kube_context && { context: session.planContext.context.kube_context }),
      progress: (text: string) => io.say(`${text}\n`),
      call: async (tool: string, args: JsonObject) => {
        const result = await callWithinLimits(io, () => session.call(tool, args));
        const stored = session.results.get(result.callId);
        return { ...result, stdout: await stored?.readText(MAX_ANSWER_BYTES), errorText: stored?.errorText ?? '' };
      },
    });
    return io.signal.aborted ? 'interrupted' : 'ok';
  } finally {
    session.close();
  }
}

/** A recording has time: it waits where a rate limit is reached. */
async function callWithinLimits({ say, signal }: Io, call: () => Promise<ToolResult>): Promise<ToolResult> {
  for (;;) {
    const result = await call();
    const { exit, retryAfterMs } = result.error ?? {};
    if (result.status !== 'limited' || exit !== 'limit' || retryAfterMs === undefined || signal.aborted) return result;
    say(`${result.error?.message}\n`);
    // After Ctrl-C the call itself says that it was interrupted.
    await sleep(retryAfterMs, undefined, { signal }).catch(() => undefined);
  }
}

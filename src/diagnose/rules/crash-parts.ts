import type { Container, Termination } from '../containers.js';
import { ageMs, type RuleContext, say, shown, stateText } from '../draft.js';
import { explainExit } from '../exit-codes.js';
import { joinSentences } from '../say.js';
import type { KubeObject } from '../snapshot.js';
import type { Evidence } from '../types.js';

/** A running container counts as crashing while its last end is this recent and it restarted this often. */
const RECENT_END_MS = 10 * 60_000;
const CRASHING_RESTARTS = 3;

/** Waiting to be restarted, ended with an error, or running between two ends. */
export function isCrashing(context: RuleContext, container: Container): boolean {
  if (container.waiting?.reason === 'CrashLoopBackOff') return true;
  if (container.ended !== undefined) return container.ended.exitCode !== 0;
  const age = ageMs(context, container.lastEnded?.finishedMs);
  return (
    container.running !== undefined &&
    container.restarts >= CRASHING_RESTARTS &&
    age !== undefined &&
    age < RECENT_END_MS
  );
}

/** What every finding about a crash has. */
export function crashBase(
  context: RuleContext,
  pod: KubeObject,
  container: Container,
  end: Termination | undefined,
  older: string | undefined,
) {
  const job = context.cluster.owners(pod).some((o) => o.kind === 'Job');
  const exit = explainExit(end?.exitCode ?? -1, context.language);
  const restarts = end === undefined ? '' : say(context, 'detail.restarts', { count: container.restarts, exit });
  const revision = older === undefined ? '' : say(context, 'detail.older-revision', { old: older });
  return {
    rule: endedForGood(container) ? 'pod.exited' : 'pod.crash-loop',
    object: pod,
    container: container.name,
    severity: job ? ('medium' as const) : ('critical' as const),
    detail: joinSentences([restarts, revision], context.language),
    role: 'cause' as const,
  };
}

/** It ended and was never restarted. */
export const endedForGood = (container: Container): boolean =>
  container.ended !== undefined && container.restarts === 0;

/** State and last end of a container. */
export function endEvidence(
  context: RuleContext,
  pod: KubeObject,
  container: Container,
  end: Termination | undefined,
): readonly Evidence[] {
  const state = container.waiting?.reason ?? (container.running === undefined ? 'terminated' : 'running');
  return [shown(pod, container.where, stateText(context, state, container, end))];
}

import { isReady } from '../cluster.js';
import type { Container, Termination } from '../containers.js';
import { type Draft, draftOf, type RuleContext, refOf, say, seenIn } from '../draft.js';
import type { LogMatch } from '../log-match.js';
import type { MessageKey } from '../messages.js';
import { joinSentences } from '../say.js';
import type { KubeEvent, KubeObject } from '../snapshot.js';
import { describeStep, logsStep, restartSteps, step, undoSteps } from '../steps.js';
import type { NextStep } from '../types.js';
import { crashBase, endEvidence, endedForGood, isCrashing } from './crash-parts.js';
import { dependencyOf } from './dependency.js';
import { type LogVerdict, readLogs } from './pod-log.js';
import { oomDraft } from './pod-oom.js';
import { eventsFor } from './pod-waiting.js';
import { settingSteps } from './settings.js';

/** Why a container ends again and again (or ended for good), as far as state, events and logs show it. */
export function crashDraft(context: RuleContext, pod: KubeObject, container: Container): Draft | undefined {
  const end = container.ended ?? container.lastEnded;
  if (end?.reason === 'OOMKilled' || container.lastEnded?.reason === 'OOMKilled')
    return oomDraft(context, pod, container);
  if (!isCrashing(context, container)) return undefined;
  const verdict = readLogs(context, pod, container);
  const killing = eventsFor(context, pod, container).find(
    (e) => e.reason === 'Killing' && /failed (?:liveness|startup) probe/i.test(e.message),
  );
  // A probe's kill ends a program from outside, by a signal; an exit code of its own says that it ended before.
  if (killing !== undefined && (end === undefined || end.exitCode > 128 || end.exitCode === 0)) {
    return probeKill(context, pod, container, end, killing, verdict);
  }
  return verdict.match === undefined
    ? unexplainedCrash(context, pod, container, end, verdict)
    : explainedCrash(context, pod, container, end, verdict, verdict.match);
}

function explainedCrash(
  context: RuleContext,
  pod: KubeObject,
  container: Container,
  end: Termination | undefined,
  verdict: LogVerdict,
  match: LogMatch,
): Draft {
  const { language, cluster } = context;
  const { signature } = match;
  const dependency = dependencyOf(context, pod, match);
  const older = olderRevision(context, pod);
  const top = cluster.top(pod);
  const back = signature.helps === 'rollback' || older !== undefined ? undoSteps(language, top) : [];
  return draftOf(context, {
    ...crashBase(context, pod, container, end, older),
    certainty: verdict.certainty,
    title: titleKey(container, verdict.certainty === 'confirmed' ? 'because' : 'maybe'),
    values: { container: container.name, code: end?.exitCode ?? '?', reason: signature.title[language] },
    cause: dependency?.cause ?? { text: signature.cause[language], certainty: 'likely' },
    evidence: [...verdict.evidence, ...endEvidence(context, pod, container, end)],
    checks: [
      ...(dependency?.checks ?? []),
      ...settingSteps(context, pod, container, signature.settings),
      ...signature.checks.map((text): NextStep => ({ text: text[language], risk: 'low' })),
      logsStep(language, refOf(pod), container.name, container.ended === undefined),
    ],
    stopgap: [...(signature.helps === 'restart' ? restartSteps(language, refOf(pod), top) : []), ...back],
    causeKey: signature.id,
    likeness: { value: `${end?.exitCode ?? ''}`, explained: true },
  });
}

function unexplainedCrash(
  context: RuleContext,
  pod: KubeObject,
  container: Container,
  end: Termination | undefined,
  verdict: LogVerdict,
): Draft {
  const { language, cluster } = context;
  const older = olderRevision(context, pod);
  const base = crashBase(context, pod, container, end, older);
  return draftOf(context, {
    ...base,
    certainty: 'unknown',
    title: titleKey(container, undefined),
    values: { container: container.name, code: end?.exitCode ?? '?' },
    detail: joinSentences([base.detail, say(context, verdict.without)], language),
    evidence: [...verdict.evidence, ...endEvidence(context, pod, container, end)],
    checks: [
      logsStep(language, refOf(pod), container.name, container.ended === undefined),
      describeStep(language, refOf(pod)),
    ],
    stopgap: older === undefined ? [] : undoSteps(language, cluster.top(pod)),
    causeKey: `exit-${end?.exitCode ?? ''}`,
    // A log that was read and says nothing is no reason to think that the pod shares another one's fault.
    ...(verdict.without === 'detail.no-log' ? { likeness: { value: `${end?.exitCode ?? ''}`, explained: false } } : {}),
  });
}

function titleKey(container: Container, sure: 'because' | 'maybe' | undefined): MessageKey {
  if (endedForGood(container)) return sure === undefined ? 'pod.exited' : `pod.exited.${sure}`;
  return sure === undefined ? 'pod.crash' : `pod.crash.${sure}`;
}

function probeKill(
  context: RuleContext,
  pod: KubeObject,
  container: Container,
  end: Termination | undefined,
  killing: KubeEvent,
  verdict: LogVerdict,
): Draft {
  const { language } = context;
  const unhealthy = eventsFor(context, pod, container).find(
    (e) => e.reason === 'Unhealthy' && /^(?:Liveness|Startup)/.test(e.message),
  );
  const reason = verdict.match?.signature.title[language];
  return draftOf(context, {
    ...crashBase(context, pod, container, end, undefined),
    rule: 'pod.probe-kills',
    certainty: 'confirmed',
    title: 'pod.liveness-killed',
    values: { container: container.name },
    ...(reason === undefined ? {} : { cause: { text: reason, certainty: 'likely' as const } }),
    evidence: [
      ...(unhealthy === undefined ? [] : [seenIn(context, unhealthy)]),
      seenIn(context, killing),
      ...verdict.evidence,
      ...endEvidence(context, pod, container, end),
    ],
    checks: [
      step(language, 'step.probe', {}),
      ...(verdict.match?.signature.checks ?? []).map((text): NextStep => ({ text: text[language], risk: 'low' })),
      logsStep(language, refOf(pod), container.name, true),
    ],
    role: 'cause',
    causeKey: 'probe',
  });
}

/** The revision of ready pods of the same workload, when this pod's own revision has none. */
function olderRevision(context: RuleContext, pod: KubeObject): string | undefined {
  const hashOf = (p: KubeObject): string => p.labels['pod-template-hash'] ?? p.labels['controller-revision-hash'] ?? '';
  const own = hashOf(pod);
  const top = context.cluster.top(pod);
  if (own === '' || top.kind === 'Pod') return undefined;
  const ready = context.cluster.podsOf(top).filter(isReady);
  if (ready.some((p) => hashOf(p) === own)) return undefined;
  return ready.map(hashOf).find((hash) => hash !== '');
}

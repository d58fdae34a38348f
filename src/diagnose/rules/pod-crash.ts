import { isReady } from '../cluster.js';
import type { Container, Termination } from '../containers.js';
import { ageMs, ageText, type Draft, draftOf, type RuleContext, refOf, say, seenIn, shown } from '../draft.js';
import { explainExit } from '../exit-codes.js';
import { str } from '../json.js';
import type { LogMatch } from '../log-match.js';
import type { MessageKey } from '../messages.js';
import { quoteOf } from '../plain-text.js';
import type { KubeEvent, KubeObject } from '../snapshot.js';
import { describeStep, getStep, logsStep, restartSteps, step, undoSteps } from '../steps.js';
import type { Evidence, NextStep } from '../types.js';
import { dependencyOf } from './dependency.js';
import { type LogVerdict, readLogs } from './pod-log.js';
import { eventsFor } from './pod-waiting.js';
import { settingSteps } from './settings.js';

/** A running container counts as crashing while its last end is this recent and it restarted this often. */
const RECENT_END_MS = 10 * 60_000;
const CRASHING_RESTARTS = 3;
/** A kill for memory is worth saying for this long, although the container runs again. */
const OOM_REMEMBERED_MS = 24 * 3_600_000;
const OOM_FRESH_MS = 3_600_000;

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
    evidence: [...verdict.evidence, ...endEvidence(pod, container, end)],
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
    detail: `${base.detail} ${say(context, verdict.without)}`.trim(),
    evidence: [...verdict.evidence, ...endEvidence(pod, container, end)],
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

function crashBase(
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
    detail: [restarts, revision].filter((s) => s !== '').join(' '),
    role: 'cause' as const,
  };
}

const endedForGood = (container: Container): boolean => container.ended !== undefined && container.restarts === 0;

function titleKey(container: Container, sure: 'because' | 'maybe' | undefined): MessageKey {
  if (endedForGood(container)) return sure === undefined ? 'pod.exited' : `pod.exited.${sure}`;
  return sure === undefined ? 'pod.crash' : `pod.crash.${sure}`;
}

function endEvidence(pod: KubeObject, container: Container, end: Termination | undefined): readonly Evidence[] {
  const state = container.waiting?.reason ?? (container.running === undefined ? 'terminated' : 'running');
  const ended = end === undefined ? '' : `, last end: ${end.reason || '-'}, exit code ${end.exitCode}`;
  return [shown(pod, container.where, `${state}${ended}, restarts: ${container.restarts}`)];
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
      ...(unhealthy === undefined ? [] : [seenIn(unhealthy)]),
      seenIn(killing),
      ...verdict.evidence,
      ...endEvidence(pod, container, end),
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

function oomDraft(context: RuleContext, pod: KubeObject, container: Container): Draft | undefined {
  const end = container.ended?.reason === 'OOMKilled' ? container.ended : container.lastEnded;
  const age = ageMs(context, end?.finishedMs);
  const crashing = isCrashing(context, container);
  if (!crashing && age !== undefined && age > OOM_REMEMBERED_MS) return undefined;
  const { language } = context;
  const limit = str(container.spec, 'resources', 'limits', 'memory');
  const fresh = crashing || age === undefined || age < OOM_FRESH_MS;
  return draftOf(context, {
    ...crashBase(context, pod, container, end, undefined),
    rule: 'pod.oom-killed',
    severity: crashing ? 'critical' : fresh ? 'high' : 'medium',
    certainty: 'confirmed',
    title: 'pod.oom',
    values: { container: container.name, limit: limit === '' ? '' : ` (${quoteOf(limit, 20)})` },
    cause: { text: say(context, 'cause.memory'), certainty: 'likely' },
    detail: [
      say(context, limit === '' && container.spec !== undefined ? 'detail.oom-node' : 'detail.oom'),
      age === undefined
        ? ''
        : say(context, 'detail.restarted', { age: ageText(age), exit: explainExit(end?.exitCode ?? -1, language) }),
    ]
      .join(' ')
      .trim(),
    evidence: [...endEvidence(pod, container, end), ...readLogs(context, pod, container).evidence],
    checks: [
      getStep(language, 'step.describe', { kind: 'Pod', name: pod.name }, refOf(pod), ['-o', 'yaml']),
      step(
        language,
        'step.memory-use',
        {},
        {
          command: ['kubectl', 'top', 'pod', pod.name, '-n', pod.namespace, '--containers'],
          names: [pod.name, pod.namespace],
        },
      ),
      ...settingSteps(context, pod, container, /xmx|heap|java_(?:tool_)?opt|node_options|gomemlimit|memory/i),
    ],
    stopgap: limit === '' ? [] : [step(language, 'step.raise-limit', { container: container.name }, { risk: 'high' })],
    causeKey: 'oom',
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

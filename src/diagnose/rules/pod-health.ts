import type { Container } from '../containers.js';
import {
  ageMs,
  ageText,
  type Draft,
  draftOf,
  nameOf,
  type RuleContext,
  refOf,
  say,
  seenIn,
  shown,
  stateText,
} from '../draft.js';
import { explainExit } from '../exit-codes.js';
import { at } from '../json.js';
import { matchLog } from '../log-match.js';
import { quoteAround } from '../plain-text.js';
import type { KubeObject } from '../snapshot.js';
import { describeStep, logsStep, step } from '../steps.js';
import type { Evidence } from '../types.js';
import { readLogs } from './pod-log.js';
import { eventsFor } from './pod-waiting.js';

/** Restarts that are worth a remark although the container runs. */
const MANY_RESTARTS = 5;
const RESTARTS_REMEMBERED_MS = 24 * 3_600_000;
const FRESH_MS = 3_600_000;
/** A container that started less than this ago may still be starting up. */
const START_UP_MS = 60_000;

/** Runs now, but ended often and not long ago. */
export function restartDraft(context: RuleContext, pod: KubeObject, container: Container): Draft | undefined {
  const end = container.lastEnded;
  const age = ageMs(context, end?.finishedMs);
  if (container.running === undefined || container.restarts < MANY_RESTARTS || end === undefined) return undefined;
  if (age !== undefined && age > RESTARTS_REMEMBERED_MS) return undefined;
  const verdict = readLogs(context, pod, container);
  const signature = verdict.match?.signature;
  return draftOf(context, {
    rule: 'pod.restarts',
    object: pod,
    container: container.name,
    severity: age === undefined || age < FRESH_MS ? 'medium' : 'low',
    certainty: 'confirmed',
    title: 'pod.restarts',
    values: { container: container.name, count: container.restarts },
    ...(signature === undefined
      ? {}
      : { cause: { text: signature.title[context.language], certainty: 'likely' as const } }),
    detail: say(context, 'detail.restarted', { age: ageText(age), exit: explainExit(end.exitCode, context.language) }),
    evidence: [shown(pod, container.where, stateText(context, 'running', container, end)), ...verdict.evidence],
    checks: [logsStep(context.language, refOf(pod), container.name, true), describeStep(context.language, refOf(pod))],
    role: 'cause',
    causeKey: `${end.exitCode}`,
  });
}

const PROBES = [
  [/^Readiness probe/i, 'readiness'],
  [/^Liveness probe/i, 'liveness'],
  [/^Startup probe/i, 'startup'],
] as const;

/** Runs, is not ready, and is past its start: with the probe's own words where an event has them. */
export function probeDrafts(context: RuleContext, pod: KubeObject, container: Container): readonly Draft[] {
  if (container.running === undefined || container.ready || container.role !== 'main') return [];
  const running = ageMs(context, container.running.sinceMs);
  const unhealthy = eventsFor(context, pod, container).find((e) => e.reason === 'Unhealthy');
  const probe = PROBES.find(([pattern]) => pattern.test(unhealthy?.message ?? ''))?.[1];
  if (probe === undefined && running !== undefined && running < START_UP_MS) return [];
  const fromLog = presentLog(context, pod, container);
  return [
    draftOf(context, {
      rule: probe === undefined ? 'pod.not-ready' : `pod.${probe}-probe`,
      object: pod,
      container: container.name,
      severity: 'high',
      certainty: probe === undefined ? 'unknown' : 'confirmed',
      title: probe === undefined ? 'pod.not-ready' : 'pod.probe',
      values: { container: container.name, ...(probe === undefined ? {} : { probe: say(context, `probe.${probe}`) }) },
      ...(fromLog === undefined ? {} : { cause: { text: fromLog.title, certainty: 'likely' as const } }),
      detail: say(context, probe === undefined ? 'detail.probe-unknown' : 'detail.none'),
      evidence: [
        ...(probe === undefined || unhealthy === undefined ? [] : [seenIn(context, unhealthy)]),
        ...(fromLog === undefined ? [] : [fromLog.evidence]),
        shown(pod, container.where, say(context, 'quote.unready', { age: ageText(running) })),
      ],
      checks: [
        ...(at(container.spec, 'readinessProbe') === undefined && probe === undefined
          ? []
          : [step(context.language, 'step.probe', {})]),
        logsStep(context.language, refOf(pod), container.name, false),
        describeStep(context.language, refOf(pod)),
      ],
      role: 'cause',
      causeKey: probe ?? '',
    }),
  ];
}

/** What the log of the present run says: a hint at why the probe fails, and no more. */
function presentLog(
  context: RuleContext,
  pod: KubeObject,
  container: Container,
): { title: string; evidence: Evidence } | undefined {
  const log = context.logs.find(
    (l) =>
      !l.previous &&
      l.pod === pod.name &&
      (l.namespace === '' || l.namespace === pod.namespace) &&
      (l.container === '' || l.container === container.name),
  );
  const match = log === undefined ? undefined : matchLog(log.text);
  if (log === undefined || match === undefined) return undefined;
  const where = say(context, 'where.log', { pod: nameOf(pod), container: container.name });
  return {
    title: match.signature.title[context.language],
    evidence: { callId: log.callId, quote: quoteAround(match.line, match.index), where },
  };
}

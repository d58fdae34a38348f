import type { Container } from '../containers.js';
import { ageMs, ageText, type Draft, draftOf, type RuleContext, refOf, say, seenIn, shown } from '../draft.js';
import { str } from '../json.js';
import { matchLine } from '../log-match.js';
import type { MessageKey } from '../messages.js';
import { quoteOf } from '../plain-text.js';
import type { KubeEvent, KubeObject } from '../snapshot.js';
import { describeStep, getStep, step, undoSteps } from '../steps.js';
import { isoMs } from '../times.js';
import type { Evidence, NextStep } from '../types.js';
import { parseMissing } from './missing.js';

const IMAGE_REASONS = new Set([
  'ImagePullBackOff',
  'ErrImagePull',
  'ErrImageNeverPull',
  'ImageInspectError',
  'RegistryUnavailable',
]);
const CONFIG_REASONS = new Set(['CreateContainerConfigError']);
const START_REASONS = new Set([
  'CreateContainerError',
  'RunContainerError',
  'PreCreateHookError',
  'PreStartHookError',
  'PostStartHookError',
]);
/** A container may be in ContainerCreating this long without an event that explains it. */
const CREATING_STUCK_MS = 2 * 60_000;

/** A container that waits for a reason that does not go away by itself; undefined for all others. */
export function waitingDraft(context: RuleContext, pod: KubeObject, container: Container): Draft | undefined {
  const reason = container.waiting?.reason ?? '';
  if (IMAGE_REASONS.has(reason)) return imageDraft(context, pod, container, reason);
  if (reason === 'InvalidImageName') return invalidImage(context, pod, container);
  if (CONFIG_REASONS.has(reason)) return configDraft(context, pod, container);
  return START_REASONS.has(reason) ? startDraft(context, pod, container, reason) : undefined;
}

const PULL_CAUSES: readonly (readonly [RegExp, MessageKey])[] = [
  [/toomanyrequests|rate limit|\b429\b/i, 'image.rate-limit'],
  [/no such host|server misbehaving|name resolution/i, 'image.dns'],
  [/x509|certificate/i, 'image.tls'],
  [/connection refused/i, 'image.refused'],
  [
    /no match for platform|no matching manifest|does not match the specified platform|exec format/i,
    'image.architecture',
  ],
  [/no space left/i, 'image.disk'],
  [/repository does not exist or may require|pull access denied/i, 'image.not-found-or-private'],
  [
    /unauthorized|authentication required|access denied|requested access .{0,40}denied|403 forbidden|\b401\b|no basic auth credentials/i,
    'image.unauthorized',
  ],
  [/manifest unknown|not found|name unknown|does not exist/i, 'image.not-found'],
  [/i\/o timeout|deadline exceeded|TLS handshake timeout|timed? ?out/i, 'image.timeout'],
  [/is not present with pull policy of Never/i, 'image.never'],
];

/** Why a pull failed, from the kubelet's words. */
export function pullCause(message: string, reason: string): MessageKey {
  if (reason === 'ErrImageNeverPull') return 'image.never';
  return PULL_CAUSES.find(([pattern]) => pattern.test(message.slice(0, 4000)))?.[1] ?? 'image.unknown';
}

function imageDraft(context: RuleContext, pod: KubeObject, container: Container, reason: string): Draft {
  const { language } = context;
  const waiting = container.waiting?.message ?? '';
  // The back-off message often names only the image; the reason stands in the event of the failed pull.
  const event = eventsFor(context, pod, container).find(
    (e) => e.reason === 'Failed' && /pull/i.test(e.message) && pullCause(e.message, '') !== 'image.unknown',
  );
  const fromState = pullCause(waiting, reason);
  const key = fromState === 'image.unknown' && event !== undefined ? pullCause(event.message, reason) : fromState;
  const nameWrong = key === 'image.not-found' || key === 'image.not-found-or-private' || key === 'image.unknown';
  const locked = key === 'image.unauthorized' || key === 'image.not-found-or-private';
  return draftOf(context, {
    rule: 'pod.image-pull',
    object: pod,
    container: container.name,
    severity: 'critical',
    certainty: key === 'image.unknown' ? 'unknown' : 'confirmed',
    title: 'pod.image',
    values: { container: container.name, image: quoteOf(container.image, 120), reason: say(context, key) },
    evidence: [
      shown(pod, `${container.where}.state.waiting`, `${reason}: ${waiting}`),
      ...(event === undefined || fromState !== 'image.unknown' ? [] : [seenIn(context, event)]),
    ],
    checks: [
      ...(nameWrong ? [step(language, 'step.image-name', {})] : []),
      ...(locked ? [step(language, 'step.pull-secret', {})] : []),
      ...(!nameWrong && !locked ? [step(language, 'step.registry', {})] : []),
      describeStep(language, refOf(pod)),
    ],
    stopgap: undoSteps(language, context.cluster.top(pod)),
    role: 'cause',
    causeKey: key,
  });
}

const invalidImage = (context: RuleContext, pod: KubeObject, container: Container): Draft =>
  draftOf(context, {
    rule: 'pod.invalid-image',
    object: pod,
    container: container.name,
    severity: 'critical',
    certainty: 'confirmed',
    title: 'pod.invalid-image',
    values: { container: container.name, image: quoteOf(container.image, 120) },
    evidence: [shown(pod, `${container.where}.state.waiting`, `InvalidImageName: ${container.waiting?.message ?? ''}`)],
    checks: [step(context.language, 'step.image-name', {})],
    stopgap: undoSteps(context.language, context.cluster.top(pod)),
    role: 'cause',
  });

function configDraft(context: RuleContext, pod: KubeObject, container: Container): Draft {
  const message = container.waiting?.message ?? '';
  const missing = parseMissing(context, message, pod.namespace);
  const root = /runAsNonRoot/.test(message);
  return draftOf(context, {
    rule: 'pod.config-error',
    object: pod,
    container: container.name,
    severity: 'critical',
    certainty: 'confirmed',
    title: 'pod.config',
    values: {
      container: container.name,
      reason: missing?.words ?? say(context, root ? 'config.run-as-root' : 'config.other'),
    },
    detail: say(context, 'detail.quoted'),
    evidence: [shown(pod, `${container.where}.state.waiting`, `CreateContainerConfigError: ${message}`)],
    checks: [...(missing?.checks ?? []), describeStep(context.language, refOf(pod))],
    stopgap: undoSteps(context.language, context.cluster.top(pod)),
    role: 'cause',
    causeKey: missing?.words ?? '',
  });
}

function startDraft(context: RuleContext, pod: KubeObject, container: Container, reason: string): Draft {
  const message = container.waiting?.message || (container.lastEnded?.message ?? '');
  const signature = matchLine(message)?.signature;
  return draftOf(context, {
    rule: 'pod.start-error',
    object: pod,
    container: container.name,
    severity: 'critical',
    certainty: signature === undefined ? 'unknown' : 'confirmed',
    title: 'pod.start',
    values: { container: container.name, reason: signature?.title[context.language] ?? say(context, 'config.other') },
    ...(signature === undefined
      ? {}
      : { cause: { text: signature.cause[context.language], certainty: 'likely' as const } }),
    evidence: [shown(pod, `${container.where}.state.waiting`, `${reason}: ${message}`)],
    checks: [
      ...(signature?.checks ?? []).map((text): NextStep => ({ text: text[context.language], risk: 'low' })),
      describeStep(context.language, refOf(pod)),
    ],
    stopgap: undoSteps(context.language, context.cluster.top(pod)),
    role: 'cause',
    causeKey: signature?.id ?? '',
  });
}

/** A pod whose containers are not made: volumes, network, or simply too long. */
export function creatingDraft(
  context: RuleContext,
  pod: KubeObject,
  containers: readonly Container[],
): Draft | undefined {
  const scheduled = str(pod.raw, 'spec', 'nodeName') !== '' && str(pod.raw, 'status', 'phase') === 'Pending';
  const creating = containers.find((c) => ['ContainerCreating', 'PodInitializing'].includes(c.waiting?.reason ?? ''));
  if (!scheduled || (containers.length > 0 && creating === undefined)) return undefined;
  const event = context.cluster
    .eventsOf(pod)
    .find((e) => ['FailedMount', 'FailedAttachVolume', 'FailedCreatePodSandBox', 'FailedMapVolume'].includes(e.reason));
  const age = ageMs(
    context,
    isoMs(str(pod.raw, 'status', 'startTime')) ?? isoMs(str(pod.raw, 'metadata', 'creationTimestamp')),
  );
  if (event !== undefined) return mountDraft(context, pod, event);
  if (age === undefined || age < CREATING_STUCK_MS) return undefined;
  const evidence: Evidence = shown(
    pod,
    creating?.where ?? 'status',
    `waiting: ${creating?.waiting?.reason ?? 'no container status'}`,
  );
  return draftOf(context, {
    rule: 'pod.creating',
    object: pod,
    severity: 'high',
    certainty: 'unknown',
    title: 'pod.creating',
    values: { age: ageText(age) },
    detail: say(context, 'detail.no-event'),
    evidence: [evidence],
    checks: [describeStep(context.language, refOf(pod))],
    role: 'cause',
  });
}

function mountDraft(context: RuleContext, pod: KubeObject, event: KubeEvent): Draft {
  const { language } = context;
  const missing = parseMissing(context, event.message, pod.namespace);
  const key: MessageKey = /multi-attach/i.test(event.message)
    ? 'mount.multi-attach'
    : event.reason === 'FailedCreatePodSandBox'
      ? 'mount.sandbox'
      : event.reason === 'FailedAttachVolume'
        ? 'mount.attach'
        : 'mount.volume';
  return draftOf(context, {
    rule: 'pod.mount',
    object: pod,
    severity: 'high',
    certainty: 'confirmed',
    title: 'pod.mount',
    values: { reason: missing?.words ?? say(context, key) },
    detail: say(context, 'detail.quoted'),
    evidence: [seenIn(context, event)],
    checks: [
      ...(missing?.checks ?? []),
      ...(key === 'mount.multi-attach' || key === 'mount.attach'
        ? [getStep(language, 'step.attachments', {}, { kind: 'volumeattachments', namespace: '', name: '' })]
        : []),
      describeStep(language, refOf(pod)),
    ],
    role: 'cause',
    causeKey: missing?.words ?? key,
  });
}

/** Events about a pod that concern one container, or no container in particular. */
export const eventsFor = (context: RuleContext, pod: KubeObject, container: Container): readonly KubeEvent[] =>
  context.cluster.eventsOf(pod).filter((e) => e.fieldPath === '' || e.fieldPath.endsWith(`{${container.name}}`));

import { type Draft, draftOf, type Rule, type RuleContext, refOf, say, seenIn, shown } from '../draft.js';
import { list, str } from '../json.js';
import type { MessageKey } from '../messages.js';
import { joinSentences, joinWords } from '../say.js';
import { idOf, type KubeEvent, type KubeObject } from '../snapshot.js';
import { describeStep, getStep } from '../steps.js';

/** PersistentVolumeClaims that are not bound, or lost their volume. */
export const claimRule: Rule = (context) =>
  context.cluster.ofKind('PersistentVolumeClaim').flatMap((claim) => judgeClaim(context, claim));

function judgeClaim(context: RuleContext, claim: KubeObject): readonly Draft[] {
  const phase = str(claim.raw, 'status', 'phase');
  if (phase !== 'Pending' && phase !== 'Lost') return [];
  const users = context.cluster
    .inNamespace('Pod', claim.namespace)
    .filter((pod) =>
      list(pod.raw, 'spec', 'volumes').some((v) => str(v, 'persistentVolumeClaim', 'claimName') === claim.name),
    );
  const events = context.cluster.eventsOf(claim);
  const event = events.find((e) => ['ProvisioningFailed', 'FailedBinding'].includes(e.reason)) ?? events[0];
  const waits = phase === 'Pending' && event?.reason === 'WaitForFirstConsumer';
  const key = waits ? 'claim.waiting' : reasonOf(event);
  const reach = users.flatMap((p) => [
    p.id,
    ...context.cluster.owners(p).map(idOf),
    ...context.cluster.servicesOf(p).map((s) => s.id),
  ]);
  const lost = phase === 'Lost';
  return [
    draftOf(context, {
      rule: lost ? 'claim.lost' : 'claim.pending',
      object: claim,
      severity: waits ? 'info' : lost || users.length > 0 ? 'high' : 'medium',
      certainty: lost || key !== undefined ? 'confirmed' : 'unknown',
      title: lost ? 'claim.lost' : key === undefined ? 'claim.pending' : 'claim.pending.because',
      values: key === undefined ? {} : { reason: say(context, key) },
      detail: detailOf(context, users, event),
      evidence: [...(event === undefined ? [] : [seenIn(context, event)]), shown(claim, 'status', `phase: ${phase}`)],
      checks: [
        ...(key === 'claim.no-class' || key === 'claim.class-missing'
          ? [getStep(context.language, 'step.storage-classes', {}, { kind: 'storageclasses', namespace: '', name: '' })]
          : []),
        describeStep(context.language, refOf(claim)),
      ],
      // A claim that waits for its pod is explained by the pod, never the other way round.
      role: waits ? 'symptom' : 'cause',
      reach: waits ? [] : reach,
      causedBy: waits ? users.map((p) => p.id) : [],
      causeKey: claim.name,
    }),
  ];
}

function reasonOf(event: KubeEvent | undefined): MessageKey | undefined {
  const message = event?.message.slice(0, 4000) ?? '';
  if (/no persistent volumes available for this claim and no storage class is set/i.test(message))
    return 'claim.no-class';
  if (/storageclass\S{0,40} "[^"]{1,253}" not found/i.test(message)) return 'claim.class-missing';
  return event?.reason === 'ProvisioningFailed' ? 'claim.provision' : undefined;
}

function detailOf(context: RuleContext, users: readonly KubeObject[], event: KubeEvent | undefined): string {
  const names = users.slice(0, 3).map((p) => p.name);
  const used =
    users.length === 0 ? '' : say(context, 'detail.claim-users', { pods: joinWords(names, context.language) });
  return joinSentences([used, event === undefined ? say(context, 'detail.no-event') : ''], context.language);
}

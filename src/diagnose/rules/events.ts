import { isReady } from '../cluster.js';
import { ageMs, ageText, type Draft, nameOf, type Rule, type RuleContext, say, seenIn } from '../draft.js';
import { MESSAGES } from '../messages.js';
import { quoteOf } from '../plain-text.js';
import { fill } from '../say.js';
import { idOf, type KubeEvent } from '../snapshot.js';
import { getStep } from '../steps.js';
import type { ObjectRef } from '../types.js';

/** An older warning about something that is well now has been overcome. */
const RECENT_MS = 15 * 60_000;
const OFTEN = 3;

/** Warnings, one draft for each object and reason. They are consequences; alone they count only when fresh, frequent and unexplained. */
export const eventRule: Rule = (context) => {
  const groups = new Map<string, KubeEvent[]>();
  for (const event of context.cluster.events) {
    if (event.type !== 'Warning' || isAboutEarlierObject(context, event)) continue;
    const key = `${idOf(topOf(context, event))}|${event.about.kind}|${event.reason}`;
    const group = groups.get(key);
    if (group === undefined) groups.set(key, [event]);
    else group.push(event);
  }
  return [...groups.values()].flatMap((group) => draftFor(context, group) ?? []);
};

/** Alike events of the pods of one workload are one. */
const topOf = (context: RuleContext, event: KubeEvent): ObjectRef => {
  const object = context.cluster.get(event.about);
  return object === undefined ? event.about : context.cluster.top(object);
};

/** Same name, other uid: the object it speaks of is gone. */
function isAboutEarlierObject(context: RuleContext, event: KubeEvent): boolean {
  const object = context.cluster.get(event.about);
  return object !== undefined && object.uid !== '' && event.aboutUid !== '' && object.uid !== event.aboutUid;
}

function draftFor(context: RuleContext, group: readonly KubeEvent[]): Draft | undefined {
  const [newest] = [...group].sort((a, b) => b.timeMs - a.timeMs);
  if (newest === undefined) return undefined;
  const count = group.reduce((sum, e) => sum + e.count, 0);
  const age = ageMs(context, newest.timeMs);
  const object = context.cluster.get(newest.about);
  const well = object?.kind === 'Pod' && isReady(object);
  const fresh = age === undefined || age < RECENT_MS;
  const { about } = newest;
  const single = group.every((e) => idOf(e.about) === idOf(about));
  return {
    finding: {
      rule: 'event.warning',
      object: about,
      severity: 'low',
      certainty: 'confirmed',
      detail: say(context, 'detail.event', { age: ageText(age) }),
      evidence: [seenIn(context, newest)],
      checks: [getStep(context.language, 'step.events', {}, { kind: 'events', namespace: about.namespace, name: '' })],
      stopgap: [],
    },
    titleFor: () =>
      fill(MESSAGES['event.warning'], context.language, {
        subject: nameOf(single ? about : topOf(context, newest)),
        reason: quoteOf(newest.reason, 60),
        count,
      }),
    subject: idOf(about),
    key: `event|${idOf(topOf(context, newest))}|${about.kind}|${newest.reason}`,
    role: 'symptom',
    // The object is gone (nothing to mend), or is well and had it once: not worth a remark of its own.
    alone: fresh && object !== undefined && (!well || count >= OFTEN),
    reach: [],
    causedBy: object === undefined ? [] : context.cluster.owners(object).map(idOf),
  };
}

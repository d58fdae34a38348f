import type { Approver, Clock } from '../domain/ports.js';
import type { Classification, Decision, ToolCall } from '../domain/types.js';

/** How long a yes for a kind of call holds, in ms; it never outlives its session. */
export const GRANT_MS = 30 * 60 * 1000;

/** What one yes may cover, and in which words the person is told. */
export interface Grantable {
  readonly key: string;
  readonly text: string;
}

/**
 * What a yes "for this kind" would cover: the same tool, verb and kind of object in the same namespace of the same cluster. Nothing
 * when the call is critical, unusual (raised, a typed name, a rule that asks), or acts on more than objects that it names.
 */
export function grantableOf(call: ToolCall, decision: Decision, place: string): Grantable | undefined {
  const { classification: does, risk, typeName, rules, raised } = decision;
  const isPlain = risk === 'high' && typeName === undefined && rules.length === 0 && raised.length === 0;
  if (!isPlain || !does || (does.scope !== 'one' && does.scope !== 'several') || does.connection.length > 0)
    return undefined;
  const kinds = [...new Set(does.targets.map((target) => (target.includes('/') ? target.split('/')[0] : '')))].sort();
  const what = [does.program, does.verb, kinds.join(',')].filter((part) => part !== '').join(' ');
  const where = [does.namespace && `in namespace ${does.namespace}`, place && `on ${place}`].filter(Boolean).join(' ');
  return {
    key: JSON.stringify([call.tool.name, what, does.namespace ?? null, place]),
    text: `${[what, where].filter(Boolean).join(' ')}, for ${GRANT_MS / 60_000} minutes`,
  };
}

/** Where a call acts, as far as the session has pinned it: what a grant is bound to. */
export const placeOf = (does: Classification | undefined, context: Readonly<Record<string, string>>): string =>
  (does?.program === 'docker' ? (context.docker_host ?? context.docker_context) : context.kube_context) ?? '';

/** Lets an earlier "yes, for this kind" answer, as long as it holds, and remembers new ones; asks `ask` the rest. */
export function approveByGrant(
  clock: Clock,
  grantable: (call: ToolCall, decision: Decision) => Grantable | undefined,
  ask: Approver,
): Approver {
  const ends = new Map<string, { readonly atMs: number; readonly callId: string }>();
  return {
    async ask(call, decision, signal, inspection) {
      const found = grantable(call, decision);
      const grant = found && ends.get(found.key);
      const nowMs = clock.now().getTime();
      if (grant && nowMs < grant.atMs && nowMs >= grant.atMs - GRANT_MS)
        return { granted: true, by: 'grant', note: `${found.text}; given with ${grant.callId}` };
      const approval = await ask.ask(call, decision, signal, inspection);
      if (found && approval.granted && approval.by === 'user' && approval.remember)
        ends.set(found.key, { atMs: clock.now().getTime() + GRANT_MS, callId: call.id });
      return approval;
    },
  };
}

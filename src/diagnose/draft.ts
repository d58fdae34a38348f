import type { Cluster } from './cluster.js';
import { MESSAGES, type MessageKey } from './messages.js';
import { quoteOf } from './plain-text.js';
import { fill, type Values } from './say.js';
import { type ContainerLog, idOf, type KubeEvent, type KubeObject } from './snapshot.js';
import type { Certainty, Evidence, Finding, Language, NextStep, ObjectRef, Severity } from './types.js';

/**
 * What a rule hands to the grouping: a finding whose title still lacks its subject ("Pod a/b", or "3 pods of …" once alike
 * pods are merged), with what the grouping needs to know.
 */
export interface Draft {
  readonly finding: Omit<Finding, 'title' | 'symptoms' | 'also'>;
  readonly titleFor: (subject: string) => string;
  /** Id of the object it is about. */
  readonly subject: string;
  /** Drafts with the same key are one finding. */
  readonly key: string;
  /** An unexplained draft joins an explained one that has the same value: same workload, same container, same end. */
  readonly likeness?: { readonly value: string; readonly explained: boolean };
  /** A cause explains symptoms; a symptom looks for its cause. */
  readonly role: 'cause' | 'symptom';
  /** Whether it is worth saying when no cause takes it in. */
  readonly alone: boolean;
  /** Ids of objects whose symptoms this cause explains. */
  readonly reach: readonly string[];
  /** Ids of objects whose own cause would explain this draft, although it is a cause itself (a node, a claim). */
  readonly causedBy: readonly string[];
}

/** What every rule gets. Rules are pure: the same context gives the same drafts. */
export interface RuleContext {
  readonly cluster: Cluster;
  readonly logs: readonly ContainerLog[];
  readonly language: Language;
  /** The snapshot's "now", in milliseconds; 0 when the snapshot holds no time. */
  readonly nowMs: number;
}

export type Rule = (context: RuleContext) => readonly Draft[];

/** The reference of an object without the rest of it. */
export const refOf = (object: ObjectRef): ObjectRef => ({
  kind: object.kind,
  namespace: object.namespace,
  name: object.name,
});

/** `Pod production/app-1`; cluster-scoped objects have no namespace. */
export const nameOf = (object: ObjectRef): string =>
  `${object.kind} ${object.namespace === '' ? '' : `${object.namespace}/`}${object.name}`;

/** Age in milliseconds of a time, or undefined when either end is unknown. */
export const ageMs = (context: RuleContext, timeMs: number | undefined): number | undefined =>
  timeMs === undefined || timeMs === 0 || context.nowMs === 0 ? undefined : Math.max(0, context.nowMs - timeMs);

/** What a rule says; `draftOf` adds what follows from it. */
export interface DraftInput {
  readonly rule: string;
  readonly object: KubeObject;
  readonly container?: string;
  readonly severity: Severity;
  readonly certainty: Certainty;
  readonly title: MessageKey;
  readonly values?: Values;
  readonly cause?: Finding['cause'];
  readonly detail?: string;
  readonly evidence: readonly Evidence[];
  readonly checks: readonly NextStep[];
  readonly stopgap?: readonly NextStep[];
  readonly role: Draft['role'];
  /** Default true. */
  readonly alone?: boolean;
  /** Besides the object itself and, for a pod, its owners and services. */
  readonly reach?: readonly string[];
  readonly causedBy?: readonly string[];
  /** What alike objects must share, besides rule, owner and container, to be one finding. */
  readonly causeKey?: string;
  readonly likeness?: { readonly value: string; readonly explained: boolean };
}

/** Completes a draft. A pod's reach holds its owners and the services that select it. */
export function draftOf(context: RuleContext, input: DraftInput): Draft {
  const { cluster, language } = context;
  const { object } = input;
  const around =
    object.kind === 'Pod' ? [...cluster.owners(object).map(idOf), ...cluster.servicesOf(object).map((s) => s.id)] : [];
  return {
    finding: {
      rule: input.rule,
      object: refOf(object),
      ...(input.container === undefined ? {} : { container: input.container }),
      severity: input.severity,
      certainty: input.certainty,
      ...(input.cause === undefined ? {} : { cause: input.cause }),
      detail: input.detail ?? '',
      evidence: input.evidence,
      checks: input.checks,
      stopgap: input.stopgap ?? [],
    },
    titleFor: (subject) => fill(MESSAGES[input.title], language, { ...input.values, subject }),
    subject: object.id,
    key: [input.rule, idOf(cluster.top(object)), input.container ?? '', input.causeKey ?? ''].join('|'),
    ...(input.likeness === undefined
      ? {}
      : {
          likeness: {
            ...input.likeness,
            value: [idOf(cluster.top(object)), input.container ?? '', input.likeness.value].join('|'),
          },
        }),
    role: input.role,
    alone: input.alone ?? true,
    reach: [object.id, ...around, ...(input.reach ?? [])],
    causedBy: input.causedBy ?? [],
  };
}

/** A sentence of the table in the context's language. */
export const say = (context: RuleContext, key: MessageKey, values: Values = {}): string =>
  fill(MESSAGES[key], context.language, values);

/** A field of an object as evidence. */
export const shown = (object: KubeObject, where: string, quote: string): Evidence => ({
  callId: object.callId,
  quote: quoteOf(quote),
  where: `${nameOf(object)} ${where}`,
});

/** How a container stands and how its last run ended, in the context's language. */
export function stateText(
  context: RuleContext,
  state: string,
  container: { readonly restarts: number },
  end: { readonly reason: string; readonly exitCode: number } | undefined,
): string {
  const values = { state, count: container.restarts };
  return end === undefined
    ? say(context, 'quote.state', values)
    : say(context, 'quote.state-ended', { ...values, reason: end.reason || '-', code: end.exitCode });
}

/** An event as evidence. */
export const seenIn = (context: RuleContext, event: KubeEvent): Evidence => ({
  callId: event.callId,
  quote: quoteOf(event.message === '' ? event.reason : event.message),
  where: say(context, 'where.event', { object: nameOf(event.about), reason: quoteOf(event.reason, 60) }),
});

/** `45s`, `12m`, `5h`, `3d`; `?` when unknown. */
export function ageText(ms: number | undefined): string {
  if (ms === undefined) return '?';
  const seconds = Math.round(ms / 1000);
  if (seconds < 120) return `${seconds}s`;
  if (seconds < 7200) return `${Math.round(seconds / 60)}m`;
  return seconds < 172_800 ? `${Math.round(seconds / 3600)}h` : `${Math.round(seconds / 86_400)}d`;
}

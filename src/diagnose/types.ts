import type { Risk } from '../domain/types.js';

export type Language = 'en' | 'zh';
/** One sentence in both languages; `{name}` is filled in by `fill`. */
export type Text = Readonly<Record<Language, string>>;

export const SEVERITIES = ['critical', 'high', 'medium', 'low', 'info'] as const;
/** How bad it is for users of the service, worst first. */
export type Severity = (typeof SEVERITIES)[number];

export const CERTAINTIES = ['confirmed', 'likely', 'unknown'] as const;
/** confirmed: the quoted evidence says so · likely: the evidence suggests it · unknown: nothing seen explains it. */
export type Certainty = (typeof CERTAINTIES)[number];

export interface ObjectRef {
  readonly kind: string;
  /** Empty for cluster-scoped objects. */
  readonly namespace: string;
  readonly name: string;
}

export interface Evidence {
  /** The call of this session whose output shows it. */
  readonly callId: string;
  /** One line of that output, as it was written. Untrusted. */
  readonly quote: string;
  /** Where in the output: `log of app (previous run)`, `status.containerStatuses[app]` … */
  readonly where: string;
}

export interface NextStep {
  readonly text: string;
  /** argv of the command that does it, when one command does. */
  readonly command?: readonly string[];
  readonly risk: Risk;
}

export interface Finding {
  /** Id of the rule, e.g. `pod.crash-loop`. */
  readonly rule: string;
  readonly object: ObjectRef;
  readonly container?: string;
  readonly severity: Severity;
  /** How sure the title is. */
  readonly certainty: Certainty;
  readonly title: string;
  /** What lies behind it, with its own certainty. */
  readonly cause?: { readonly text: string; readonly certainty: Certainty };
  readonly detail: string;
  readonly evidence: readonly Evidence[];
  /** What to look at next; nothing here changes anything. */
  readonly checks: readonly NextStep[];
  /** What brings the service back without removing the cause. */
  readonly stopgap: readonly NextStep[];
  /** What this finding explains. */
  readonly symptoms: readonly Finding[];
  /** Further objects in the same state for the same reason (pods of one ReplicaSet). */
  readonly also: readonly ObjectRef[];
}

/** Something that the diagnosis needed and could not read. Never a proof that it does not exist. */
export interface Unseen {
  readonly what: string;
  readonly why: string;
  readonly hint: string;
}

/** What was read: the kinds, how many objects, by which calls. */
export interface Looked {
  readonly kind: string;
  readonly count: number;
  readonly callIds: readonly string[];
}

export interface Diagnosis {
  /** `production/order-service`, or the namespaces when the whole of them was looked at. */
  readonly target: string;
  readonly language: Language;
  readonly summary: string;
  /** True when nothing of medium severity or worse was found and pods were seen. */
  readonly healthy: boolean;
  readonly findings: readonly Finding[];
  readonly unseen: readonly Unseen[];
  readonly looked: readonly Looked[];
}

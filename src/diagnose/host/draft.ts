import { quoteOf } from '../plain-text.js';
import { fill, type Values } from '../say.js';
import type { Certainty, Evidence, Finding, Language, NextStep, Severity } from '../types.js';
import { HOST_MESSAGES, type HostMessageKey } from './messages.js';

/** A finding before it is known what explains it. Topics are words that rules agree on: `memory`, `disk:/var`, `io` … */
export interface HostDraft {
  readonly finding: Omit<Finding, 'symptoms'>;
  /** What this finding explains when another one names it. */
  readonly topics: readonly string[];
  /** What would explain this one, the best first. */
  readonly causedBy: readonly string[];
}

export interface DraftInput {
  readonly rule: HostMessageKey;
  readonly kind: string;
  readonly name: string;
  readonly severity: Severity;
  readonly certainty?: Certainty;
  readonly values?: Values;
  readonly detail?: string;
  readonly cause?: Finding['cause'];
  readonly evidence: readonly Evidence[];
  readonly checks?: readonly NextStep[];
  readonly stopgap?: readonly NextStep[];
  readonly also?: readonly string[];
  readonly topics?: readonly string[];
  readonly causedBy?: readonly string[];
}

export const sayHost = (language: Language, key: HostMessageKey, values: Values = {}): string =>
  fill(HOST_MESSAGES[key], language, values);

/** Completes a draft: the rule's own sentence is its title. */
export function hostDraft(language: Language, input: DraftInput): HostDraft {
  const object = (name: string) => ({ kind: input.kind, namespace: '', name });
  return {
    finding: {
      rule: input.rule,
      object: object(input.name),
      severity: input.severity,
      certainty: input.certainty ?? 'confirmed',
      title: sayHost(language, input.rule, input.values),
      ...(input.cause === undefined ? {} : { cause: input.cause }),
      detail: input.detail ?? '',
      evidence: input.evidence,
      checks: input.checks ?? [],
      stopgap: input.stopgap ?? [],
      also: (input.also ?? []).map(object),
    },
    topics: input.topics ?? [],
    causedBy: input.causedBy ?? [],
  };
}

export const evidenceOf = (callId: string, quote: string, where: string): Evidence => ({
  callId,
  quote: quoteOf(quote),
  where,
});

/** What may stand in a command as a path, a device or a unit: nothing that could be an option or a shell's affair. */
const SAFE = /^[A-Za-z0-9_/][A-Za-z0-9_/.:@-]*$/;

/** A step with a command, which is left out when one of the values that it names is odd. */
export function hostStep(
  language: Language,
  key: HostMessageKey,
  values: Values = {},
  command?: readonly string[],
  risk: NextStep['risk'] = 'low',
): NextStep {
  const safe = Object.values(values).every((value) => SAFE.test(String(value)));
  return {
    text: sayHost(language, key, values),
    ...(command !== undefined && safe ? { command } : {}),
    risk,
  };
}

/** KiB for people: `512 KiB`, `1.5 GiB`. */
export function sizeText(kib: number): string {
  const units = ['KiB', 'MiB', 'GiB', 'TiB', 'PiB'];
  let value = Math.max(0, kib);
  let unit = 0;
  while (value >= 1024 && unit < units.length - 1) {
    value /= 1024;
    unit++;
  }
  return `${value >= 100 || unit === 0 ? Math.round(value) : Math.round(value * 10) / 10} ${units[unit]}`;
}

/** One decimal at most. */
export const percentText = (value: number): string => `${Math.round(value * 10) / 10}`;

/** The severity whose limit a value reaches; undefined when it reaches none. */
export function gradeAbove(
  value: number,
  limits: { readonly medium: number; readonly high: number; readonly critical?: number },
): Severity | undefined {
  if (limits.critical !== undefined && value >= limits.critical) return 'critical';
  if (value >= limits.high) return 'high';
  return value >= limits.medium ? 'medium' : undefined;
}

export const gradeBelow = (
  value: number,
  limits: { readonly medium: number; readonly high: number },
): Severity | undefined => (value <= limits.high ? 'high' : value <= limits.medium ? 'medium' : undefined);

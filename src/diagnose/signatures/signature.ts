import type { Text } from '../types.js';

/** What a line of a container's log means when it is the last serious thing the container said. */
export interface LogSignature {
  readonly id: string;
  /** Matched against one line of at most 1000 characters. No nested or adjacent unbounded quantifiers: linear time. */
  readonly pattern: RegExp;
  /** Follows "… because" and 原因是: what the line shows, and not more. */
  readonly title: Text;
  /** What usually lies behind it. Never claimed as certain. */
  readonly cause: Text;
  readonly checks: readonly Text[];
  /** What brings the service back for now: a restart, the revision before, or neither. */
  readonly helps: 'restart' | 'rollback' | 'nothing';
  /** 3 names the fault · 2 names its kind · 1 says only that the program broke. */
  readonly weight: 1 | 2 | 3;
  /** Such lines are often followed by a retry that succeeds; a later success makes them irrelevant. */
  readonly transient?: true;
  /** Keys of settings that matter, to be looked up in the pod's ConfigMaps and environment. */
  readonly settings?: RegExp;
}

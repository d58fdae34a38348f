import type { CallError, JsonObject } from '../domain/types.js';
import type { Missing } from './manifest.js';

/** What a call came to. `stdout` is undefined when it is too large to be read. */
export interface RecordedCall {
  readonly status: string;
  readonly exitCode?: number;
  readonly stdout: string | undefined;
  readonly errorText: string;
  readonly error?: CallError;
}

/** What a recording needs from the outside. */
export interface RecordDeps {
  /** Runs a tool on the ordinary path: judged, logged, never more than it. */
  call(tool: string, args: JsonObject): Promise<RecordedCall>;
  /** One line for the person who waits. */
  progress(text: string): void;
  /** Namespaces to record; all when it is left out. */
  readonly namespaces?: readonly string[];
  /** Name of the kube context, for the manifest. */
  readonly context?: string;
  now?(): Date;
}

/** What a recording brought. */
export interface Recording {
  readonly objects: number;
  readonly logs: number;
  readonly missing: readonly Missing[];
}

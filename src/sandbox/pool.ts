import { FILES_HEAP_MIB } from './limits.js';
import type { ModuleRef } from './messages.js';
import { type Child, type GuestJob, type GuestResult, startChild } from './process.js';

export interface GuestKind {
  readonly module: ModuleRef;
  readonly memoryMb: number;
  readonly program?: string;
}

/** The sandbox of a session. */
export interface Sandbox {
  /**
   * Runs one guest, when there is room for it: no more than `parallelism` at the same time.
   * @throws OpsError usage when the module cannot be used, failed when the sandbox cannot be started.
   */
  run(kind: GuestKind, job: GuestJob, signal: AbortSignal): Promise<GuestResult>;
  /** Makes sure that a child waits for a run of this kind. */
  warm(kind: GuestKind): void;
  /** Ends what waits. The sandbox can be used again afterwards. */
  close(): void;
}

/** A child whose heap has grown beyond this is not kept: it would never shrink again. Nor is one whose guest met a limit. */
const KEPT_HEAP_BYTES = (FILES_HEAP_MIB / 8) * 1024 * 1024;

const keyOf = ({ module, memoryMb, program }: GuestKind): string =>
  JSON.stringify([module.path, module.sha256, memoryMb, program === undefined]);

/**
 * Children that run guests, each one guest at a time. One that ended its guest cleanly waits for the next run of its kind: a
 * guest leaves nothing behind that another could see. Any other end is the end of the child.
 */
export function createSandbox(parallelism: number): Sandbox {
  let idle: { readonly key: string; readonly child: Child } | undefined;
  let running = 0;
  const queue: (() => void)[] = [];

  const take = (kind: GuestKind): Child => {
    if (idle?.key === keyOf(kind) && idle.child.alive) {
      const { child } = idle;
      idle = undefined;
      child.hold(true);
      return child;
    }
    return startChild(kind);
  };
  const keep = (kind: GuestKind, child: Child): void => {
    child.hold(false);
    // The one that waits is the interpreter: it is what the next call needs most likely.
    if (idle?.child.alive && kind.program === undefined) {
      child.kill();
      return;
    }
    idle?.child.kill();
    idle = { key: keyOf(kind), child };
  };
  return {
    async run(kind, job, signal) {
      while (running >= parallelism) await new Promise<void>((resolve) => queue.push(resolve));
      running++;
      try {
        const child = take(kind);
        const result = await child.run(job, signal);
        const isClean = result.end.type === 'exited' && result.end.note.limit === undefined;
        if (isClean && result.heapBytes <= KEPT_HEAP_BYTES) keep(kind, child);
        else child.kill();
        return result;
      } finally {
        running--;
        queue.shift()?.();
      }
    },
    warm(kind) {
      if (running > 0 || (idle?.key === keyOf(kind) && idle.child.alive)) return;
      keep(kind, startChild(kind));
    },
    close() {
      idle?.child.kill();
      idle = undefined;
    },
  };
}

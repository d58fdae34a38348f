export type StepEnd = 'done' | 'failed' | 'skipped';

export interface DagStep {
  readonly id: string;
  readonly dependsOn: readonly string[];
}

export interface DagOptions<S extends DagStep> {
  readonly steps: readonly S[];
  /** Runs one step. A step that ends 'failed' skips everything that depends on it. */
  readonly run: (step: S) => Promise<StepEnd>;
  /** Called for each step that never ran, with the dependency or reason. */
  readonly onSkip: (step: S, why: string) => void;
  readonly parallelism: number;
  readonly signal: AbortSignal;
}

/** Ids of the steps that stand on a cycle, or [] when the order exists (Kahn's algorithm). */
export function findCycle(steps: readonly DagStep[]): string[] {
  const waiting = new Map(steps.map((step) => [step.id, new Set(step.dependsOn)]));
  for (;;) {
    const free = [...waiting].filter(([, needs]) => needs.size === 0).map(([id]) => id);
    if (free.length === 0) return [...waiting.keys()];
    for (const id of free) waiting.delete(id);
    for (const needs of waiting.values()) for (const id of free) needs.delete(id);
  }
}

/**
 * Runs steps as soon as what they depend on is done, at most `parallelism` at a time. Ends when every step ended;
 * after an abort no further step starts. Throws what `run` throws, after the running steps ended.
 */
export async function runDag<S extends DagStep>(options: DagOptions<S>): Promise<ReadonlyMap<string, StepEnd>> {
  const ends = new Map<string, StepEnd>();
  const running = new Map<string, Promise<void>>();
  const waiting = new Set(options.steps);
  let thrown: { error: unknown } | undefined;

  const settle = (step: S, end: StepEnd) => {
    ends.set(step.id, end);
    running.delete(step.id);
  };
  const start = (step: S) =>
    options.run(step).then(
      (end) => settle(step, end),
      (error: unknown) => {
        thrown ??= { error };
        settle(step, 'failed');
      },
    );
  const skip = (step: S, why: string) => {
    waiting.delete(step);
    settle(step, 'skipped');
    options.onSkip(step, why);
  };

  while (waiting.size > 0 || running.size > 0) {
    let moved = false;
    for (const step of waiting) {
      const blocker = step.dependsOn.find((id) => ends.get(id) === 'failed' || ends.get(id) === 'skipped');
      if (blocker !== undefined || options.signal.aborted || thrown) {
        skip(step, blocker === undefined ? 'the run was ended' : `${blocker} ${ends.get(blocker)}`);
        moved = true;
      } else if (running.size < options.parallelism && step.dependsOn.every((id) => ends.get(id) === 'done')) {
        waiting.delete(step);
        running.set(step.id, start(step));
        moved = true;
      }
    }
    if (running.size > 0) await Promise.race(running.values());
    else if (!moved) for (const step of waiting) skip(step, 'it waits for a step that does not exist or for itself');
  }
  if (thrown) throw thrown.error;
  return ends;
}

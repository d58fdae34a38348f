import { joinSentences } from '../say.js';
import type { Evidence, NextStep } from '../types.js';
import type { Container } from './container.js';
import {
  ageMs,
  bytesText,
  type DockerContext,
  type DockerDraft,
  exitText,
  findingOf,
  logStep,
  say,
  startStep,
  stateOf,
  step,
} from './context.js';
import { eventEvidence, gradeEnd, likely, OLD_END_MS } from './end-parts.js';
import { readLog } from './log.js';
import type { WordKey } from './words.js';

/** The kernel killed it, or one of its processes, for memory. */
export function oomDraft(context: DockerContext, container: Container, looping: boolean): DockerDraft | undefined {
  const event = context.snapshot.events.findLast((e) => e.container === container.id && e.action === 'oom');
  const runs = container.status === 'running' && !looping;
  if (!container.oomKilled && (event === undefined || (!runs && container.exitCode !== 137))) return undefined;
  const age = ageMs(context, container.finishedMs);
  if (runs && event === undefined && (age === undefined || age > OLD_END_MS)) return undefined;
  const { name, memoryLimit, restarts } = container;
  const limit = memoryLimit > 0 ? ` (${bytesText(memoryLimit)})` : '';
  const title: WordKey =
    runs && !container.oomKilled ? 'title.oom-process' : memoryLimit > 0 ? 'title.oom' : 'title.oom-host';
  const exit = exitText(context, container);
  const evidence: readonly Evidence[] = [
    stateOf(container),
    ...(event ? [eventEvidence(context, container, event)] : []),
    ...readLog(context, container).evidence,
  ];
  return {
    finding: findingOf(container, {
      rule: 'container.oom-killed',
      severity: looping ? 'critical' : gradeEnd(context, container, looping).severity,
      certainty: 'confirmed',
      title: say(context, title, { name, limit }),
      cause: likely(say(context, 'cause.memory')),
      detail: joinSentences(
        [
          restarts > 0
            ? say(context, 'detail.restarts', { count: restarts, exit })
            : say(context, 'detail.exit', { exit }),
          memoryLimit > 0 ? '' : say(context, 'detail.no-limit'),
          container.status === 'exited' && container.policy === 'no'
            ? say(context, 'detail.policy-no', { policy: container.policy })
            : '',
        ],
        context.language,
      ),
      evidence,
      checks: [
        step(context, 'step.stats', { command: ['docker', 'stats', '--no-stream', name], name }),
        step(context, 'step.leak'),
        logStep(context, name),
      ],
      stopgap: oomStopgap(context, container),
    }),
  };
}

function oomStopgap(context: DockerContext, { name, memoryLimit, status }: Container): readonly NextStep[] {
  const more = bytesText(memoryLimit * 2);
  const raise = step(context, 'step.raise-limit', {
    command: ['docker', 'update', `--memory=${more}`, `--memory-swap=${more}`, name],
    name,
    risk: 'high',
  });
  return [...(memoryLimit > 0 ? [raise] : []), ...(status === 'exited' ? [startStep(context, name)] : [])];
}

import { joinSentences } from '../say.js';
import type { Certainty } from '../types.js';
import type { Container } from './container.js';
import {
  ageMs,
  type DockerContext,
  type DockerDraft,
  exitText,
  findingOf,
  logStep,
  restartStep,
  say,
  startStep,
  stateOf,
  step,
} from './context.js';
import { dependencyOf } from './dependency.js';
import { eventEvidence, gradeEnd, isLooping, likely, OLD_END_MS } from './end-parts.js';
import { type LogVerdict, readLog } from './log.js';
import { oomDraft } from './oom.js';
import { explainSignature } from './signature.js';
import type { DockerEvent } from './snapshot.js';
import type { WordKey } from './words.js';

/** A kill from outside comes this shortly before the end it causes. */
const KILL_WINDOW_MS = 70_000;

/** Why a container ends again and again, or ended. */
export function endDraft(context: DockerContext, container: Container): DockerDraft | undefined {
  const looping = isLooping(context, container);
  const ended = container.status === 'exited';
  const oom = oomDraft(context, container, looping);
  if (oom !== undefined) return oom;
  if (!looping && !ended) return runsAgain(context, container);
  if (ended && container.startedMs === undefined) return undefined;
  const killed = killEvent(context, container);
  // A program that ends on SIGTERM with its own code ended well; stopping it was somebody's wish.
  if (ended && (killed !== undefined || container.exitCode === 143) && !container.error) {
    return stopped(context, container, killed);
  }
  if (ended && container.exitCode === 0) return done(context, container);
  return crash(context, container, looping);
}

function crash(context: DockerContext, container: Container, looping: boolean): DockerDraft {
  const verdict = readLog(context, container);
  const dependency = dependencyOf(context, container, verdict.match);
  const signature = verdict.match && explainSignature(context, container, verdict.match.signature);
  const killed = container.exitCode === 137 && verdict.match === undefined;
  const reason = dependency?.reason ?? signature?.title ?? (killed ? say(context, 'reason.sigkill') : undefined);
  const sure = dependency ? 'likely' : killed ? 'confirmed' : verdict.certainty;
  const cause = dependency?.cause ?? signature?.cause ?? (killed ? likely(say(context, 'cause.killed')) : undefined);
  const name = container.name;
  return {
    finding: findingOf(container, {
      ...gradeEnd(context, container, looping),
      certainty: sure,
      title: say(context, titleKey(looping, reason === undefined ? undefined : sure), {
        name,
        code: container.exitCode ?? '?',
        reason: reason ?? '',
      }),
      ...(cause && { cause }),
      detail: details(context, container, verdict),
      evidence: [...verdict.evidence, ...(dependency ? [dependency.evidence] : []), stateOf(container)],
      checks: [...(dependency ? [dependency.check] : []), ...(signature?.checks ?? []), logStep(context, name)],
      stopgap: looping ? (signature?.helps === true ? [restartStep(context, name)] : []) : [startStep(context, name)],
    }),
    ...(dependency && { causedBy: dependency.row.name }),
  };
}

function titleKey(looping: boolean, sure: Certainty | undefined): WordKey {
  const stem = looping ? 'title.loop' : 'title.exited';
  return sure === undefined || sure === 'unknown' ? stem : sure === 'confirmed' ? `${stem}.because` : `${stem}.maybe`;
}

function details(context: DockerContext, container: Container, verdict: LogVerdict): string {
  const exit = exitText(context, container);
  const stays = container.status === 'exited';
  const { policy, maxRetries: max, restarts } = container;
  return joinSentences(
    [
      restarts > 0 ? say(context, 'detail.restarts', { count: restarts, exit }) : say(context, 'detail.exit', { exit }),
      stays && policy === 'no' ? say(context, 'detail.policy-no', { policy }) : '',
      stays && policy === 'on-failure' && max > 0 && restarts >= max ? say(context, 'detail.gave-up', { max }) : '',
      verdict.match === undefined ? say(context, verdict.without) : '',
    ],
    context.language,
  );
}

/** The kill that somebody sent shortly before the last end. */
const killEvent = ({ snapshot }: DockerContext, container: Container): DockerEvent | undefined =>
  snapshot.events.findLast(
    (e) =>
      e.container === container.id &&
      e.action === 'kill' &&
      container.finishedMs !== undefined &&
      e.ms <= container.finishedMs + 1_000 &&
      e.ms >= container.finishedMs - KILL_WINDOW_MS &&
      /^(9|15|2|3)$/.test(e.signal),
  );

function stopped(context: DockerContext, container: Container, event: DockerEvent | undefined): DockerDraft {
  const exit = exitText(context, container);
  return {
    finding: findingOf(container, {
      rule: 'container.stopped',
      severity: gradeEnd(context, container, false).severity === 'low' ? 'low' : 'medium',
      certainty: event === undefined ? 'likely' : 'confirmed',
      title: say(context, 'title.stopped', { name: container.name }),
      detail: joinSentences(
        [say(context, 'detail.exit', { exit }), event === undefined ? say(context, 'detail.code-signal') : ''],
        context.language,
      ),
      evidence: [...(event ? [eventEvidence(context, container, event)] : []), stateOf(container)],
      checks: [
        step(context, 'step.who', {
          command: ['docker', 'events', '--since=24h', '--until=0s', `--filter=container=${container.name}`],
          name: container.name,
        }),
      ],
      stopgap: [startStep(context, container.name, 'step.start-now')],
    }),
  };
}

function done(context: DockerContext, container: Container): DockerDraft {
  const { name, policy } = container;
  const stays = policy === 'no' || policy === 'on-failure';
  return {
    finding: findingOf(container, {
      rule: 'container.done',
      severity: 'info',
      certainty: 'confirmed',
      title: say(context, 'title.done', { name }),
      detail: stays ? say(context, 'detail.policy-no', { policy }) : '',
      evidence: [stateOf(container)],
      checks: [logStep(context, name)],
      stopgap: [startStep(context, name, 'step.start-now')],
    }),
  };
}

function runsAgain(context: DockerContext, container: Container): DockerDraft | undefined {
  const age = ageMs(context, container.finishedMs);
  if (container.status !== 'running' || container.restarts === 0 || age === undefined || age > OLD_END_MS)
    return undefined;
  const verdict = readLog(context, container);
  const signature = verdict.match && explainSignature(context, container, verdict.match.signature);
  return {
    finding: findingOf(container, {
      rule: 'container.restarted',
      severity: 'low',
      certainty: 'confirmed',
      title: say(context, 'title.restarted', { name: container.name, count: container.restarts }),
      ...(signature && { cause: likely(signature.title) }),
      evidence: [...verdict.evidence, stateOf(container)],
      checks: [...(signature?.checks ?? []), logStep(context, container.name)],
    }),
  };
}

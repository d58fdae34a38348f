import type { Evidence, Finding } from '../types.js';
import type { Container } from './container.js';
import { ageMs, type DockerContext, say } from './context.js';
import type { DockerEvent } from './snapshot.js';

/** A running container counts as restarting while its last end is this recent and it restarted this often. */
const RECENT_END_MS = 10 * 60_000;
const LOOPING_RESTARTS = 3;
/** An end this long ago is no emergency. */
export const OLD_END_MS = 24 * 3_600_000;
/** Waiting to be started again, or running between two ends. */
export function isLooping(context: DockerContext, container: Container): boolean {
  if (container.status === 'restarting') return true;
  const age = ageMs(context, container.finishedMs);
  return (
    container.status === 'running' && container.restarts >= LOOPING_RESTARTS && age !== undefined && age < RECENT_END_MS
  );
}

/** Rule and severity of an end; one long ago is no emergency. */
export function gradeEnd(
  context: DockerContext,
  container: Container,
  looping: boolean,
): Pick<Finding, 'rule' | 'severity'> {
  const age = ageMs(context, container.finishedMs);
  const old = !looping && age !== undefined && age > OLD_END_MS;
  return {
    rule: looping ? 'container.restart-loop' : 'container.exited',
    severity: looping ? 'critical' : old ? 'low' : 'high',
  };
}

/** A cause that the evidence suggests. */
export const likely = (text: string): NonNullable<Finding['cause']> => ({ text, certainty: 'likely' });

/** One event, as evidence. */
export const eventEvidence = (context: DockerContext, container: Container, event: DockerEvent): Evidence => ({
  callId: event.callId,
  quote: [event.action, event.signal && `signal ${event.signal}`, event.exitCode && `exitCode ${event.exitCode}`]
    .filter((part) => part !== '')
    .join(', '),
  where: say(context, 'where.event', { name: container.name }),
});

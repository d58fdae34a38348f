import type { LogMatch } from '../log-match.js';
import type { Evidence, Finding, NextStep } from '../types.js';
import type { Container, Row } from './container.js';
import { type DockerContext, listed, say, step } from './context.js';

/** Failures that another container can be the reason of. */
const NETWORK = new Set([
  'dns',
  'connection-refused',
  'connection-reset',
  'timed-out',
  'no-route',
  'kafka-unavailable',
  'amqp-refused',
  'elastic-unavailable',
]);

export interface Dependency {
  readonly row: Row;
  /** Follows "because". */
  readonly reason: string;
  readonly cause: NonNullable<Finding['cause']>;
  readonly evidence: Evidence;
  readonly check: NextStep;
}

/** The container that a network failure names and that does not run, or is unhealthy. */
export function dependencyOf(
  context: DockerContext,
  container: Container,
  match: LogMatch | undefined,
): Dependency | undefined {
  if (match === undefined || !NETWORK.has(match.signature.id)) return undefined;
  const words = new Set(match.line.split(/[^A-Za-z0-9_.-]+/).map((word) => word.replace(/\.+$/, '')));
  const own = context.snapshot.rows.find((row) => row.name === container.name);
  const row = context.snapshot.rows.find(
    (other) =>
      other.name !== container.name &&
      (words.has(other.name) || (other.service !== '' && other.project === own?.project && words.has(other.service))) &&
      (other.state !== 'running' || /\(unhealthy\)/.test(other.status)),
  );
  if (row === undefined) return undefined;
  const values = { other: row.name, status: row.status };
  const key = row.state === 'running' ? 'cause.dependency-unhealthy' : 'cause.dependency';
  return {
    row,
    reason: say(context, row.state === 'running' ? 'reason.other-unhealthy' : 'reason.other-down', values),
    cause: { text: say(context, key, values), certainty: 'likely' },
    evidence: listed(row),
    check: step(context, 'step.other', {
      values,
      command: ['docker', 'logs', '--tail=200', row.name],
      name: row.name,
    }),
  };
}

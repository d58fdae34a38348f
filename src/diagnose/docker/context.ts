import type { Risk } from '../../domain/types.js';
import { explainExit } from '../exit-codes.js';
import { quoteOf } from '../plain-text.js';
import { fill, type Values } from '../say.js';
import type { Evidence, Finding, Language, NextStep } from '../types.js';
import type { Container, Row } from './container.js';
import type { DockerSnapshot } from './snapshot.js';
import { WORDS, type WordKey } from './words.js';

/** What every rule gets. Rules are pure. */
export interface DockerContext {
  readonly snapshot: DockerSnapshot;
  readonly language: Language;
}

/** A rule's finding, with the container whose own fault explains it, when the evidence names one. */
export interface DockerDraft {
  readonly finding: Finding;
  readonly causedBy?: string;
}

/** A sentence of the table. */
export const say = ({ language }: DockerContext, key: WordKey, values: Values = {}): string =>
  fill(WORDS[key], language, values);

/** Names of containers as Docker allows them. Anything else never becomes part of a command. */
const NAME = /^[A-Za-z0-9][A-Za-z0-9_.-]{0,127}$/;

/** A step; its command is left out when the container's name could be read as something else. */
export function step(
  context: DockerContext,
  key: WordKey,
  options: {
    readonly values?: Values;
    readonly command?: readonly string[];
    readonly name?: string;
    readonly risk?: Risk;
  } = {},
): NextStep {
  const safe = options.name === undefined || NAME.test(options.name);
  return {
    text: say(context, key, options.values),
    ...(options.command !== undefined && safe && { command: options.command }),
    risk: options.risk ?? 'low',
  };
}

/** `docker logs` of a container. */
export const logStep = (context: DockerContext, name: string): NextStep =>
  step(context, 'step.log', { command: ['docker', 'logs', '--tail=200', name], name });

/** `docker restart` of a container. */
export const restartStep = (context: DockerContext, name: string): NextStep =>
  step(context, 'step.restart', { command: ['docker', 'restart', name], name, risk: 'high' });

/** `docker start` of a container. */
export const startStep = (context: DockerContext, name: string, key: WordKey = 'step.start'): NextStep =>
  step(context, key, { command: ['docker', 'start', name], name, risk: 'high' });

/** What docker_inspect shows, as evidence. */
export const shown = (container: Container, where: string, quote: string): Evidence => ({
  callId: container.callId,
  quote: quoteOf(quote),
  where: `${container.name} ${where}`,
});

/** A container's line of docker_ps, as evidence. */
export const listed = (row: Row): Evidence => ({
  callId: row.callId,
  quote: quoteOf(row.ports === '' ? row.status : `${row.status}, ${row.ports}`),
  where: `${row.name} docker ps`,
});

/** The container's state in one line, as evidence. */
export function stateOf(container: Container): Evidence {
  const parts = [
    container.status,
    ...(container.exitCode === undefined ? [] : [`ExitCode ${container.exitCode}`]),
    ...(container.oomKilled ? ['OOMKilled true'] : []),
    `RestartCount ${container.restarts}`,
    `RestartPolicy ${container.policy}${container.maxRetries > 0 ? `:${container.maxRetries}` : ''}`,
  ];
  return shown(container, 'State', parts.join(', '));
}

/** Bytes as Docker takes them: `512m`, `2g`. */
export function bytesText(bytes: number): string {
  const mib = bytes / (1024 * 1024);
  return mib >= 1024 && mib % 1024 === 0 ? `${mib / 1024}g` : `${Math.max(1, Math.round(mib))}m`;
}

/** What `findingOf` completes. */
export type FindingInput = Pick<Finding, 'rule' | 'severity' | 'certainty' | 'title' | 'evidence' | 'checks'> &
  Partial<Pick<Finding, 'cause' | 'detail' | 'stopgap'>>;

/** A finding about a container. */
export const findingOf = (container: Pick<Container, 'name'>, input: FindingInput): Finding => ({
  detail: '',
  stopgap: [],
  ...input,
  object: { kind: 'Container', namespace: '', name: container.name },
  symptoms: [],
  also: [],
});

/** Age in milliseconds of a time; undefined when either end is unknown. */
export const ageMs = ({ snapshot }: DockerContext, ms: number | undefined): number | undefined =>
  ms === undefined || snapshot.nowMs === 0 ? undefined : Math.max(0, snapshot.nowMs - ms);

/** What the container's last exit code means. */
export const exitText = (context: DockerContext, { exitCode }: Pick<Container, 'exitCode'>): string =>
  exitCode === undefined
    ? say(context, 'exit.unknown')
    : exitCode === 125
      ? say(context, 'exit.125')
      : explainExit(exitCode, context.language);

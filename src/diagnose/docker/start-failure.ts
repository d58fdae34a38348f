import { quoteOf } from '../plain-text.js';
import type { Finding, NextStep } from '../types.js';
import type { Container, Row } from './container.js';
import {
  type DockerContext,
  type DockerDraft,
  findingOf,
  listed,
  say,
  shown,
  startStep,
  stateOf,
  step,
} from './context.js';
import type { WordKey } from './words.js';

/** What the daemon says when it cannot start a container, most specific first. Texts: dockerd 20.10–28, containerd, runc. DATA. */
const REASONS: readonly { readonly pattern: RegExp; readonly reason: WordKey }[] = [
  {
    pattern: /port is already allocated|address already in use|ports are not available|failed to bind host port/i,
    reason: 'start.port',
  },
  { pattern: /no space left on device/i, reason: 'start.disk' },
  { pattern: /exec format error/i, reason: 'start.platform' },
  {
    pattern:
      /bind source path does not exist|error mounting|not a directory: unknown|trying to mount a directory onto a file/i,
    reason: 'start.mount',
  },
  {
    pattern:
      /error while mounting volume|failed to mount local volume|VolumeDriver|error resolving volume|no such volume/i,
    reason: 'start.volume',
  },
  { pattern: /cannot join network of a non running container|No such container/i, reason: 'start.container-network' },
  {
    pattern: /network \S{1,200} not found|could not find network|failed to set up container networking.*not found/i,
    reason: 'start.network',
  },
  {
    pattern: /error gathering device information|could not select device driver|no such device|nvidia/i,
    reason: 'start.device',
  },
  { pattern: /chdir to cwd|mkdir .{1,300}: not a directory/i, reason: 'start.workdir' },
  {
    pattern:
      /executable file not found in \$PATH|exec: "[^"]{1,300}": stat .{1,300}: no such file|exec .{1,300}: no such file or directory/i,
    reason: 'start.command',
  },
  {
    pattern: /exec: "[^"]{1,300}".{0,200}permission denied|exec .{1,300}: permission denied/i,
    reason: 'start.permission',
  },
  { pattern: /cannot allocate memory|memory limit too low|Minimum memory limit/i, reason: 'start.memory' },
  { pattern: /No such image|pull access denied|manifest unknown/i, reason: 'start.image' },
];

const PORT =
  /:(\d{1,5})(?:\/\w{3,4})? failed|:(\d{1,5}): bind: address already in use|:(\d{1,5}): |exposing port TCP \S{1,60}:(\d{1,5})/i;
const EXEC = /exec:? "?([^":\s]{1,200})"?/i;

/** Why the daemon could not start a container, in its own words; also when the container never was started. */
export function startFailure(context: DockerContext, container: Container): DockerDraft | undefined {
  if (container.status !== 'created' && container.status !== 'exited') return undefined;
  if (container.error === '') return container.status === 'created' ? neverStarted(context, container) : undefined;
  const error = container.error.slice(0, 4_000);
  const reason = REASONS.find(({ pattern }) => pattern.test(error))?.reason ?? 'start.other';
  const port =
    reason === 'start.port'
      ? PORT.exec(error)
          ?.slice(1)
          .find((group) => group !== undefined)
      : undefined;
  const holder = port === undefined ? undefined : holderOf(context, container, port);
  const values = {
    port: port ?? '?',
    other: holder?.name ?? '',
    what: quoteOf(EXEC.exec(error)?.[1] ?? (container.program || '?'), 80),
    arch: context.snapshot.host?.architecture ?? '?',
  };
  const text = say(context, holder === undefined ? reason : 'start.port.by', values);
  const cause: Finding['cause'] =
    reason === 'start.port' && holder === undefined && context.snapshot.rows.length > 0
      ? { text: say(context, 'cause.port-host'), certainty: 'likely' }
      : undefined;
  return {
    finding: findingOf(container, {
      rule: `container.${reason.replace('start.', 'start-')}`,
      severity: 'high',
      certainty: reason === 'start.other' ? 'unknown' : 'confirmed',
      title: say(context, 'title.start', { name: container.name, reason: text }),
      ...(cause && { cause }),
      evidence: [shown(container, 'State.Error', error), ...(holder ? [listed(holder)] : []), stateOf(container)],
      checks: checksFor(context, container, reason, holder),
      stopgap: [startStep(context, container.name)],
    }),
  };
}

function neverStarted(context: DockerContext, container: Container): DockerDraft {
  return {
    finding: findingOf(container, {
      rule: 'container.never-started',
      severity: 'medium',
      certainty: 'confirmed',
      title: say(context, 'title.never', { name: container.name }),
      evidence: [stateOf(container)],
      checks: [],
      stopgap: [startStep(context, container.name, 'step.start-now')],
    }),
  };
}

/** The running container that publishes a host port. */
const holderOf = ({ snapshot }: DockerContext, container: Container, port: string): Row | undefined =>
  snapshot.rows.find((row) => row.name !== container.name && new RegExp(`:${port}->`).test(row.ports));

function checksFor(
  context: DockerContext,
  container: Container,
  reason: WordKey,
  holder: Row | undefined,
): readonly NextStep[] {
  const { name, imageId } = container;
  switch (reason) {
    case 'start.port':
      return holder
        ? [step(context, 'step.port-other', { command: ['docker', 'port', holder.name], name: holder.name })]
        : [step(context, 'step.port-host', { command: ['ss', '-ltnp'] })];
    case 'start.disk':
      return [step(context, 'step.df', { command: ['docker', 'system', 'df'] })];
    case 'start.mount':
    case 'start.volume':
      return [
        step(context, 'step.mount', {
          command: ['docker', 'container', 'inspect', '--format={{json .Mounts}}', name],
          name,
        }),
      ];
    case 'start.network':
      return [step(context, 'step.networks', { command: ['docker', 'network', 'ls'] })];
    case 'start.platform':
      return [platformStep(context, imageId)];
    case 'start.command':
    case 'start.permission':
      return [
        step(context, 'step.command', {
          command: ['docker', 'image', 'inspect', '--format={{json .Config.Entrypoint}} {{json .Config.Cmd}}', imageId],
          name: imageId.replace('sha256:', ''),
        }),
      ];
    default:
      return [
        step(context, 'step.inspect', {
          command: ['docker', 'container', 'inspect', '--format={{json .State}}', name],
          name,
        }),
      ];
  }
}

/** Compares image and host. */
export const platformStep = (context: DockerContext, imageId: string): NextStep =>
  step(context, 'step.platform', {
    command: ['docker', 'image', 'inspect', '--format={{.Os}}/{{.Architecture}}', imageId],
    name: imageId.replace('sha256:', ''),
  });

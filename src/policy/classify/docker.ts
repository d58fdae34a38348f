import type { Classification } from '../../domain/types.js';
import { COMPOSE_GLOBAL, COMPOSE_VERBS } from './docker-compose.js';
import { DOCKER_VERBS } from './docker-verbs.js';
import { flagTable, type Parsed } from './flags.js';
import { draftOf, entryOf, splitVerb } from './verbs.js';
import { conclude } from './verdict.js';

/** They stand before the verb, and only there. */
const GLOBALS = flagTable(
  '!--config= !-c,--context= -D,--debug !-H,--host= -l,--log-level= !--tls !--tlscacert= !--tlscert= !--tlskey= !--tlsverify -v,--version --help',
);
const COMPOSE_GLOBALS = flagTable(COMPOSE_GLOBAL);

/** A session speaks to one daemon, named in every call. */
const PINS = ['--host', '--context'];

const GROUPS =
  `builder buildx checkpoint config container context image manifest network node plugin secret service stack swarm system
  trust volume`.split(/\s+/);

/** The short names of verbs that have several. */
const SHORT: Readonly<Record<string, string>> = {
  'container ls': 'ps',
  'container list': 'ps',
  'container ps': 'ps',
  'container remove': 'rm',
  'image ls': 'images',
  'image list': 'images',
  'image rm': 'rmi',
  'image remove': 'rmi',
  'system info': 'info',
  'system events': 'events',
  'builder build': 'build',
  'buildx build': 'build',
};

/** Reads an argv of docker, without the program. */
export function classifyDocker(items: readonly string[]): Classification {
  const { before, word: first, after } = splitVerb(items, GLOBALS);
  if (first === 'compose') return classifyCompose(items, after, before, 'compose');
  if (!GROUPS.includes(first)) return classifyVerb(items, first, first, after, before);
  const [second = '', ...rest] = after;
  const verb = `${first} ${second}`.trim();
  return classifyVerb(items, verb, shortName(first, second), rest, before);
}

/** Reads an argv of docker-compose, or what follows `docker compose`. */
export function classifyCompose(
  items: readonly string[],
  after: readonly string[] = items,
  docker?: Parsed,
  prefix = '',
): Classification {
  const { before, word, after: rest } = splitVerb(after, COMPOSE_GLOBALS);
  const project = before.flags.get('--project-name')?.at(-1);
  const draft = draftOf(entryOf(COMPOSE_VERBS, word), word, rest);
  const names = (draft.targets ?? []).map((name) => (project === undefined ? name : `${project}/${name}`));
  return conclude(items, {
    ...draft,
    verb: `${prefix} ${word}`.trim(),
    program: docker ? 'docker' : 'docker-compose',
    targets: names.length === 0 && project !== undefined ? [project] : names,
    parsed: [...(docker ? [docker] : []), before, ...draft.parsed],
    pins: docker ? PINS : [],
  });
}

function classifyVerb(
  items: readonly string[],
  verb: string,
  short: string,
  rest: readonly string[],
  before: Parsed,
): Classification {
  const draft = draftOf(entryOf(DOCKER_VERBS, short), verb, rest);
  return conclude(items, { ...draft, program: 'docker', parsed: [before, ...draft.parsed], pins: PINS });
}

const shortName = (group: string, word: string): string => {
  const name = `${group} ${word}`;
  if (Object.hasOwn(SHORT, name)) return SHORT[name] as string;
  if (Object.hasOwn(DOCKER_VERBS, name)) return name;
  const listed = `${group} ${word.replace(/^list$/, 'ls').replace(/^remove$/, 'rm')}`;
  if (Object.hasOwn(DOCKER_VERBS, listed)) return listed;
  return group === 'container' || group === 'image' ? word : name;
};

import { isOn, type Parsed, valuesOf } from './flags.js';
import { changes as changesOf, type Extra, reads, type Verb } from './verbs.js';
import { critical, high, type Maybe, medium } from './verdict.js';

/** They stand before the verb. A file or folder decides what the project is, not whom docker speaks to. */
export const COMPOSE_GLOBAL = `--all-resources --ansi= --compatibility --dry-run --env-file= -f,--file= --parallel= --profile= --progress=
  --project-directory= -p,--project-name= -v,--version -h,--help --verbose !-c,--context= !-H,--host= !--tls !--tlscacert= !--tlscert=
  !--tlskey= !--tlsverify`;

/** Without names it means every service of the project. */
const changes = (names: Verb['names'], reason: string, flags: string, marks?: Extra, more: Partial<Verb> = {}): Verb =>
  changesOf(names, reason, flags, marks, { meansAll: true, ...more });
const UNDO = { reversible: true };
const UP = `--abort-on-container-exit --abort-on-container-failure --always-recreate-deps --attach= --attach-dependencies --build -d,--detach
  --exit-code-from= --force-recreate --menu --no-attach= --no-build --no-color --no-deps --no-log-prefix --no-recreate --no-start --pull=
  --quiet-pull --remove-orphans -V,--renew-anon-volumes --scale= -t,--timeout= --timestamps --wait --wait-timeout= -w,--watch -y,--yes`;

const upMarks = (call: Parsed): Maybe[] => [
  isOn(call, '--renew-anon-volumes') && critical('the data in volumes without a name is lost'),
  isOn(call, '--remove-orphans') && critical('it removes containers that nobody named'),
  valuesOf(call, '--scale').some((value) => /=0+$/.test(value)) &&
    critical('zero containers stop the service completely'),
];

/** The verbs of Compose. */
export const COMPOSE_VERBS: Readonly<Record<string, Verb>> = {
  ps: reads('all', '-a,--all --filter= --format= --no-trunc --orphans -q,--quiet --services --status='),
  ls: reads('all', '-a,--all --filter= --format= -q,--quiet'),
  logs: reads('all', '-f,--follow --index= --no-color --no-log-prefix --since= -n,--tail= -t,--timestamps --until='),
  top: reads('all', ''),
  images: reads('all', '--format= -q,--quiet'),
  port: reads('all', '--index= --protocol='),
  events: reads('all', '--json --since= --until='),
  stats: reads('all', '-a,--all --format= --no-stream --no-trunc'),
  volumes: reads('all', '--format= -q,--quiet'),
  version: reads('all', '-f,--format= --short'),
  config: reads(
    'all',
    '--environment --format= --hash= --images --no-consistency --no-env-resolution --no-interpolate --no-normalize --no-path-resolution -o,--output= --profiles -q,--quiet --resolve-image-digests --services --variables --volumes',
    (call) => [
      medium('it may print the values of environment variables'),
      valuesOf(call, '--output').length > 0 && high('it writes a file on this machine'),
    ],
  ),
  up: changes('all', 'it makes and starts containers, and makes changed ones again', UP, upMarks),
  create: changes(
    'all',
    'it makes containers',
    '--build --force-recreate --no-build --no-recreate --pull= --quiet-pull --remove-orphans --scale= -y,--yes',
    upMarks,
  ),
  start: changes('all', 'it starts containers', '--wait --wait-timeout=', undefined, UNDO),
  restart: changes('all', 'it ends programs and starts them again', '--no-deps -t,--timeout=', undefined, UNDO),
  stop: changes('all', 'it ends programs', '-t,--timeout=', undefined, UNDO),
  pause: changes('all', 'it halts programs', '', undefined, UNDO),
  unpause: changes('all', 'it lets programs run on', '', undefined, UNDO),
  scale: changes('all', 'it changes how many containers run', '--no-deps', (call) => [
    call.words.some((word) => /=0+$/.test(word)) && critical('zero containers stop the service completely'),
  ]),
  kill: changes('all', 'it kills programs', '--remove-orphans -s,--signal=', (call) => [
    !valuesOf(call, '--signal').some((signal) => !/KILL|^9$/i.test(signal)) &&
      critical('the programs get no time to finish their work'),
  ]),
  down: changes(
    'all',
    'it removes the containers and networks of the project',
    '--remove-orphans --rmi= -t,--timeout= -v,--volumes',
    (call) => [
      isOn(call, '--volumes') && critical('the data on the volumes of the project is deleted for good'),
      critical('it removes every container of the project, with what they wrote outside volumes'),
    ],
  ),
  rm: changes('all', 'it removes stopped containers', '-f,--force -s,--stop -v,--volumes', (call) => [
    isOn(call, '--volumes') && critical('the data in volumes without a name is deleted for good'),
  ]),
  exec: changes(
    'all',
    'it runs a program in a container; what that does is not known here',
    '-d,--detach -e,--env= --index= -T,--no-TTY,--no-tty -i,--interactive --privileged -t,--tty -u,--user= -w,--workdir=',
    (call) => [isOn(call, '--privileged') && critical('such a program can do on the host whatever root can')],
    { names: 'first', stops: true },
  ),
  run: changes(
    'all',
    'it starts a program in a new container',
    '--build --cap-add= --cap-drop= -d,--detach --entrypoint= -e,--env= --env-from-file= -i,--interactive -l,--label= --name= -T,--no-TTY --no-deps -p,--publish= --pull= --quiet -q --quiet-build --quiet-pull --remove-orphans --rm -P,--service-ports --use-aliases -u,--user= -v,--volume= -w,--workdir=',
    (call) => [valuesOf(call, '--cap-add', '--volume').length > 0 && critical('it gives the program more of the host')],
    { names: 'first', stops: true },
  ),
  build: changes(
    'all',
    'it runs what Dockerfiles say',
    '--build-arg= --builder= --check -m,--memory= --no-cache --print --provenance= --pull --push -q,--quiet --sbom= --ssh= --with-dependencies',
  ),
  pull: changes(
    'all',
    'it fetches images',
    '--ignore-buildable --ignore-pull-failures --include-deps --policy= -q,--quiet',
  ),
  push: changes('all', 'it publishes images', '--ignore-push-failures --include-deps -q,--quiet'),
  cp: changes(
    'all',
    'it copies files between a container and this machine',
    '-a,--archive -L,--follow-link --index= --all',
  ),
};

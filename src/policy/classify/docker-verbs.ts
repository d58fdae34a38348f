import { posix } from 'node:path';
import { isOn, type Parsed, valuesOf } from './flags.js';
import { isKnownText } from './known-texts.js';
import { changes, reads, UNDO, type Verb } from './verbs.js';
import { critical, type Maybe, medium } from './verdict.js';

const LIST = '-a,--all -f,--filter= --format= --no-trunc -q,--quiet';
const killed = (call: Parsed): Maybe[] => [
  valuesOf(call, '--signal').some((signal) => /^(SIG)?KILL$|^9$/i.test(signal)) &&
    critical('the program gets no time to finish its work; data may be damaged'),
];
const prunes = (what: string): Verb =>
  changes(
    'none',
    what,
    '-a,--all --filter= -f,--force --volumes --keep-storage= --reserved-space= --max-used-space= --min-free-space= --builder= --verbose',
    () => [critical(`it deletes ${what} that nobody named`)],
    { meansAll: true },
  );

/** A template that prints whole objects, or the parts where environment variables stand. */
const WHOLE =
  /\bjson\b(?![^}]*\.(?:State|NetworkSettings|Mounts|HostConfig|Name|Id|Created|Image|RestartCount)\b)|\.Config\s*[})|]|Env\b|\.Args\b|\.Cmd\b|[({\s]\.\s*[})|]/;

const inspect = (): Verb =>
  reads('all', '-f,--format= -s,--size --type= --platform= -v,--verbose', (call) => {
    const templates = valuesOf(call, '--format');
    const prints = templates.length === 0 || templates.some((text) => !isKnownText(text) && WHOLE.test(text));
    return [prints && medium('it may print the values of environment variables')];
  });

const HOST_PATH =
  /(^|=)\/+(\.\/*)*:|(^|=)\/(etc|root|boot|dev|proc|sys|var|run|usr|lib|bin|sbin|home)(\/|:|,|$)|(src|source)=\/+(,|$)|(docker|containerd|podman)\.sock/;
const HOST_FOLDER = /^\/((etc|root|boot|dev|proc|sys|var|run|usr|lib|bin|sbin|home)(\/|$)|$)/;

/** Whether a volume or mount gives files of the host away. docker cleans a path up before it uses it: `//etc`, `/srv/../etc`. */
function opensHost(value: string): boolean {
  const plain = value.replaceAll('"', '');
  const [volume = '', target] = plain.split(':');
  const mounts = plain.split(',').flatMap((part) => /^\s*(?:src|source)=(.*)$/is.exec(part)?.[1] ?? []);
  const sources = [...mounts, ...(target === undefined ? [] : [volume])];
  return (
    HOST_PATH.test(plain) ||
    sources.some((source) => source.split('/').includes('..') || HOST_FOLDER.test(posix.normalize(source)))
  );
}

const ALL_RIGHTS = 'such a container can do on the host whatever root can';

const runMarks = (call: Parsed): Maybe[] => [
  isOn(call, '--privileged') && critical(ALL_RIGHTS),
  valuesOf(call, '--cap-add', '--device', '--security-opt', '--volumes-from', '--device-cgroup-rule').length > 0 &&
    critical(ALL_RIGHTS),
  valuesOf(call, '--pid', '--userns', '--ipc', '--uts', '--network', '--cgroupns').some((value) => value === 'host') &&
    critical(ALL_RIGHTS),
  valuesOf(call, '--volume', '--mount').some(opensHost) && critical('it gives the container files of the host'),
  isOn(call, '--use-api-socket') && critical(ALL_RIGHTS),
];

/** The options of `docker run`: those that take a value, then the switches. */
const RUN_VALUES = `add-host annotation blkio-weight blkio-weight-device cap-add cap-drop cgroup-parent cgroupns cidfile cpu-count cpu-percent
  cpu-period cpu-quota cpu-rt-period cpu-rt-runtime cpus cpuset-cpus cpuset-mems detach-keys device device-cgroup-rule device-read-bps
  device-read-iops device-write-bps device-write-iops dns dns-option dns-search domainname entrypoint env-file expose gpus group-add
  health-cmd health-interval health-retries health-start-interval health-start-period health-timeout ip ip6 ipc isolation kernel-memory
  label-file link link-local-ip log-driver log-opt mac-address memory-reservation memory-swap memory-swappiness mount name network
  network-alias oom-score-adj pid pids-limit platform pull restart runtime security-opt shm-size stop-signal stop-timeout storage-opt
  sysctl tmpfs ulimit userns uts volume-driver volumes-from`;
const RUN = `${RUN_VALUES.replaceAll(/[a-z][\w-]*/g, '--$&=')} -a,--attach= -c,--cpu-shares= -e,--env= -h,--hostname= -l,--label= -m,--memory=
  -p,--publish= -u,--user= -v,--volume= -w,--workdir= -d,--detach --disable-content-trust --help --init -i,--interactive --no-healthcheck
  --oom-kill-disable --privileged -P,--publish-all -q,--quiet --read-only --rm --sig-proxy -t,--tty --use-api-socket`;

const stop = '-s,--signal= -t,--time,--timeout=';

/** The verbs, under their short names: `rm` for `container rm`. */
export const DOCKER_VERBS: Readonly<Record<string, Verb>> = {
  ps: reads('none', `${LIST} -n,--last= -l,--latest -s,--size`),
  images: reads('none', `${LIST} --digests --tree`),
  logs: reads('first', '--details -f,--follow --since= -n,--tail= -t,--timestamps --until='),
  inspect: inspect(),
  'image inspect': inspect(),
  'network inspect': reads('all', '-f,--format= -v,--verbose'),
  'volume inspect': reads('all', '-f,--format='),
  stats: reads('all', '-a,--all --format= --no-stream --no-trunc'),
  top: { ...reads('first', ''), stops: true },
  port: reads('first', ''),
  diff: reads('first', ''),
  wait: reads('all', ''),
  events: reads('none', '-f,--filter= --format= --since= --until='),
  info: reads('none', '-f,--format='),
  version: reads('none', '-f,--format='),
  'system df': reads('none', '--format= -v,--verbose'),
  history: reads('first', '--format= -H,--human --no-trunc -q,--quiet --platform=', () => [
    medium('build arguments stand in the history'),
  ]),
  search: reads('none', '-f,--filter= --format= --limit= --no-trunc'),
  help: reads('none', ''),
  'network ls': reads('none', LIST),
  'volume ls': reads('none', `${LIST} --cluster`),
  'context ls': reads('none', '--format= -q,--quiet'),
  'context show': reads('none', ''),
  'context inspect': reads('all', '-f,--format='),
  'manifest inspect': reads('all', '--insecure -v,--verbose'),
  'node ls': reads('none', LIST),
  'node ps': reads('all', `${LIST} --no-resolve`),
  'node inspect': reads('all', '-f,--format= --pretty'),
  'service ls': reads('none', LIST),
  'service ps': reads('all', `${LIST} --no-resolve`),
  'service logs': reads(
    'first',
    '--details -f,--follow --no-resolve --no-task-ids --no-trunc --raw --since= -n,--tail= -t,--timestamps',
  ),
  'service inspect': inspect(),
  'stack ls': reads('none', '--format= --orchestrator='),
  'stack ps': reads('all', `${LIST} --no-resolve`),
  'stack services': reads('all', LIST),
  'config ls': reads('none', LIST),
  'secret ls': reads('none', LIST),
  'secret inspect': reads('all', '-f,--format= --pretty'),
  'plugin ls': reads('none', LIST),
  restart: changes('all', 'it ends programs and starts them again', stop, killed, UNDO),
  stop: changes('all', 'it ends programs', stop, killed, UNDO),
  start: changes(
    'all',
    'it starts containers',
    '-a,--attach --detach-keys= -i,--interactive --checkpoint= --checkpoint-dir=',
    undefined,
    UNDO,
  ),
  pause: changes('all', 'it halts programs', '', undefined, UNDO),
  unpause: changes('all', 'it lets programs run on', '', undefined, UNDO),
  kill: changes('all', 'it sends a signal', '-s,--signal=', (call) => [
    ...killed(call),
    valuesOf(call, '--signal').length === 0 && critical('without a signal it kills at once; data may be damaged'),
  ]),
  rename: changes('all', 'it renames a container', '', undefined, UNDO),
  update: changes(
    'all',
    'it changes limits',
    `${RUN_VALUES.replaceAll(/[a-z][\w-]*/g, '--$&=')} -c,--cpu-shares= -m,--memory=`,
    undefined,
    UNDO,
  ),
  rm: changes(
    'all',
    'it removes containers with what they wrote outside volumes',
    '-f,--force -l,--link -v,--volumes',
    (call) => [
      isOn(call, '--volumes') && critical('the data in its volumes without a name is deleted for good'),
      isOn(call, '--force') && critical('a running program is killed without time to finish its work'),
    ],
  ),
  rmi: changes('all', 'it removes images', '-f,--force --no-prune --platform=', (call) => [
    isOn(call, '--force') && critical('it removes images that are in use'),
  ]),
  exec: changes(
    'first',
    'it runs a program in a container; what that does is not known here',
    '-d,--detach --detach-keys= -e,--env= --env-file= -i,--interactive --privileged -t,--tty -u,--user= -w,--workdir=',
    (call) => [isOn(call, '--privileged') && critical(ALL_RIGHTS)],
    { stops: true },
  ),
  run: changes('first', 'it starts a program in a new container', RUN, runMarks, { stops: true }),
  create: changes('first', 'it makes a container', RUN, runMarks, { stops: true }),
  attach: changes('first', 'it speaks to a running program', '--detach-keys= --no-stdin --sig-proxy'),
  cp: changes(
    'all',
    'it copies files between a container and this machine',
    '-a,--archive -L,--follow-link -q,--quiet',
  ),
  commit: changes('first', 'it makes an image of a container', '-a,--author= -c,--change= -m,--message= -p,--pause'),
  build: changes(
    'none',
    'it runs what a Dockerfile says',
    '--add-host= --build-arg= -f,--file= --label= --network= --no-cache --platform= --pull -q,--quiet --rm -t,--tag= --target= --secret= --ssh= -o,--output= --progress= --load --push',
  ),
  pull: changes('all', 'it fetches an image', '-a,--all-tags --disable-content-trust --platform= -q,--quiet'),
  push: changes('all', 'it publishes an image', '-a,--all-tags --disable-content-trust -q,--quiet --platform='),
  tag: changes('all', 'it names an image', ''),
  'system prune': prunes('containers, networks, images and perhaps volumes'),
  'container prune': prunes('containers'),
  'image prune': prunes('images'),
  'network prune': prunes('networks'),
  'volume prune': prunes('volumes with their data'),
  'builder prune': prunes('the build cache'),
  'buildx prune': prunes('the build cache'),
  'volume rm': changes('all', 'it removes volumes', '-f,--force', () => [
    critical('the data on the volume is deleted for good'),
  ]),
  'volume create': changes('all', 'it makes a volume', '-d,--driver= --label= --name= -o,--opt='),
  'network rm': changes('all', 'it removes networks', '-f,--force'),
  'network create': changes(
    'all',
    'it makes a network',
    '--attachable --aux-address= --config-from= --config-only -d,--driver= --gateway= --ingress --internal --ip-range= --ipam-driver= --ipam-opt= --ipv4 --ipv6 --label= -o,--opt= --scope= --subnet=',
  ),
  'network connect': changes(
    'all',
    'it connects a container',
    '--alias= --driver-opt= --gw-priority= --ip= --ip6= --link= --link-local-ip=',
    undefined,
    UNDO,
  ),
  'network disconnect': changes('all', 'it cuts a container off a network', '-f,--force', undefined, UNDO),
  'service scale': changes(
    'all',
    'it changes how many tasks run',
    '-d,--detach',
    (call) => [call.words.some((word) => /=0+$/.test(word)) && critical('zero tasks stop the service completely')],
    UNDO,
  ),
  'service rm': changes('all', 'it removes services', '', () => [critical('the definition of the service is lost')]),
  'stack rm': changes('all', 'it removes stacks', '-d,--detach --orchestrator=', () => [
    critical('it removes every service of the stack'),
  ]),
  'swarm leave': changes('none', 'this host leaves the swarm', '-f,--force', () => [
    critical('this host leaves the swarm'),
  ]),
  'node rm': changes('all', 'it removes nodes', '-f,--force', () => [critical('it removes a node of the swarm')]),
  'secret rm': changes('all', 'it removes secrets', '', () => [critical('the secret is lost')]),
  'config rm': changes('all', 'it removes configurations', '', () => [critical('the configuration is lost')]),
  'context use': changes('all', 'it changes which daemon later calls reach', ''),
};

import type { KubectlCall } from './kubectl-call.js';
import { changes, REPLACE, SAVE } from './kubectl-changes.js';
import { FILES, PRINT, type Verb } from './kubectl-reads.js';
import { critical, type Maybe } from './verdict.js';

const INTO = '-c,--container= -i,--stdin -t,--tty -q,--quiet --pod-running-timeout=';

const debugMarks = (call: KubectlCall): Maybe[] => [
  call.kinds.includes('node') && critical('it starts a pod with the file system of the node'),
  call.values('--profile').some((name) => name === 'sysadmin') &&
    critical('it starts a container with all rights on the node'),
];

const opensToOthers = (addresses: readonly string[]): Maybe =>
  addresses.some((address) => !address.split(',').every((one) => /^(localhost|127\.[\d.]+|::1)$/.test(one))) &&
  critical('other machines can use it, with your rights');

/** The verbs that run a program, or open a way to one. */
export const RUNS: Readonly<Record<string, Verb>> = {
  run: changes(
    'it starts a pod',
    `${FILES} ${PRINT} ${SAVE} ${REPLACE} ${INTO} --annotations= --attach --command --env= --expose --image= --image-pull-policy= -l,--labels= --leave-stdin-open --override-type= --overrides= --port= --privileged --restart= --rm`,
    {
      takes: 'pod',
      marks: (call) => [
        call.on('--privileged') && critical('a privileged pod can do on the node whatever root can'),
        call.values('--overrides').length > 0 && critical('overrides can give the pod any right'),
      ],
    },
  ),
  exec: changes('it runs a program in a pod; what that does is not known here', `${INTO} -f,--filename=`, {
    takes: 'pod',
  }),
  attach: changes('it speaks to a running program', INTO, { takes: 'pod' }),
  cp: changes('it copies files between a pod and this machine', '-c,--container= --no-preserve --retries=', {
    takes: 'nothing',
  }),
  debug: changes(
    'it starts a container beside or instead of one',
    `${INTO} -f,--filename= --arguments-only --attach --copy-to= --custom= --env= --image= --image-pull-policy= --keep-annotations --keep-init-containers --keep-labels --keep-liveness --keep-readiness --keep-startup --profile= --replace --same-node --set-image= --share-processes --target=`,
    {
      takes: 'pod',
      marks: debugMarks,
    },
  ),
  'port-forward': changes(
    'it opens a port on this machine that leads into the cluster',
    '--address= --pod-running-timeout=',
    {
      takes: 'pod',
      marks: (call) => [opensToOthers(call.values('--address'))],
    },
  ),
  proxy: changes(
    'it opens the API to every program on this machine, with your rights',
    '--accept-hosts= --accept-paths= --address= --api-prefix= --append-server-path --disable-filter --keepalive= -p,--port= --reject-methods= --reject-paths= -u,--unix-socket= -w,--www= -P,--www-prefix=',
    {
      takes: 'nothing',
      marks: (call) => [
        opensToOthers(call.values('--address')),
        (call.on('--disable-filter') || call.values('--accept-hosts').length > 0) &&
          critical('other machines may use it, with your rights'),
      ],
    },
  ),
};

import type { ServiceFault } from '../domain/ports.js';
import type { CallError } from '../domain/types.js';

interface Sign {
  /** Program this sign belongs to. */
  readonly program: string;
  readonly pattern: RegExp;
  readonly error: Omit<CallError, 'message'>;
  readonly service?: ServiceFault;
}

const UNREACHABLE = {
  category: 'network',
  exit: 'unavailable',
  hint: 'Check the cluster address and your network or VPN (kubectl cluster-info), or work from a dump with --dump DIR.',
} as const;
const NO_CONFIG = {
  category: 'network',
  exit: 'unavailable',
  hint: 'kubectl found no usable kubeconfig: set KUBECONFIG or --context, or work from a dump with --dump DIR.',
} as const;
const LOGGED_OUT = {
  category: 'network',
  exit: 'unavailable',
  hint: 'The cluster did not accept your credentials: log in again, or choose another context with --context.',
} as const;
const NO_DAEMON = {
  category: 'network',
  exit: 'unavailable',
  hint: 'Check that the Docker daemon runs (systemctl status docker) and that DOCKER_HOST or the context points to it (docker context ls).',
} as const;

/** Client messages that a person must act on before any further call can work. Texts: client-go and kubectl 1.20–1.32, docker 20.10–29. */
const SIGNS: readonly Sign[] = [
  { program: 'kubectl', pattern: /connection to the server localhost:8080 was refused/i, error: NO_CONFIG },
  {
    program: 'kubectl',
    pattern:
      /no configuration has been provided|invalid configuration|error loading config file|unable to read client-(cert|key)|unable to read certificate-authority/i,
    error: NO_CONFIG,
  },
  {
    program: 'kubectl',
    pattern: /context .* does not exist|context was not found/i,
    error: {
      ...NO_CONFIG,
      category: 'validation',
      exit: 'usage',
      hint: 'List the contexts with: kubectl config get-contexts',
    },
  },
  // Before the unreachable cluster: a refused log-in also fails to list the API groups, and its message says both.
  {
    program: 'kubectl',
    pattern: /must be logged in to the server|\bUnauthorized\b|provide credentials|getting credentials/i,
    error: LOGGED_OUT,
  },
  // What the API server itself says of a node, a webhook or an aggregated API that it cannot reach: the cluster answers.
  {
    program: 'kubectl',
    pattern: /^Error from server\b.*(?:dial tcp|i\/o timeout|no such host|connection refused|x509:)/im,
    error: {
      category: 'network',
      hint: 'The API server answers, but cannot reach what the message names: look at that node, webhook or service.',
    },
  },
  {
    program: 'kubectl',
    pattern: /etcdserver: (?:request timed out|leader changed|no leader)/i,
    error: {
      category: 'network',
      hint: "The store of the API server (etcd) does not answer it: look at the control plane's nodes.",
    },
    service: 'failing',
  },
  {
    program: 'docker',
    // Before "cannot connect": new clients say both.
    pattern: /permission denied while trying to connect to the docker/i,
    error: {
      ...NO_DAEMON,
      hint: 'Your user may not use the Docker socket: join its group (sudo usermod -aG docker "$USER", then log in again; members can become root), or set DOCKER_HOST to a daemon that you may use.',
    },
  },
  {
    program: 'docker',
    pattern: /unable to resolve docker endpoint|context "[^"]{1,200}": context not found/i,
    error: {
      category: 'validation',
      exit: 'usage',
      hint: 'List the contexts with docker context ls, and set DOCKER_CONTEXT to one of them or unset it.',
    },
  },
  {
    program: 'docker',
    pattern:
      /cannot connect to the docker daemon|failed to connect to the docker API|error during connect:|client sent an HTTP request to an HTTPS server/i,
    error: NO_DAEMON,
    service: 'unreachable',
  },
  {
    program: 'docker',
    pattern: /client version \d[\d.]* is too (?:new|old)/i,
    error: {
      ...NO_DAEMON,
      hint: 'Client and daemon do not understand each other: set DOCKER_API_VERSION to the version that the message names, or update the older of the two.',
    },
  },
  {
    program: 'docker',
    pattern:
      /'compose' is not a docker command|unknown command: docker compose|unknown (?:shorthand )?flag: [\s\S]{1,200}docker --help/i,
    error: {
      category: 'validation',
      exit: 'usage',
      hint: 'This Docker client lacks the Compose plug-in (Debian docker-compose-v2, or docker-compose-plugin of Docker), or is too old for this option.',
    },
  },
  // A certificate does not mend itself: neither is it worth another try, nor does it say that the cluster is down.
  { program: 'kubectl', pattern: /x509:/i, error: UNREACHABLE },
  {
    program: 'kubectl',
    pattern:
      /connection to the server .* was refused|unable to connect to the server|dial tcp|no such host|i\/o timeout|TLS handshake timeout|net\/http: request canceled|couldn't get current server API group list/i,
    error: UNREACHABLE,
    service: 'unreachable',
  },
];

/** What a failed command means when its stderr says that the set-up is at fault; undefined when it says something else. */
export function explainFailure(program: string, stderr: string): Pick<Sign, 'error' | 'service'> | undefined {
  const name = program.split('/').at(-1) ?? program;
  // The words of a program in a container, which kubectl exec passes on: they say nothing of the cluster.
  if (name === 'kubectl' && /^command terminated with exit code \d+/m.test(stderr)) return undefined;
  return SIGNS.find((sign) => sign.program === name && sign.pattern.test(stderr));
}

import type { CallError } from '../domain/types.js';

interface Sign {
  /** Program this sign belongs to. */
  readonly program: string;
  readonly pattern: RegExp;
  readonly error: Omit<CallError, 'message'>;
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

/** Client messages that a person must act on before any further call can work. Texts: client-go and kubectl 1.20–1.32. */
const SIGNS: readonly Sign[] = [
  { program: 'kubectl', pattern: /connection to the server localhost:8080 was refused/i, error: NO_CONFIG },
  {
    program: 'kubectl',
    pattern: /no configuration has been provided|invalid configuration|error loading config file/i,
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
  {
    program: 'kubectl',
    pattern:
      /connection to the server .* was refused|unable to connect to the server|dial tcp|no such host|i\/o timeout|TLS handshake timeout|x509:|net\/http: request canceled|couldn't get current server API group list/i,
    error: UNREACHABLE,
  },
  {
    program: 'kubectl',
    pattern: /must be logged in to the server|\bUnauthorized\b|provide credentials|getting credentials/i,
    error: LOGGED_OUT,
  },
];

/** What a failed command means when its stderr says that the set-up is at fault; undefined when it says something else. */
export function explainFailure(program: string, stderr: string): Omit<CallError, 'message'> | undefined {
  const name = program.split('/').at(-1) ?? program;
  return SIGNS.find((sign) => sign.program === name && sign.pattern.test(stderr))?.error;
}

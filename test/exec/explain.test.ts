import { describe, expect, test } from 'vitest';
import { command } from '../../src/exec/command.js';
import { explainFailure } from '../../src/exec/explain.js';
import { aClearedCall, aRunContext } from '../helpers/run-context.js';

describe('what kubectl and docker say of the service behind them', () => {
  test.each([
    ['kubectl', 'Error from server (NotFound): pods "x" not found', undefined],
    ['kubectl', 'Error from server (Forbidden): pods is forbidden: User "x" cannot list resource "pods"', undefined],
    ['kubectl', 'error: You must be logged in to the server (Unauthorized)', undefined],
    ['kubectl', 'error: context "prod" does not exist', undefined],
    [
      'kubectl',
      'The connection to the server localhost:8080 was refused - did you specify the right host or port?',
      undefined,
    ],
    [
      'kubectl',
      'Unable to connect to the server: tls: failed to verify certificate: x509: certificate has expired',
      undefined,
    ],
    [
      'kubectl',
      'Error from server: Get "https://10.0.0.5:10250/containerLogs/a/b/c": dial tcp 10.0.0.5:10250: i/o timeout',
      undefined,
    ],
    [
      'kubectl',
      'Error from server (InternalError): failed calling webhook "x": Post "https://w": dial tcp: no such host',
      undefined,
    ],
    [
      'kubectl',
      'Error from server (ServiceUnavailable): the server is currently unable to handle the request (get pods.metrics.k8s.io)',
      undefined,
    ],
    [
      'kubectl',
      'psql: dial tcp 10.0.0.7:5432: connect: connection refused\ncommand terminated with exit code 2',
      undefined,
    ],
    [
      'kubectl',
      'The connection to the server 10.0.0.1:6443 was refused - did you specify the right host or port?',
      'unreachable',
    ],
    ['kubectl', 'Unable to connect to the server: dial tcp 10.0.0.1:6443: i/o timeout', 'unreachable'],
    ['kubectl', 'Unable to connect to the server: dial tcp: lookup api.example: no such host', 'unreachable'],
    ['kubectl', 'Unable to connect to the server: net/http: TLS handshake timeout', 'unreachable'],
    ['kubectl', 'Error from server: etcdserver: request timed out', 'failing'],
    ['docker', 'Error response from daemon: No such container: web', undefined],
    [
      'docker',
      'permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock',
      undefined,
    ],
    [
      'docker',
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      'unreachable',
    ],
  ])('%s: %s', (program, stderr, service) => {
    expect(explainFailure(program, stderr)?.service).toBe(service);
  });

  test.each([
    ['printed before is not a fault of the service', 'echo waiting; sleep 60', undefined],
    ['printed nothing is', 'sleep 60', 'failing'],
    ['said that it cannot connect is', 'echo "cannot connect" >&2; sleep 60', 'failing'],
  ])('a time-out of a program that %s', async (_, code, service) => {
    const action = command.plan({ kind: 'command', argv: ['sh', '-c', code] }, {}, { context: {}, env: {} });
    const outcome = await command.run(aClearedCall(action), aRunContext({ timeoutMs: 500 }));
    expect([outcome.status, outcome.service]).toEqual(['timed-out', service]);
  });
});

import { describe, expect, test } from 'vitest';
import { explainFailure } from '../../src/exec/explain.js';

const SOCKET =
  'Get "http://%2Fvar%2Frun%2Fdocker.sock/v1.41/containers/json": dial unix /var/run/docker.sock: connect: permission denied';

describe('what docker says when the set-up is at fault', () => {
  test.each([
    [
      'Cannot connect to the Docker daemon at unix:///var/run/docker.sock. Is the docker daemon running?',
      'unavailable',
      /DOCKER_HOST/,
    ],
    [
      'failed to connect to the docker API at unix:///var/run/docker.sock; check if the path is correct and if the daemon is running',
      'unavailable',
      /systemctl status docker/,
    ],
    [
      'error during connect: Get "http://x:1/v1.24/containers/json": dial tcp: lookup x: no such host',
      'unavailable',
      /DOCKER_HOST/,
    ],
    [
      `permission denied while trying to connect to the Docker daemon socket at unix:///var/run/docker.sock: ${SOCKET}`,
      'unavailable',
      /usermod -aG docker/,
    ],
    [
      `permission denied while trying to connect to the docker API at unix:///var/run/docker.sock`,
      'unavailable',
      /usermod -aG docker/,
    ],
    [
      'Error response from daemon: client version 1.52 is too new. Maximum supported API version is 1.41',
      'unavailable',
      /DOCKER_API_VERSION/,
    ],
    [
      'Failed to initialize: unable to resolve docker endpoint: context "zz": context not found: open /root/.docker/contexts',
      'usage',
      /docker context ls/,
    ],
    ["docker: 'compose' is not a docker command.\nSee 'docker --help'", 'usage', /Compose plug-in/],
    ['docker: unknown command: docker compose', 'usage', /Compose plug-in/],
    ["unknown flag: --project-name\nSee 'docker --help'.", 'usage', /Compose plug-in/],
  ])('%s', (stderr, exit, hint) => {
    expect(explainFailure('/usr/bin/docker', stderr)?.error).toMatchObject({ exit, hint: expect.stringMatching(hint) });
  });

  test.each([
    'Error response from daemon: No such container: web',
    // Of a program in the container.
    'dial tcp 10.0.0.7:5432: connect: connection refused',
    'cat: /etc/shadow: permission denied',
    "unknown flag: --x\nSee 'app --help'.",
  ])('%s is no fault of the set-up', (stderr) => {
    expect(explainFailure('docker', stderr)).toBeUndefined();
  });
});

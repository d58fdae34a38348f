import { describe, expect, test } from 'vitest';
import { ago, diagnose, inspected, ps, row } from './containers.js';

const OCI =
  'failed to create shim task: OCI runtime create failed: runc create failed: unable to start container process: ';
const failed = (error: string, exitCode = 128) =>
  inspected('web', { Status: 'created', ExitCode: exitCode, Error: error, StartedAt: '0001-01-01T00:00:00Z' });

describe('a container that the daemon could not start', () => {
  test.each([
    [
      'start-port',
      'driver failed programming external connectivity on endpoint web (6c5e): Bind for 127.0.0.1:8080 failed: port is already allocated',
      'its host port 8080 is taken',
    ],
    [
      'start-port',
      'driver failed programming external connectivity on endpoint web (1a2b): Error starting userland proxy: listen tcp4 0.0.0.0:80: bind: address already in use',
      'its host port 80 is taken',
    ],
    [
      'start-command',
      `${OCI}exec: "nonesuch": executable file not found in $PATH: unknown`,
      'its command nonesuch is not in the image',
    ],
    [
      'start-command',
      `${OCI}exec: "/app/run": stat /app/run: no such file or directory: unknown`,
      'its command /app/run is not in the image',
    ],
    ['start-permission', `${OCI}exec: "/app/run.sh": permission denied: unknown`, 'its command may not be executed'],
    ['start-platform', `${OCI}exec /app: exec format error: unknown`, 'its program is not made for this host (x86_64)'],
    [
      'start-mount',
      'invalid mount config for type "bind": bind source path does not exist: /srv/data',
      'a path that it mounts does not exist or is of the wrong kind',
    ],
    [
      'start-mount',
      `${OCI}error during container init: error mounting "/srv/a.conf" to rootfs at "/etc/a.conf": not a directory: unknown: Are you trying to mount a directory onto a file (or vice-versa)?`,
      'a path that it mounts does not exist or is of the wrong kind',
    ],
    [
      'start-volume',
      "error while mounting volume '/var/lib/docker/volumes/d/_data': failed to mount local volume: mount :/x: no route to host",
      'a volume cannot be mounted',
    ],
    ['start-network', 'network 5d3823c59012 not found', 'its network does not exist any more'],
    [
      'start-container-network',
      'cannot join network of a non running container: 52382c',
      'it shares the network of a container that does not run',
    ],
    ['start-disk', 'mkdir /var/lib/docker/overlay2/x/merged: no space left on device', 'the disk is full'],
    [
      'start-device',
      'could not select device driver "nvidia" with capabilities: [[gpu]]',
      'a device or its driver is missing',
    ],
    ['start-other', 'something that no rule knows', 'see the quoted message'],
  ])('%s: %s', async (rule, error, reason) => {
    const { findings } = await diagnose([failed(error)]);
    expect(findings.map((f) => [f.rule, f.title, f.certainty])).toEqual([
      [
        `container.${rule}`,
        `Container web cannot be started: ${reason}`,
        rule === 'start-other' ? 'unknown' : 'confirmed',
      ],
    ]);
    expect(findings[0]?.evidence[0]).toMatchObject({
      callId: 'i-web',
      quote: expect.stringContaining(error.slice(0, 60)),
    });
  });

  test('names the container that holds the port, and no other with a port alike', async () => {
    const list = ps(
      row('web', 'created', 'Created'),
      row('other', 'running', 'Up 2 hours', { Ports: '0.0.0.0:18080->80/tcp, 0.0.0.0:8081->8080/tcp' }),
      row('shop', 'running', 'Up 2 hours', { Ports: '127.0.0.1:8080->80/tcp' }),
    );
    const { findings } = await diagnose([list, failed('Bind for 127.0.0.1:8080 failed: port is already allocated')], {
      name: 'web',
    });
    expect(findings[0]?.title).toBe('Container web cannot be started: its host port 8080 is taken by container shop');
    expect(findings[0]?.evidence[1]).toEqual({
      callId: 'ps',
      quote: 'Up 2 hours, 127.0.0.1:8080->80/tcp',
      where: 'shop docker ps',
    });
  });

  test('looks on the host when no container holds the port', async () => {
    const { findings } = await diagnose([
      ps(row('web', 'created', 'Created')),
      failed('Bind for 0.0.0.0:80 failed: port is already allocated'),
    ]);
    expect(findings[0]?.cause?.text).toMatch(/another program on the host/);
    expect(findings[0]?.checks[0]?.command).toEqual(['ss', '-ltnp']);
  });
});

test('a container that nobody started is no failure of the daemon', async () => {
  const { findings } = await diagnose([failed('', 0)]);
  expect(findings.map((f) => [f.rule, f.severity])).toEqual([['container.never-started', 'medium']]);
});

test('an old error of a container that runs now is not reported', async () => {
  expect((await diagnose([inspected('web', { Error: 'network x not found', StartedAt: ago(60) })])).findings).toEqual(
    [],
  );
});

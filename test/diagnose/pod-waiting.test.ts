import { describe, expect, test } from 'vitest';
import { diagnosed, first, titles } from './fixtures/ask.js';
import { event, minutesAgo, pod, waiting } from './fixtures/cluster.js';

const stuck = (reason: string, message = '') =>
  pod('web-1', { phase: 'Pending', containers: [{ state: waiting(reason, message), ready: false }] });
const pulled = (message: string) => event({ kind: 'Pod', name: 'web-1', uid: 'uid-web-1' }, 'Failed', message);

describe('a container that waits', () => {
  test('is no finding while it is created for the first time', async () => {
    const young = pod('web-1', {
      phase: 'Pending',
      metadata: { creationTimestamp: minutesAgo(1) },
      containers: [{ state: waiting('ContainerCreating'), ready: false }],
    });
    expect(await titles([young])).toEqual([]);
  });

  test('is one when it has been created for long, with no claim about why', async () => {
    const finding = first(await diagnosed([stuck('ContainerCreating')]));
    expect([finding.rule, finding.certainty, finding.detail]).toEqual([
      'pod.creating',
      'unknown',
      'No event says why; the cause is unknown.',
    ]);
  });

  test.each([
    ['manifest for app:1.2 not found: manifest unknown', 'the registry does not have it'],
    [
      'pull access denied for app, repository does not exist or may require authorization',
      'it does not exist, or the pull has no permission',
    ],
    ['failed to authorize: 401 Unauthorized', 'the registry refuses the credentials'],
    ['toomanyrequests: You have reached your pull rate limit', 'the registry limits the rate of pulls'],
    ['dial tcp: lookup registry.example.com: no such host', "the registry's name cannot be resolved"],
    ['dial tcp 10.0.0.1:443: i/o timeout', 'the registry does not answer in time'],
    ['dial tcp 10.0.0.1:443: connect: connection refused', 'the registry refuses the connection'],
    ['x509: certificate signed by unknown authority', "the registry's certificate is not trusted"],
    ['no match for platform in manifest', "it is not built for the node's CPU architecture"],
    ['write: no space left on device', 'the node has no disk space left'],
    ['something new', 'the reason is not in what was read'],
  ])('cannot pull its image: %s', async (message, reason) => {
    const items = [
      stuck('ImagePullBackOff', 'Back-off pulling image "app:1.2"'),
      pulled(`Failed to pull image "app:1.2": ${message}`),
    ];
    expect(await titles(items)).toContainEqual(
      `Pod production/web-1: the image registry.example.com/app:1.2 of container app cannot be pulled: ${reason}`,
    );
  });

  test('cites the event when only the event has the reason', async () => {
    const diagnosis = await diagnosed([
      stuck('ImagePullBackOff', 'Back-off'),
      pulled('Failed to pull image: manifest unknown'),
    ]);
    expect(first(diagnosis).evidence.map((e) => e.where)).toEqual([
      'Pod production/web-1 status.containerStatuses[app].state.waiting',
      'Pod production/web-1 event Failed',
    ]);
  });

  test('does not take the reason from the event of an earlier pod of that name', async () => {
    const old = event({ kind: 'Pod', name: 'web-1', uid: 'other' }, 'Failed', 'Failed to pull image: manifest unknown');
    expect(first(await diagnosed([stuck('ImagePullBackOff', 'Back-off'), old])).certainty).toBe('unknown');
  });

  test.each([
    ['configmap "web-config" not found', 'ConfigMap web-config does not exist'],
    ['secret "web-secret" not found', 'Secret web-secret does not exist'],
    ["couldn't find key DB_URL in ConfigMap production/web-config", 'ConfigMap web-config has no key DB_URL'],
    ["couldn't find key PASSWORD in Secret production/web-secret", 'Secret web-secret has no key PASSWORD'],
    ['container has runAsNonRoot and image will run as root', 'runAsNonRoot is set, but the image runs as root'],
  ])('cannot be configured: %s', async (message, reason) => {
    expect(await titles([stuck('CreateContainerConfigError', message)])).toEqual([
      `Pod production/web-1: container app cannot be created: ${reason}`,
    ]);
  });

  test('is never advised to print a Secret', async () => {
    const finding = first(
      await diagnosed([stuck('CreateContainerConfigError', "couldn't find key P in Secret production/s")]),
    );
    expect(JSON.stringify(finding.checks)).not.toMatch(/"secret".*yaml/i);
  });

  test('cannot start its command', async () => {
    const message = 'failed to create containerd task: exec: "serve": executable file not found in $PATH: unknown';
    expect(await titles([stuck('RunContainerError', message)])).toEqual([
      'Pod production/web-1: container app cannot be started: the command to start is not in the image',
    ]);
    expect(first(await diagnosed([stuck('CreateContainerError', 'odd')])).certainty).toBe('unknown');
  });

  test('has an invalid image name', async () => {
    expect(await titles([stuck('InvalidImageName', 'couldn\'t parse image "App::1"')])).toEqual([
      'Pod production/web-1: container app has an invalid image name, registry.example.com/app:1.2',
    ]);
  });

  test.each([
    [
      'FailedMount',
      'MountVolume.SetUp failed for volume "c" : configmap "web-config" not found',
      'ConfigMap web-config does not exist',
    ],
    [
      'FailedMount',
      'Unable to attach or mount volumes: timed out waiting for the condition',
      'a volume cannot be mounted',
    ],
    ['FailedAttachVolume', 'Multi-Attach error for volume "pvc-1"', 'its volume is still attached to another node'],
    ['FailedAttachVolume', 'rpc error', 'a volume cannot be attached'],
    [
      'FailedCreatePodSandBox',
      'failed to assign an IP address to container',
      'its network or sandbox cannot be set up',
    ],
  ])('is held up by %s: %s', async (reason, message, words) => {
    const items = [stuck('ContainerCreating'), event({ kind: 'Pod', name: 'web-1' }, reason, message)];
    expect((await titles(items))[0]).toBe(`Pod production/web-1 does not start: ${words}`);
  });
});

import { expect, test } from 'vitest';
import type { Json } from '../../src/domain/types.js';
import { restartsText, summarisePod } from '../../src/dump/pod-status.js';
import { shortDuration } from '../../src/dump/time.js';

const running = { ready: true, restartCount: 0, state: { running: {} } };
const waiting = (reason: string, restartCount = 0) => ({ ready: false, restartCount, state: { waiting: { reason } } });
const ended = (terminated: Json) => ({ ready: false, restartCount: 0, state: { terminated } });

interface Parts {
  main?: Json[];
  init?: Json[];
  initSpecs?: Json[];
  phase?: string;
  conditions?: Json[];
  metadata?: Json;
  reason?: string;
}

const pod = ({
  main = [running],
  init = [],
  initSpecs,
  phase = 'Running',
  conditions = [],
  metadata = {},
  reason,
}: Parts): Json => ({
  metadata,
  spec: {
    containers: main.map((_, i) => ({ name: `c${i}` })),
    initContainers: initSpecs ?? init.map((_, i) => ({ name: `i${i}` })),
  },
  status: {
    phase,
    conditions,
    containerStatuses: main,
    initContainerStatuses: init,
    ...(reason === undefined ? {} : { reason }),
  },
});

const done = ended({ exitCode: 0, reason: 'Completed' });

test.each<[string, Parts, string]>([
  ['a running pod', {}, '1/1 Running'],
  ['a pod nobody scheduled', { main: [], phase: 'Pending' }, '0/0 Pending'],
  [
    'a pod behind a scheduling gate',
    { phase: 'Pending', main: [], conditions: [{ type: 'PodScheduled', reason: 'SchedulingGated' }] },
    '0/0 SchedulingGated',
  ],
  ['a crash loop', { main: [waiting('CrashLoopBackOff', 5)] }, '0/1 CrashLoopBackOff'],
  ['the first of two troubles', { main: [waiting('ErrImagePull'), waiting('CrashLoopBackOff')] }, '0/2 ErrImagePull'],
  ['a trouble beside a healthy container', { main: [running, waiting('ImagePullBackOff')] }, '1/2 ImagePullBackOff'],
  ['a finished pod', { main: [done], phase: 'Succeeded' }, '0/1 Completed'],
  [
    'a finished container beside a running one of a ready pod',
    { main: [done, running], conditions: [{ type: 'Ready', status: 'True' }] },
    '1/2 Running',
  ],
  ['the same of a pod that is not ready', { main: [done, running] }, '1/2 NotReady'],
  ['out of memory', { main: [ended({ exitCode: 137, reason: 'OOMKilled' })] }, '0/1 OOMKilled'],
  ['an exit code without a reason', { main: [ended({ exitCode: 3 })] }, '0/1 ExitCode:3'],
  ['a signal without a reason', { main: [ended({ exitCode: 137, signal: 9 })] }, '0/1 Signal:9'],
  ['an evicted pod', { main: [], phase: 'Failed', reason: 'Evicted' }, '0/0 Evicted'],
  ['a pod that is going', { metadata: { deletionTimestamp: '2024-01-01T00:00:00Z' } }, '1/1 Terminating'],
  [
    'a finished pod that is going',
    { main: [done], phase: 'Succeeded', metadata: { deletionTimestamp: 'x' } },
    '0/1 Completed',
  ],
  ['a pod on a lost node', { reason: 'NodeLost', metadata: { deletionTimestamp: 'x' } }, '1/1 Unknown'],
  [
    'the second of two init containers',
    { main: [waiting('PodInitializing')], init: [done, { ...running, ready: false }], phase: 'Pending' },
    '0/1 Init:1/2',
  ],
  [
    'an init container in a crash loop',
    { main: [waiting('PodInitializing')], init: [waiting('CrashLoopBackOff', 2)], phase: 'Pending' },
    '0/1 Init:CrashLoopBackOff',
  ],
  [
    'an init container that failed',
    { main: [waiting('PodInitializing')], init: [ended({ exitCode: 1, reason: 'Error' })], phase: 'Pending' },
    '0/1 Init:Error',
  ],
  [
    'a sidecar',
    {
      init: [{ name: 'i0', ready: true, started: true, restartCount: 0, state: { running: {} } }],
      initSpecs: [{ name: 'i0', restartPolicy: 'Always' }],
    },
    '2/2 Running',
  ],
])('%s', (_, parts, expected) => {
  const { ready, total, status } = summarisePod(pod(parts));
  expect(`${ready}/${total} ${status}`).toBe(expected);
});

test('restarts tell when the last one was', () => {
  const now = Date.parse('2024-01-01T00:10:00Z');
  const status = (at: string) => ({ ...running, restartCount: 2, lastState: { terminated: { finishedAt: at } } });
  const summary = summarisePod(pod({ main: [status('2024-01-01T00:05:00Z'), status('2024-01-01T00:07:30Z')] }));
  expect(restartsText(summary, now)).toBe('4 (2m30s ago)');
  expect(restartsText(summarisePod(pod({})), now)).toBe('0');
});

test.each([
  [-5000, '<invalid>'],
  [0, '0s'],
  [119_000, '119s'],
  [120_000, '2m'],
  [599_000, '9m59s'],
  [600_000, '10m'],
  [179 * 60_000, '179m'],
  [3 * 3_600_000 + 5 * 60_000, '3h5m'],
  [30 * 3_600_000, '30h'],
  [3 * 86_400_000 + 7_200_000, '3d2h'],
  [100 * 86_400_000, '100d'],
  [800 * 86_400_000, '2y70d'],
  [3650 * 86_400_000, '10y'],
])('%i ms is %s', (ms, text) => {
  expect(shortDuration(ms)).toBe(text);
});

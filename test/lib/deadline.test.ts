import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { expect, test } from 'vitest';
import { deadline } from '../../src/lib/deadline.js';

const listenedTo = (ms: number) =>
  new Promise<string>((resolve) => {
    const signal = AbortSignal.any([new AbortController().signal, deadline(ms)]);
    signal.addEventListener('abort', () => resolve(`${signal.reason.name}`), { once: true });
  });

test('a deadline comes, whatever the garbage collector takes meanwhile', async () => {
  setFlagsFromString('--expose-gc');
  const late = listenedTo(300);
  const keepAlive = setInterval(() => runInNewContext('gc')(), 50);
  expect(await late).toBe('TimeoutError');
  clearInterval(keepAlive);
}, 5_000);

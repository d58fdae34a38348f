import fc from 'fast-check';
import { expect, test } from 'vitest';
import { answerKubectl } from '../../src/dump/answer.js';
import { openDump } from '../../src/dump/open.js';
import { aDump, aPod } from './make-dump.js';

test('any words are answered or refused, and nothing is thrown', async () => {
  const dump = await openDump(aDump({ 'nodes.json': [], 'shop/pods.json': [aPod('web-1')], 'shop/events.json': [] }));
  const words = [
    'get',
    'describe',
    'logs',
    'events',
    'top',
    'rollout',
    'status',
    'history',
    'config',
    'version',
    'api-resources',
    'cluster-info',
  ];
  const more = [
    'pods',
    'pod/web-1',
    'web-1',
    'po,ev',
    'nodes',
    '-n',
    'shop',
    '-A',
    '-l',
    'a=b',
    '-o',
    'json',
    'yaml',
    'wide',
    '--tail',
    '1',
    '-c',
    '--',
    '-',
    '',
    '\0',
    '../..',
    '/',
    'a/b/c',
    '\u001b[2J',
    '--sort-by=.x',
    '__proto__',
    'constructor',
  ];
  await fc.assert(
    fc.asyncProperty(fc.array(fc.constantFrom(...words, ...more), { maxLength: 7 }), async (argv) => {
      const answer = await answerKubectl(dump, ['kubectl', ...argv], new AbortController().signal);
      expect(answer.exitCode === 0).toBe(answer.error === undefined);
      expect(answer.stdout + answer.stderr).not.toContain('\u001b');
    }),
    { numRuns: 3000 },
  );
});

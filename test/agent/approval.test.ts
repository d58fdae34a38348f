import { expect, it } from 'vitest';
import { approveByFlag } from '../../src/agent/approval.js';
import type { Approver } from '../../src/domain/ports.js';
import type { Decision } from '../../src/domain/types.js';
import { nobody } from '../../src/ui/plain.js';
import { calm, decision, deletePod } from '../ui/calls.js';

it('asks what the flag does not cover, with all that was found out about it', async () => {
  const asked: unknown[] = [];
  const person: Approver = {
    ask: async (...question) => {
      asked.push(question);
      return { granted: false, by: 'user' };
    },
  };
  const question = [deletePod('c1'), decision('critical'), calm(), { undo: 'there is no way back' }] as const;
  expect(await approveByFlag('high', person).ask(...question)).toEqual({ granted: false, by: 'user' });
  expect(asked).toEqual([question]);
});

it.each<[string, Partial<Decision>, 'high' | 'critical', string]>([
  [
    'what raised its risk',
    { raised: ['It deletes a namespace.', 'its name is from a log'] },
    'critical',
    'it is critical: It deletes a namespace; its name is from a log',
  ],
  [
    'the rule that asks',
    { rules: [{ id: 'db.drop', effect: 'confirm', reason: 'Backups are old.' }] },
    'critical',
    'it is critical: Backups are old. (db.drop)',
  ],
  [
    'the default of its risk',
    { reason: 'there may be no way back' },
    'critical',
    'it is critical: there may be no way back',
  ],
  ['production', { typeName: 'prod-eu' }, 'high', 'it acts in production (prod-eu)'],
  [
    'both',
    { typeName: 'prod-eu', raised: ['all of them'] },
    'critical',
    'it acts in production (prod-eu), and it is critical: all of them',
  ],
])('says why --yes does not cover a call that nobody can answer: %s', async (_, judged, risk, why) => {
  const answer = await approveByFlag('high', nobody).ask(deletePod('c1'), decision(risk, judged), calm());
  expect(answer).toEqual({ granted: false, by: 'no-terminal', note: `--yes does not cover it, for ${why}` });
});

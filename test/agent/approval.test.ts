import { expect, it } from 'vitest';
import { approveByFlag } from '../../src/agent/approval.js';
import type { Approver } from '../../src/domain/ports.js';
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

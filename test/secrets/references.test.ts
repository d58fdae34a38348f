import { describe, expect, test } from 'vitest';
import { decideOnValues } from '../../src/cli/secret-seams.js';
import type { Decision, ToolCall } from '../../src/domain/types.js';
import { createRedactor } from '../../src/secrets/redactor.js';
import { aCall, anAction, aTool } from '../helpers/fakes.js';

const VALUE = 'hunter2-hunter2-hunter2';
const ALLOW: Decision = { effect: 'allow', risk: 'low', rules: [], raised: [], reason: 'it only reads' };

/** What the judge is told of a call, after a tool has printed a secret. */
async function judged(change: Partial<ToolCall>) {
  const redactor = createRedactor();
  const stream = redactor.stream();
  stream.write(Buffer.from(`password: ${VALUE}\n`));
  stream.end();
  expect(redactor.reveal('<secret:1>', (value) => value)).toBe(VALUE);
  const seen: { tokens: readonly string[]; secrets: string | undefined }[] = [];
  const decide = decideOnValues(redactor, async ({ action }, { secrets }) => {
    seen.push({ tokens: action.tokens, secrets });
    return { ...ALLOW, reason: `runs ${action.tokens.join(' ')}` };
  });
  const decision = await decide({ ...aCall(aTool()), ...change });
  expect(JSON.stringify(decision)).not.toContain(VALUE);
  return seen[0];
}

const SAID = 'it uses <secret:1>, which a tool printed in this session';

describe('a reference that is put back when the call runs is seen when it is decided', () => {
  test.each(['<secret:1>', '%3Csecret%3A1%3E', '\\u003csecret:1\\u003e', 'a\\u003cSECRET:1\\u003e'])(
    '%s',
    async (text) => {
      const found = await judged({ args: { query: text }, action: anAction(['curl', text]) });
      expect(found?.secrets).toBe(SAID);
      expect(found?.tokens[1]).toContain(VALUE);
    },
  );

  test('one that a tool puts together from two arguments in its input', async () => {
    const action = { ...anAction(['tee']), payload: { stdin: '<secret:1>' } };
    expect((await judged({ args: { a: '<secr', b: 'et:1>' }, action }))?.secrets).toBe(SAID);
  });

  test('one in the name of a field', async () => {
    expect((await judged({ args: { body: { '<secret:1>': 1 } }, action: anAction(['x']) }))?.secrets).toBe(SAID);
  });
});

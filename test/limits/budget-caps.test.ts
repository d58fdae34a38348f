import { describe, expect, test } from 'vitest';
import { SETTINGS } from '../../src/lib/config.js';
import { type CapSources, capPassed, readCaps, settingOf } from '../../src/limits/budget-caps.js';

const read = (sources: Partial<CapSources>) =>
  Object.fromEntries(
    readCaps({ flags: {}, env: {}, config: () => undefined, ...sources }).map((cap) => [cap.name, cap.value]),
  );

const DEFAULTS = {
  MAX_COST_PER_REQUEST: 0.5e9,
  MAX_TOKENS_PER_REQUEST: 1_000_000,
  TOKEN_BUDGET_PER_AGENT: 1_000_000,
  TOKEN_BUDGET_PER_TASK: 2_000_000,
  MAX_COST_PER_SESSION: 2e9,
  MAX_TOKENS_PER_SESSION: 4_000_000,
  MAX_COST_PER_DAY: 10e9,
  MAX_TOKENS_PER_DAY: 20_000_000,
};

describe('caps', () => {
  test.each([
    ['MAX_COST_PER_REQUEST', 'much', 'an amount in US dollars, not "much"'],
    ['MAX_COST_PER_DAY', '-1', 'an amount in US dollars, not "-1"'],
    ['MAX_TOKENS_PER_REQUEST', '1.5', 'a whole number of tokens, not "1.5"'],
    ['TOKEN_BUDGET_PER_AGENT', 'Infinity', 'a whole number of tokens, not "Infinity"'],
  ])('%s=%s stops the start', (name, value, wanted) => {
    expect(() => read({ env: { [name]: value } })).toThrow(`${name} takes ${wanted}.`);
  });

  test('a setting of the wrong type stops the start, and is named as it stands in the file', () => {
    expect(() => read({ config: (key) => (key === 'budget.max_cost_per_day' ? [1] : undefined) })).toThrow(
      'budget.max_cost_per_day takes an amount in US dollars, not [1].',
    );
  });

  test('without anything set they are the defaults', () => {
    expect(read({})).toEqual(DEFAULTS);
    expect(read({ env: { MAX_COST_PER_REQUEST: ' ' } })).toEqual(DEFAULTS);
  });

  test('flags win over environment over settings, whichever is the stricter', () => {
    const config = (key: string) => (key === 'budget.max_tokens_per_request' ? 3_000 : undefined);
    const env = { MAX_TOKENS_PER_REQUEST: '2000' };
    const tokens = (sources: Partial<CapSources>) => read(sources).MAX_TOKENS_PER_REQUEST;
    expect([
      tokens({ config }),
      tokens({ config, env }),
      tokens({ config, env, flags: { maxTokens: 9_000 } }),
      tokens({ config, env, flags: { maxTokens: 10 } }),
    ]).toEqual([3_000, 2_000, 9_000, 10]);
  });

  test('a higher cap of the request lifts those of agent, task and session that nobody set, never those of the day', () => {
    const flags = { maxCost: 50, maxTokens: 30_000_000 };
    expect(read({ flags, env: { TOKEN_BUDGET_PER_TASK: '7' } })).toEqual({
      ...DEFAULTS,
      MAX_COST_PER_REQUEST: 50e9,
      MAX_COST_PER_SESSION: 50e9,
      MAX_TOKENS_PER_REQUEST: 30_000_000,
      TOKEN_BUDGET_PER_AGENT: 30_000_000,
      TOKEN_BUDGET_PER_TASK: 7,
      MAX_TOKENS_PER_SESSION: 30_000_000,
    });
  });

  test('each has a setting that `config list` shows', () => {
    expect(Object.keys(SETTINGS).filter((key) => key.startsWith('budget.'))).toEqual(
      Object.keys(DEFAULTS).map(settingOf),
    );
  });

  test('an error says what is needed, what is left, and how to raise the cap', () => {
    const cap = { name: 'MAX_COST_PER_REQUEST', scope: 'request', unit: 'nanoUsd', value: 0.5e9 } as const;
    expect(capPassed(cap, 12_345_678, 'dig costs $0.05 a use')).toEqual({
      category: 'budget',
      exit: 'limit',
      message: 'dig costs $0.05 a use, and of the $0.50 for a request $0.0123 are left',
      hint: 'To raise the cap: --max-cost USD, or MAX_COST_PER_REQUEST, or budget.max_cost_per_request.',
    });
  });
});

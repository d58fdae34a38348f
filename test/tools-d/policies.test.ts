import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { loadPolicies } from '../../src/policy/load.js';

test('the rules that ship agree with their own examples', () => {
  const path = 'policies/kubernetes.yaml';
  expect(loadPolicies([{ path, text: readFileSync(path, 'utf8') }]).rules.length).toBe(9);
});

import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import type { ToolDefinition } from '../../src/domain/types.js';
import { script } from '../../src/exec/script.js';
import { findOnPath } from '../../src/tools/requires.js';
import { importCommand, planOf, runOn } from '../helpers/holmesgpt.js';
import { aClearedCall, aRunContext } from '../helpers/run-context.js';

async function tool(command: string): Promise<ToolDefinition> {
  const made = await importCommand(command);
  if (typeof made === 'string') throw new Error(made);
  return made;
}

const PATH = process.env.PATH ?? '';

describe('a search at the end of an imported script', () => {
  test('that finds nothing is an empty answer', async () => {
    const { outcome, stdout } = await runOn(PATH, await tool('printf "a\\nb\\n" | grep {{ word }}'), { word: 'c' });
    expect([outcome, stdout]).toEqual([{ status: 'ok', exitCode: 1 }, '']);
  });

  test('that finds nothing because what is before it failed, is a failure', async () => {
    const { outcome, stdout } = await runOn(PATH, await tool('cat /no/such/file | grep {{ word }}'), { word: 'c' });
    expect([outcome.status, outcome.exitCode]).toEqual(['failed', 1]);
    expect(stdout).toContain('/no/such/file');
  });

  test('with an error of its own is a failure', async () => {
    const { outcome } = await runOn(PATH, await tool('printf a | grep {{ word }}'), { word: '[' });
    expect([outcome.status, outcome.exitCode]).toEqual(['failed', 2]);
  });

  test('anywhere else says nothing about the exit code', async () => {
    const { outcome } = await runOn(PATH, await tool('printf a | grep {{ word }}; false'), { word: 'c' });
    expect([outcome.status, outcome.exitCode]).toEqual(['failed', 1]);
  });
});

test.skipIf(findOnPath('jq', PATH) === undefined)(
  'a value in a string of jq is compared as text, whatever it holds',
  async () => {
    const selects = await tool(`jq -c '.[] | select(.a == "x {{ v }}")'  <<< {{ json }}`);
    for (const v of ['b', '") | .a, ("', '\\(env)', "'\n\\"]) {
      const json = JSON.stringify([{ a: `x ${v}` }, { a: 'x other' }]);
      const { stdout } = await runOn(PATH, selects, { v, json });
      expect(JSON.parse(stdout)).toEqual({ a: `x ${v}` });
    }
  },
);

test('a script that does not end is ended at its deadline, with what it has started', async () => {
  const sleeps = await tool('sleep {{ seconds }} | cat');
  const context = aRunContext({ timeoutMs: 300 });
  const outcome = await script.run(aClearedCall(planOf(sleeps, { seconds: '1000' }), sleeps), context);
  expect(outcome.status).toBe('timed-out');
});

test('programs that look the cluster or the Docker daemon up by themselves find the ones of the session', async () => {
  const folder = mkdtempSync(join(tmpdir(), 'pins-'));
  const own = join(folder, 'config');
  const context = (name: string) => ({ name, context: { cluster: 'c', user: 'u' } });
  writeFileSync(
    own,
    JSON.stringify({
      apiVersion: 'v1',
      kind: 'Config',
      'current-context': 'other',
      contexts: [context('shop'), context('other')],
    }),
  );
  const before = process.env.KUBECONFIG;
  process.env.KUBECONFIG = own;
  try {
    const asks = await tool(
      'kubectl config current-context; kubectl config get-contexts -o name; echo "$DOCKER_HOST $DOCKER_CONTEXT"',
    );
    const seen = aRunContext();
    const action = planOf(asks, {}, { kube_context: 'shop', docker_host: 'tcp://d:1' });
    await script.run(aClearedCall(action, asks), seen);
    expect(seen.seen.stdout).toBe('shop\nother\nshop\ntcp://d:1 \n');
    expect(action.display.split('\n').slice(0, 2)).toEqual(['# kube context shop', '# Docker at tcp://d:1']);
  } finally {
    if (before === undefined) delete process.env.KUBECONFIG;
    else process.env.KUBECONFIG = before;
  }
});

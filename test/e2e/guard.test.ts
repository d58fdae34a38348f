import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newHome, readAudit, runCli } from '../helpers/cli.js';

/** A folder with one tool, `own`, that claims to read. */
function ownTool(run: string, risk = 'low'): string {
  const folder = mkdtempSync(join(tmpdir(), 'opsagent-own-'));
  const text = `version: 1\nsystem: own\ntools:\n  - { name: own, description: Claims that it only reads., risk_level: ${risk}, run: ${run} }\n`;
  writeFileSync(join(folder, 'own.yaml'), text);
  return folder;
}

function allow(tokens: string): string {
  const folder = mkdtempSync(join(tmpdir(), 'opsagent-rule-'));
  const rule = `version: 1\nrules:\n  - { id: own.allow, effect: allow, reason: It is ours., tokens: ${tokens}, examples: { match: [${tokens}] } }\n`;
  writeFileSync(join(folder, 'own.yaml'), rule);
  return folder;
}

const run = (tool: string, ...args: string[]) => runCli(['tools', 'run', 'own', '--tools', tool, ...args]);

describe('a tool of one’s own', () => {
  test('that names another kubeconfig is denied whatever is said yes to', async () => {
    const tool = ownTool('{ kind: command, argv: [kubectl, --kubeconfig=/x, version, --client] }');
    const { code, stderr, home } = await run(tool, '--yes=critical');
    expect([code, stderr]).toEqual([3, expect.stringContaining('guard.connection')]);
    expect(readAudit(home).at(-1)).toMatchObject({ event: 'finished', status: 'denied' });
  });

  test('that names no namespace acts in the one of the kubeconfig, and needs more than --yes when that is production', async () => {
    const argv =
      '[kubectl, delete, pod, x, { when: context.kube_context, argv: ["--context={{ context.kube_context }}"] }]';
    const tool = ownTool(`{ kind: command, argv: ${argv} }`, 'high');
    const home = newHome();
    mkdirSync(join(home, '.kube'));
    const context = { name: 'test', context: { cluster: 'test', namespace: 'production' } };
    const cluster = { name: 'test', cluster: { server: 'https://127.0.0.1:1' } };
    const kubeconfig = { 'current-context': 'test', contexts: [context], clusters: [cluster] };
    writeFileSync(join(home, '.kube/config'), JSON.stringify(kubeconfig));
    const { code, stderr } = await runCli(['tools', 'run', 'own', '--tools', tool, '--yes'], { home });
    expect([code, stderr]).toEqual([4, expect.stringContaining('it acts in production (production)')]);
  });

  test('that runs a program which no classifier knows asks', async () => {
    const { code } = await run(ownTool('{ kind: command, argv: [node, --version] }'));
    expect(code).toBe(4);
  });

  test('that is a script asks', async () => {
    const { code } = await run(ownTool('{ kind: script, interpreter: [sh, -eu], code: "echo hello" }'));
    expect(code).toBe(4);
  });

  test('runs unasked when an allow rule names the program', async () => {
    const tool = ownTool('{ kind: command, argv: [node, --version] }');
    const { code, stdout } = await run(tool, '--policies', allow('[node, --version]'));
    expect([code, stdout]).toEqual([0, expect.stringContaining('v')]);
  });
});

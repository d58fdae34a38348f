import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { acceptByCli, auditFile, newHome, readAudit, runCli } from '../helpers/cli.js';
import { aMcpTool, scripted } from '../helpers/mcp/scripted.js';
import { NOTHING, world } from './accept-world.js';

const policy = (home: string, text: string) => {
  const dir = join(home, '.config/opsagent/policies');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'own.yaml'), `version: 1\nrules:\n  - ${text}\n`);
};

describe('accepting walks the gate', () => {
  test('without a terminal and --yes it is unconfirmed', async () => {
    const { cli, ran, home } = await world();
    for (const name of ['marks', 'vendor']) expect((await cli('tools', 'accept', name)).code).toBe(4);
    expect(ran()).toEqual(NOTHING);
    const finished = readAudit(home).filter(({ event }) => event === 'finished');
    expect(finished.map(({ tool, status }) => [tool, status])).toEqual([
      ['mcp_connect', 'rejected'],
      ['adapter_accept', 'rejected'],
    ]);
  });

  test('what was accepted is no change to undo', async () => {
    const { cli } = await world();
    expect((await cli('tools', 'accept', 'marks', '--yes')).code).toBe(0);
    expect((await cli('undo', '--list')).stderr).toContain('No changes were made here.');
    expect((await cli('undo')).stderr).toContain('There is no change to undo.');
  });

  test('auto mode asks all the same, read-only denies, suggest mode says what would start', async () => {
    const { cli, ran } = await world();
    expect((await cli('tools', 'accept', 'marks', '--mode', 'auto')).code).toBe(4);
    expect((await cli('tools', 'accept', 'marks', '--read-only', '--yes')).code).toBe(3);
    const suggested = await cli('tools', 'accept', 'marks', '--mode', 'suggest', '--yes');
    expect([suggested.code, suggested.stderr]).toEqual([
      0,
      expect.stringContaining('start the MCP server marks, and ask for its tools:'),
    ]);
    expect(ran()).toEqual(NOTHING);
  });

  test('a rule can deny a server by its name, definitions by their risk, and a module', async () => {
    const { home, cli, ran, starts } = await world();
    policy(
      home,
      '{ id: own.no, effect: deny, reason: not here, match: { properties: { tool: { enum: [mcp_connect, adapter_accept] } } }, examples: { match: [{ tool: mcp_connect }] } }',
    );
    for (const name of ['marks', 'vendor']) expect((await cli('tools', 'accept', name, '--yes=critical')).code).toBe(3);
    expect((await cli('policy', 'check', 'mcp_connect', '--args', '{"name":"x","command":["y"]}')).code).toBe(3);
    expect(ran()).toEqual(NOTHING);
    policy(
      home,
      '{ id: own.low, effect: deny, reason: not here, match: { properties: { tool: { const: mcp_accept }, arguments: { properties: { tools: { contains: { properties: { risk: { const: low } } } } } } } }, examples: { match: [{ tool: mcp_accept, arguments: { tools: [{ risk: low }] } }] } }',
    );
    expect((await cli('tools', 'accept', 'marks', '--yes')).code).toBe(3);
    expect(starts()).toBe(1);
    expect((await cli('tools', 'list')).stdout).not.toContain('marks_echo');
  });

  test('nothing starts when the audit log cannot be written', async () => {
    const { home, cli, ran } = await world();
    mkdirSync(auditFile(home), { recursive: true });
    expect((await cli('tools', 'accept', '--yes')).code).not.toBe(0);
    expect(ran()).toEqual(NOTHING);
  });

  test('a module that changes after it was shown, or accepted, does not run', async () => {
    const { home, cli, ran, api, module, code } = await world();
    const shown = await acceptByCli(home, 'vendor');
    expect(shown.stdout).toContain(
      "    export const transformRequest = (request) => ({ ...request, url: request.url + '?page=2' });",
    );
    const run = await cli('tools', 'run', 'rows');
    expect([run.stdout, api.seen.map(({ url }) => url)]).toEqual(['2\n', ['/rows?page=2']]);
    expect(ran()).toEqual([0, false, 1]);
    writeFileSync(module, code('const evil = 1;'));
    const changed = await cli('tools', 'run', 'rows', '--yes=critical');
    expect([changed.code, changed.stderr]).toEqual([
      2,
      expect.stringContaining('the module of adapter vendor is another than the one that was accepted'),
    ]);
    expect(ran()).toEqual([0, false, 1]);
    const again = await cli('tools', 'accept', 'vendor', '--yes');
    expect(
      again.stdout
        .split('\n')
        .slice(1, -2)
        .every((line) => /^ {4}[-+] /.test(line)),
    ).toBe(true);
    expect(again.stdout).toContain('    + const evil = 1;');
    expect((await cli('tools', 'run', 'rows')).stdout).toBe('2\n');
  });

  test('a module that does not end, or leaves a promise that fails, ends nothing but its call', async () => {
    const { home, cli, module, api, code } = await world();
    writeFileSync(module, code('for (;;);'));
    await acceptByCli(home, 'vendor');
    const endless = await cli('tools', 'run', 'rows');
    expect([endless.code, endless.stderr]).toEqual([2, expect.stringContaining('it did not end within 1 s')]);
    writeFileSync(module, code("Promise.reject(new Error('x'));\nimport('node:fs');"));
    await acceptByCli(home, 'vendor');
    expect((await cli('tools', 'run', 'rows')).stdout).toBe('2\n');
    expect(api.seen).toHaveLength(1);
  });

  test('both records of each call are in the log, found by its tool, verified, and judged again', async () => {
    const { home, cli, starts } = await world();
    const json = await cli('tools', 'accept', '--yes', '--output', 'json');
    const report = JSON.parse(json.stdout) as { exit_code: number; calls: { tool: string; status: string }[] };
    expect([json.code, report.exit_code, report.calls.map(({ tool, status }) => [tool, status])]).toEqual([
      0,
      0,
      [
        ['mcp_connect', 'ok'],
        ['mcp_accept', 'ok'],
        ['adapter_accept', 'ok'],
      ],
    ]);
    expect(starts()).toBe(1);
    expect(readAudit(home).map(({ tool, event, approval }) => [tool, event, approval?.note])).toEqual(
      ['mcp_connect', 'mcp_accept', 'adapter_accept'].flatMap((tool) => [
        [tool, 'decided', '--yes'],
        [tool, 'finished', '--yes'],
      ]),
    );
    expect((await cli('audit', 'search', '--tool', 'adapter_accept')).stdout).toContain('vendor.mjs');
    expect((await cli('audit', 'verify')).code).toBe(0);
    const judged = await cli('policy', 'test');
    expect([judged.code, judged.stdout]).toEqual([
      0,
      expect.stringContaining('3 recorded decisions judged again: none would differ.'),
    ]);
    expect((await cli('tools', 'run', 'marks_echo', '--args', '{"text":"a"}')).stdout).toBe('echo {"text":"a"}\n');
  });
});

test('the server of a HolmesGPT toolset file is accepted by its name, and then used', async () => {
  const home = newHome();
  const one = scripted({ tools: [aMcpTool('echo', { annotations: { readOnlyHint: true } }), aMcpTool('image')] });
  const [command = '', ...args] = one.server.command ?? [];
  const entry = { config: { mode: 'stdio', command, args }, approval_required_tools: ['ec*'] };
  writeFileSync(join(home, 'shop.yaml'), JSON.stringify({ mcp_servers: { Shop: entry } }));
  const imported = await runCli(['tools', 'import', 'holmesgpt', 'shop.yaml'], { home });
  expect([imported.code, imported.stderr]).toEqual([0, expect.stringContaining('run: opsagent tools accept shop')]);
  expect(one.received()).toEqual([]);
  await acceptByCli(home, 'shop');
  const echo = (...more: string[]) =>
    runCli(['tools', 'run', 'shop_echo', '--args', '{"text":"a"}', ...more], { home });
  expect((await echo()).code).toBe(4);
  expect((await echo('--yes')).stdout).toBe('echo {"text":"a"}\n');
});

test('a server that never answers holds nothing up but its own acceptance', async () => {
  const home = newHome();
  const one = scripted({ silent: ['initialize'] }, { start_timeout_seconds: 0.5 });
  const dir = join(home, '.config/opsagent/tools.d');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'mcp.yaml'), JSON.stringify({ sources: [{ kind: 'mcp', ...one.server }] }));
  expect((await runCli(['tools', 'list'], { home })).code).toBe(0);
  expect(one.received()).toEqual([]);
  const accepting = await runCli(['tools', 'accept', 'scripted', '--yes'], { home });
  expect([accepting.code, accepting.stderr]).toEqual([
    6,
    expect.stringContaining('The MCP server scripted did not answer initialize within 0.5 s.'),
  ]);
});

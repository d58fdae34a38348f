import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, onTestFinished, test } from 'vitest';
import { readAudit, runCli } from '../helpers/cli.js';
import { startModelServer } from '../helpers/model-server.js';
import { NOTHING, world } from './accept-world.js';

describe('what nobody accepted is not started, visited or run', () => {
  test.each([
    ['tools list'],
    ['tools list --json'],
    ['tools show kubectl_get'],
    ['tools schema'],
    ['tools lint'],
    ['tools lint .config/opsagent/tools.d/elsewhere.yaml'],
    ['tools export -'],
    ['tools run marks_echo'],
    ['tools run rows'],
    ['tools run find_tools --arg query=rows'],
    ['tools import holmesgpt none.yaml --dry-run'],
    ['ask rows --offline --yes=critical'],
    ['ask marks --offline --yes=critical --mode auto'],
    ['doctor --no-cluster'],
    ['completion bash'],
    ['policy check rows'],
    ['policy check marks_echo'],
    ['policy check mcp_connect --args {"name":"marks","command":["node"]}'],
    ['policy test'],
    ['policy list'],
    ['audit verify'],
    ['audit search'],
    ['undo --list'],
    ['undo'],
    ['limits'],
    ['sandbox check'],
    ['config list'],
    ['tools accept'],
    ['tools accept marks'],
    ['tools accept vendor'],
    ['tools accept --yes --read-only'],
    ['tools accept --yes --mode suggest'],
    ['tools accept --yes --max-risk medium'],
    ['tools accept --mode auto'],
    ['tools accept --yes nothing'],
  ])('%s', { timeout: 180_000 }, async (line) => {
    const { cli, ran } = await world();
    await cli(...line.split(' '));
    expect(ran()).toEqual(NOTHING);
  });

  test('its tools cannot be called, and what to do is said', async () => {
    const { cli, ran } = await world();
    const rows = await cli('tools', 'run', 'rows', '--yes=critical');
    expect([rows.code, rows.stderr]).toEqual([
      2,
      expect.stringContaining('the module of adapter vendor was not accepted yet'),
    ]);
    const echo = await cli('tools', 'run', 'marks_echo', '--yes=critical');
    expect([echo.code, echo.stderr]).toEqual([2, expect.stringContaining('run: opsagent tools accept marks')]);
    const doctor = await cli('doctor', '--no-cluster');
    expect(doctor.stdout).toContain('– tools       The MCP server marks was not accepted yet');
    expect(doctor.stdout).toContain('– tools       The module of adapter vendor was not accepted yet');
    expect(ran()).toEqual(NOTHING);
  });

  test('a tool of an MCP server that stands in a tool file itself waits too', async () => {
    const { home, cli } = await world();
    const server = { name: 'direct', command: ['touch', join(home, 'touched')] };
    const tool = {
      name: 'direct_echo',
      description: 'x',
      risk_level: 'low',
      run: { kind: 'mcp', server, tool: 'echo' },
    };
    writeFileSync(join(home, '.config/opsagent/tools.d/direct.yaml'), JSON.stringify({ system: 'x', tools: [tool] }));
    const run = await cli('tools', 'run', 'direct_echo', '--yes=critical');
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('the MCP server direct was not accepted yet')]);
    expect((await cli('tools', 'accept', 'direct')).code).toBe(4);
    expect(existsSync(join(home, 'touched'))).toBe(false);
  });
});

describe('a model', () => {
  test('has no tool by which it could accept anything, and finds none', async () => {
    const { home, ran } = await world();
    const calls = [
      { name: 'mcp_connect', arguments: { name: 'x', command: ['touch', join(home, 'started')] } },
      { name: 'mcp_accept', arguments: { name: 'marks', tools: [], gone: [] } },
      { name: 'adapter_accept', arguments: { name: 'vendor', path: '/x', sha256: 'a'.repeat(64) } },
      { name: 'find_tools', arguments: { query: 'accept connect MCP server adapter mcp_connect' } },
    ];
    const model = await startModelServer([{ calls }, { text: 'Done.' }]);
    onTestFinished(() => model.close());
    await runCli(['ask', 'accept all', '--model', 'm', '--base-url', model.baseUrl, '--yes=critical'], {
      home,
      env: { OPSAGENT_API_KEY: 'sk-test-1234567890' },
    });
    const finished = readAudit(home).filter(({ event }) => event === 'finished');
    expect(finished.slice(0, 3).map(({ tool, status }) => [tool, status])).toEqual(
      ['mcp_connect', 'mcp_accept', 'adapter_accept'].map((tool) => [tool, 'unknown-tool']),
    );
    const sent = JSON.stringify(model.requests[0]?.body.tools);
    expect(sent).not.toMatch(/mcp_connect|mcp_accept|adapter_accept/);
    expect(finished[3]?.execution_result?.output).not.toMatch(/mcp_connect|mcp_accept|adapter_accept/);
    expect(ran()).toEqual(NOTHING);
  });

  test('and no workflow or tool of that name helps it', async () => {
    const { home, cli } = await world();
    const dir = join(home, 'more');
    mkdirSync(dir);
    const lint = async (tool: object) => {
      writeFileSync(join(dir, 't.yaml'), JSON.stringify({ version: 1, system: 'x', tools: [tool] }));
      const run = await cli('tools', 'lint', join(dir, 't.yaml'));
      return [run.code, run.stdout];
    };
    const own = { description: 'x', risk_level: 'low' };
    const step = { id: 'a', tool: 'mcp_connect', parameters: { name: 'x', command: ['touch'] } };
    expect(await lint({ ...own, name: 'w', run: { kind: 'workflow', steps: [step] } })).toEqual([
      2,
      expect.stringContaining('mcp_connect'),
    ]);
    expect(await lint({ ...own, name: 'mcp_connect', run: { kind: 'command', argv: ['true'] } })).toEqual([
      2,
      expect.stringContaining('"mcp_connect" is a call of opsagent itself'),
    ]);
    expect(await lint({ ...own, name: 'a', run: { kind: 'accept', what: 'mcp_connect' } })).toEqual([
      2,
      expect.stringContaining('kind'),
    ]);
  });
});

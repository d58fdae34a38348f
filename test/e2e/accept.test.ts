import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { serve, type TestServer } from '../exec/http-servers.js';
import { acceptByCli, auditFile, newHome, readAudit, runCli } from '../helpers/cli.js';
import { aMcpTool, scripted } from '../helpers/mcp/scripted.js';
import { startModelServer } from '../helpers/model-server.js';

const opened: { close(): unknown }[] = [];
afterEach(async () => {
  for (const one of opened.splice(0)) await one.close();
});

/** A home with a server and an adapter that both leave a mark when anything of them runs. */
async function world(more: string[] = []) {
  const home = newHome();
  const dir = join(home, '.config/opsagent/tools.d');
  mkdirSync(dir, { recursive: true });
  const started = join(home, 'started');
  const one = scripted({ tools: [aMcpTool('echo', { annotations: { readOnlyHint: true } })] });
  const [, program = '', scenario = ''] = one.server.command ?? [];
  const marking = join(home, 'server.mjs');
  writeFileSync(
    marking,
    `import { appendFileSync } from 'node:fs';
appendFileSync(${JSON.stringify(started)}, 'x');
await import(${JSON.stringify(program)});\n`,
  );
  const api: TestServer = await serve((_request, response) =>
    response.setHeader('content-type', 'application/json').end('{"rows":[1,2]}'),
  );
  opened.push(api);
  const operation = {
    operationId: 'rows',
    responses: { 200: { description: 'ok', content: { 'application/json': {} } } },
  };
  const spec = { openapi: '3.1.0', info: { title: 'Rows', version: '1' }, paths: { '/rows': { get: operation } } };
  const sources = [
    { kind: 'mcp', name: 'marks', command: [process.execPath, marking, scenario] },
    { kind: 'openapi', spec, base_url: api.url, adapter: 'vendor' },
  ];
  const file = join(dir, 'elsewhere.yaml');
  writeFileSync(file, JSON.stringify({ system: 'rows', sources, adapters: { vendor: { file: './vendor.mjs' } } }));
  const module = join(dir, 'vendor.mjs');
  const marks = join(home, 'loaded');
  const code = (added: string) => `${added}
export const transformRequest = (request) => ({ ...request, url: request.url + '?page=2' });
export const transformResponse = ({ body }) => JSON.parse(body).rows.length;\n`;
  // As an ordinary module it would write; in its context there is nothing to write with.
  const mark = `try { process.getBuiltinModule('fs').writeFileSync(${JSON.stringify(marks)}, 'x'); } catch {}`;
  writeFileSync(module, code(mark));
  const cli = (...args: string[]) => runCli([...args, ...more], { home });
  const starts = () => (existsSync(started) ? readFileSync(started, 'utf8').length : 0);
  return { home, cli, starts, api, module, code, file, ran: () => [starts(), existsSync(marks), api.seen.length] };
}

const NOTHING = [0, false, 0];
const policy = (home: string, text: string) => {
  const dir = join(home, '.config/opsagent/policies');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'own.yaml'), `version: 1\nrules:\n  - ${text}\n`);
};

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
  ])('%s', async (line) => {
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
    opened.push(model);
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

import { existsSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newHome, readAudit, runCli } from '../helpers/cli.js';

const TOOLSETS = `
toolsets:
  shop/core:
    description: Looks at the shop.
    prerequisites: [{ command: "grep --version" }]
    tools:
      - name: shop_orders
        description: Finds orders of the shop.
        command: printf 'order 1 open\\norder 2 done\\n' | grep {{ word }}
      - name: shop_restart
        description: Restarts the shop.
        command: "shopctl restart {{ name }}"
      - name: shop_eval
        description: Runs anything.
        command: "eval {{ code }}"
mcp_servers:
  shop: { config: { url: "https://mcp.example" } }
`;

function homeWithToolsets(): string {
  const home = newHome();
  writeFileSync(join(home, 'shop.yaml'), TOOLSETS);
  return home;
}

describe('tools import holmesgpt', () => {
  test('refuses a file that is not there or holds no tools, and writes nothing', async () => {
    const home = homeWithToolsets();
    writeFileSync(join(home, 'empty.yaml'), 'toolsets: {}\n');
    for (const name of ['none.yaml', 'empty.yaml'])
      expect((await runCli(['tools', 'import', 'holmesgpt', name], { home })).code).toBe(2);
    expect(existsSync(join(home, '.config/opsagent/tools.d'))).toBe(false);
  });

  test('adds the tools, says what is left out, and runs them through the gate', async () => {
    const home = homeWithToolsets();
    const added = await runCli(['tools', 'import', 'holmesgpt', 'shop.yaml'], { home });
    expect([
      added.code,
      added.stdout
        .trimEnd()
        .split('\n')
        .map((line) => line.split(/ {2,}/).slice(0, 2)),
    ]).toEqual([
      0,
      [
        ['NAME', 'RISK'],
        ['shop_orders', 'low'],
        ['shop_restart', 'high'],
      ],
    ]);
    expect(added.stderr).toContain('the tool "shop_eval" is left out: eval reads its arguments as code');
    expect(added.stderr).toContain(
      'The MCP server shop was not accepted yet, and is not used. To see and accept it, run: opsagent tools accept shop',
    );

    const word = '$(touch executed)';
    const read = await runCli(['tools', 'run', 'shop_orders', '--args', JSON.stringify({ word: 'open' })], { home });
    expect([read.code, read.stdout]).toEqual([0, 'order 1 open\n']);
    const odd = await runCli(['tools', 'run', 'shop_orders', '--args', JSON.stringify({ word: `2 ${word}` })], {
      home,
    });
    expect([odd.code, existsSync(join(home, 'executed'))]).toEqual([0, false]);
    const none = await runCli(['tools', 'run', 'shop_orders', '--args', '{"word":"closed"}'], { home });
    expect(none.code).toBe(0);

    const change = await runCli(['tools', 'run', 'shop_restart', '--args', '{"name":"web"}'], { home });
    expect(change.code).toBe(4);
    const denied = await runCli(['tools', 'run', 'shop_restart', '--args', '{"name":"web"}', '--read-only'], { home });
    expect(denied.code).toBe(3);
    const last = readAudit(home).filter(({ tool, event }) => tool === 'shop_restart' && event === 'finished');
    expect(last.map(({ risk_level: risk }) => risk)).toEqual(['high', 'high']);
  });
});

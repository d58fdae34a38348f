import { execFileSync } from 'node:child_process';
import { existsSync, mkdirSync, readFileSync, writeFileSync } from 'node:fs';
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

  test('gives all names a prefix where one is taken, and says so; a prefix that was given stays', async () => {
    const home = newHome();
    const taken =
      'toolsets: { k/core: { tools: [{ name: kubectl_get, description: Gets., command: kubectl get pods }, { name: own, description: Own., command: kubectl get nodes }] } }';
    writeFileSync(join(home, 'team.yaml'), `${taken}\n`);
    const note =
      'note: other tools are called kubectl_get already, so all these names begin with team_\nChoose another beginning with --prefix.\n';
    const dry = await runCli(['tools', 'import', 'holmesgpt', 'team.yaml', '--dry-run'], { home });
    expect([dry.code, dry.stderr]).toEqual([0, `${note}2 tools; nothing was written (--dry-run)\n`]);
    const added = await runCli(['tools', 'import', 'holmesgpt', 'team.yaml'], { home });
    expect(added.stderr).toContain(note);
    const file = join(home, '.config/opsagent/tools.d/team.yaml');
    expect(readFileSync(file, 'utf8')).toContain('prefix: team\n');
    const run = await runCli(['tools', 'list', '--json'], { home });
    expect(run.stdout).toContain('"team_kubectl_get"');

    const chosen = await runCli(['tools', 'import', 'holmesgpt', 'team.yaml', '--prefix', 'x', '--dry-run'], { home });
    expect([chosen.stderr, chosen.stdout.match(/^x_\w+/gm)]).toEqual([
      '2 tools; nothing was written (--dry-run)\n',
      ['x_kubectl_get', 'x_own'],
    ]);
  });

  test('a source in a tool file without a prefix leaves the taken name out, and says what to do', async () => {
    const home = homeWithToolsets();
    const taken =
      'toolsets: { k/core: { tools: [{ name: kubectl_get, description: Gets., command: kubectl get pods }] } }';
    writeFileSync(join(home, 'k.yaml'), taken);
    mkdirSync(join(home, 'tools'));
    writeFileSync(join(home, 'tools/k.yaml'), 'version: 1\nsources: [{ kind: holmesgpt, path: ../k.yaml }]\n');
    const run = await runCli(['tools', 'list', '--tools', 'tools'], { home });
    expect(run.stderr).toMatch(
      /tools\/k\.yaml:2:\d+: The holmesgpt source: its tool "kubectl_get" is left out, since tools\.d\/kubernetes\.yaml:\d+ has a tool of that name\.[\s\S]*Give the source a prefix, for example prefix: vendor\./,
    );
  });

  test('refuses a FIFO, a device and a file of 6 MiB at once', async () => {
    const home = newHome();
    execFileSync('mkfifo', [join(home, 'fifo.yaml')]);
    writeFileSync(join(home, 'large.yaml'), '#'.repeat(6 * 1024 * 1024));
    const runs = await Promise.all(
      ['fifo.yaml', '/dev/zero', 'large.yaml'].map((name) => runCli(['tools', 'import', 'holmesgpt', name], { home })),
    );
    expect(
      runs.map(({ code, stderr }) => [code, /is (not a regular file|larger than 5 MiB)\./.exec(stderr)?.[1]]),
    ).toEqual([
      [2, 'not a regular file'],
      [2, 'not a regular file'],
      [2, 'larger than 5 MiB'],
    ]);
  });
});

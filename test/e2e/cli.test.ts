import { execFileSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { stripVTControlCharacters } from 'node:util';
import { describe, expect, test } from 'vitest';
import { auditFile, EXAMPLE, newHome, ROOT, readAudit, runCli } from '../helpers/cli.js';
import { openCli } from '../helpers/cli-terminal.js';

const version = (JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
const configFile = (home: string) => join(home, '.config/opsagent/config.json');

const BROKEN = `version: 1
system: x
tools:
  - name: one
    description: Uses a parameter that nobody declared.
    risk_level: low
    run: { kind: command, argv: [echo, "{{ nobody }}"] }
  - name: one
    description: Has the same name, and a key that does not exist.
    risk_levl: low
    run: { kind: command, argv: [echo] }
`;

describe('the command line', () => {
  test.each([
    [['nonsense'], "unknown command 'nonsense'"],
    [['ask'], "missing required argument 'request'"],
    [['ask', 'x', '--output', 'xml'], 'Allowed choices are text, json, jsonl'],
    [['ask', 'x', '--yes=everything'], '--yes'],
    [['ask', 'x', '--max-steps', '0'], 'above 0'],
    [['tools', 'show', 'kubectl_gets'], 'Did you mean "kubectl_get"'],
    [['tools', 'list', '--category', 'kubernets'], 'Did you mean "kubernetes"'],
    [['tools', 'run', 'kubectl_get', '--args', '{"kind"', '--dump', EXAMPLE], 'not JSON'],
    [['tools', 'run', 'kubectl_get', '--arg', 'kind'], 'not JSON|key=value'],
    [['config', 'set', 'model.nam', 'x'], 'Did you mean "model.name"'],
    [['config', 'set', 'model.max_steps', 'many'], 'number'],
    [['audit', 'show', 'c99'], 'no call c99'],
    [['audit', 'search', '--since', 'whenever'], 'neither a duration nor a date'],
    [['completion', 'tcsh'], 'Allowed choices are bash, zsh, fish'],
  ])('%j is a usage error that says what is wrong', async (args, message) => {
    const run = await runCli(args, { env: { PATH: '/nonexistent' } });
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: '' });
    expect(run.stderr).toMatch(new RegExp(message.replaceAll(/[.[\]"']/g, '.')));
    expect(run.stderr).not.toContain('    at ');
  });

  test('tool files with mistakes are refused with every mistake and its place', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'opsagent-tools-'));
    writeFileSync(join(dir, 'x.yaml'), BROKEN);
    const run = await runCli(['ask', 'diagnose order-service', '--dump', EXAMPLE, '--tools', dir]);
    expect({ code: run.code, stdout: run.stdout }).toEqual({ code: 2, stdout: '' });
    for (const place of ['x.yaml:7:', 'x.yaml:8:', 'x.yaml:10:']) expect(run.stderr).toContain(place);
    expect(run.stderr).toContain('risk_level');
    const lint = await runCli(['tools', 'lint', join(dir, 'x.yaml')]);
    expect([lint.code, lint.stdout.match(/x\.yaml:\d+:\d+: /g)?.length]).toEqual([2, expect.any(Number)]);
  });

  test('a tool of a name that ships is refused', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'opsagent-tools-'));
    writeFileSync(
      join(dir, 'x.yaml'),
      BROKEN.split('\n').slice(0, 7).join('\n').replace('one', 'kubectl_get').replace('"{{ nobody }}"', 'a'),
    );
    const run = await runCli(['tools', 'list', '--tools', dir]);
    expect(run.code).toBe(2);
    expect(run.stderr).toMatch(/two tools called "kubectl_get": \S*tools\.d\/kubernetes\.yaml:\d+ and .*x\.yaml:4/);
  });

  test('what a tool needs is tried out at its first use, in bounded time, recorded, and believed for a while', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'opsagent-tools-'));
    const tool = (name: string, requires: string) =>
      `  - { name: ${name}, description: Says hello to the world., risk_level: low, run: { kind: command, argv: [echo, hello] }, requires: [${requires}] }\n`;
    writeFileSync(
      join(dir, 'x.yaml'),
      `version: 1\nsystem: x\ntools:\n${tool('broken', '{ command: ["false", x], fix: Mend it. }')}${tool('dead', '{ command: [sleep, "60"] }')}${tool('unset', '{ env: NOT_SET_ANYWHERE }')}${tool('fine', '{ command: ["true", x] }')}`,
    );
    const home = newHome();
    const use = (name: string) => runCli(['tools', 'run', name, '--tools', dir], { home });
    const [broken, dead, unset] = await Promise.all([use('broken'), use('dead'), use('unset')]);
    expect([broken.code, broken.stderr]).toEqual([2, expect.stringContaining('Mend it.')]);
    expect([dead.code, dead.stderr]).toEqual([6, expect.stringContaining('did not end within 3 s')]);
    expect([unset.code, unset.stderr]).toEqual([2, expect.stringContaining('NOT_SET_ANYWHERE')]);
    expect((await use('fine')).stdout).toBe('hello\n');
    expect((await use('fine')).stdout).toBe('hello\n');
    const checks = readAudit(home).filter(
      (record) => record.tool === 'check_requirement' && record.event === 'finished',
    );
    expect(checks.map((record) => record.status).sort()).toEqual(['failed', 'ok', 'timed-out']);
    const list = await runCli(['tools', 'list', '--tools', dir], { home });
    expect(list.stdout).toMatch(/unset .*\(unavailable\)[\s\S]*unavailable: 1 tools, unset …: .*NOT_SET_ANYWHERE/);
  });

  test('the tools of a folder are used only while they are as they were trusted', async () => {
    const home = newHome();
    const project = mkdtempSync(join(tmpdir(), 'opsagent-project-'));
    const dir = join(project, '.opsagent/tools.d');
    mkdirSync(dir, { recursive: true });
    const good =
      'version: 1\nsystem: mine\ntools:\n  - { name: hello, description: Says hello to the world., risk_level: low, run: { kind: command, argv: [echo, hello] } }\n';
    writeFileSync(join(dir, 'mine.yaml'), good);
    const list = () => runCli(['tools', 'list'], { home, cwd: project });
    const before = await list();
    expect([before.stdout.includes('hello'), before.stderr]).toEqual([
      false,
      expect.stringContaining('config trust .'),
    ]);
    expect((await runCli(['config', 'trust', '.'], { home, cwd: project })).code).toBe(0);
    expect((await list()).stdout).toContain('hello');
    writeFileSync(join(dir, 'mine.yaml'), good.replace('echo, hello', 'echo, changed'));
    const after = await list();
    expect([after.stdout.includes('hello'), after.stderr]).toEqual([false, expect.stringContaining('changed')]);
  });

  test('version and help need nothing', async () => {
    expect((await runCli(['--version'])).stdout).toBe(`${version}\n`);
    const help = await runCli([]);
    expect([help.code, help.stderr]).toEqual([0, '']);
    expect(help.stdout).toMatch(/ask .*plain words[\s\S]*Exit codes/);
    expect((await runCli(['ask', '--help'])).stdout).toContain('--max-risk');
  });

  test('tools can be listed, shown, exported and loaded again', async () => {
    const all = JSON.parse((await runCli(['tools', 'list', '--json'])).stdout) as { name: string }[];
    expect(all.map((tool) => tool.name)).toContain('diagnose_service');
    expect((await runCli(['tools', 'show', 'kubectl_delete'])).stdout).toMatch(/risk +high[\s\S]*critical when/);
    const functions = JSON.parse((await runCli(['tools', 'schema'])).stdout) as { type: string }[];
    expect(functions).toHaveLength(all.length);
    const file = join(mkdtempSync(join(tmpdir(), 'opsagent-export-')), 'tools.yaml');
    expect((await runCli(['tools', 'export', file])).code).toBe(0);
    expect(readFileSync(file, 'utf8')).toMatch(/^kubectl_get:\n/m);
    expect((await runCli(['tools', 'export', file])).code).toBe(2);
    const lint = await runCli(['tools', 'lint']);
    expect([lint.code, lint.stdout, lint.stderr]).toEqual([0, '', `${all.length} tools, 0 problems, 0 warnings\n`]);
  });

  test('settings are kept in a file that only its owner can read, and a key is not shown', async () => {
    const home = newHome();
    expect((await runCli(['config', 'get', 'model.name'], { home })).stdout).toBe('(not set)\n');
    await runCli(['config', 'set', 'model.name', 'qwen3:14b'], { home });
    await runCli(['config', 'set', 'model.api_key', 'sk-very-secret'], { home });
    expect((await runCli(['config', 'get', 'model.name'], { home })).stdout).toBe('qwen3:14b\n');
    expect(statSync(configFile(home)).mode & 0o777).toBe(0o600);
    const list = await runCli(['config', 'list'], { home });
    expect(list.stdout).toContain('qwen3:14b');
    expect(list.stdout + (await runCli(['config', 'get', 'model.api_key'], { home })).stdout).not.toContain(
      'very-secret',
    );
    await runCli(['config', 'set', 'model.name'], { home });
    expect((await runCli(['config', 'get', 'model.name'], { home })).stdout).toBe('(not set)\n');
    expect(JSON.parse((await runCli(['config', 'path', '--json'], { home })).stdout)).toMatchObject({
      audit: auditFile(home),
    });
  });

  test('a broken config file is a usage error that names it', async () => {
    const home = newHome();
    mkdirSync(join(home, '.config/opsagent'), { recursive: true });
    writeFileSync(configFile(home), '{"model":');
    const run = await runCli(['ask', 'diagnose order-service', '--dump', EXAMPLE], { home });
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('config.json')]);
  });

  test('the audit log can be read, searched and shown', async () => {
    const home = newHome();
    expect((await runCli(['audit', 'tail'], { home })).stderr).toContain('No record');
    await runCli(
      ['tools', 'run', 'kubectl_get', '--arg', 'kind=pods', '--arg', 'namespace=production', '--dump', EXAMPLE],
      { home },
    );
    expect((await runCli(['audit', 'tail'], { home })).stdout).toMatch(
      /c1 +decided +low +allow +kubectl_get +kubectl get pods/,
    );
    expect((await runCli(['audit', 'search', 'nothing-like-this'], { home })).stdout).toBe('');
    const found = await runCli(
      ['audit', 'search', '--tool', 'kubectl_get', '--status', 'ok', '--since', '1h', '--json'],
      { home },
    );
    expect(JSON.parse(found.stdout)).toMatchObject({ event: 'finished', status: 'ok', tool: 'kubectl_get' });
    expect((await runCli(['audit', 'show', 'c1'], { home })).stdout).toMatch(
      /decision +allow: it only reads[\s\S]*status +ok/,
    );
  });

  test('doctor says what is there and what to do about the rest', async () => {
    const bare = await runCli(['doctor'], { env: { PATH: '/nonexistent' } });
    expect([bare.code, bare.stdout]).toEqual([
      0,
      expect.stringMatching(/– kubectl[\s\S]*→ Install kubectl[\s\S]*– model/),
    ]);
    const said = bare.stdout.split('\n').filter((line) => line.startsWith('–'));
    expect(said).toEqual([...new Set(said)]);
    const terminal = openCli(['doctor', '--no-cluster'], { columns: 80, rows: 60, env: { PATH: '/nonexistent' } });
    const { output } = await terminal.ended;
    const shown = stripVTControlCharacters(output).split('[exit ')[0] ?? '';
    expect(shown).toContain('PROMETHEUS_URL');
    expect(shown.split(/\r?\n/).filter((line) => line.length > 80)).toEqual([]);
    const home = newHome();
    writeFileSync(join(home, 'file'), '');
    const broken = await runCli(['doctor', '--json'], {
      env: { PATH: '/nonexistent', OPSAGENT_STATE_DIR: join(home, 'file') },
    });
    expect([broken.code, JSON.parse(broken.stdout)]).toEqual([1, expect.objectContaining({ exit_code: 1 })]);
  });

  test('completion scripts are valid and know commands, options and choices', async () => {
    const bash = (await runCli(['completion', 'bash'])).stdout;
    const complete = (words: string) =>
      execFileSync(
        'bash',
        [
          '-c',
          `${bash}\nCOMP_WORDS=(${words}); COMP_CWORD=$((\${#COMP_WORDS[@]}-1)); _opsagent; echo "\${COMPREPLY[@]}"`,
        ],
        { encoding: 'utf8' },
      ).trim();
    expect(complete('opsagent de')).toBe('demo');
    expect(complete('opsagent tools li')).toBe('list lint');
    expect(complete('opsagent ask --max-risk cr')).toBe('critical');
    expect(complete('opsagent ask "x y" --off')).toBe('--offline');
    expect(complete('opsagent ask "x y" --output js')).toBe('json jsonl');
    expect((await runCli(['completion', 'fish'])).stdout).toContain(
      "complete -c opsagent -f -n 'not __fish_seen_subcommand_from",
    );
    expect((await runCli(['completion', 'zsh'])).stdout).toContain('bashcompinit');
  });
});

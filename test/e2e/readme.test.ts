import { spawnSync } from 'node:child_process';
import { mkdirSync, readFileSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { EXIT } from '../../src/domain/errors.js';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { type ApiServer, startApiServer } from '../helpers/api-server/start.js';
import { cleanEnv, EXAMPLE, kubeEnv, newHome, ROOT, runCli } from '../helpers/cli.js';
import { openCli } from '../helpers/cli-terminal.js';

const readme = readFileSync(join(ROOT, 'README.md'), 'utf8');
const blocks = (info: string): string[] =>
  [...readme.matchAll(/^```([^\n]*)\n([\s\S]*?)^```$/gm)].filter((m) => m[1] === info).map((m) => m[2] as string);

/** Splits a command line of the README; only quotes matter there. */
const wordsOf = (line: string): string[] => [...line.matchAll(/"([^"]*)"|(\S+)/g)].map((m) => m[1] ?? (m[2] as string));

/** Every shown line must appear in the output, in this order; `…` stands for anything. */
function expectInOrder(output: string, shown: readonly string[]): void {
  let from = 0;
  for (const part of shown.flatMap((line) => line.split('…')).filter((part) => part.trim() !== '')) {
    const at = output.indexOf(part.trim(), from);
    expect(at, `${JSON.stringify(part.trim())} in:\n${output.slice(from)}`).toBeGreaterThanOrEqual(0);
    from = at + part.trim().length;
  }
}

describe('README', () => {
  const home = newHome();
  let cluster: ApiServer | undefined;
  beforeAll(async () => {
    // The session works in the project's folder; its files must not be touched, so it gets a folder that looks like it.
    symlinkSync(join(ROOT, 'examples'), join(home, 'examples'));
    if (kubectlMissing() === undefined) cluster = await startApiServer({ dumpDir: EXAMPLE });
  });
  afterAll(async () => cluster?.close());

  const sessions = blocks('console').map((block) => [block.split('\n')[0] as string, block] as const);
  test.for(sessions)('%s', async ([line, block], { skip }) => {
    // Without kubectl these answer that it is missing, which is not what the README shows.
    skip(/restart|kubectl_/.test(line) && kubectlMissing() !== undefined, kubectlMissing());
    const [command = '', ...shown] = block.trimEnd().split('\n');
    const words = wordsOf(command.replace(/^\$ opsagent /, '').replace(' </dev/null', ''));
    const run = await runCli(words, { home, env: { ...cluster?.env, HOME: home } });
    expectInOrder(
      run.stderr.includes(shown.at(-1)?.slice(0, 20) ?? '') ? run.stderr + run.stdout : run.stdout + run.stderr,
      shown,
    );
  });

  test('the card is the one that a terminal shows', async ({ skip, onTestFinished }) => {
    if (!cluster) return skip(kubectlMissing() ?? 'no cluster');
    const terminal = openCli(['ask', 'restart deployment order-service in namespace production'], {
      columns: 80,
      rows: 40,
      env: kubeEnv(cluster),
    });
    onTestFinished(terminal.end);
    await terminal.waitFor('press Enter');
    const words = (text: string) =>
      text
        .replaceAll('┃', ' ')
        .split(/\s+/)
        .filter((word) => word !== '')
        .join(' ');
    expect(words(terminal.screen())).toContain(words(blocks('text card')[0] ?? 'no card in the README'));
  });

  test('the tool has 12 lines, loads and runs', async () => {
    const [tool = ''] = blocks('yaml tool');
    expect(tool.trimEnd().split('\n')).toHaveLength(12);
    const dir = join(home, 'my-tools');
    mkdirSync(dir);
    writeFileSync(join(dir, 'disk.yaml'), tool);
    expect((await runCli(['tools', 'lint', join(dir, 'disk.yaml')], { home })).code).toBe(0);
    const run = await runCli(['tools', 'run', 'disk_usage', '--tools', dir], { home });
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('Filesystem')]);
  });

  test('the rule has 8 lines, and denies', async () => {
    const [rule = ''] = blocks('yaml rule');
    expect(rule.trimEnd().split('\n')).toHaveLength(8);
    const dir = join(home, 'my-policies');
    mkdirSync(dir);
    writeFileSync(join(dir, 'shop.yaml'), rule);
    const args = ['kind=deployment', 'name=web', 'namespace=shop'].flatMap((arg) => ['--arg', arg]);
    const run = await runCli(['tools', 'run', 'kubectl_rollout_restart', ...args, '--policies', dir, '--yes'], {
      home,
    });
    expect([run.code, run.stderr]).toEqual([3, expect.stringContaining('shop.no-restarts')]);
  });

  test('the roles load, grant what they say, and deny the rest', async () => {
    const dir = join(home, 'my-roles');
    mkdirSync(dir);
    writeFileSync(join(dir, 'team.yaml'), blocks('yaml roles')[0] ?? 'no roles in the README');
    const check = (tool: string, args: object) =>
      runCli(['policy', 'check', tool, '--args', JSON.stringify(args), '--policies', dir], { home });
    expect((await check('kubectl_get', { kind: 'pods' })).code).toBe(0);
    const change = await check('kubectl_delete_pod', { pod_name: 'web', namespace: 'shop' });
    expect([change.code, change.stdout]).toEqual([3, expect.stringContaining('the role operator of')]);
  });

  test('the Rego is a part of the example that ships', () => {
    expect(readFileSync(join(ROOT, 'policies/rego/tools.rego'), 'utf8')).toContain(blocks('rego')[0] ?? 'no Rego');
  });

  test('the fields of the input document are those that policies get', () => {
    const [, listed = ''] = /is known of a call: ([^.]*)\./.exec(readme) ?? [];
    const inputs =
      readFileSync(join(ROOT, 'src/policy/input.ts'), 'utf8').split('export interface PolicySubject')[0] ?? '';
    const fields = [...inputs.matchAll(/^ {2}readonly (\w+)/gm)].map((m) => m[1] as string);
    // Older names, kept for rules that use them.
    const documented = [...listed.matchAll(/`(\w+)`/g)].map((m) => m[1] as string).concat('tokens', 'session_id');
    expect(documented.sort()).toEqual(fields.sort());
  });

  test('the table of exit codes is the one of the program', () => {
    const rows = [...readme.matchAll(/^\| (\d+) \| /gm)].map((m) => Number(m[1]));
    expect(rows).toEqual(Object.values(EXIT));
  });

  test('the two commands of the beginning are scripts that exist', () => {
    const scripts = (
      JSON.parse(readFileSync(join(ROOT, 'package.json'), 'utf8')) as { scripts: Record<string, string> }
    ).scripts;
    expect(blocks('sh')[0]).toBe('npm ci && node bin/opsagent.js demo\nnpm test\n');
    const demo = spawnSync(process.execPath, ['bin/opsagent.js', 'demo'], {
      cwd: ROOT,
      env: cleanEnv(home),
      encoding: 'utf8',
    });
    expect([demo.status, demo.stdout]).toEqual([
      0,
      expect.stringContaining('connection pool is exhausted (critical, confirmed)'),
    ]);
    expect([scripts.test, scripts.prepare]).toEqual([expect.stringContaining('vitest run'), 'node scripts/build.mjs']);
  });

  test('every command of the table exists', async () => {
    const help = (await runCli(['--help'])).stdout;
    const named = [...readme.matchAll(/^\| `opsagent (\w+)/gm)].map((m) => m[1] as string);
    expect(named.filter((name) => !new RegExp(`^  ${name} `, 'm').test(help))).toEqual([]);
    expect(named.length).toBe([...help.matchAll(/^ {2}(?!help)[a-z]+ /gm)].length);
  });
});

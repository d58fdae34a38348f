import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { userName } from '../../src/lib/paths.js';
import { auditFile, EXAMPLE, newHome, ROOT, readAudit, runCli } from '../helpers/cli.js';
import { folder, write } from './policy-folder.js';

const get = ['tools', 'run', 'kubectl_get', '--arg', 'kind=pods', '--arg', 'namespace=production', '--dump', EXAMPLE];
const rolesFor = (user: string) => `version: 1
roles:
  admin: { permissions: ["*"] }
bindings:
  - { role: admin, users: [${JSON.stringify(user)}] }
`;
const NO_PODS = `version: 1
rules:
  - { id: no.pods, effect: deny, reason: not today, tokens: [kubectl, get, pods], examples: { match: [[kubectl, get, pods]] } }
`;

describe('roles', () => {
  test('no variable makes somebody else of a user', async () => {
    const env = Object.fromEntries(
      ['OPSAGENT_USER', 'USER', 'LOGNAME', 'USERNAME', 'SUDO_USER'].map((name) => [name, 'boss']),
    );
    const run = await runCli([...get, '--policies', write(rolesFor('boss'))], { env });
    expect([run.code, run.stderr]).toEqual([
      3,
      expect.stringContaining(`${userName()} has no role and lacks kubernetes:`),
    ]);
    expect(readAudit(run.home).map(({ user }) => user)).toEqual([userName(), userName()]);
  });

  test('a user who is bound may do what the role grants', async () => {
    const run = await runCli([...get, '--policies', write(rolesFor(userName()))]);
    expect([run.code, run.stdout]).toEqual([0, expect.stringContaining('order-service')]);
  });
});

describe('Rego', () => {
  test('a source that changed since it was compiled stops everything before it begins', async () => {
    const dir = folder();
    cpSync(join(ROOT, 'policies/rego'), dir, { recursive: true });
    writeFileSync(join(dir, 'tools.rego'), `${readFileSync(join(dir, 'tools.rego'), 'utf8')}\n# changed\n`);
    const run = await runCli([...get, '--policies', dir]);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining(`opsagent policy build ${dir}`)]);
    expect(() => readFileSync(auditFile(run.home))).toThrow('ENOENT');
  });

  test('compiled Rego is asked by the built program', async () => {
    const fixture = join(ROOT, 'test/policy/fixtures/rego');
    const dir = write(readFileSync(join(ROOT, 'test/policy/fixtures/tool.yaml'), 'utf8'), 'denied.yaml');
    const run = await runCli(['tools', 'run', 'denied', '--tools', dir, '--policies', fixture, '--yes=critical']);
    expect([run.code, run.stderr]).toEqual([3, expect.stringContaining('Denied by policy (rego.deny: always)')]);
  });

  test('an OPA server that is not there denies what only reads, too; the variable adds to the config', async () => {
    const run = await runCli(get, { env: { OPSAGENT_OPA_URL: 'http://127.0.0.1:1' } });
    expect([run.code, run.stderr]).toEqual([3, expect.stringContaining('the OPA server at http://127.0.0.1:1')]);
    const home = newHome();
    await runCli(['config', 'set', 'policy.opa_url', 'http://127.0.0.1:1'], { home });
    expect((await runCli(get, { home, env: { OPSAGENT_OPA_URL: '' } })).code).toBe(3);
  });
});

describe('policy check', () => {
  test.each<[string[], number, RegExp]>([
    [['kubectl_get', '--args', '{"kind":"pods"}'], 0, /^effect {4}allow: it would run\n/],
    [
      ['kubectl_delete_pod', '--args', '{"pod_name":"x","namespace":"y"}'],
      4,
      /^effect {4}confirm: a person would be asked\n/,
    ],
    [
      ['--', 'kubectl', 'delete', 'ns', 'kube-system'],
      3,
      /deny +kubernetes\.system-namespaces, policies\/kubernetes\.yaml:\d+\n/,
    ],
    [['--', 'rm', '-rf', '/srv'], 4, /risk +(high|critical)/],
    [['kubectl_gte'], 2, /Did you mean kubectl_get/],
    [['kubectl_get', '--args', '{"kind":7}'], 2, /kind/],
  ])('%j ends with %i', async (words, code, said) => {
    const run = await runCli(['policy', 'check', ...words]);
    expect([run.code, run.stdout + run.stderr]).toEqual([code, expect.stringMatching(said)]);
    expect(() => readFileSync(auditFile(run.home))).toThrow('ENOENT');
  });

  test('says a reason once', async () => {
    const tool = ['kubectl_delete', '--args', '{"kind":"namespace","name":"scratch"}'];
    for (const words of [tool, ['--', 'kubectl', 'delete', 'ns', 'scratch']]) {
      const { stdout } = await runCli(['policy', 'check', ...words]);
      expect(stdout.match(/takes every object in it along/g)).toHaveLength(1);
    }
  });

  test('answers with the mode that sessions have', async () => {
    const words = ['policy', 'check', 'kubectl_delete_pod', '--args', '{"pod_name":"x","namespace":"y"}'];
    const { home } = await runCli(['config', 'set', 'mode', 'auto']);
    expect((await runCli(words, { home })).stdout).toMatch(/^effect {4}allow: it would run\n/);
    await runCli(['config', 'set', 'mode', 'read-only'], { home });
    expect((await runCli(words, { home })).stdout).toMatch(/^effect {4}deny: it would not run\n/);
  });

  test('names expired and near rules, and when a rule that decides will end', async () => {
    const rule = (id: string, expires: string, tokens: string) =>
      `  - { id: ${id}, effect: deny, reason: r, expires: ${expires}, tokens: ${tokens}, examples: { match: [${tokens}] } }\n`;
    const rules = [
      rule('old', '2020-01-01', '[helm, rollback]'),
      rule('new', '2999-12-31', '[helm, rollback]'),
      rule('near', '2999-12-31', '[helm, rollback, --force]'),
    ];
    const dir = write(`version: 1\nrules:\n${rules.join('')}`);
    const args = ['policy', 'check', '--policies', dir, '--output', 'json', '--', 'helm', 'rollback', 'web'];
    const { code, stdout } = await runCli(args);
    const ids = (list: { readonly id: string }[]) => list.map(({ id }) => id);
    const report = JSON.parse(stdout);
    expect([code, report.effect, ids(report.rules), ids(report.expired), ids(report.near), report.ending]).toEqual([
      3,
      'deny',
      ['new'],
      ['old'],
      ['near'],
      [expect.stringMatching(/^new ends 3000-01-01T00:00:00.000Z, in \d+d/)],
    ]);
  });

  test('says that a command line has no permissions, and checks those of a tool', async () => {
    const dir = write(rolesFor('boss'));
    const line = await runCli(['policy', 'check', '--policies', dir, '--', 'kubectl', 'get', 'pods']);
    expect(line.stdout).toContain('roles are not asked about a command line');
    const tool = await runCli(['policy', 'check', 'kubectl_get', '--args', '{"kind":"pods"}', '--policies', dir]);
    expect([tool.code, tool.stdout]).toEqual([
      3,
      expect.stringContaining(`the role admin of ${dir}/team.yaml:3 grants it`),
    ]);
  });
});

describe('a recorded call', () => {
  const home = newHome();

  test('is explained, and judged again with another policy', async () => {
    expect((await runCli(get, { home })).code).toBe(0);
    const deny = write(NO_PODS, 'no.yaml');
    expect((await runCli([...get, '--policies', deny], { home })).code).toBe(3);
    const session = readAudit(home).at(-1)?.session_id;

    const gone = await runCli(['policy', 'explain', 'c1'], { home });
    expect(gone.stdout).toContain(`deny no.pods, then ${deny}/no.yaml:3; no such rule now`);
    expect(gone.stdout).toMatch(/answer +nobody was asked/);
    const there = await runCli(['policy', 'explain', `${session}/c1`, '--policies', deny], { home });
    expect(there.stdout).toContain(`deny no.pods, ${deny}/no.yaml:3\n`);

    const lenient = await runCli(['policy', 'test'], { home });
    expect([lenient.code, lenient.stdout]).toEqual([
      1,
      expect.stringMatching(/2 recorded .*: 1 would differ.*\n.*\n.* deny +allow +\(no longer no\.pods\)/),
    ]);
    const strict = await runCli(['policy', 'test', '--policies', deny, '--output', 'json'], { home });
    expect([strict.code, JSON.parse(strict.stdout)]).toMatchObject([
      1,
      {
        judged: 2,
        differing: 1,
        skipped: 0,
        differences: [{ was: 'allow', now: 'deny', rule: 'no.pods', reason: 'not today' }],
      },
    ]);
    expect((await runCli(['policy', 'test', '--since', '0s'], { home })).code).toBe(0);
  });

  test('a call that was never decided is not explained, and an empty log has no differences', async () => {
    expect((await runCli(['policy', 'explain', 'c9'], { home })).code).toBe(2);
    const fresh = await runCli(['policy', 'test']);
    expect([fresh.code, fresh.stdout]).toEqual([
      0,
      expect.stringContaining('0 recorded decisions judged again: none would differ.'),
    ]);
  });

  test('a back-test that cannot ask every policy says so instead of counting denials', async () => {
    const run = await runCli(['policy', 'test'], { home, env: { OPSAGENT_OPA_URL: 'http://127.0.0.1:1' } });
    expect([run.code, run.stderr]).toEqual([1, expect.stringMatching(/The back-test ended at c1: .*OPA server/)]);
  });

  test('names expired rules', async () => {
    const dir = write(NO_PODS.replace('reason: not today', 'reason: not today, expires: 2020-01-01'));
    expect((await runCli(['policy', 'test', '--policies', dir])).stdout).toContain(
      `Expired since 2020-01-01: no.pods, ${dir}/team.yaml:3\n`,
    );
  });
});

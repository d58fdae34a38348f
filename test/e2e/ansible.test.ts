import { execFileSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { findOnPath } from '../../src/tools/requires.js';
import { runCli } from '../helpers/cli.js';
import { runCalls } from '../helpers/cli-calls.js';

const isThere = findOnPath('ansible-playbook', process.env.PATH ?? '') !== undefined;

/** A project with one reachable host, which is this machine, and one that is not. */
function newProject() {
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-ansible-'));
  const target = join(dir, 'target.conf');
  const marker = join(dir, 'pwned');
  const write = (name: string, text: string) => writeFileSync(join(dir, name), text);
  write(
    'ansible.cfg',
    '[defaults]\ninventory = hosts.ini\nretry_files_enabled = false\n[ssh_connection]\nssh_args = -o ConnectTimeout=1\n',
  );
  const python = 'ansible_python_interpreter=/usr/bin/python3';
  write(
    'hosts.ini',
    `[web]\nlocal ansible_connection=local ${python} note=hello\n[db]\ngone ansible_connection=local ansible_python_interpreter=/nowhere/python\n`,
  );
  const task = `    - ansible.builtin.copy: { dest: "${target}", content: "version={{ version | default('1') }}\\n" }\n`;
  write('site.yml', `- hosts: web\n  gather_facts: false\n  tasks:\n${task}`);
  write('broken.yml', '- hosts: web\n  tasks:\n    - no_such_module_or_key: [\n');
  return { dir, target, marker };
}

describe.skipIf(!isThere)(`real Ansible${isThere ? '' : ' (skipped: there is no ansible-playbook)'}`, () => {
  const { dir, target, marker } = newProject();
  const calls = (list: readonly (readonly [string, object])[], ...flags: string[]) =>
    runCalls(
      list.map(([name, args]) => ({ name, arguments: args })),
      flags,
      { cwd: dir },
    );
  let answers: Awaited<ReturnType<typeof runCalls>>['answers'] = [];

  beforeAll(async () => {
    ({ answers } = await calls([
      ['ansible_inventory_graph', {}],
      ['ansible_inventory_host', { host: 'local' }],
      ['ansible_list_hosts', { hosts: 'all' }],
      ['ansible_ping', { hosts: 'all' }],
      ['ansible_facts', { hosts: 'web', filter: 'ansible_distribution*' }],
      ['ansible_stat', { hosts: 'web', path: '/etc/hostname' }],
      ['ansible_playbook_syntax', { playbook: 'site.yml' }],
      ['ansible_playbook_syntax', { playbook: 'broken.yml' }],
      ['ansible_playbook_tasks', { playbook: 'site.yml' }],
      ['ansible_playbook_check', { playbook: 'site.yml' }],
      ['ansible_playbook_run', { playbook: 'site.yml', limit: 'web' }],
      ['ansible_ping', { hosts: '-i/tmp/other' }],
      ['ansible_playbook_syntax', { playbook: '../elsewhere/site.yml' }],
      ['ansible_playbook_syntax', { playbook: '/tmp/site.yml' }],
      ['ansible_playbook_run', { playbook: 'site.yml', variables: [`v={{ lookup('pipe','touch ${marker}') }}`] }],
      ['ansible_playbook_run', { playbook: 'site.yml', variables: ['ansible_connection=ssh'] }],
    ]));
  }, 120_000);

  test('groups, hosts and variables of the inventory', () => {
    expect(answers[0]?.text).toMatch(/@web:\s+\|\s+\|--local/);
    expect(answers[1]?.text).toContain('"note": "hello"');
    expect(answers[2]?.text).toMatch(/hosts \(2\):\s+local\s+gone/);
  });

  test('a ping says which hosts answer and which do not', () => {
    expect(answers[3]?.text).toMatch(/local \| SUCCESS.*pong/s);
    expect(answers[3]?.text).toMatch(/gone \| (FAILED|UNREACHABLE)/);
    expect(answers[3]?.status).toBe('ok');
  });

  test('facts and files of hosts', () => {
    expect(answers[4]?.text).toContain('ansible_distribution_version');
    expect(answers[5]?.text).toContain('"exists": true');
  });

  test('the syntax, hosts and tasks of a playbook, without a connection', () => {
    expect(answers.slice(6, 9).map(({ status }) => status)).toEqual(['ok', 'failed', 'ok']);
    expect(answers[8]?.text).toContain('ansible.builtin.copy');
  });

  test('nothing that may change a host runs unasked', () => {
    expect(answers.slice(9, 11).map(({ status }) => status)).toEqual(['rejected', 'rejected']);
    expect(existsSync(target)).toBe(false);
  });

  test('another inventory, a playbook elsewhere, a template and a connection are refused', () => {
    expect(answers.slice(11).map(({ status }) => status)).toEqual(Array(5).fill('invalid-arguments'));
    expect(existsSync(marker)).toBe(false);
  });

  test('check mode shows the change and makes none; the run makes it', async () => {
    const tried = await calls(
      [
        ['ansible_playbook_check', { playbook: 'site.yml', limit: 'web', variables: ['version=1.4.2'] }],
        ['ansible_stat', { hosts: 'web', path: target }],
      ],
      '--yes',
    );
    expect(tried.answers.map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect(tried.answers[0]?.text).toContain('+version=1.4.2');
    expect(tried.answers[1]?.text).toContain('"exists": false');
    const run = await calls(
      [
        ['ansible_playbook_run', { playbook: 'site.yml', limit: 'web', variables: ['version=1.4.2'] }],
        ['ansible_playbook_run', { playbook: 'site.yml' }],
      ],
      '--yes',
    );
    expect(run.answers.map(({ status }) => status)).toEqual(['ok', 'rejected']);
    expect(readFileSync(target, 'utf8')).toBe('version=1.4.2\n');
  }, 120_000);

  test('the doctor says that it is there', async () => {
    const { stdout } = await runCli(['doctor', '--no-cluster'], { cwd: dir });
    expect(stdout).toMatch(/✔ ansible +ansible-playbook/);
    expect(stdout).toMatch(/✔ git +git/);
  }, 30_000);
});

test('without Ansible its tools say what to install', async () => {
  const node = execFileSync('sh', ['-c', 'command -v node'], { encoding: 'utf8' }).trim();
  const bin = mkdtempSync(join(tmpdir(), 'opsagent-bin-'));
  execFileSync('ln', ['-s', node, join(bin, 'node')]);
  const run = await runCli(['tools', 'run', 'ansible_ping', '--arg', 'hosts=all'], { env: { PATH: bin } });
  expect([run.code, run.stdout + run.stderr]).toEqual([2, expect.stringContaining('ansible-core')]);
}, 30_000);

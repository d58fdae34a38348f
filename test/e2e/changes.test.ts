import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeEach, describe, expect, type TestContext, test } from 'vitest';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { at, textAt } from '../helpers/api-server/objects.js';
import { sampleObjects } from '../helpers/api-server/sample.js';
import { startApiServer } from '../helpers/api-server/start.js';
import { kubeEnv, newHome, readAudit, runCli } from '../helpers/cli.js';

const missing = kubectlMissing();
const RESTART = ['ask', 'restart deployment order in namespace shop'];
const RESTART_ARGV = 'kubectl rollout restart deployment order --namespace=shop';
const remove = (kind: string, name: string, ...more: string[]) => [
  ...['tools', 'run', 'kubectl_delete', '--arg', `kind=${kind}`, '--arg', `name=${name}`],
  ...more,
];
const get = (args: object, ...more: string[]) => [
  ...['tools', 'run', 'kubectl_get', '--args', JSON.stringify(args)],
  ...more,
];

/** A folder with these files. */
function folderOf(files: Readonly<Record<string, string>>): string {
  const folder = mkdtempSync(join(tmpdir(), 'opsagent-files-'));
  for (const [name, text] of Object.entries(files)) writeFileSync(join(folder, name), text);
  return folder;
}

/** Runs the program on a cluster of its own; gives how it ended, what it asked of the cluster, and how much it changed. */
async function run({ onTestFinished }: TestContext, args: readonly string[], home = newHome()) {
  const scratch = { kind: 'Namespace', metadata: { name: 'scratch' } };
  const server = await startApiServer({ objects: [...sampleObjects(), scratch] });
  onTestFinished(server.close);
  const ended = await runCli(args, { home, env: kubeEnv(server) });
  // The kubectl of some distributions asks for the version of the cluster whatever it is to do.
  const asked = server.requests.filter((request) => request.path !== '/version');
  return { ...ended, server, asked, changes: server.changes().length };
}

/** Events, statuses and who approved of the records of one tool. */
const recordsOf = (home: string, tool: string) =>
  readAudit(home)
    .filter((record) => record.tool === tool)
    .map(({ event, status, decision, approval }) => [event, status, decision?.effect, approval?.by, approval?.granted]);

const denyRestarts = `version: 1
rules:
  - id: mine.freeze
    effect: deny
    reason: Nothing is restarted during the sale.
    tokens: [kubectl, rollout, restart]
    examples: { match: [[kubectl, rollout, restart, deployment, web]] }
`;
const allowRestart = `version: 1
rules:
  - id: mine.routine
    effect: allow
    reason: The restart of order is routine.
    tokens: [kubectl, rollout, restart, deployment, order]
    examples: { match: [[kubectl, rollout, restart, deployment, order]] }
  - id: mine.scratch
    effect: allow
    reason: Scratch may go.
    tokens: [kubectl, delete, namespace, scratch]
    examples: { match: [[kubectl, delete, namespace, scratch]] }
`;

describe.concurrent('a change without a terminal', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  test('is not made: the call and its argv are named, and the refusal is recorded', async (context) => {
    const { code, stdout, stderr, changes, home } = await run(context, RESTART);
    expect({ code, changes }).toEqual({ code: 4, changes: 0 });
    expect(stdout).toContain('kubectl_rollout_restart was not run');
    expect(stderr).toContain(RESTART_ARGV);
    expect(stderr).toMatch(/--yes/);
    expect(recordsOf(home, 'kubectl_rollout_restart')).toEqual([
      ['decided', undefined, 'confirm', 'no-terminal', false],
      ['finished', 'rejected', 'confirm', 'no-terminal', false],
    ]);
  });

  test('is not made by a Chinese request either', async (context) => {
    const { code, changes, stderr } = await run(context, ['ask', '重启shop命名空间的deployment order']);
    expect({ code, changes }).toEqual({ code: 4, changes: 0 });
    expect(stderr).toContain(RESTART_ARGV);
  });

  test('is told from what --yes covers with the reason, and what covers it', async (context) => {
    const { stdout, stderr } = await run(context, remove('namespace', 'scratch', '--yes'));
    expect((stdout + stderr).replaceAll(/\s+/g, ' ')).toMatch(
      /--yes does not cover it, for it is critical: [^.]*A namespace takes every object in it along[^.]*\. To allow it, answer in a terminal or give --yes=critical\./,
    );
  });

  test.for([
    ['a critical call, without a flag', remove('namespace', 'scratch')],
    ['a critical call, with --yes', remove('namespace', 'scratch', '--yes')],
    ['a critical call in other letters, with --yes', remove('Namespaces', 'scratch', '--yes')],
    ['zero replicas, with --yes', ['ask', 'scale deployment order to 0 in namespace shop', '--yes']],
  ] as const)('%s is not made', async ([, args], context) => {
    const { code, changes, stderr } = await run(context, args);
    expect({ code, changes }).toEqual({ code: 4, changes: 0 });
    expect(stderr).toMatch(/kubectl (delete|scale) /);
  });

  test.for([
    [
      'a change under --read-only',
      [...RESTART, '--yes=critical', '--read-only'],
      'read-only mode allows nothing above medium',
    ],
    ['a change under --max-risk medium', [...RESTART, '--yes=critical', '--max-risk', 'medium'], '--max-risk medium'],
    [
      'a critical call under --max-risk high',
      remove('namespace', 'scratch', '--yes=critical', '--max-risk', 'high'),
      '--max-risk high',
    ],
    ['deleting kube-system', remove('namespace', 'kube-system', '--yes=critical'), 'kubernetes.system-namespaces'],
    [
      'deleting kube-system in capitals',
      remove('NAMESPACES', 'kube-system', '--yes=critical'),
      'kubernetes.system-namespaces',
    ],
    [
      'the values of Secrets',
      get({ kind: 'secret', namespace: 'shop', output: 'yaml' }, '--yes=critical'),
      'kubernetes.secret-values',
    ],
    [
      'what a rule of the user denies',
      [...RESTART, '--yes=critical', '--policies', folderOf({ 'mine.yaml': denyRestarts })],
      'mine.freeze',
    ],
  ] as const)('%s is denied, whatever the flag', async ([, args, rule], context) => {
    const { code, stdout, stderr, asked, home } = await run(context, args);
    expect(code).toBe(3);
    expect(stdout + stderr).toContain(rule);
    // Nothing was asked of the cluster, not even to read.
    expect(asked).toEqual([]);
    const last = readAudit(home).at(-1);
    expect([last?.event, last?.status, last?.decision?.effect]).toEqual(['finished', 'denied', 'deny']);
  });

  test('an allow rule of the user does not take the question of a critical call away', async (context) => {
    const policies = folderOf({ 'mine.yaml': allowRestart });
    const { code, changes } = await run(context, remove('namespace', 'scratch', '--policies', policies));
    expect({ code, changes }).toEqual({ code: 4, changes: 0 });
  });

  test.for([
    [
      'a policy file with a mistake',
      '--policies',
      { 'mine.yaml': denyRestarts.replace('deny', 'denny') },
      /mine\.yaml:4:5: .*effect/,
    ],
    ['a policy file that is no YAML', '--policies', { 'mine.yaml': 'version: 1\nrules: [' }, /mine\.yaml:2:\d+: /],
    [
      'a rule that disagrees with its example',
      '--policies',
      { 'mine.yaml': denyRestarts.replace('restart, deployment', 'status, deployment') },
      /mine\.yaml:\d+:\d+: rule mine\.freeze should match/,
    ],
  ] as const)('%s stops everything', async ([, flag, files, problem], context) => {
    const { code, stdout, stderr, asked } = await run(context, [...RESTART, '--yes', flag, folderOf(files)]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(problem);
    expect(asked).toEqual([]);
  });

  test('tool files with mistakes stop everything; all mistakes are listed with their places', async (context) => {
    const tools = folderOf({
      'a.yaml':
        'version: 1\nsystem: mine\ntools:\n  - name: Bad Name\n    description: A tool.\n    risk_level: hihg\n    run: { kind: command, argv: [echo, "{{ nope }}"] }\n',
      'b.yaml': 'version: 1\nsystem: other\ntools:\n  - name: x\n   bad: y\n',
    });
    const { code, stdout, stderr, asked } = await run(context, [...RESTART, '--yes', '--tools', tools]);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    for (const place of ['a.yaml:4:5: ', 'a.yaml:6:5: ', 'a.yaml:7:40: ', 'b.yaml:5:1: ']) {
      expect(stderr).toContain(join(tools, place));
    }
    expect(stderr).toContain('opsagent tools lint');
    expect(asked).toEqual([]);
  });

  test('nothing runs when the audit log cannot be written', async (context) => {
    const home = newHome();
    mkdirSync(join(home, '.local/state'), { recursive: true });
    writeFileSync(join(home, '.local/state/opsagent'), 'in the way');
    const { code, stdout, stderr, asked } = await run(context, [...RESTART, '--yes'], home);
    expect({ code, stdout }).toEqual({ code: 1, stdout: '' });
    expect(stderr).toMatch(/audit log .* cannot be written/);
    expect(stderr).toContain('OPSAGENT_STATE_DIR');
    expect(asked).toEqual([]);
  });

  test('is made with --yes, and the log says that the flag said so', async (context) => {
    const { code, stdout, server, home } = await run(context, [...RESTART, '--yes']);
    expect(code).toBe(0);
    expect(stdout).toContain('restarted');
    const deployment = server.objects('Deployment', 'shop')[0];
    const annotations = at(deployment, 'spec', 'template', 'metadata', 'annotations');
    expect(textAt(annotations, 'kubectl.kubernetes.io/restartedAt')).toMatch(/^\d{4}-/);
    expect(recordsOf(home, 'kubectl_rollout_restart')).toEqual([
      ['decided', undefined, 'confirm', 'flag', true],
      ['finished', 'ok', 'confirm', 'flag', true],
    ]);
    expect(readAudit(home).some((record) => record.user_confirmed)).toBe(false);
  });

  test('is made without asking when a rule of the user allows it', async (context) => {
    const policies = folderOf({ 'mine.yaml': allowRestart });
    const { code, changes, home } = await run(context, [...RESTART, '--policies', policies]);
    expect({ code, changes }).toEqual({ code: 0, changes: 1 });
    expect(recordsOf(home, 'kubectl_rollout_restart')).toEqual([
      ['decided', undefined, 'allow', undefined, undefined],
      ['finished', 'ok', 'allow', undefined, undefined],
    ]);
  });

  test('is made with --yes=critical when it is critical', async (context) => {
    const { code, server } = await run(context, remove('namespace', 'scratch', '--yes=critical'));
    expect(code).toBe(0);
    expect(server.objects('Namespace').map((object) => object.metadata.name)).not.toContain('scratch');
  });

  test('that the cluster refuses is a failure, and is recorded as one', async ({ onTestFinished }) => {
    const server = await startApiServer({
      objects: sampleObjects(),
      forbid: [{ verb: 'patch', resource: 'deployments' }],
    });
    onTestFinished(server.close);
    const { code, stdout, home } = await runCli([...RESTART, '--yes'], { env: kubeEnv(server) });
    expect(code).toBe(1);
    expect(stdout).toContain('forbidden');
    expect(recordsOf(home, 'kubectl_rollout_restart').at(-1)).toEqual(['finished', 'failed', 'confirm', 'flag', true]);
  });
});

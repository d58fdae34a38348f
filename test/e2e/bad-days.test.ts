import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { chownSync, mkdirSync, mkdtempSync, readdirSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { BIN, cleanEnv, EXAMPLE, newHome, readAudit, runCli } from '../helpers/cli.js';

/** One tool of the tests: `bad`, a shell line that misbehaves. */
function toolDir(line: string, more = ''): string {
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-bad-'));
  const text = `version: 1
system: bad
tools:
  - name: bad
    description: Misbehaves in one way or another.
    risk_level: low
    ${more}
    run: { kind: command, argv: [bash, -c, ${JSON.stringify(line)}] }
`;
  writeFileSync(join(dir, 'bad.yaml'), text);
  return dir;
}

const runBad = (line: string, more = '', args: readonly string[] = []) =>
  runCli(['tools', 'run', 'bad', '--tools', toolDir(line, more), '--yes', ...args]);

/** Processes that have the mark in their arguments. */
const alive = (mark: string): string[] =>
  execFileSync('ps', ['-eo', 'pid,stat,args'], { encoding: 'utf8' })
    .split('\n')
    .filter((line) => line.includes(mark) && !/^\s*\d+ Z/.test(line) && !line.includes('ps -eo'));

const mark = () => `${400 + Math.floor(Math.random() * 90_000) / 100}`;

let mounted: string | undefined;
afterEach(() => {
  if (mounted) spawnSync('umount', [mounted]);
  mounted = undefined;
});

/** A file system of a few KiB; undefined where it cannot be mounted. */
function tinyDisk(size: string): string | undefined {
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-tiny-'));
  if (spawnSync('mount', ['-t', 'tmpfs', '-o', `size=${size},mode=0700`, 'tmpfs', dir]).status !== 0) return undefined;
  mounted = dir;
  return dir;
}

describe('a tool that misbehaves', () => {
  test('never ends, ignores SIGTERM and forks: it is ended with its children, and says what to do', async () => {
    const seconds = mark();
    const run = await runBad(`trap "" TERM; (trap "" TERM; sleep ${seconds}) & sleep ${seconds}`, 'timeout_seconds: 1');
    expect([run.code, run.stderr]).toEqual([1, expect.stringMatching(/did not end within 1 s[\s\S]*timeout_seconds/)]);
    expect(alive(`sleep ${seconds}`)).toEqual([]);
    expect(readAudit(run.home).map((record) => record.status)).toEqual([undefined, 'timed-out']);
  });

  test('leaves a child of a session of its own behind: the call ends all the same', async () => {
    const seconds = mark();
    const run = await runBad(`setsid sleep ${seconds} & echo done`);
    spawnSync('pkill', ['-f', `sleep ${seconds}`]);
    expect([run.code, run.stdout]).toEqual([0, 'done\n']);
  });

  test('prints without end: it is stopped at the limit, and head and tail stay', async () => {
    const run = await runBad('yes 0123456789', 'timeout_seconds: 100', ['--output', 'json']);
    const { call: result } = JSON.parse(run.stdout) as { call: { status: string; text: string; output_path: string } };
    expect([run.code, result.status]).toEqual([1, 'failed']);
    expect(result.text).toMatch(
      /passed the limit[\s\S]*only its first 256 MiB are kept[\s\S]*0123456789\n… \d+ of \d+ bytes of c1 left out …\n/,
    );
    expect(statSync(result.output_path).size).toBeGreaterThanOrEqual(256 * 1024 ** 2);
    expect(statSync(result.output_path).mode & 0o777).toBe(0o600);
    execFileSync('rm', [result.output_path]);
  });

  test('prints a long log: the whole is on disk, and the screen gets its ends', async () => {
    const run = await runBad('for i in $(seq 1 20000); do echo "line $i of a log"; done', '', ['--output', 'json']);
    const { call: result } = JSON.parse(run.stdout) as { call: { text: string; output_path: string } };
    expect(result.text).toMatch(/^line 1 of a log\n[\s\S]*left out …[\s\S]*line 20000 of a log$/);
    expect(readFileSync(result.output_path, 'utf8').split('\n')).toHaveLength(20_001);
  });

  test.each([
    ['no newline', 'head -c 100000 /dev/zero | tr "\\0" a', /^a+\n… \d+ of 100000 bytes/],
    ['NUL bytes', 'head -c 1000 /dev/zero', /^\(binary output, 1000 bytes; sha256 [0-9a-f]{64}\)/],
    ['broken UTF-8', 'printf "ok \\xff\\xfe \\xe6\\x95 end"', /^ok \ufffd+ \ufffd+ end$/m],
    ['nothing, with stdout closed', 'exec >&-; sleep 0.1', /^\(no output\)$/m],
    ['terminal escapes', 'printf "\\033]0;title\\007\\033[31mred"', /red/],
  ])('prints %s', async (_, line, shown) => {
    const run = await runBad(line);
    expect([run.code, run.stdout]).toEqual([0, expect.stringMatching(shown)]);
  });

  test('wants a person: it is refused, with what to do instead', async () => {
    const dir = mkdtempSync(join(tmpdir(), 'opsagent-bad-'));
    writeFileSync(
      join(dir, 'x.yaml'),
      'version: 1\nsystem: x\ntools:\n  - { name: edit, description: Edits a file by hand., risk_level: high, run: { kind: command, argv: [vim, /etc/hosts] } }\n',
    );
    const run = await runCli(['tools', 'run', 'edit', '--tools', dir, '--yes']);
    expect([run.code, run.stderr]).toEqual([2, expect.stringContaining('vim needs a terminal')]);
  });

  test('fails: exit code and stderr are told', async () => {
    const run = await runBad('echo out; echo "why it failed" >&2; exit 7', '', ['--output', 'json']);
    const { call } = JSON.parse(run.stdout) as { call: { status: string; exit_code: number; text: string } };
    const { status, exit_code: exitCode, text } = call;
    expect({ code: run.code, status, exitCode, text }).toEqual({
      code: 1,
      status: 'failed',
      exitCode: 7,
      text: 'failed: bash ended with exit code 7: why it failed\nout\nstderr:\nwhy it failed',
    });
  });
});

describe('a machine on a bad day', () => {
  test('without HOME the account’s own home is used', async () => {
    const state = newHome();
    const { HOME: _home, ...env } = cleanEnv('/unused', {
      OPSAGENT_STATE_DIR: state,
      OPSAGENT_CONFIG_DIR: state,
      OPSAGENT_CACHE_DIR: state,
    });
    const run = spawnSync(process.execPath, [BIN, 'demo'], { env, encoding: 'utf8' });
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining('connection pool')]);
  });

  test('a state folder that cannot be made: nothing runs, exit 1, and what to do', async () => {
    const home = newHome();
    writeFileSync(join(home, 'file'), '');
    const run = await runCli(['demo'], { home, env: { OPSAGENT_STATE_DIR: join(home, 'file/state') } });
    expect([run.code, run.stdout, run.stderr]).toEqual([
      1,
      '',
      expect.stringMatching(/cannot be written[\s\S]*OPSAGENT_STATE_DIR/),
    ]);
  });

  test('a home in a file system that takes no folders: exit 1, and it ends', async () => {
    const run = await runCli(['demo'], { env: { HOME: '/proc' }, cwd: '/' });
    expect([run.code, run.stdout, run.stderr]).toEqual([1, '', expect.stringContaining('cannot be written')]);
  });

  test('a disk without room for a record: nothing runs', async ({ skip }) => {
    const disk = tinyDisk('4k');
    if (!disk) return skip('no tmpfs can be mounted here');
    writeFileSync(join(disk, 'filler'), Buffer.alloc(4096));
    const marker = join(newHome(), 'ran');
    const run = await runCli(['tools', 'run', 'bad', '--tools', toolDir(`touch ${marker}`), '--yes'], {
      env: { OPSAGENT_STATE_DIR: disk },
    });
    expect([run.code, run.stderr]).toEqual([1, expect.stringContaining('Nothing runs without a record')]);
    expect(() => statSync(marker)).toThrow('ENOENT');
  });

  test('a setting on a full disk: what happened, and what to do', async ({ skip }) => {
    const disk = tinyDisk('4k');
    if (!disk) return skip('no tmpfs can be mounted here');
    writeFileSync(join(disk, 'filler'), Buffer.alloc(4096));
    const run = await runCli(['config', 'set', 'model.name', 'x'], { env: { OPSAGENT_CONFIG_DIR: disk } });
    expect([run.code, run.stderr]).toEqual([1, expect.stringMatching(/cannot be written[\s\S]*OPSAGENT_CONFIG_DIR/)]);
  });

  test('a folder on PATH that may not be entered is passed over', async ({ skip }) => {
    if (process.getuid?.() !== 0) return skip('needs root to become somebody else');
    const closed = mkdtempSync(join(tmpdir(), 'opsagent-closed-'));
    const home = newHome();
    chownSync(home, 65534, 65534);
    const env = cleanEnv(home, { PATH: `${closed}/bin:${process.env.PATH}` });
    const run = spawnSync(
      'setpriv',
      ['--reuid=65534', '--regid=65534', '--clear-groups', process.execPath, BIN, 'tools', 'list'],
      { env, cwd: home, encoding: 'utf8' },
    );
    expect([run.status, run.stderr]).toEqual([0, '']);
  });

  test('a user without account and without HOME, as in many containers', ({ skip }) => {
    if (process.getuid?.() !== 0) return skip('needs root to become somebody else');
    const state = newHome();
    chownSync(state, 54321, 54321);
    const start = (env: Record<string, string>, ...args: string[]) =>
      spawnSync('setpriv', ['--reuid=54321', '--regid=54321', '--clear-groups', process.execPath, BIN, ...args], {
        env: { PATH: process.env.PATH, ...env },
        cwd: '/',
        encoding: 'utf8',
      });
    const help = start({}, '--help');
    expect([help.status, help.stderr]).toEqual([0, '']);
    const unrecorded = start({}, 'demo');
    expect([unrecorded.status, unrecorded.stderr]).toEqual([1, expect.stringContaining('OPSAGENT_STATE_DIR')]);
    expect(start({ OPSAGENT_STATE_DIR: state }, 'demo').status).toBe(0);
    const records = readFileSync(join(state, 'audit.jsonl'), 'utf8').trim().split('\n');
    expect(new Set(records.map((record) => JSON.parse(record).user))).toEqual(new Set(['uid 54321']));
  });

  test('a disk that fills up while a call prints: head and tail are there, and it is said', async ({ skip }) => {
    const disk = tinyDisk('256k');
    if (!disk) return skip('no tmpfs can be mounted here');
    const dir = toolDir('seq 1 200000');
    const run = await runCli(['tools', 'run', 'bad', '--tools', dir, '--yes', '--output', 'json'], {
      env: { OPSAGENT_STATE_DIR: disk },
    });
    // The record of the end finds no room either: that is an error, never silence.
    expect(run.code).not.toBe(130);
    expect(run.stdout + run.stderr).toMatch(/is not stored|cannot be written/);
  });

  test('many sessions at once write whole records', async () => {
    const home = newHome();
    await Promise.all(Array.from({ length: 6 }, () => runCli(['demo'], { home })));
    const records = readAudit(home);
    expect(new Set(records.map((record) => record.session_id)).size).toBe(6);
    expect(records.filter((r) => r.event === 'decided').length).toBe(
      records.filter((r) => r.event === 'finished').length,
    );
    expect(readdirSync(join(home, '.local/state/opsagent/sessions'))).toHaveLength(6);
  });

  test.each(['stdout', 'stderr'] as const)('a reader of %s that goes away ends it quietly', async (stream) => {
    const home = newHome();
    const child = spawn(process.execPath, [BIN, 'tools', 'list', '--json'], { env: cleanEnv(home), stdio: 'pipe' });
    child[stream].destroy();
    const output: string[] = [];
    for (const one of ['stdout', 'stderr'] as const)
      if (one !== stream) child[one].on('data', (d: Buffer) => output.push(d.toString()));
    const code = await new Promise((resolve) => child.on('close', resolve));
    expect([0, 130]).toContain(code);
    expect(output.join('')).not.toContain('EPIPE');
  });

  test('a narrow terminal gets whole words', async () => {
    const home = newHome();
    mkdirSync(join(home, 'x'));
    const run = spawnSync(
      'bash',
      [
        '-c',
        `stty cols 20 rows 20 2>/dev/null; ${process.execPath} ${BIN} ask "diagnose order-service" --dump ${EXAMPLE}`,
      ],
      {
        env: cleanEnv(home, { COLUMNS: '20' }),
        encoding: 'utf8',
      },
    );
    expect([run.status, run.stdout]).toEqual([0, expect.stringContaining('connection pool')]);
  });
});

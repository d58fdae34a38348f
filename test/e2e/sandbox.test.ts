import { spawnSync } from 'node:child_process';
import { existsSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newHome, readAudit, runCli } from '../helpers/cli.js';
import { childrenOf, isGone, sandboxRun, until } from './sandbox-processes.js';

/** Stored outputs: there is one once a call has printed. */
function outputsIn(home: string): string[] {
  const sessions = join(home, '.local/state/opsagent/sessions');
  if (!existsSync(sessions)) return [];
  return readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.out'));
}

describe('opsagent sandbox run', () => {
  test('refuses what it cannot read, and files that are too large', async () => {
    const home = newHome();
    writeFileSync(join(home, 'latin1.py'), Buffer.from([0x78, 0x3d, 0xff]));
    writeFileSync(join(home, 'long.py'), '#'.repeat(5_000_000));
    const runs = await Promise.all(
      ['none.py', 'latin1.py', 'long.py'].map((name) => runCli(['sandbox', 'run', name], { home })),
    );
    expect(runs.map(({ code, stdout }) => [code, stdout])).toEqual([2, 2, 2].map((code) => [code, '']));
    expect(runs.map(({ stderr }) => stderr.split('\n')[0])).toEqual([
      "opsagent: The code none.py cannot be read: ENOENT: no such file or directory, stat 'none.py'",
      expect.stringMatching(/^opsagent: The code latin1\.py cannot be read: The encoded data was not valid/),
      'opsagent: The code long.py cannot be read: it is longer than 1048576 bytes',
    ]);
    spawnSync('mkfifo', [join(home, 'fifo')]);
    for (const name of ['fifo', '/dev/zero']) {
      const file = await sandboxRun('pass', ['--file', name], { home });
      expect([file.code, file.stderr.split('\n')[0]]).toEqual([2, `opsagent: ${name} is not a regular file.`]);
      const code = await runCli(['sandbox', 'run', name], { home });
      expect([code.code, code.stderr.split('\n')[0]]).toEqual([
        2,
        `opsagent: The code ${name} cannot be read: it is not a regular file; code that comes through a pipe is named -`,
      ]);
    }
    const missing = await sandboxRun('pass', ['--file', 'none.csv'], { home });
    expect([missing.code, missing.stderr.split('\n')[0]]).toEqual([
      2,
      "opsagent: none.csv cannot be read: ENOENT: no such file or directory, stat 'none.csv'",
    ]);
  });

  test('is one call of python_exec, in the audit log from the decision to the end', async () => {
    const home = newHome();
    writeFileSync(join(home, 'sales.csv'), 'item,n\na,2\nb,40\n');
    const code =
      'import csv\nrows = list(csv.DictReader(open("/data/sales.csv")))\nprint(len(rows), "rows")\nresult = sum(int(row["n"]) for row in rows)';
    const run = await sandboxRun(code, ['--file', 'sales.csv', '--json'], { home });
    expect([run.code, { ...JSON.parse(run.stdout), session_id: '' }]).toEqual([
      0,
      {
        session_id: '',
        call_id: 'c1',
        status: 'ok',
        exit_code: 0,
        stdout: '2 rows\n',
        stderr: '',
        result: 42,
        error: null,
      },
    ]);
    expect(readAudit(home).map(({ event, tool, decision, status }) => [event, tool, decision?.effect, status])).toEqual(
      [
        ['decided', 'python_exec', 'allow', undefined],
        ['finished', 'python_exec', 'allow', 'ok'],
      ],
    );
    expect(readFileSync(join(home, 'sales.csv'), 'utf8')).toBe('item,n\na,2\nb,40\n');
  });

  test.for([
    ['WASI_MEMORY_LIMIT_MB', 'abc', 'WASI_MEMORY_LIMIT_MB is "abc".'],
    ['WASI_TIMEOUT_SECONDS', '-1', 'WASI_TIMEOUT_SECONDS is "-1".'],
    ['PYTHON_WASI_WASM_PATH', '/no/python.wasm', '/no/python.wasm cannot be read'],
  ] as const)('a set-up that cannot be used ends it with exit code 2: %s', async ([name, value, said]) => {
    const { code, stdout, stderr } = await sandboxRun('print(1)', [], { env: { [name]: value } });
    expect([code, stdout, stderr]).toEqual([2, '', expect.stringContaining(said)]);
  });

  test('a limit ends it with exit code 1 and its own words', async () => {
    const run = await sandboxRun('while True: pass', ['--timeout', '0.5', '--memory', '64']);
    expect([run.code, run.stdout]).toEqual([1, '']);
    expect(run.stderr).toContain('timed-out: time limit: Python did not end within 0.5 s and was killed');
  });

  test('Ctrl-C ends it, and the audit log says so', async () => {
    const home = newHome();
    let pid = 0;
    const run = await sandboxRun('import time\nprint("on", flush=True)\ntime.sleep(1e6)', [], {
      home,
      onStart: async (kill, _, own) => {
        pid = own;
        await until(() => outputsIn(home).length > 0);
        kill('SIGINT');
      },
    });
    expect([run.code, readAudit(home).at(-1)?.status]).toEqual([130, 'cancelled']);
    await until(() => childrenOf(pid).length === 0, 2_000);
  });

  test('the process of a guest inherits no variable, and is gone 2 s after the program was killed while the guest computed', async () => {
    let pid = 0;
    let children: number[] = [];
    let environment: string[] = [];
    const home = newHome();
    const run = await sandboxRun('print("on", flush=True)\nwhile True: pass', [], {
      home,
      onStart: async (kill, _, own) => {
        pid = own;
        await until(() => outputsIn(home).length > 0);
        children = await until(() => childrenOf(pid).length > 0 && childrenOf(pid));
        environment = children.map((child) => readFileSync(`/proc/${child}/environ`, 'utf8'));
        kill('SIGKILL');
      },
    });
    // Node.js itself tells its child where the channel is.
    const names = environment
      .flatMap((text) => text.split('\0'))
      .filter((one) => one !== '' && !one.startsWith('NODE_CHANNEL_'));
    expect([run.signal, children.length, names]).toEqual(['SIGKILL', 1, []]);
    await until(() => children.every(isGone), 2_000);
  });
});

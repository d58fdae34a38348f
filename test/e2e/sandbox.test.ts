import { spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterEach, describe, expect, test } from 'vitest';
import { BIN, newHome, ROOT, readAudit, runCli } from '../helpers/cli.js';
import { type ModelServer, type ServerScript, startModelServer } from '../helpers/model-server.js';

let server: ModelServer | undefined;
afterEach(async () => server?.close());

const sandboxRun = (code: string, more: readonly string[] = [], options: Parameters<typeof runCli>[1] = {}) =>
  runCli(['sandbox', 'run', '-', ...more], { stdin: code, ...options });

/** Processes of the sandbox that belong to a program with this id. */
const childrenOf = (parent: number): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .filter((name) => {
      try {
        const args = readFileSync(`/proc/${name}/cmdline`, 'utf8').split('\0');
        return args[1]?.endsWith('/dist/sandbox-child.js') && args[2] === String(parent);
      } catch {
        return false;
      }
    })
    .map(Number);

/** Ended, whether or not somebody has taken notice of it yet: a process that has ended has no command line. */
const isGone = (pid: number): boolean =>
  !existsSync(`/proc/${pid}`) || readFileSync(`/proc/${pid}/cmdline`, 'utf8') === '';

async function until<T>(look: () => T | undefined | false, deadlineMs = 30_000): Promise<T> {
  for (const end = Date.now() + deadlineMs; Date.now() < end; await pause(25)) {
    const found = look();
    if (found) return found;
  }
  throw new Error('it did not come');
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

/** Stored outputs: there is one once a call has printed. */
function outputsIn(home: string): string[] {
  const sessions = join(home, '.local/state/opsagent/sessions');
  if (!existsSync(sessions)) return [];
  return readdirSync(sessions, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.out'));
}

const LINES = 1_100_000;

/** A tool whose output is a log of 100 MB: some errors in each of ten minutes. */
function logTool(home: string): string {
  const dir = join(home, 'tools');
  mkdirSync(dir);
  const program = `awk 'BEGIN { for (i = 0; i < ${LINES}; i++) printf "2026-01-01T10:%02d:00Z %s order-service request %08d took 12 ms and more words to fill the line up\\n", int(i / ${LINES / 10}), (i % 1000 == 0 ? "ERROR" : "INFO"), i }'`;
  writeFileSync(
    join(dir, 'log.yaml'),
    `version: 1\nsystem: t\ntools:\n  - name: big_log\n    description: A long log.\n    risk_level: low\n    timeout_seconds: 120\n    run: { kind: script, code: ${JSON.stringify(program)} }\n`,
  );
  return dir;
}

const COUNT = `import collections
per_minute = collections.Counter()
size = 0
for line in open("/data/c1.txt", "rb"):
    size += len(line)
    if b" ERROR " in line:
        per_minute[line[11:16].decode()] += 1
result = {"size": size, "errors": dict(sorted(per_minute.items()))}`;

describe('a model with the sandbox', () => {
  test('counts errors a minute over a log of 100 MB, and its context stays small', { timeout: 120_000 }, async () => {
    const script: ServerScript = [
      { calls: [{ name: 'big_log', arguments: {} }] },
      { calls: [{ name: 'python_exec', arguments: { code: COUNT, files: ['c1'] } }] },
      { text: 'About 110 errors a minute, evenly [c2].' },
    ];
    server = await startModelServer(script);
    const home = newHome();
    const flags = ['--model', 'scripted', '--base-url', server.baseUrl, '--tools', logTool(home), '--yes'];
    const run = await runCli(['ask', 'how many errors a minute?', ...flags], { home });
    expect([run.code, run.stdout.trim()]).toEqual([0, 'About 110 errors a minute, evenly [c2].']);
    const last = server.requests.at(-1)?.body.messages ?? [];
    const answer = last.findLast(({ role }) => role === 'tool')?.content ?? '';
    const result = JSON.parse(/result = (.*)/.exec(answer)?.[1] ?? 'null');
    const minutes = Array.from({ length: 10 }, (_, minute) => [`10:0${minute}`, 110]);
    expect(result).toEqual({ size: expect.any(Number), errors: Object.fromEntries(minutes) });
    expect(result.size).toBeGreaterThan(100_000_000);
    expect(JSON.stringify(last).length).toBeLessThan(40_000);
    const prompt = last.find(({ role }) => role === 'system')?.content ?? '';
    expect(prompt).toContain('python_exec runs Python 3.13 in a sandbox');
  });
});

const canTrace = spawnSync('strace', ['-o', '/dev/null', 'true']).status === 0;

describe('the process that holds a guest', () => {
  test.skipIf(!canTrace)(
    'opens nothing but the package and the module, and no socket (needs strace)',
    { timeout: 120_000 },
    async () => {
      const home = newHome();
      const traces = join(home, 'traces');
      mkdirSync(traces);
      const code = 'import os\ntry: open("/etc/passwd")\nexcept OSError: print("closed")';
      writeFileSync(join(home, 'try.py'), code);
      const traced = spawnSync(
        'strace',
        [
          '-ff',
          '-qq',
          '-s',
          '4096',
          '--seccomp-bpf',
          '-o',
          join(traces, 't'),
          '-e',
          'trace=%file,%network,execve,clone,clone3,fork,vfork',
          process.execPath,
          BIN,
          'sandbox',
          'run',
          'try.py',
        ],
        { cwd: home, env: { PATH: process.env.PATH ?? '', HOME: home }, encoding: 'utf8' },
      );
      expect(traced.stdout).toBe('closed\n');
      const calls = callsOfChild(traces);
      const sdk = realpathSync(join(ROOT, 'node_modules/@wasmer/sdk'));
      const allowed = [realpathSync(ROOT), sdk, dirname(process.execPath)];
      const opened = calls.flatMap((line) => /^open(?:at|at2)?\(.*?"([^"]*)".*\) = \d+$/.exec(line)?.[1] ?? []);
      // What Node.js itself reads at its start, and when node:dns is loaded, which the SDK does before there is a guest.
      const system =
        /^\/(proc\/|sys\/|dev\/(null|urandom)|etc\/(ld\.so|ssl\/openssl\.cnf|localtime|(resolv|nsswitch)\.conf)|lib|usr\/lib|usr\/share\/zoneinfo)/;
      expect(opened.filter((path) => !allowed.some((root) => path.startsWith(root)) && !system.test(path))).toEqual([]);
      const main = calls.slice(
        0,
        calls.findIndex((line) => line.startsWith('+++ ')),
      );
      // The last message that names the code is the job; the one before carried the program that runs it.
      const job = main.findLastIndex((line) => line.startsWith('recvmsg(') && line.includes('code.py'));
      expect([job > 0, main.slice(job).filter((line) => line.startsWith('open'))]).toEqual([true, []]);
      expect(opened.some((path) => path.endsWith('python.wasm.gz'))).toBe(true);
      expect(calls.filter((line) => /^(socket|connect|bind|listen|accept4?|sendto)\(/.test(line))).toEqual([]);
      expect(calls.filter((line) => /^(execve|fork|vfork)\(/.test(line)).length).toBe(1);
    },
  );
});

/** System calls of the process that runs sandbox-child.js, and of its threads, from the moment it became that. */
function callsOfChild(folder: string): string[] {
  const files = new Map(
    readdirSync(folder).map((name) => [
      name.split('.').at(-1) ?? '',
      readFileSync(join(folder, name), 'utf8').split('\n'),
    ]),
  );
  const first = [...files].find(([, lines]) =>
    lines.some((line) => line.startsWith('execve(') && line.includes('sandbox-child.js')),
  );
  if (!first) throw new Error('no child was traced');
  const own = first[1].slice(
    first[1].findIndex((line) => line.startsWith('execve(') && line.includes('sandbox-child.js')),
  );
  const threadsOf = (lines: readonly string[]): string[] =>
    lines.flatMap((line) => {
      const id = /^clone3?\(.*\) = (\d+)$/.exec(line)?.[1];
      return id === undefined ? [] : [...(files.get(id) ?? []), ...threadsOf(files.get(id) ?? [])];
    });
  return [...own, ...threadsOf(own)];
}

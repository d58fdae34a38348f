import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { newHome } from '../helpers/cli.js';
import { aSandbox, storedBytes } from './guests.js';

const { exec, run } = aSandbox();
const log = storedBytes('c1', Buffer.from('one\ntwo\nthree\n'));

describe('python in the sandbox', () => {
  test('gives back what is printed, stderr, the exit code and result', async () => {
    const code = 'import sys\nprint("out")\nprint("err", file=sys.stderr)\nresult = {"n": 3, "ids": {"a"}, "名": "é"}';
    expect(await exec(code)).toEqual({
      outcome: { status: 'ok', exitCode: 0 },
      stdout: 'out\nresult = {"n": 3, "ids": ["a"], "名": "é"}\n',
      stderr: 'err\n',
    });
  });

  test('a tool whose output is JSON gets result alone, and what was printed goes to stderr', async () => {
    const ran = await exec('print("seen")\nresult = [1, 2]', {
      tool: { output: { format: 'json', keep: 'both', maxBytes: 1000 } },
    });
    expect(ran).toEqual({ outcome: { status: 'ok', exitCode: 0 }, stdout: '[1, 2]\n', stderr: 'seen\n' });
  });

  test('a result that is not JSON fails with the reason', async () => {
    expect(await exec('result = object()')).toEqual({
      outcome: {
        status: 'failed',
        exitCode: 1,
        error: {
          category: 'execution',
          message: 'Python ended with exit code 1: result cannot be written as JSON: object is not JSON',
        },
      },
      stdout: '',
      stderr: 'result cannot be written as JSON: object is not JSON\n',
    });
  });

  test('the exit code of the code is the one of the call', async () => {
    expect((await exec('import sys\nsys.exit(3)')).outcome).toEqual({
      status: 'failed',
      exitCode: 3,
      error: { category: 'execution', message: 'Python ended with exit code 3' },
    });
  });

  test('a traceback begins in the code, with file, line and text', async () => {
    const { stderr } = await exec('def half(n):\n    return n / 0\n\nhalf(3)');
    expect(stderr).toBe(
      [
        'Traceback (most recent call last):',
        '  File "/workspace/code.py", line 4, in <module>',
        '    half(3)',
        '    ~~~~^^^',
        '  File "/workspace/code.py", line 2, in half',
        '    return n / 0',
        '           ~~^~~',
        'ZeroDivisionError: division by zero',
        '',
      ].join('\n'),
    );
  });

  test('a traceback ends in the code, also where the sandbox refused something', async () => {
    const { stderr } = await exec('open("/data/new", "w")');
    expect(stderr.trim().split('\n')).toEqual([
      'Traceback (most recent call last):',
      '  File "/workspace/code.py", line 1, in <module>',
      '    open("/data/new", "w")',
      '    ~~~~^^^^^^^^^^^^^^^^^^',
      "OSError: [Errno 30] Read-only: what is handed in cannot be changed: '/data/new'",
    ]);
  });

  test('a module that is missing is named, with those that are there', async () => {
    const { outcome, stderr } = await exec('import numpy');
    expect(outcome.error?.message).toBe('the module numpy is not in the sandbox');
    const modules = /Modules that are here: (.*)/.exec(stderr)?.[1]?.split(', ') ?? [];
    expect(
      ['collections', 'csv', 'datetime', 'json', 're', 'statistics'].filter((name) => !modules.includes(name)),
    ).toEqual([]);
    expect(['asyncio', 'sqlite3', 'ctypes'].filter((name) => modules.includes(name))).toEqual([]);
  });

  test('NUL bytes and broken UTF-8 in code and output do no harm', async () => {
    expect((await exec('x = "a\0b"')).outcome.error?.message).toBe(
      'Python ended with exit code 1: SyntaxError: source code string cannot contain null bytes',
    );
    const bytes: Uint8Array[] = [];
    const write = (chunk: string | Uint8Array) => bytes.push(Buffer.from(chunk as Uint8Array)) > 0;
    await exec('import sys\nsys.stdout.buffer.write(b"\\xff\\x00\\xfe")', { context: { write } });
    expect(Buffer.concat(bytes)).toEqual(Buffer.from([0xff, 0, 0xfe]));
    expect((await exec('print("\\udc80")')).stdout).toBe('\\udc80\n');
    expect((await exec('result = "\\udc80"')).stdout).toBe('result = "\\udc80"\n');
  });

  test('what was printed before a crash or a deadline is kept', async () => {
    const crash = await exec('import os\nprint("before", flush=True)\nos.abort()');
    expect([crash.outcome.status, crash.stdout]).toEqual(['failed', 'before\n']);
    const late = await exec('print("before", flush=True)\nwhile True: pass', { args: { timeout: 1 } });
    expect([late.outcome.status, late.stdout]).toEqual(['timed-out', 'before\n']);
  });

  test('output beyond 1 MiB is left out, and it is said how much', async () => {
    const { outcome, stdout, stderr } = await exec(
      'import sys\nfor _ in range(20):\n    print("o" * 99_999)\n    print("e" * 99_999, file=sys.stderr)',
    );
    expect([outcome.status, stdout.length, stderr.length]).toEqual(['ok', 1_048_576 + 72, 1_048_576 + 72]);
    expect(stdout.slice(1_048_576)).toBe('\n(stdout is cut: 951424 bytes beyond the limit of 1048576 are left out)\n');
    expect(stderr.slice(1_048_576)).toBe('\n(stderr is cut: 951424 bytes beyond the limit of 1048576 are left out)\n');
  });

  test('reads results below /data, with an index of them', async () => {
    const json = storedBytes('c2', Buffer.from('{"a": 1}'), { tool: 'kubectl_get', format: 'json', isComplete: false });
    const ran = await exec(
      'import json\nprint(open("/data/c1.txt").read(), json.load(open("/data/c2.json"))["a"])\nresult = json.load(open("/data/index.json"))',
      {
        args: { files: ['c1', 'c2', 'c1'] },
        results: [log, json],
      },
    );
    const [printed, result] = ran.stdout.split('result = ');
    expect([printed, JSON.parse(result ?? '')]).toEqual([
      'one\ntwo\nthree\n 1\n',
      [
        { id: 'c1', tool: 'kubectl_logs', file: '/data/c1.txt', size: 14, format: 'text' },
        { id: 'c2', tool: 'kubectl_get', file: '/data/c2.json', size: 8, format: 'json', complete: false },
      ],
    ]);
  });

  test('a tool with code of its own gets its arguments as JSON on stdin, secrets revealed there and nowhere else', async () => {
    const home = newHome();
    writeFileSync(join(home, 'shape.py'), 'import json, sys\nresult = [json.load(sys.stdin), "<secret:1>"]');
    const ran = await run({
      spec: { kind: 'python', file: join(home, 'shape.py') },
      args: { namespace: 'shop', token: '<secret:1>' },
      context: { reveal: (text, encode = (value) => value) => text.replaceAll('<secret:1>', encode('a"b')) },
    });
    expect(ran.stdout).toBe('result = [{"namespace": "shop", "token": "a\\"b"}, "<secret:1>"]\n');
  });

  test('a lower limit of the tool, the call or the environment holds', async () => {
    const loop = (given: object, tool: object, context: object) =>
      exec('while True: pass', { args: { ...given }, tool, context }).then(({ outcome }) => outcome.error?.message);
    const words = (seconds: number) => `time limit: Python did not end within ${seconds} s and was killed`;
    expect(await loop({ timeout: 30 }, {}, { timeoutMs: 500 })).toBe(words(0.5));
    process.env.WASI_TIMEOUT_SECONDS = '0.4';
    expect(await loop({ timeout: 30 }, {}, {})).toBe(words(0.4));
    delete process.env.WASI_TIMEOUT_SECONDS;
    process.env.WASI_MEMORY_LIMIT_MB = '48';
    const flood = 'x = bytearray(60_000_000)';
    const needs = (mb: number) => `memory limit: the code needs more than ${mb} MB`;
    expect((await exec(flood, { args: { memory: 400 } })).outcome.error?.message).toBe(needs(48));
    delete process.env.WASI_MEMORY_LIMIT_MB;
    expect((await exec(flood, { tool: { memoryLimitMb: 40 } })).outcome.error?.message).toBe(needs(40));
  });

  test('an interrupt ends it at once, and the next run finds a sandbox again', async () => {
    const controller = new AbortController();
    const write = () => {
      controller.abort();
      return true;
    };
    const { outcome } = await exec('print(1, flush=True)\nwhile True: pass', {
      context: { signal: controller.signal, write },
    });
    expect(outcome).toEqual({
      status: 'cancelled',
      error: { category: 'cancelled', message: 'Python was interrupted' },
    });
    expect((await exec('print("again")')).stdout).toBe('again\n');
  });

  test('runs at the same time see nothing of each other', async () => {
    const code = (name: string) =>
      `import os, time\nopen("/workspace/${name}", "w").close()\ntime.sleep(0.3)\nprint(sorted(os.listdir("/workspace")))`;
    const runs = await Promise.all(['a', 'b', 'c'].map((name) => exec(code(name))));
    expect(runs.map(({ stdout }) => stdout)).toEqual(['a', 'b', 'c'].map((name) => `['${name}', 'code.py']\n`));
  });
});

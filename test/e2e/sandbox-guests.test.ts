import { spawnSync } from 'node:child_process';
import { mkdirSync, readdirSync, readFileSync, realpathSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { BIN, newHome, ROOT, runCli } from '../helpers/cli.js';
import { type ModelServer, type ServerScript, startModelServer } from '../helpers/model-server.js';

let server: ModelServer | undefined;
afterEach(async () => server?.close());

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

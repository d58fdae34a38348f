// The sandbox against the Python of this machine: start-up, and throughput over 20 MB. Prints JSON.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { packageRoot } from '../src/lib/package-root.js';
import { createSandbox, type GuestKind } from '../src/sandbox/pool.js';
import type { InputFile } from '../src/sandbox/process.js';

const rounds = Number(process.argv[2] ?? 5);
const folder = join(packageRoot(), 'wasm');
const { file, sha256 } = JSON.parse(readFileSync(join(folder, 'python.json'), 'utf8')) as {
  file: string;
  sha256: string;
};
const program = readFileSync(join(folder, 'run_code.py'), 'utf8');
const kind: GuestKind = { module: { path: join(folder, file), sha256 }, memoryMb: 512, program };

const input = (path: string, text: string): InputFile => ({
  path,
  bytes: Buffer.byteLength(text),
  read: async function* () {
    yield Buffer.from(text);
  },
});

const median = (list: readonly number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;
const timed = async (work: () => unknown) => {
  const start = performance.now();
  await work();
  return performance.now() - start;
};

async function run(sandbox: ReturnType<typeof createSandbox>, code: string, files: readonly InputFile[] = []) {
  const job = { args: [], files: [input('code.py', code), ...files], timeoutMs: 120_000, onOutput: () => undefined };
  const { end } = await sandbox.run(kind, job, new AbortController().signal);
  if (end.type !== 'exited' || end.exitCode !== 0) throw new Error(JSON.stringify(end));
  return end.note.result ?? 'null';
}

/** Seconds that each library takes over 20 MB; the same code on both sides. */
const THROUGHPUT = `import json, re, statistics, time
times = {}
def timed(name, work):
    start = time.perf_counter()
    value = work()
    times[name] = time.perf_counter() - start
    return value
text = open(PATH).read()
rows = timed("json", lambda: [json.loads(line) for line in text.splitlines()])
timed("re", lambda: len(re.findall(r'"ms": (\\d+).*?ERROR', text)))
values = [row["ms"] for row in rows]
timed("statistics", lambda: (statistics.fmean(values), statistics.stdev(values), statistics.quantiles(values, n=100)))
result = times
`;
const line = (n: number) =>
  `{"time": "2026-01-01T00:00:00Z", "ms": ${(n * 7919) % 1000}, "level": "${n % 10 === 0 ? 'ERROR' : 'INFO'}", "text": "request ${n} of the order service"}`;
const lines = Array.from({ length: 190_000 }, (_, n) => line(n)).join('\n');

const cold: number[] = [];
const warm: number[] = [];
for (let round = 0; round < rounds; round++) {
  const sandbox = createSandbox(1);
  cold.push(await timed(() => run(sandbox, 'print("hi")')));
  warm.push(await timed(() => run(sandbox, 'print("hi")')));
  sandbox.close();
}
const python = (...args: readonly string[]) => spawnSync('python3', args, { encoding: 'utf8' });
const native = python('--version').status === 0;
const nativeMs = async (...args: readonly string[]) =>
  native
    ? median(
        await Promise.all([
          await timed(() => python(...args)),
          await timed(() => python(...args)),
          await timed(() => python(...args)),
        ]),
      )
    : null;

const sandbox = createSandbox(1);
const inside = JSON.parse(
  await run(sandbox, THROUGHPUT.replace('PATH', '"/data/in.txt"'), [input('/data/in.txt', lines)]),
);
sandbox.close();
const temporary = mkdtempSync(join(tmpdir(), 'opsagent-bench-'));
writeFileSync(join(temporary, 'in.txt'), lines);
const outside = native
  ? JSON.parse(
      python('-c', `${THROUGHPUT.replace('PATH', JSON.stringify(join(temporary, 'in.txt')))}print(json.dumps(result))`)
        .stdout,
    )
  : null;
rmSync(temporary, { recursive: true });
process.stdout.write(
  JSON.stringify({
    coldMs: median(cold),
    warmMs: median(warm),
    pythonMs: await nativeMs('-c', 'print("hi")'),
    nothingMs: await nativeMs('-I', '-S', '-c', 'pass'),
    mb: Buffer.byteLength(lines) / 1e6,
    inside,
    outside,
  }),
);

import { spawn } from 'node:child_process';
import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { createIo } from '../src/cli/io.js';
import { openSession } from '../src/cli/session.js';
import { createToolFinder } from '../src/tools/finder.js';
import { startPlainUi } from '../src/ui/plain.js';

/** What the path adds to a call of 100 ms. Prints one JSON line. */
const CALLS = Number(process.argv[2] ?? 20);
const home = process.env.OPSAGENT_STATE_DIR ?? '';
const tools = join(home, 'tools');
mkdirSync(tools, { recursive: true });
writeFileSync(
  join(tools, 'bench.yaml'),
  `version: 1
system: bench
tools:
  - { name: nap, description: Sleeps for a tenth of a second., risk_level: low, run: { kind: command, argv: [sleep, "0.1"] } }
`,
);
const io = createIo({ noColour: true, controller: new AbortController() });
const ui = startPlainUi({ write: () => undefined, color: false });
const session = await openSession(io, { toolDirs: [tools], policyDirs: [] }, ui);
const median = (list: number[]) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)] ?? Number.NaN;

const bare = () =>
  new Promise<number>((resolve) => {
    const start = performance.now();
    spawn('sleep', ['0.1'], { stdio: ['ignore', 'pipe', 'pipe'] }).on('close', () =>
      resolve(performance.now() - start),
    );
  });
const call = async () => {
  const start = performance.now();
  await session.call('nap', {});
  return performance.now() - start;
};

await call();
const times = { bare: [] as number[], call: [] as number[] };
for (let i = 0; i < CALLS; i++) {
  times.bare.push(await bare());
  times.call.push(await call());
}
// The tools that ship, four times over under other names: 500 and more.
const shipped = session.registry.list();
const many = ['', 'a_', 'b_', 'c_'].flatMap((prefix) =>
  shipped.map((tool) => ({ ...tool, name: `${prefix}${tool.name}` })),
);
const finder = createToolFinder(() => many);
await finder.find('warm up');
const requests = [
  'why does order-service keep restarting in production',
  '哪个进程最占CPU',
  'roll back the last deployment of payments',
];
const finds: number[] = [];
for (let i = 0; i < CALLS * requests.length; i++) {
  const start = performance.now();
  await finder.find(requests[i % requests.length] ?? '');
  finds.push(performance.now() - start);
}
session.close();
console.log(
  JSON.stringify({
    bareMs: median(times.bare),
    callMs: median(times.call),
    findMs: median(finds),
    tools: many.length,
  }),
);

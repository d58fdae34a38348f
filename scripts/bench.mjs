// Start-up as ratios to `node -e 0` in the same run: medians of interleaved rounds, so that a busy machine moves both.
// The targets are of docs and AGENTS.md; nothing here fails, it prints.
import { spawn as spawnChild, spawnSync } from 'node:child_process';
import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import pty from '@lydell/node-pty';
import { build } from 'esbuild';

const ROUNDS = Number(process.argv[2] ?? 15);
const root = fileURLToPath(new URL('..', import.meta.url));
const bin = join(root, 'bin/opsagent.js');
const home = mkdtempSync(join(tmpdir(), 'opsagent-bench-'));
const example = join(root, 'examples/order-service');

// An extra CA file costs every Node 20 start 80 ms and would flatter all ratios.
const { NODE_EXTRA_CA_CERTS: _unused, ...inherited } = process.env;
const env = {
  ...inherited,
  HOME: home,
  XDG_STATE_HOME: '',
  XDG_CONFIG_HOME: '',
  XDG_CACHE_HOME: '',
  CI: 'false',
  NO_COLOR: '1',
};
for (const name of Object.keys(env)) if (/^(OPSAGENT|OPENAI)_/.test(name)) delete env[name];

const model = createServer((request, response) => {
  request.resume();
  model.seen?.(performance.now());
  response.writeHead(500).end();
});
await new Promise((resolve) => model.listen(0, '127.0.0.1', resolve));
const baseUrl = `http://127.0.0.1:${model.address().port}/v1`;

/** Milliseconds until the process ends. */
const untilExit = (args) =>
  new Promise((resolve) => {
    const start = performance.now();
    spawnChild(process.execPath, args, { env, stdio: 'ignore' }).on('close', () => resolve(performance.now() - start));
  });

/** Milliseconds until a pseudo-terminal shows something that `isThere` accepts. */
const untilShown = (args, isThere) =>
  new Promise((resolve) => {
    const start = performance.now();
    const terminal = pty.spawn(process.execPath, args, { env, cols: 100, rows: 30, cwd: home });
    let text = '';
    let at;
    terminal.onData((data) => {
      text += data;
      if (at === undefined && isThere(text)) {
        at = performance.now() - start;
        terminal.kill('SIGKILL');
      }
    });
    terminal.onExit(() => resolve(at ?? Number.NaN));
  });

/** Milliseconds until the model endpoint gets a request. */
const untilAsked = (args) =>
  new Promise((resolve) => {
    const start = performance.now();
    const child = spawnChild(process.execPath, args, { env, stdio: 'ignore' });
    model.seen = (at) => {
      resolve(at - start);
      child.kill('SIGKILL');
    };
    child.on('close', () => resolve(Number.NaN));
  });

const ask = [bin, 'ask', 'diagnose order-service', '--dump', example];
const SUBJECTS = [
  ['node -e 0', undefined, () => untilExit(['-e', '0'])],
  ['--version', 1.4, () => untilExit([bin, '--version'])],
  ['--help', undefined, () => untilExit([bin, '--help'])],
  ['tools list', 2.2, () => untilExit([bin, 'tools', 'list'])],
  ['ask: first line', 2, () => untilShown([...ask, '--offline'], (text) => text.includes('opsagent'))],
  ['ask: first frame', 7.5, () => untilShown([...ask, '--offline'], (text) => text.includes('\u001b['))],
  ['ask: model asked', 9, () => untilAsked([...ask, '--model', 'm', '--base-url', baseUrl])],
  ['demo, whole', undefined, () => untilExit([bin, 'demo'])],
];

const times = SUBJECTS.map(() => []);
for (let round = -1; round < ROUNDS; round++) {
  for (const [index, [, , measure]] of SUBJECTS.entries()) {
    const time = await measure();
    if (round >= 0) times[index].push(time);
  }
}
const median = (list) => list.toSorted((a, b) => a - b)[Math.floor(list.length / 2)];
const base = median(times[0]);
console.log(`Node ${process.version}, ${ROUNDS} rounds, ratio of medians to node -e 0 (${base.toFixed(0)} ms)`);
for (const [index, [name, target]] of SUBJECTS.entries()) {
  const ratio = median(times[index]) / base;
  const note = target === undefined ? '' : `  target ≤ ${target}${ratio <= target ? '' : '  MISSED'}`;
  console.log(`${name.padEnd(18)} ${ratio.toFixed(2).padStart(6)}${note}`);
}

/** A program of scripts/ in one process that is built like the product; what it prints is JSON. */
async function harness(name, ...args) {
  const outfile = join(home, `${name}.mjs`);
  await build({
    bundle: true,
    platform: 'node',
    target: 'node20.19',
    format: 'esm',
    entryPoints: [join(root, `scripts/${name}.ts`)],
    outfile,
    banner: { js: "import{createRequire as topRequire}from'node:module';const require=topRequire(import.meta.url);" },
    alias: { 'react-devtools-core': join(root, 'scripts/empty.mjs') },
    define: { 'import.meta.dirname': JSON.stringify(join(root, 'src/cli')) },
    logLevel: 'error',
  });
  const { stdout, stderr } = spawnSync(process.execPath, [outfile, String(ROUNDS), ...args], {
    env: { ...env, OPSAGENT_STATE_DIR: join(home, 'state'), OPSAGENT_CACHE_DIR: join(home, 'cache') },
    encoding: 'utf8',
  });
  if (stdout === '') throw new Error(stderr);
  return JSON.parse(stdout);
}

const path = await harness('bench-path');
const overhead = (path.callMs / path.bareMs - 1) * 100;
const verdict = (missed) => (missed ? '  MISSED' : '');
console.log(`\na call of 100 ms: ${overhead.toFixed(1)} % over a bare spawn  target ≤ 3 %${verdict(overhead > 3)}`);
console.log(
  `a request ranked among ${path.tools} tools: ${path.findMs.toFixed(1)} ms  target ≤ 10 ms${verdict(path.findMs > 10)}`,
);

const everything = join(root, 'node_modules/@modelcontextprotocol/server-everything/dist/index.js');
const mcp = await harness('bench-mcp', everything);
console.log(
  `a call of an MCP tool: SDK alone ${mcp.sdkMs.toFixed(2)} ms, our client ${mcp.clientMs.toFixed(2)} ms, the whole path ${mcp.callMs.toFixed(2)} ms`,
);

const sandbox = await harness('bench-sandbox');
const ms = (value) => (value === null ? 'none here' : `${value.toFixed(0)} ms`);
console.log(
  `\nPython in the sandbox: cold ${ms(sandbox.coldMs)}, warm ${ms(sandbox.warmMs)}; ` +
    `python3 -c ${ms(sandbox.pythonMs)}, importing nothing ${ms(sandbox.nothingMs)}`,
);
for (const [name, seconds] of Object.entries(sandbox.inside)) {
  const ratio = sandbox.outside ? `, ${(seconds / sandbox.outside[name]).toFixed(1)} times python3` : '';
  console.log(`  ${name} over ${sandbox.mb.toFixed(0)} MB: ${seconds.toFixed(2)} s${ratio}`);
}

// The product itself, watched from outside.
mkdirSync(join(home, 'flood'));
writeFileSync(
  join(home, 'flood/flood.yaml'),
  `version: 1
system: flood
tools:
  - { name: flood, description: Prints a gigabyte of text., risk_level: low, timeout_seconds: 120, run: { kind: command, argv: [sh, -c, "yes 0123456789 | head -c 1000000000"] } }
`,
);
const flood = spawnChild(process.execPath, [bin, 'tools', 'run', 'flood', '--yes', '--tools', join(home, 'flood')], {
  env,
  stdio: 'ignore',
});
let peakMb = 0;
const watch = setInterval(() => {
  const status = existsSync(`/proc/${flood.pid}/status`) ? readFileSync(`/proc/${flood.pid}/status`, 'utf8') : '';
  peakMb = Math.max(peakMb, Number(/VmHWM:\s+(\d+)/.exec(status)?.[1] ?? 0) / 1024);
}, 20);
const code = await new Promise((resolve) => flood.on('close', resolve));
clearInterval(watch);
console.log(
  `1 GB through a call (exit ${code}): peak ${peakMb.toFixed(0)} MB  target < 150 MB${verdict(peakMb >= 150)}`,
);

// A description of 10 MB, and what was made of it.
const specDir = join(home, 'spec');
mkdirSync(specDir);
const field = (n) => ({
  type: 'string',
  description: `What field ${n} of this operation means, in the words of its vendor`,
});
const operation = (n) => ({
  operationId: `operation${n}`,
  summary: `Does what operation ${n} does`,
  parameters: [{ name: 'limit', in: 'query', schema: { type: 'integer' } }],
  requestBody: { content: { 'application/json': { schema: { type: 'object', properties: fields(n) } } } },
  responses: {
    200: { description: 'ok', content: { 'application/json': { schema: { type: 'object', properties: fields(n) } } } },
  },
});
const fields = (n) => Object.fromEntries(Array.from({ length: 40 }, (_, i) => [`field_${n}_${i}`, field(i)]));
const paths = Object.fromEntries(Array.from({ length: 1_000 }, (_, n) => [`/things/${n}`, { post: operation(n) }]));
const specText = JSON.stringify({
  openapi: '3.1.0',
  info: { title: 'big', version: '1' },
  servers: [{ url: 'https://api.example.com' }],
  paths,
});
writeFileSync(join(specDir, 'big.json'), specText);
writeFileSync(
  join(specDir, 'big.yaml'),
  'version: 1\nsystem: big\nsources:\n  - { kind: openapi, spec: ./big.json, include: { max: 1000 } }\n',
);
const listBig = () => untilExit([bin, 'tools', 'list', '--tools', specDir]);
const none = await untilExit([bin, 'tools', 'list', '--tools', join(home, 'flood')]);
const cold = await listBig();
const cached = median([await listBig(), await listBig(), await listBig()]);
const mb = (specText.length / 1e6).toFixed(1);
console.log(
  `tools list with an OpenAPI description of ${mb} MB (1,000 tools): cold ${cold.toFixed(0)} ms, cached ${cached.toFixed(0)} ms, with a small tool file ${none.toFixed(0)} ms`,
);

model.close();
rmSync(home, { recursive: true, force: true });
process.exit(0);

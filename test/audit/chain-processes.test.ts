import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, readdirSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { beforeAll, expect, test } from 'vitest';
import { readAuditLog } from '../../src/audit/read.js';
import { verifyAuditLog } from '../../src/audit/verify.js';
import { folder, write } from './records.js';

const PROCESSES = 16;
const CALLS = 500;
const MAX_BYTES = 512 * 1024;

let child: string;
beforeAll(async () => {
  child = join(mkdtempSync(join(tmpdir(), 'opsagent-chain-')), 'child.mjs');
  await build({
    entryPoints: [join(import.meta.dirname, 'chain-child.ts')],
    outfile: child,
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: { js: "import{createRequire}from'node:module';const require=createRequire(import.meta.url);" },
  });
});

/** How each process ends: two thirds of them well, and the others by SIGKILL, in every place where that could hurt. */
const DEATHS = ['mid-write', 'with-lock', 'any-time', 'mid-write', 'any-time'] as const;
const deathOf = (i: number) => (i % 3 === 2 ? DEATHS[(i - 2) / 3] : undefined);

function start(dir: string, i: number): Promise<NodeJS.Signals | null> {
  const death = deathOf(i);
  const own = death === undefined || death === 'any-time' ? [] : [death, String(Math.floor(Math.random() * CALLS))];
  const args = [child, join(dir, 'audit.jsonl'), join(dir, 'notes'), `s${i}`, String(CALLS), String(MAX_BYTES), ...own];
  const running = spawn(process.execPath, args, { stdio: ['ignore', 'pipe', 'inherit'] });
  if (death === 'any-time')
    running.stdout.once('data', () => setTimeout(() => running.kill('SIGKILL'), Math.random() * 4_000));
  return new Promise((resolve) => running.on('close', (_, signal) => resolve(signal)));
}

test('many processes at once, a third of them killed: the chain is whole, and every call that ran has its record', async () => {
  const dir = folder();
  const path = join(dir, 'audit.jsonl');
  const signals = await Promise.all(Array.from({ length: PROCESSES }, (_, i) => start(dir, i)));
  expect(signals).toEqual(Array.from({ length: PROCESSES }, (_, i) => (deathOf(i) ? 'SIGKILL' : null)));
  // What the last one may have left is sealed by the next record.
  await write(path, 1);

  const verdict = await verifyAuditLog(path);
  expect(verdict).toMatchObject({ ok: true, unchained: 0, torn: DEATHS.filter((one) => one === 'mid-write').length });
  expect(verdict.segments.length).toBeGreaterThan(3);

  const recorded = new Set<string>();
  for await (const { record } of readAuditLog(path))
    if (record) recorded.add(`${record.session_id} ${record.call_id} ${record.event}`);
  const ran = readFileSync(join(dir, 'notes'), 'utf8').trim().split('\n');
  expect(ran.filter((call) => !recorded.has(`${call} decided`))).toEqual([]);
  const lived = Array.from({ length: PROCESSES }, (_, i) => i).filter((i) => !deathOf(i));
  const ended = lived.flatMap((i) => Array.from({ length: CALLS }, (_, k) => `s${i} c${k} finished`));
  expect(ended.filter((call) => !recorded.has(call))).toEqual([]);
  // Nothing is left of locks.
  expect(existsSync(`${path}.lock`)).toBe(false);
  expect(readdirSync(dir).filter((name) => name.includes('.lock'))).toEqual([]);
}, 300_000);

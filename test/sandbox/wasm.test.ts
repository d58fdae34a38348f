import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { describe, expect, test } from 'vitest';
import { limitModule } from '../../src/sandbox/wasm-module.js';
import { newHome } from '../helpers/cli.js';
import { aStoredResult } from '../helpers/run-context.js';
import { aSandbox } from './guests.js';

const { run } = aSandbox();

const section = (id: number, ...body: number[]) => [id, body.length, ...body];
const name = (text: string) => [text.length, ...Buffer.from(text)];
const PROC_EXIT = 0;
const START = 1;
const CALL_EXIT = [0x10, PROC_EXIT];
const constant = (value: number) => {
  const bytes: number[] = [0x41];
  for (; value > 63; value >>= 7) bytes.push((value & 127) | 128);
  return [...bytes, value];
};

/** A WASI command with this body of `_start`, a memory of one page and a table of one entry, neither with a maximum. */
const command = (...body: number[]): Uint8Array =>
  Uint8Array.from([
    ...[0, 0x61, 0x73, 0x6d, 1, 0, 0, 0],
    ...section(1, 2, 0x60, 0, 0, 0x60, 1, 0x7f, 0),
    ...section(2, 1, ...name('wasi_snapshot_preview1'), ...name('proc_exit'), 0, 1),
    ...section(3, 1, 0),
    ...section(4, 1, 0x70, 0, 1),
    ...section(5, 1, 0, 1),
    ...section(7, 2, ...name('memory'), 2, 0, ...name('_start'), 0, START),
    ...section(10, 1, body.length + 2, 0, ...body, 0x0b),
  ]);

/** 42 when growing was refused, which is -1; anything else when it was not. */
const exitWith42IfRefused = [...constant(43), 0x6a, ...CALL_EXIT];
const growTable = (entries: number) => [0xd0, 0x70, ...constant(entries), 0xfc, 0x0f, 0];
const growMemory = (pages: number) => [...constant(pages), 0x40, 0];

async function runModule(bytes: Uint8Array, memoryLimitMb = 16) {
  const module = join(newHome(), 'guest.wasm');
  writeFileSync(module, bytes);
  const { outcome } = await run({ spec: { kind: 'wasm', module }, tool: { memoryLimitMb } });
  return outcome.exitCode ?? outcome.error?.message;
}

describe('a WASI command', () => {
  test('cannot grow its table or its memory past the limits', async () => {
    expect(await runModule(command(...growTable(9_000), ...exitWith42IfRefused))).not.toBe(42);
    expect(await runModule(command(...growTable(10_000), ...exitWith42IfRefused))).toBe(42);
    expect(await runModule(command(...growMemory(255), ...exitWith42IfRefused))).not.toBe(42);
    expect(await runModule(command(...growMemory(256), ...exitWith42IfRefused))).toBe(42);
  });

  test('that ends in a trap says so', async () => {
    expect(await runModule(command(0x00))).toMatch(/guest\.wasm crashed in the sandbox: .*unreachable/);
  });

  test('is refused when it has several memories, each of which could grow to the limit', () => {
    const several = Uint8Array.from([
      ...command().subarray(0, 8),
      ...section(5, 2, 0, 1, 0, 1),
      ...section(7, 2, ...name('memory'), 2, 0, ...name('_start'), 0, START),
    ]);
    expect(() => limitModule(several, 'many.wasm', { memoryPages: 10, tableEntries: 10 })).toThrow(
      'many.wasm cannot be used: it has more than one memory.',
    );
  });

  test('is refused when it needs more than the limits to start', () => {
    expect(() => limitModule(command(), 'big.wasm', { memoryPages: 0, tableEntries: 10 })).toThrow(
      'big.wasm cannot be used: it needs 1 MB of memory to start, and the limit is 0 MB.',
    );
    expect(() => limitModule(command(), 'big.wasm', { memoryPages: 10, tableEntries: 0 })).toThrow(
      'big.wasm cannot be used: it needs 1 table entries to start, and the limit is 0.',
    );
  });

  test('is refused with a reason, wherever it is cut off', () => {
    const whole = command(...growTable(1));
    const limits = { memoryPages: 10, tableEntries: 10 };
    const cuts = Array.from({ length: whole.length - 8 }, (_, at) => whole.subarray(0, at + 8));
    const said = cuts.map((bytes) => {
      try {
        return limitModule(bytes, 'm.wasm', limits) && 'taken';
      } catch (error) {
        return (error as Error).message.startsWith('m.wasm cannot be used: ') ? 'refused' : String(error);
      }
    });
    // Code comes last, and is the engine's to check.
    expect(new Set(said.slice(0, said.indexOf('taken') === -1 ? undefined : said.indexOf('taken')))).toEqual(
      new Set(['refused']),
    );
    expect(Buffer.from(limitModule(whole, 'm.wasm', limits)).subarray(0, 8)).toEqual(Buffer.from(whole.subarray(0, 8)));
  });
});

test('stored results are files of any WASI command, which reads them and is told their names in an index', async () => {
  const module = join(newHome(), 'python.wasm');
  writeFileSync(module, gunzipSync(readFileSync(join(import.meta.dirname, '../../wasm/python.wasm.gz'))));
  const code = 'import json,os; print(sorted(os.listdir("/data")), json.load(open("/data/index.json"))[0]["id"])';
  const spec = { kind: 'wasm', module, args: ['-I', '-S', '-c', code], files: ['c7'] };
  const { outcome, stdout } = await run({ spec, results: [aStoredResult({ callId: 'c7' }, { pods: 3 })] });
  expect([outcome.exitCode, stdout]).toEqual([0, "['c7.json', 'index.json'] c7\n"]);
});

import { mkdtempSync, statSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { present } from '../../src/agent/present.js';
import { createResultStore, parseCaptured } from '../../src/agent/results.js';
import type { Json, OutputSpec } from '../../src/domain/types.js';
import { noRedactor } from '../helpers/fakes.js';

const SPEC: OutputSpec = { format: 'text', keep: 'both', maxBytes: 100 };

function captured(chunks: readonly (string | Uint8Array)[], spec: OutputSpec = SPEC, stderr = '') {
  const store = createResultStore(mkdtempSync(join(tmpdir(), 'opsagent-results-')), noRedactor);
  const capture = store.capture('c1', spec.maxBytes);
  for (const chunk of chunks) capture.write(chunk);
  if (stderr) capture.writeError(stderr);
  return { store, ended: capture.end() };
}

const show = (
  ended: ReturnType<typeof captured>['ended'],
  spec = SPEC,
  ok = true,
  data: never | undefined = undefined,
) => present({ callId: 'c1', spec, ...ended, data, ok });

describe('results', () => {
  test('the whole output is on disk, only for its owner, and can be read back', async () => {
    const text = Array.from({ length: 500 }, (_, i) => `line ${i}\n`).join('');
    const { store, ended } = captured([text]);
    store.add({ callId: 'c1', tool: 't', status: 'ok', text: '', durationMs: 0 }, { args: {}, tokens: [] }, ended);
    expect(await store.get('c1')?.readText(1_000_000)).toBe(text);
    expect(await store.get('c1')?.readText(10)).toBeUndefined();
    expect(statSync(ended.stdout.path ?? '').mode & 0o777).toBe(0o600);
    expect(ended.stdout.head.length + ended.stdout.tail.length).toBe(200);
  });

  test.each<[OutputSpec['keep'], RegExp]>([
    ['both', /^line 0\n[\s\S]*line \d\n… \d+ of 4390 bytes of c1 left out …\n[\s\S]*line 499\n?$/],
    ['head', /^line 0\n[\s\S]*left out …$/],
    ['tail', /^… \d+ of 4390 bytes of c1 left out …\n[\s\S]*line 499\n?$/],
  ])('a long output keeps its %s, cut at line ends, and says what is missing and where it is', (keep, pattern) => {
    const { ended } = captured([Array.from({ length: 500 }, (_, i) => `line ${i}\n`).join('')]);
    const shown = show(ended, { ...SPEC, keep });
    expect(shown.text).toMatch(pattern);
    expect(shown.outputPath).toBe(ended.stdout.path);
    expect(Buffer.byteLength(shown.text)).toBeLessThan(200);
  });

  test('binary output is named, not shown', () => {
    expect(show(captured([new Uint8Array([0x7f, 0x45, 0, 1])]).ended).text).toMatch(
      /^\(binary output, 4 bytes; sha256 /,
    );
  });

  test('characters cut between chunks stay whole', () => {
    const bytes = Buffer.from('数据库连接池');
    expect(show(captured([bytes.subarray(0, 4), bytes.subarray(4)]).ended).text).toBe('数据库连接池');
  });

  test('stderr is shown when the call failed, and not when it went well', () => {
    const { ended } = captured(['out\n'], SPEC, 'warning');
    expect([show(ended, SPEC, false).text, show(ended).text]).toEqual(['out\nstderr:\nwarning', 'out']);
  });

  test('select shows a part of the data', () => {
    const spec = { ...SPEC, format: 'json' as const, select: 'items[].name' };
    const { ended } = captured(['{}']);
    expect(present({ callId: 'c1', spec, ...ended, data: { items: [{ name: 'a' }] }, ok: true }).text).toBe(
      '[\n "a"\n]',
    );
  });

  test('a list of objects is a table where the tool says so, and an empty one says what the program said', () => {
    const spec = { ...SPEC, format: 'table' as const, select: '@' };
    const { ended } = captured(['[]'], SPEC, 'No resources found in shop namespace.');
    const rows = [
      { name: 'web-0', ready: [true, false], reason: null },
      { name: 'order', ready: [], reason: 'a\nb' },
    ];
    const shown = (data: Json) => present({ callId: 'c1', spec, ...ended, data, ok: true }).text;
    expect(shown(rows)).toBe('NAME    READY        REASON\nweb-0   true,false   -\norder   -            a b');
    expect(shown([])).toBe('No resources found in shop namespace.');
  });

  test('output that is no data is undefined, not an error', async () => {
    expect(await parseCaptured(captured(['{"half":']).ended.stdout, 'json')).toBeUndefined();
    expect(await parseCaptured(captured(['a: [1, 2]']).ended.stdout, 'yaml')).toEqual({ a: [1, 2] });
  });
});

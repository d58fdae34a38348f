import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import fc from 'fast-check';
import { beforeAll, describe, expect, test } from 'vitest';
import { verifyAuditLog } from '../../src/audit/verify.js';
import { aRecord, folder, linesOf, write } from './records.js';

const COUNT = 12;

describe('one edit of a log', () => {
  const path = join(folder(), 'audit.jsonl');
  let valid: Buffer;
  let lines: string[];
  beforeAll(async () => {
    await write(path, COUNT);
    valid = readFileSync(path);
    lines = linesOf(path);
  });

  /** The line that `audit verify` names once the log has this content. */
  async function namedLine(content: Buffer | string): Promise<number | undefined> {
    writeFileSync(path, content);
    const { ok, problem } = await verifyAuditLog(path);
    return ok ? undefined : problem?.line;
  }
  const joined = (some: readonly string[]) => some.map((line) => `${line}\n`).join('');
  const aLine = fc.nat(COUNT - 1);

  test('a byte that is changed', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), fc.integer({ min: 1, max: 255 }), async (at, flip) => {
        const bytes = Buffer.from(valid);
        const index = at % bytes.length;
        bytes[index] = (bytes[index] ?? 0) ^ flip;
        const line = valid.subarray(0, index).toString('latin1').split('\n').length;
        expect(await namedLine(bytes)).toBe(line);
      }),
      { numRuns: 400 },
    ));

  test('a line that is deleted', () =>
    fc.assert(
      fc.asyncProperty(aLine, async (k) => {
        expect(await namedLine(joined(lines.toSpliced(k, 1)))).toBe(k + 1);
      }),
    ));

  test('two lines that change places', () =>
    fc.assert(
      fc.asyncProperty(aLine, aLine, async (i, k) => {
        fc.pre(i !== k);
        const swapped = lines.with(i, lines[k] ?? '').with(k, lines[i] ?? '');
        expect(await namedLine(joined(swapped))).toBe(Math.min(i, k) + 1);
      }),
    ));

  test('a line that is inserted: any text, an empty one, or a record that was there before', () =>
    fc.assert(
      fc.asyncProperty(
        fc.nat(COUNT),
        fc.oneof(
          fc.constant(''),
          fc.string().map((text) => text.replaceAll('\n', '')),
          aLine.map((k) => lines[k] ?? ''),
          fc.constant(JSON.stringify(aRecord())),
        ),
        async (at, line) => {
          // Before itself a record is where it belongs; its second self is too much.
          const expected = lines[at] === line ? at + 2 : at + 1;
          expect(await namedLine(joined(lines.toSpliced(at, 0, line)))).toBe(expected);
        },
      ),
    ));

  test('an end that is cut off, anywhere but in the last line break', () =>
    fc.assert(
      fc.asyncProperty(fc.nat(), async (at) => {
        const length = at % (valid.length - 1);
        const kept = valid.subarray(0, length);
        // A cut that takes the line break alone leaves the record.
        const isWhole = valid[length] === 10;
        const line = kept.toString('latin1').split('\n').length + (isWhole ? 1 : 0);
        expect(await namedLine(kept)).toBe(line);
      }),
      { numRuns: 300 },
    ));
});

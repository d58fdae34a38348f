import type { Inspection } from '../domain/ports.js';
import type { Classification, Decision, Risk } from '../domain/types.js';
import { type BodyLine, type BodyTone, cutBlock, prose, section } from './card-lines.js';
import type { Words } from './words.js';

/** Why the call is riskier than its tool, and what its argv does to how much; nothing when nothing was found out. */
export function judgedLines(
  own: Risk,
  { risk, raised, classification }: Decision,
  width: number,
  words: Words,
): readonly BodyLine[] {
  return [
    ...(raised.length > 0
      ? section(words.raised, width, (room) => [
          ...(own === risk ? [] : prose(`${own} → ${risk}`, room, 'warning')),
          ...raised.flatMap((reason) => prose(reason, room, 'warning')),
        ])
      : []),
    ...(classification ? scopeLines(classification, width, words) : []),
  ];
}

/** What a dry run and a look at what is touched have found, and whether there is a way back. */
export function inspectionLines(
  { dryRun, preview, undo }: Inspection,
  width: number,
  words: Words,
): readonly BodyLine[] {
  return [
    ...(dryRun ? findingLines(words.dryRun, words.dryRunEnd[endOf(dryRun)], dryRun, width, words) : []),
    ...(preview ? findingLines(words.touches, preview.ok ? '' : words.previewFailed, preview, width, words) : []),
    ...(undo?.trim() ? section(words.undo, width, (room) => prose(undo, room, 'plain')) : []),
  ];
}

const endOf = ({ ok, skipped }: NonNullable<Inspection['dryRun']>): keyof Words['dryRunEnd'] =>
  ok ? 'ok' : skipped ? 'unknown' : 'failed';

function findingLines(
  label: string,
  end: string,
  { ok, text, callId }: { readonly ok: boolean; readonly text: string; readonly callId: string },
  width: number,
  words: Words,
): readonly BodyLine[] {
  const toneOf = diffTone(text);
  return section(label, width, (room) => [
    ...(end === '' ? [] : prose(end, room, ok ? 'plain' : 'warning')),
    ...(text.trim() === '' ? [] : cutBlock(text, room, (rows) => words.leftOut(rows, callId), toneOf)),
  ]);
}

/** Tones of the rows of a diff. A list in YAML has rows with `-` alone; it is none. */
function diffTone(text: string): (row: string) => BodyTone {
  if (!/^(?:\+|@@ )/m.test(text)) return () => 'code';
  return (row) => (row.startsWith('+') ? 'added' : row.startsWith('-') ? 'removed' : 'code');
}

function scopeLines({ scope, targets, connection }: Classification, width: number, words: Words): readonly BodyLine[] {
  const what = [words.scopes[scope], targets.join(', ')].filter(Boolean).join(': ');
  const tone = scope === 'one' || scope === 'several' ? 'plain' : 'warning';
  return [
    ...(scope === 'none' ? [] : section(words.scope, width, (room) => prose(what, room, tone))),
    ...(connection.length > 0
      ? section(words.connection, width, (room) => connection.flatMap((item) => prose(item, room, 'warning')))
      : []),
  ];
}

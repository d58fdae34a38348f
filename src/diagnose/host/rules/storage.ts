import type { Language, NextStep, Severity } from '../../types.js';
import {
  evidenceOf,
  gradeAbove,
  type HostDraft,
  hostDraft,
  hostStep,
  percentText,
  sayHost,
  sizeText,
} from '../draft.js';
import type { HostFacts } from '../facts.js';
import { type FileSystem, mergeMounts } from '../parse-disk.js';
import { IGNORED_FILE_SYSTEMS, THRESHOLDS } from '../thresholds.js';

const MILDER: Readonly<Record<string, Severity>> = { critical: 'high', high: 'medium', medium: 'low' };

/** Full file systems, by space. */
export function diskRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { disks } = facts;
  if (disks === undefined) return [];
  const counted = disks.value.filter((one) => !IGNORED_FILE_SYSTEMS.has(one.type) && !isReadOnlyImage(facts, one));
  return mergeMounts(counted).flatMap(({ first, also }) => {
    const grade = gradeAbove(first.percent, THRESHOLDS.disk);
    if (grade === undefined) return [];
    const isLarge = first.free > THRESHOLDS.diskRoomKib;
    const { mount } = first;
    return [
      hostDraft(language, {
        rule: 'host.disk-full',
        kind: 'FileSystem',
        name: mount,
        severity: isLarge ? (MILDER[grade] ?? grade) : grade,
        values: { mount, percent: first.percent, free: sizeText(first.free), total: sizeText(first.total) },
        detail: isLarge ? sayHost(language, 'detail.large-disk') : '',
        evidence: [evidenceOf(disks.callId, first.line, 'df')],
        checks: [
          hostStep(language, 'step.du', { mount }, ['du', '-xh', '--max-depth=1', mount]),
          hostStep(language, 'step.deleted', {}, ['lsof', '+L1']),
          ...journalStep(language, mount),
        ],
        also: also.map((one) => one.mount),
        topics: ['disk', `disk:${mount}`],
      }),
    ];
  });
}

const journalStep = (language: Language, mount: string): readonly NextStep[] =>
  ['/', '/var', '/var/log'].includes(mount)
    ? [hostStep(language, 'step.journal-size', {}, ['journalctl', '--disk-usage'])]
    : [];

/** An image that is mounted read-only is always full. */
const isReadOnlyImage = (facts: HostFacts, one: FileSystem): boolean =>
  one.device.startsWith('/dev/loop') &&
  (facts.mounts?.value.some((m) => m.mount === one.mount && m.readOnly) ?? one.free === 0);

/** File systems without free inodes. */
export function inodeRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { inodes } = facts;
  if (inodes === undefined) return [];
  const typeOf = new Map(facts.disks?.value.map((one) => [one.mount, one.type]));
  const typeMounted = new Map(facts.mounts?.value.map((one) => [one.mount, one.type]));
  const counted = inodes.value.filter((one) => {
    const type = typeOf.get(one.mount) ?? typeMounted.get(one.mount) ?? '';
    return !IGNORED_FILE_SYSTEMS.has(type) && !isReadOnlyImage(facts, one);
  });
  return mergeMounts(counted).flatMap(({ first, also }) => {
    const severity = gradeAbove(first.percent, THRESHOLDS.inodes);
    if (severity === undefined) return [];
    const { mount } = first;
    return [
      hostDraft(language, {
        rule: 'host.inodes-full',
        kind: 'FileSystem',
        name: mount,
        severity,
        values: { mount, percent: first.percent, free: first.free, total: first.total },
        evidence: [evidenceOf(inodes.callId, first.line, 'df -i')],
        checks: [
          hostStep(language, 'step.du-inodes', { mount }, ['du', '-x', '--inodes', '--max-depth=2', mount]),
          hostStep(language, 'step.deleted', {}, ['lsof', '+L1']),
        ],
        also: also.map((one) => one.mount),
        topics: ['disk', `inodes:${mount}`],
      }),
    ];
  });
}

/** Everything waits for I/O. */
export function ioPressureRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { pressure } = facts;
  const io = pressure?.value.get('io');
  if (pressure === undefined || io === undefined) return [];
  const { ioFull: medium, ioFullHigh: high } = THRESHOLDS.pressure;
  const severity = gradeAbove(io.full, { medium, high });
  if (severity === undefined) return [];
  return [
    hostDraft(language, {
      rule: 'host.io-pressure',
      kind: 'Machine',
      name: 'io',
      severity,
      values: { full: percentText(io.full) },
      evidence: [evidenceOf(pressure.callId, io.line, '/proc/pressure/io')],
      checks: [hostStep(language, 'step.waiting', {}, ['ps', '-eo', 'pid,stat,wchan:30,comm'])],
      topics: ['io'],
      // Swapping is I/O, too.
      causedBy: ['io-error', 'memory'],
    }),
  ];
}

import type { Language } from '../../types.js';
import { evidenceOf, gradeAbove, type HostDraft, hostDraft, hostStep, percentText, sayHost } from '../draft.js';
import type { HostFacts } from '../facts.js';
import { THRESHOLDS } from '../thresholds.js';

/** Open files of the machine and of each process, against their limits. */
export function openFilesRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { openFiles, limits } = facts;
  const machine = limits?.value.openFiles;
  const drafts: HostDraft[] = [];
  if (limits !== undefined && machine !== undefined) {
    const percent = (machine.used / machine.max) * 100;
    const severity = gradeAbove(percent, THRESHOLDS.openFiles);
    if (severity !== undefined) {
      drafts.push(
        hostDraft(language, {
          rule: 'host.open-files',
          kind: 'Machine',
          name: 'open files',
          severity,
          values: { percent: percentText(percent), used: machine.used, max: machine.max },
          evidence: [evidenceOf(limits.callId, machine.line, '/proc/sys/fs/file-nr')],
          checks: [hostStep(language, 'step.files', {}, ['lsof', '-n', '-P'])],
          topics: ['open-files'],
        }),
      );
    }
  }
  for (const one of openFiles?.value.processes ?? []) {
    const severity = gradeAbove(one.percent, THRESHOLDS.openFiles);
    if (severity === undefined || openFiles === undefined) continue;
    const { pid, name, count, limit, percent } = one;
    const unreadable = openFiles.value.unreadable;
    drafts.push(
      hostDraft(language, {
        rule: 'host.process-files',
        kind: 'Process',
        name: String(pid),
        severity,
        values: { pid, name, count, limit, percent },
        detail: unreadable > 0 ? sayHost(language, 'detail.unreadable', { count: unreadable }) : '',
        evidence: [evidenceOf(openFiles.callId, one.line, '/proc')],
        checks: [hostStep(language, 'step.files', { pid }, ['ls', '-l', `/proc/${pid}/fd`])],
        topics: ['open-files'],
      }),
    );
  }
  return drafts;
}

/** The table of tracked connections; when it is full, new connections fail. */
export function conntrackRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const table = facts.limits?.value.conntrack;
  if (facts.limits === undefined || table === undefined) return [];
  const percent = (table.used / table.max) * 100;
  const severity = gradeAbove(percent, THRESHOLDS.conntrack);
  if (severity === undefined) return [];
  return [
    hostDraft(language, {
      rule: 'host.conntrack',
      kind: 'Machine',
      name: 'conntrack',
      severity,
      values: { percent: percentText(percent), used: table.used, max: table.max },
      evidence: [evidenceOf(facts.limits.callId, table.line, '/proc/sys/net/netfilter')],
      checks: [hostStep(language, 'step.conntrack', {}, ['ss', '-s'])],
      causedBy: ['conntrack'],
    }),
  ];
}

/** A clock that is off, or that nothing keeps right. */
export function clockRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { clock } = facts;
  if (clock === undefined) return [];
  const { synchronised, offset = 0, line } = clock.value;
  const severity = gradeAbove(offset, THRESHOLDS.clockOffset);
  if (severity === undefined && synchronised !== false) return [];
  return [
    hostDraft(language, {
      rule: severity === undefined ? 'host.clock-unsynchronised' : 'host.clock-off',
      kind: 'Machine',
      name: 'clock',
      severity: severity ?? 'medium',
      values: { seconds: percentText(offset) },
      evidence: [evidenceOf(clock.callId, line, 'clock')],
      checks: [hostStep(language, 'step.clock', {}, ['timedatectl', 'status'])],
      topics: ['clock'],
    }),
  ];
}

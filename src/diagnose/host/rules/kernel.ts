import { joinSentences } from '../../say.js';
import type { Language, NextStep, Severity } from '../../types.js';
import { evidenceOf, type HostDraft, hostDraft, hostStep, sayHost } from '../draft.js';
import type { HostFacts } from '../facts.js';
import type { KernelEvent, KernelKind } from '../kernel.js';
import type { HostMessageKey } from '../messages.js';
import { THRESHOLDS } from '../thresholds.js';

interface Meaning {
  readonly rule: HostMessageKey;
  readonly kind: string;
  readonly severity: Severity;
  readonly topics: readonly string[];
  readonly causedBy: readonly string[];
  readonly checks: (language: Language, what: string) => readonly NextStep[];
}

const disk = (language: Language, what: string): readonly NextStep[] => [
  hostStep(language, 'step.smart', { what }, ['smartctl', '-a', `/dev/${what}`]),
  hostStep(language, 'step.backup'),
];
const waiting = (language: Language): readonly NextStep[] => [
  hostStep(language, 'step.waiting', {}, ['ps', '-eo', 'pid,stat,wchan:30,comm']),
];
const hardware = (language: Language): readonly NextStep[] => [
  hostStep(language, 'step.hardware', {}, ['dmesg', '--level=emerg,alert,crit,err']),
];
const core = (language: Language): readonly NextStep[] => [
  hostStep(language, 'step.core', {}, ['coredumpctl', 'list', '--reverse', '--no-pager']),
];
const conntrack = (language: Language): readonly NextStep[] => [hostStep(language, 'step.conntrack', {}, ['ss', '-s'])];
const clock = (language: Language): readonly NextStep[] => [
  hostStep(language, 'step.clock', {}, ['timedatectl', 'status']),
];

/** What each kind of kernel message comes to. DATA. */
const MEANINGS: Readonly<Record<Exclude<KernelKind, 'oom'>, Meaning>> = {
  'io-error': {
    rule: 'host.io-error',
    kind: 'Disk',
    severity: 'high',
    topics: ['io-error'],
    causedBy: [],
    checks: disk,
  },
  'file-system-error': {
    rule: 'host.file-system-error',
    kind: 'Disk',
    severity: 'high',
    topics: ['io-error'],
    causedBy: ['io-error'],
    checks: disk,
  },
  'read-only': {
    rule: 'host.read-only',
    kind: 'Disk',
    severity: 'critical',
    topics: ['read-only'],
    causedBy: ['io-error'],
    checks: disk,
  },
  'hung-task': {
    rule: 'host.hung-task',
    kind: 'Process',
    severity: 'high',
    topics: ['hung'],
    causedBy: ['io-error', 'io', 'memory'],
    checks: waiting,
  },
  lockup: {
    rule: 'host.lockup',
    kind: 'Machine',
    severity: 'high',
    topics: [],
    causedBy: ['hardware'],
    checks: hardware,
  },
  segfault: { rule: 'host.segfault', kind: 'Process', severity: 'medium', topics: [], causedBy: [], checks: core },
  'conntrack-full': {
    rule: 'host.conntrack-drops',
    kind: 'Machine',
    severity: 'high',
    topics: ['conntrack'],
    causedBy: [],
    checks: conntrack,
  },
  'file-max': {
    rule: 'host.file-max',
    kind: 'Machine',
    severity: 'high',
    topics: ['open-files'],
    causedBy: [],
    checks: waiting,
  },
  hardware: {
    rule: 'host.hardware',
    kind: 'Machine',
    severity: 'high',
    topics: ['hardware'],
    causedBy: [],
    checks: hardware,
  },
  clocksource: {
    rule: 'host.clocksource',
    kind: 'Machine',
    severity: 'low',
    topics: ['clock'],
    causedBy: [],
    checks: clock,
  },
};

/** One finding for each kind of message and each device or process, with the last line as evidence. */
export function kernelRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { kernel } = facts;
  if (kernel === undefined) return [];
  const groups = new Map<string, KernelEvent[]>();
  for (const event of kernel.value) {
    const key = `${event.kind}|${diskOf(event)}|${event.inGroup}`;
    groups.set(key, [...(groups.get(key) ?? []), event]);
  }
  return [...groups.values()].map((events) => draftOf(facts, language, kernel.callId, events));
}

/** Partitions of one disk fail together. */
const diskOf = ({ kind, what }: KernelEvent): string =>
  kind === 'io-error'
    ? what.replace(/^(sd[a-z]+|vd[a-z]+|xvd[a-z]+)\d+$/, '$1').replace(/^(nvme\d+n\d+)p\d+$/, '$1')
    : what;

function draftOf(facts: HostFacts, language: Language, callId: string, events: readonly KernelEvent[]): HostDraft {
  const [last] = events.toReversed();
  if (last === undefined) throw new Error('a group of kernel messages is never empty');
  const isOld = isLongAgo(facts, last);
  const control = [...new Set(events.map((event) => event.group).filter((group) => group !== ''))];
  const time =
    last.timeMs === undefined
      ? sayHost(language, 'time.unknown')
      : new Date(last.timeMs).toISOString().replace(/\.\d+Z$/, 'Z');
  const what = diskOf(last);
  const meaning = last.kind === 'oom' ? oomMeaning(last, control) : MEANINGS[last.kind];
  const few = last.kind === 'segfault' && events.length < THRESHOLDS.segfaults;
  const nowReadOnly = last.kind === 'read-only' ? readOnlyMount(facts, what) : undefined;
  const detail = [
    ...(control.length === 0 ? [] : [sayHost(language, 'detail.group', { group: control.slice(-3).join(', ') })]),
    ...(nowReadOnly === undefined ? [] : [sayHost(language, 'detail.read-only-now', { mount: nowReadOnly })]),
    ...(isOld ? [sayHost(language, 'detail.old')] : []),
  ];
  return hostDraft(language, {
    rule: meaning.rule,
    kind: meaning.kind,
    name: what || 'kernel',
    severity: (isOld && nowReadOnly === undefined) || few ? 'low' : meaning.severity,
    values: { count: events.length, time, device: what, process: what, name: what },
    detail: joinSentences(detail, language),
    evidence: [evidenceOf(callId, last.line, 'kernel')],
    checks: meaning.checks(language, what),
    // What is long over explains nothing of today, and the other way round.
    topics: isOld && nowReadOnly === undefined ? [] : meaning.topics,
    causedBy: isOld ? [] : meaning.causedBy,
  });
}

const oomMeaning = (event: KernelEvent, control: readonly string[]): Meaning =>
  event.inGroup
    ? {
        rule: 'host.oom-group',
        kind: 'Process',
        severity: 'high',
        topics: [`oom:${event.what}`, ...control.map((group) => `oom-group:${group}`)],
        causedBy: [],
        checks: (language) => [hostStep(language, 'step.raise-limit')],
      }
    : {
        rule: 'host.oom',
        kind: 'Process',
        severity: 'high',
        topics: ['memory', `oom:${event.what}`],
        causedBy: ['memory'],
        checks: (language) => [
          hostStep(language, 'step.top-memory', {}, ['ps', '-eo', 'pid,user,rss,comm', '--sort=-rss']),
        ],
      };

const isLongAgo = (facts: HostFacts, event: KernelEvent): boolean =>
  event.timeMs !== undefined && facts.nowMs > 0 && facts.nowMs - event.timeMs > THRESHOLDS.old * 1000;

const readOnlyMount = (facts: HostFacts, device: string): string | undefined =>
  facts.mounts?.value.find((m) => m.readOnly && m.device === `/dev/${device}`)?.mount;

/** The kernel counts its kills even where its messages may not be read. */
export function oomCountRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { limits, kernel } = facts;
  const count = limits?.value.oomKills ?? 0;
  if (limits === undefined || kernel !== undefined || count === 0) return [];
  return [
    hostDraft(language, {
      rule: 'host.oom-count',
      kind: 'Machine',
      name: 'memory',
      severity: 'medium',
      values: { count },
      evidence: [evidenceOf(limits.callId, `oom_kill ${count}`, '/proc/vmstat')],
      checks: [hostStep(language, 'step.hardware', {}, ['dmesg', '--level=emerg,alert,crit,err'])],
      causedBy: ['memory'],
    }),
  ];
}

import { ageText } from '../../draft.js';
import type { Finding, Language } from '../../types.js';
import {
  evidenceOf,
  gradeAbove,
  gradeBelow,
  type HostDraft,
  hostDraft,
  hostStep,
  percentText,
  sayHost,
  sizeText,
} from '../draft.js';
import type { HostFacts } from '../facts.js';
import type { Process } from '../parse-proc.js';
import { THRESHOLDS } from '../thresholds.js';

const topOf = (facts: HostFacts, by: 'cpu' | 'memory', count = 3): readonly Process[] =>
  (facts.processes?.value ?? [])
    .filter((one) => !one.state.startsWith('Z'))
    .toSorted((a, b) => b[by] - a[by])
    .slice(0, count);

const namesOf = (processes: readonly Process[], by: 'cpu' | 'memory'): string =>
  processes.map((one) => `${one.name} (${one.pid}, ${one[by]} %)`).join(', ');

/** Short memory, full swap, and work that waits for memory; the first of them is the finding, the others its consequences. */
export function memoryRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  return [...shortRule(facts, language), ...swapRule(facts, language), ...memoryPressureRule(facts, language)];
}

function shortRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { memory } = facts;
  if (memory === undefined) return [];
  const { total, available, lines } = memory.value;
  const percent = (available / total) * 100;
  const severity = gradeBelow(percent, THRESHOLDS.memoryAvailable);
  if (severity === undefined) return [];
  const top = topOf(facts, 'memory');
  return [
    hostDraft(language, {
      rule: 'host.memory-short',
      kind: 'Machine',
      name: 'memory',
      severity,
      values: { available: sizeText(available), total: sizeText(total), percent: percentText(percent) },
      ...(top.length === 0
        ? {}
        : {
            cause: {
              text: sayHost(language, 'cause.memory', { processes: namesOf(top, 'memory') }),
              certainty: 'likely' as const,
            },
          }),
      evidence: [
        evidenceOf(memory.callId, lines.join(', '), '/proc/meminfo'),
        ...top.slice(0, 2).map((one) => evidenceOf(facts.processes?.callId ?? '', one.line, 'ps')),
      ],
      checks: [hostStep(language, 'step.top-memory', {}, ['ps', '-eo', 'pid,user,rss,comm', '--sort=-rss'])],
      topics: ['memory'],
    }),
  ];
}

function swapRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { memory } = facts;
  if (memory === undefined || memory.value.swapTotal === 0) return [];
  const { total, available, swapTotal, swapFree, lines } = memory.value;
  const percent = (available / total) * 100;
  const isFull = (swapFree / swapTotal) * 100 <= THRESHOLDS.swapFree;
  if (!isFull || percent > THRESHOLDS.memoryShortWithSwap) return [];
  return [
    hostDraft(language, {
      rule: 'host.swap-full',
      kind: 'Machine',
      name: 'swap',
      severity: 'medium',
      values: { free: sizeText(swapFree), total: sizeText(swapTotal), percent: percentText(percent) },
      evidence: [evidenceOf(memory.callId, lines.join(', '), '/proc/meminfo')],
      checks: [hostStep(language, 'step.top-memory', {}, ['ps', '-eo', 'pid,user,rss,comm', '--sort=-rss'])],
      topics: ['swap'],
      causedBy: ['memory'],
    }),
  ];
}

function memoryPressureRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { pressure } = facts;
  const memory = pressure?.value.get('memory');
  if (pressure === undefined || memory === undefined) return [];
  const limits = THRESHOLDS.pressure;
  const isMedium = memory.full >= limits.memoryFull || memory.some >= limits.memorySome;
  if (!isMedium) return [];
  return [
    hostDraft(language, {
      rule: 'host.memory-pressure',
      kind: 'Machine',
      name: 'memory',
      severity: memory.full >= limits.memoryFullHigh ? 'high' : 'medium',
      values: { some: percentText(memory.some), full: percentText(memory.full) },
      evidence: [evidenceOf(pressure.callId, memory.line, '/proc/pressure/memory')],
      checks: [hostStep(language, 'step.top-memory', {}, ['ps', '-eo', 'pid,user,rss,comm', '--sort=-rss'])],
      topics: ['memory-pressure'],
      causedBy: ['memory', 'swap'],
    }),
  ];
}

/** More work than CPUs, with what is behind it: waiting for I/O, or the processes that compute. */
export function loadRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { load } = facts;
  if (load === undefined) return [];
  const { five, one, cpus, blocked, line } = load.value;
  // A load that is over by now says what was, not what is.
  const severity = one < cpus ? undefined : gradeAbove(five / cpus, THRESHOLDS.load);
  if (severity === undefined) return [];
  const top = topOf(facts, 'cpu');
  const waiting = Math.max(blocked, facts.processes?.value.filter((p) => p.state.startsWith('D')).length ?? 0);
  const isIo = waiting >= cpus;
  const cause: Finding['cause'] = isIo
    ? { text: sayHost(language, 'cause.load-io', { count: waiting }), certainty: 'likely' }
    : top.length === 0
      ? undefined
      : { text: sayHost(language, 'cause.load-cpu', { processes: namesOf(top, 'cpu') }), certainty: 'likely' };
  return [
    hostDraft(language, {
      rule: 'host.load',
      kind: 'Machine',
      name: 'load',
      severity,
      values: { load: five, cpus },
      ...(cause === undefined ? {} : { cause }),
      evidence: [
        evidenceOf(load.callId, line, '/proc/loadavg'),
        ...top.map((p) => evidenceOf(facts.processes?.callId ?? '', p.line, 'ps')),
      ],
      checks: [
        isIo
          ? hostStep(language, 'step.waiting', {}, ['ps', '-eo', 'pid,stat,wchan:30,comm'])
          : hostStep(language, 'step.top-cpu', {}, ['top', '-b', '-n', '1', '-o', '%CPU']),
      ],
      topics: ['load'],
      causedBy: isIo ? ['io', 'io-error', 'memory'] : ['memory-pressure'],
    }),
  ];
}

/** Ended processes that their parent forgets, by parent. */
export function zombieRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { processes } = facts;
  if (processes === undefined) return [];
  const byParent = new Map<number, Process[]>();
  for (const one of processes.value.filter((p) => p.state.startsWith('Z'))) {
    byParent.set(one.parent, [...(byParent.get(one.parent) ?? []), one]);
  }
  return [...byParent].flatMap(([pid, dead]) => {
    const [example] = dead;
    if (example === undefined || dead.length < THRESHOLDS.zombies.low) return [];
    const parent = processes.value.find((p) => p.pid === pid);
    return [
      hostDraft(language, {
        rule: 'host.zombies',
        kind: 'Process',
        name: String(pid),
        severity: dead.length >= THRESHOLDS.zombies.medium ? 'medium' : 'low',
        values: { count: dead.length, name: `${parent?.name ?? '?'} (${pid})` },
        evidence: [evidenceOf(processes.callId, example.line, 'ps')],
        checks: [hostStep(language, 'step.parent', { pid }, ['ps', '-o', 'pid,ppid,user,stat,comm', `--pid=${pid}`])],
      }),
    ];
  });
}

/** A boot a short time ago may be why something was away. */
export function bootRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { load } = facts;
  if (load === undefined || load.value.uptime === 0 || load.value.uptime >= THRESHOLDS.freshBoot) return [];
  return [
    hostDraft(language, {
      rule: 'host.rebooted',
      kind: 'Machine',
      name: 'boot',
      severity: 'low',
      values: { age: ageText(load.value.uptime * 1000) },
      evidence: [evidenceOf(load.callId, load.value.uptimeLine, '/proc/uptime')],
      checks: [hostStep(language, 'step.history', {}, ['last', '-x', '-n', '20', 'reboot', 'shutdown'])],
    }),
  ];
}

import { compare } from '../group.js';
import { MESSAGES, type MessageKey } from '../messages.js';
import { plainLine, quoteOf } from '../plain-text.js';
import { fill } from '../say.js';
import type { Diagnosis, Finding, Language, Looked, Unseen } from '../types.js';
import { type HostDraft, sayHost } from './draft.js';
import type { HostFacts, Missing, Seen } from './facts.js';
import type { HostMessageKey } from './messages.js';
import { kernelRule, oomCountRule } from './rules/kernel.js';
import { clockRule, conntrackRule, openFilesRule } from './rules/limits.js';
import { bootRule, loadRule, memoryRule, zombieRule } from './rules/load.js';
import { diskRule, inodeRule, ioPressureRule } from './rules/storage.js';
import { journalRule, unitRule } from './rules/units.js';

type HostRule = (facts: HostFacts, language: Language) => readonly HostDraft[];

const RULES: readonly HostRule[] = [
  diskRule,
  inodeRule,
  ioPressureRule,
  memoryRule,
  loadRule,
  zombieRule,
  bootRule,
  kernelRule,
  oomCountRule,
  unitRule,
  journalRule,
  openFilesRule,
  conntrackRule,
  clockRule,
];

/** Applies every rule to what was seen of a machine. Pure: the same facts give the same diagnosis. */
export function diagnoseHost(facts: HostFacts, language: Language): Diagnosis {
  const findings = nest(RULES.flatMap((rule) => rule(facts, language)));
  const problems = findings.filter((finding) => !['low', 'info'].includes(finding.severity));
  const essential = [facts.disks, facts.memory, facts.load];
  const unseen = unseenOf(facts, language);
  return {
    target: facts.name === '' ? sayHost(language, 'host.this') : plainLine(facts.name),
    language,
    summary: summaryOf(findings, problems, unseen.length === 0, language),
    healthy: problems.length === 0 && essential.every((seen) => seen !== undefined),
    findings,
    unseen,
    looked: lookedAt(facts),
  };
}

/** One finding for each cause, its consequences under it. Two that explain each other both stand. */
function nest(drafts: readonly HostDraft[]): readonly Finding[] {
  const whole = (draft: HostDraft): Finding => ({ ...draft.finding, symptoms: [] });
  const parentOf = (draft: HostDraft): HostDraft | undefined =>
    draft.causedBy
      .flatMap((topic) => drafts.filter((other) => other !== draft && other.topics.includes(topic)))
      .find(
        (other) =>
          !other.causedBy.some((topic) => draft.topics.includes(topic)) ||
          drafts.indexOf(other) < drafts.indexOf(draft),
      );
  const rootOf = (draft: HostDraft): HostDraft => {
    const seen = new Set<HostDraft>();
    let current = draft;
    for (let next = parentOf(current); next !== undefined && !seen.has(next); next = parentOf(current)) {
      seen.add(current);
      current = next;
    }
    return current;
  };
  const roots = new Map(drafts.map((draft) => [draft, rootOf(draft)]));
  return drafts
    .filter((draft) => roots.get(draft) === draft)
    .map((root) => ({
      ...whole(root),
      symptoms: drafts
        .filter((draft) => draft !== root && roots.get(draft) === root)
        .map(whole)
        .toSorted(compare),
    }))
    .toSorted(compare);
}

function summaryOf(
  findings: readonly Finding[],
  problems: readonly Finding[],
  sawAll: boolean,
  language: Language,
): string {
  const say = (key: MessageKey, values = {}): string => fill(MESSAGES[key], language, values);
  const [first] = problems;
  if (first !== undefined) {
    const head = problems.length === 1 ? say('report.problem') : say('report.problems', { count: problems.length });
    return say('report.sentences', { first: head, second: first.title });
  }
  if (!sawAll) return say('report.unsure');
  return findings.length > 0 ? say('report.minor', { count: findings.length }) : say('report.healthy');
}

const NO_SYSTEMD =
  /not been booted with systemd|Failed to connect to (?:the )?(?:system )?bus|Host is down|no program systemctl/i;
const NO_PERMISSION = /permission denied|not permitted|operation not permitted|access denied|insufficient permissions/i;
const NOT_THERE = /no such file|not installed|no program|not found|cannot open/i;

/** What was asked for and not seen; what nobody asked for is named only when the answer hangs on it. */
function unseenOf(facts: HostFacts, language: Language): readonly Unseen[] {
  const unseen = (what: string, why: HostMessageKey, hint: HostMessageKey, more = ''): Unseen => ({
    what,
    why: `${sayHost(language, why)}${more}`,
    hint: sayHost(language, hint),
  });
  const lacks = facts.missing.filter((one) => one.tool !== 'host_release');
  const systemd = lacks.filter((one) => NO_SYSTEMD.test(one.text));
  const others = lacks.filter((one) => !systemd.includes(one) && !isDoubled(one, lacks));
  const asked: readonly (readonly [string, Seen<unknown> | undefined, readonly string[]])[] = [
    ['host_disk', facts.disks, ['host_disk']],
    ['host_memory', facts.memory, ['host_memory']],
    ['host_load', facts.load, ['host_load']],
  ];
  const never = asked.filter(([, seen, tools]) => seen === undefined && !lacks.some((one) => tools.includes(one.tool)));
  return [
    ...(systemd.length === 0
      ? []
      : [
          unseen(
            [...new Set(systemd.map((one) => one.tool))].join(', '),
            'gap.no-systemd',
            'gap.no-systemd.hint',
            systemd.map((one) => ` [${one.callId}]`).join(''),
          ),
        ]),
    ...others.map((one) => {
      const why = reasonOf(one);
      const words = one.text.trim() === '' ? '' : `: ${quoteOf(one.text, 120)}`;
      return unseen(one.tool, why, `${why}.hint`, `${words} [${one.callId}]`);
    }),
    ...absent(facts).map(([what, key, callId]) => unseen(what, key, `${key}.hint`, ` [${callId}]`)),
    ...never.map(([what]) => unseen(what, 'gap.not-asked', 'gap.not-asked.hint')),
  ];
}

/** What was not asked for because the machine does not have it. */
function absent({ facilities, kernel, clock }: HostFacts): readonly (readonly [string, AbsentKey, string])[] {
  if (facilities === undefined) return [];
  const has = (name: string): boolean => facilities.value.get(name) === true;
  const { callId } = facilities;
  return [
    ...(has('systemd') ? [] : [['systemd', 'gap.no-systemd', callId] as const]),
    ...(has('dmesg') || kernel !== undefined ? [] : [['dmesg', 'gap.not-there', callId] as const]),
    ...(has('timedatectl') || has('chronyc') || clock !== undefined
      ? []
      : [['timedatectl, chronyc', 'gap.no-clock', callId] as const]),
  ];
}

type AbsentKey = 'gap.no-systemd' | 'gap.not-there' | 'gap.no-clock';

/** Two ways to the same thing: one gap is enough. */
const TWINS: Readonly<Record<string, string>> = {
  host_chrony: 'host_time_sync',
  host_kernel_journal: 'host_kernel_messages',
};
const isDoubled = (one: Missing, all: readonly Missing[]): boolean =>
  all.some((other) => other.tool === TWINS[one.tool]);

type GapKey = 'gap.permission' | 'gap.no-journal' | 'gap.not-there' | 'gap.unreadable';

function reasonOf({ tool, text }: Missing): GapKey {
  if (NO_PERMISSION.test(text)) return 'gap.permission';
  if (tool === 'host_journal' || tool === 'host_syslog' || tool === 'host_unit_journal') return 'gap.no-journal';
  return NOT_THERE.test(text) ? 'gap.not-there' : 'gap.unreadable';
}

function lookedAt(facts: HostFacts): readonly Looked[] {
  const one = (kind: string, seen: Seen<unknown> | undefined, count = 1): readonly Looked[] =>
    seen === undefined ? [] : [{ kind, count, callIds: [seen.callId] }];
  return [
    ...one('FileSystem', facts.disks, facts.disks?.value.length),
    ...one('Inodes', facts.inodes, facts.inodes?.value.length),
    ...one('Memory', facts.memory),
    ...one('Load', facts.load),
    ...one('Pressure', facts.pressure, facts.pressure?.value.size),
    ...one('Process', facts.processes, facts.processes?.value.length),
    ...one('OpenFiles', facts.openFiles, facts.openFiles?.value.processes.length),
    ...one('Limits', facts.limits),
    ...one('Kernel', facts.kernel),
    ...one('FailedUnit', facts.units, facts.units?.value.length),
    ...one('Journal', facts.journal),
    ...one('Clock', facts.clock),
  ];
}

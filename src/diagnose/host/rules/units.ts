import { type LogMatch, matchLine, matchLog, tailLines } from '../../log-match.js';
import type { Evidence, Language, NextStep } from '../../types.js';
import { type DraftInput, evidenceOf, type HostDraft, hostDraft, hostStep, sayHost } from '../draft.js';
import type { HostFacts } from '../facts.js';
import { listenersOf } from '../parse-proc.js';
import { parseJournalLine } from '../parse-systemd.js';

/** What a log says → which finding about the machine would explain it. */
const EXPLAINED_BY: Readonly<Record<string, readonly string[]>> = {
  'disk-full': ['disk'],
  'read-only-file-system': ['read-only', 'io-error'],
  'too-many-open-files': ['open-files'],
};
/** Signatures that speak of the machine, whoever wrote the line. */
const ABOUT_THE_MACHINE = new Set(['disk-full', 'read-only-file-system', 'too-many-open-files', 'port-in-use']);

/** The message of a journal without time and host, so that words of the prefix are not taken for its own. */
const messagesOf = (log: string): string =>
  tailLines(log)
    .map((line) => parseJournalLine(line)?.message ?? line)
    .join('\n');

/** Failed units, with what their own log says. */
export function unitRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { units } = facts;
  if (units === undefined) return [];
  return units.value.map((unit) => {
    const state = facts.unitStates.get(unit.name);
    const log = facts.unitLogs.get(unit.name);
    const result = state?.value.get('Result') ?? '';
    const match = log === undefined ? undefined : matchLog(messagesOf(log.value));
    const taken = match?.signature.id === 'port-in-use' ? portOf(facts, language, match.line) : undefined;
    const restarts = Number(state?.value.get('NRestarts') ?? 0);
    return hostDraft(language, {
      rule:
        match !== undefined
          ? 'host.unit-failed.because'
          : result === '' || result === 'success'
            ? 'host.unit-failed'
            : 'host.unit-failed.result',
      kind: 'Unit',
      name: unit.name,
      severity: 'high',
      values: {
        unit: unit.name,
        result: exitText(result, state?.value),
        reason: match?.signature.title[language] ?? '',
      },
      detail: restarts > 0 ? sayHost(language, 'detail.restarts', { count: restarts }) : '',
      ...causeOf(taken?.cause),
      evidence: [
        evidenceOf(units.callId, unit.line, 'systemctl'),
        ...(state === undefined ? [] : [evidenceOf(state.callId, stateLine(state.value), 'systemctl show')]),
        ...(log === undefined ? [] : logEvidence(log.value, log.callId, match)),
        ...(taken?.evidence ?? []),
      ],
      checks: unitChecks(language, unit.name, taken?.checks),
      stopgap: [
        hostStep(language, 'step.unit-restart', { unit: unit.name }, ['systemctl', 'restart', unit.name], 'high'),
      ],
      topics: [`unit:${unit.name}`],
      causedBy: [
        ...(EXPLAINED_BY[match?.signature.id ?? ''] ?? []),
        ...(result === 'oom-kill' ? [...oomTopics(unit.name, facts), 'memory'] : []),
      ],
    });
  });
}

/** What the log shows stands in the title; a cause is added only where something else shows it. */
const causeOf = (text: string | undefined): Pick<DraftInput, 'cause'> =>
  text === undefined ? {} : { cause: { text, certainty: 'confirmed' } };

const exitText = (result: string, state: ReadonlyMap<string, string> | undefined): string => {
  const status = state?.get('ExecMainStatus') ?? '0';
  return status === '0' || result === '' ? result : `${result}, ${status}`;
};

const stateLine = (state: ReadonlyMap<string, string>): string =>
  ['ActiveState', 'SubState', 'Result', 'ExecMainCode', 'ExecMainStatus', 'NRestarts']
    .flatMap((key) => (state.has(key) ? [`${key}=${state.get(key)}`] : []))
    .join(' ');

function logEvidence(log: string, callId: string, match: LogMatch | undefined): readonly Evidence[] {
  if (match !== undefined) {
    const whole = tailLines(log).findLast((line) => line.endsWith(match.line));
    return [evidenceOf(callId, whole ?? match.line, 'journal')];
  }
  return tailLines(log)
    .slice(-2)
    .map((line) => evidenceOf(callId, line, 'journal'));
}

const unitChecks = (language: Language, unit: string, more: readonly NextStep[] = []): readonly NextStep[] => [
  ...more,
  hostStep(language, 'step.unit-log', { unit }, ['journalctl', `--unit=${unit}`, '--lines=100', '--no-pager']),
];

/** Kills inside the unit's own control group: `/system.slice/shop.service`. */
const oomTopics = (unit: string, facts: HostFacts): readonly string[] =>
  (facts.kernel?.value ?? [])
    .filter((event) => event.kind === 'oom' && event.group.split('/').includes(unit))
    .map((event) => `oom-group:${event.group}`);

/** Who holds the port that a line complains about. */
function portOf(
  facts: HostFacts,
  language: Language,
  line: string,
):
  | { readonly cause?: string; readonly evidence: readonly Evidence[]; readonly checks: readonly NextStep[] }
  | undefined {
  const port =
    /(?:[:\s](?:port )?|Port )(\d{2,5})\b(?=[^\n]{0,80}(?:in use|EADDRINUSE|failed))|in use[^\n]{0,60}:(\d{2,5})\b/i.exec(
      line,
    );
  const number = port?.[1] ?? port?.[2];
  if (number === undefined) return undefined;
  const [listener] = facts.sockets === undefined ? [] : listenersOf(facts.sockets.value, number);
  const key = listener?.name ? 'cause.port' : 'cause.port-other';
  return {
    ...(listener === undefined ? {} : { cause: sayHost(language, key, { name: listener.name, port: number }) }),
    evidence: listener === undefined ? [] : [evidenceOf(facts.sockets?.callId ?? '', listener.line, 'ss')],
    checks: [hostStep(language, 'step.port', { port: number }, ['ss', '-tulpn', `sport = :${number}`])],
  };
}

/** What programs say about the machine in the journal or syslog; what a failed unit says is with the unit. */
export function journalRule(facts: HostFacts, language: Language): readonly HostDraft[] {
  const { journal } = facts;
  if (journal === undefined) return [];
  const found = new Map<string, { from: string; match: NonNullable<ReturnType<typeof matchLine>>; line: string }>();
  const jumps: string[] = [];
  for (const line of tailLines(journal.value)) {
    const parsed = parseJournalLine(line);
    if (parsed === undefined || parsed.from === 'kernel') continue;
    if (CLOCK_JUMP.test(parsed.message)) jumps.push(line);
    const match = matchLine(parsed.message);
    if (match === undefined || !ABOUT_THE_MACHINE.has(match.signature.id)) continue;
    found.set(`${parsed.from}|${match.signature.id}`, { from: parsed.from, match, line });
  }
  const failed = (facts.units?.value ?? []).map((unit) => unit.name);
  const drafts = [...found.values()]
    .filter(({ from }) => !failed.some((unit) => unit.startsWith(`${from}.`) || unit.startsWith(`${from}@`)))
    .map(({ from, match, line }) => {
      const taken = match.signature.id === 'port-in-use' ? portOf(facts, language, match.line) : undefined;
      return hostDraft(language, {
        rule: 'host.log',
        kind: 'Program',
        name: from,
        severity: 'medium',
        values: { from, reason: match.signature.title[language] },
        ...causeOf(taken?.cause),
        evidence: [evidenceOf(journal.callId, line, 'log'), ...(taken?.evidence ?? [])],
        checks: taken?.checks ?? [],
        causedBy: EXPLAINED_BY[match.signature.id] ?? [],
      });
    });
  return [...drafts, ...jumpDrafts(jumps, journal.callId, language)];
}

/** systemd, chronyd, ntpd, systemd-timesyncd. */
const CLOCK_JUMP =
  /Time jumped (?:forwards|backwards)|System clock wrong by (?:-)?(?:[1-9]\d*|0\.[5-9])[\d.]* seconds|System clock was stepped by|(?:Forward|Backward) time jump detected|time reset [+-]\d+/i;

const jumpDrafts = (lines: readonly string[], callId: string, language: Language): readonly HostDraft[] =>
  lines.length === 0
    ? []
    : [
        hostDraft(language, {
          rule: 'host.clock-jump',
          kind: 'Machine',
          name: 'clock',
          severity: 'medium',
          evidence: lines.slice(-2).map((line) => evidenceOf(callId, line, 'log')),
          checks: [hostStep(language, 'step.clock', {}, ['timedatectl', 'status'])],
          topics: ['clock-jump'],
          causedBy: ['clock'],
        }),
      ];

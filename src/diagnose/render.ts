import { quoteArgv } from '../lib/quote.js';
import { MESSAGES, type MessageKey } from './messages.js';
import { codeSpan, escapeMarkdown, quoteOf } from './plain-text.js';
import { fill, joinWords, type Values } from './say.js';
import type { Diagnosis, Evidence, Finding, NextStep, Unseen } from './types.js';

/** The report is meant for one screen; what does not fit is told by its title, and the rest counted. */
const MAX_LINES = 60;
const MAX_EVIDENCE = 4;
const MAX_STEPS = 6;
const MAX_SYMPTOMS = 5;
const MAX_UNSEEN = 6;
const MAX_ALSO = 4;
const MAX_KINDS = 30;
/** Findings that are given by their title alone, for want of room. */
const MAX_FURTHER = 15;

type Say = (key: MessageKey, values?: Values) => string;

/**
 * The diagnosis as Markdown in its own language: what is wrong and how sure that is, the quoted evidence with call ids, what to do
 * next, and what could not be seen. At most 60 lines. Quoted output is one line, at most 200 characters, without terminal
 * escapes, and cannot break the Markdown around it.
 */
export function renderDiagnosis(diagnosis: Diagnosis): string {
  const say: Say = (key, values = {}) => fill(MESSAGES[key], diagnosis.language, values);
  const head = [
    `# ${escapeMarkdown(say('report.title', { target: diagnosis.target }))}`,
    // With one finding the summary would say the same as its heading.
    ...(diagnosis.findings.length === 1 ? [] : ['', `**${escapeMarkdown(diagnosis.summary)}**`]),
  ];
  const foot = [...unseenLines(diagnosis.unseen, say), ...lookedLines(diagnosis, say)];
  const room = MAX_LINES - head.length - foot.length - 2;
  return [...head, ...bodyLines(diagnosis.findings, room, say), ...foot].join('\n');
}

/** As many findings in full as there is room for, the first in any case; the others by their titles. */
function bodyLines(findings: readonly Finding[], room: number, say: Say): readonly string[] {
  const full = findings.map((finding, i) => findingLines(finding, i + 1, say).flatMap((line) => line.split('\n')));
  const further = findings.map((_, i) => furtherLines(findings, i, say));
  let shown = findings.length;
  const lengthOf = (count: number): number =>
    full.slice(0, count).reduce((sum, lines) => sum + lines.length, further[count]?.length ?? 0);
  while (shown > 1 && lengthOf(shown) > room) shown--;
  const rest = further[shown] ?? [];
  return [
    ...full
      .slice(0, shown)
      .flat()
      .slice(0, Math.max(0, room - rest.length)),
    ...rest,
  ];
}

/** The findings from a position on, each as one line. */
function furtherLines(findings: readonly Finding[], from: number, say: Say): readonly string[] {
  const lines = findings
    .slice(from, from + MAX_FURTHER)
    .map((f, i) => `${from + i + 1}. ${escapeMarkdown(quoteOf(f.title, 400))}${gradeOf(f, say)}`);
  const more = findings.length - from - lines.length;
  const count = more > 0 ? ['', say('report.more', { count: more })] : [];
  return ['', `## ${say('report.further')}`, ...lines, ...count];
}

const gradeOf = (finding: Finding, say: Say): string =>
  say('report.grade', {
    severity: say(`severity.${finding.severity}`),
    certainty: say(`certainty.${finding.certainty}`),
  });

function findingLines(finding: Finding, position: number, say: Say): readonly string[] {
  return [
    '',
    `## ${position}. ${escapeMarkdown(finding.title)}${gradeOf(finding, say)}`,
    ...(finding.detail === '' ? [] : [escapeMarkdown(finding.detail)]),
    ...(finding.cause === undefined
      ? []
      : [
          `- **${say('report.cause')}**${say('report.where', { where: say(`certainty.${finding.cause.certainty}`) })}${say('report.colon')}${escapeMarkdown(finding.cause.text)}`,
        ]),
    ...section(
      say,
      'report.evidence',
      finding.evidence.map((e) => evidenceLine(e, say)),
      MAX_EVIDENCE,
    ),
    ...section(
      say,
      'report.checks',
      finding.checks.map((s) => stepLine(s, say)),
      MAX_STEPS,
    ),
    ...section(
      say,
      'report.stopgap',
      finding.stopgap.map((s) => stepLine(s, say)),
      MAX_STEPS,
    ),
    ...section(say, 'report.symptoms', finding.symptoms.map(symptomLine), MAX_SYMPTOMS),
    ...alsoLine(finding, say),
  ];
}

function section(say: Say, title: MessageKey, lines: readonly string[], max: number): readonly string[] {
  if (lines.length === 0) return [];
  const more = lines.length > max ? [`  - ${say('report.more', { count: lines.length - max })}`] : [];
  return [`- **${say(title)}**`, ...lines.slice(0, max).map((line) => `  - ${line}`), ...more];
}

const evidenceLine = (evidence: Evidence, say: Say): string =>
  `[${evidence.callId}] ${codeSpan(evidence.quote)}${say('report.where', { where: escapeMarkdown(quoteOf(evidence.where)) })}`;

function stepLine(step: NextStep, say: Say): string {
  const text = escapeMarkdown(quoteOf(step.text, 400));
  if (step.command === undefined) return text;
  const risk = say('report.risk', { risk: say(`risk.${step.risk}`) });
  // On a line of its own, so that it can be copied.
  return `${text}  \n    ${codeSpan(quoteArgv(step.command), 900)}${risk}`;
}

const symptomLine = (finding: Finding): string => {
  const calls = [...new Set(finding.evidence.map((e) => e.callId))].map((id) => ` [${id}]`).join('');
  return `${escapeMarkdown(quoteOf(finding.title, 400))}${calls}`;
};

function alsoLine(finding: Finding, say: Say): readonly string[] {
  if (finding.also.length === 0) return [];
  const names = finding.also.slice(0, MAX_ALSO).map((o) => codeSpan(o.name, 80));
  const more =
    finding.also.length > MAX_ALSO ? ` ${say('report.more', { count: finding.also.length - MAX_ALSO })}` : '';
  return [`- **${say('report.also')}**${say('report.colon')}${names.join(' ')}${more}`];
}

function unseenLines(unseen: readonly Unseen[], say: Say): readonly string[] {
  if (unseen.length === 0) return [];
  const lines = unseen
    .slice(0, MAX_UNSEEN)
    .map(
      (u) =>
        `- ${codeSpan(u.what, 120)}${say('report.colon')}${escapeMarkdown(u.why)}${say('report.where', { where: escapeMarkdown(u.hint) })}`,
    );
  const more = unseen.length > MAX_UNSEEN ? [`- ${say('report.more', { count: unseen.length - MAX_UNSEEN })}`] : [];
  return ['', `## ${say('report.unseen')}`, ...lines, ...more];
}

function lookedLines(diagnosis: Diagnosis, say: Say): readonly string[] {
  if (diagnosis.looked.length === 0) return [];
  const kinds = diagnosis.looked.slice(0, MAX_KINDS).map((l) => {
    const calls = l.callIds
      .slice(0, 3)
      .map((id) => `[${id}]`)
      .join('');
    const kind = l.kind === 'Log' ? say('report.logs') : l.kind === 'Event' ? say('report.events') : l.kind;
    return `${escapeMarkdown(kind)} ${l.count} ${calls}`.trim();
  });
  return ['', `${say('report.looked')}${say('report.colon')}${joinWords(kinds, diagnosis.language)}`];
}

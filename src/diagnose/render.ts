import { quoteArgv } from '../lib/quote.js';
import { MESSAGES, type MessageKey } from './messages.js';
import { codeSpan, escapeMarkdown, quoteOf } from './plain-text.js';
import { fill, type Values } from './say.js';
import type { Diagnosis, Evidence, Finding, NextStep, Unseen } from './types.js';

/** The report is meant for one screen; what does not fit is counted. */
const MAX_LINES = 60;
const MAX_EVIDENCE = 4;
const MAX_STEPS = 6;
const MAX_SYMPTOMS = 5;
const MAX_UNSEEN = 6;
const MAX_ALSO = 4;
const MAX_KINDS = 30;

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
  const body: string[] = [];
  let shown = 0;
  for (const finding of diagnosis.findings) {
    const full = findingLines(finding, shown + 1, say).flatMap((line) => line.split('\n'));
    const lines = body.length + full.length <= room ? full : full.slice(0, 3);
    if (body.length + lines.length > room && shown > 0) break;
    body.push(...lines.slice(0, Math.max(0, room - body.length)));
    shown++;
  }
  const rest = diagnosis.findings.length - shown;
  return [...head, ...body, ...(rest > 0 ? ['', say('report.more', { count: rest })] : []), ...foot].join('\n');
}

function findingLines(finding: Finding, position: number, say: Say): readonly string[] {
  const grade = say('report.grade', {
    severity: say(`severity.${finding.severity}`),
    certainty: say(`certainty.${finding.certainty}`),
  });
  return [
    '',
    `## ${position}. ${escapeMarkdown(finding.title)}${grade}`,
    ...(finding.detail === '' ? [] : [escapeMarkdown(finding.detail)]),
    ...(finding.cause === undefined
      ? []
      : [
          `- **${say('report.cause')}** (${say(`certainty.${finding.cause.certainty}`)}): ${escapeMarkdown(finding.cause.text)}`,
        ]),
    ...section(say, 'report.evidence', finding.evidence.map(evidenceLine), MAX_EVIDENCE),
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

const evidenceLine = (evidence: Evidence): string =>
  `[${evidence.callId}] ${codeSpan(evidence.quote)} (${escapeMarkdown(quoteOf(evidence.where))})`;

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
  return [`- **${say('report.also')}**: ${names.join(' ')}${more}`];
}

function unseenLines(unseen: readonly Unseen[], say: Say): readonly string[] {
  if (unseen.length === 0) return [];
  const lines = unseen
    .slice(0, MAX_UNSEEN)
    .map((u) => `- ${codeSpan(u.what, 120)}: ${escapeMarkdown(u.why)} (${escapeMarkdown(u.hint)})`);
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
    return `${escapeMarkdown(l.kind)} ${l.count} ${calls}`.trim();
  });
  return ['', `${say('report.looked')}: ${kinds.join(', ')}`];
}

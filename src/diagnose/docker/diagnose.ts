import { MESSAGES, type MessageKey } from '../messages.js';
import { plainLine, quoteOf } from '../plain-text.js';
import { fill } from '../say.js';
import { type Diagnosis, type Finding, type Language, type Looked, SEVERITIES, type Unseen } from '../types.js';
import type { Container } from './container.js';
import { type DockerContext, type DockerDraft, say } from './context.js';
import { endDraft } from './ends.js';
import { healthDraft, platformDraft, stuckDraft, usageDraft } from './running.js';
import type { DockerSnapshot, Gap } from './snapshot.js';
import { startFailure } from './start-failure.js';

/** In this order: what comes first explains what comes after. */
const RULES = [startFailure, stuckDraft, endDraft, healthDraft, usageDraft, platformDraft];

/** What was asked: one container or service by name, or everything when `names` is empty. */
export interface DockerQuestion {
  readonly target: string;
  /** Exact names of the containers asked about. */
  readonly names: readonly string[];
  readonly language: Language;
}

/** Causes, the worst first, each with what it explains; and what could not be seen. Pure. */
export function diagnoseDocker(raw: DockerSnapshot, question: DockerQuestion): Diagnosis {
  const { language, names } = question;
  const snapshot = { ...raw, containers: raw.containers.map((c) => withLastExit(raw, c)) };
  const context = { snapshot, language };
  const drafts = snapshot.containers
    .filter((c) => names.length === 0 || names.includes(c.name))
    .flatMap((c) => draftFor(context, c) ?? []);
  const findings = underCauses(drafts).toSorted(
    (a, b) => SEVERITIES.indexOf(a.severity) - SEVERITIES.indexOf(b.severity),
  );
  const unseen = unseenOf(context, names);
  const problems = findings.filter(isProblem);
  return {
    target: plainLine(question.target) || 'docker',
    language,
    summary: summaryOf(language, findings, problems, unseen.length === 0),
    healthy: problems.length === 0 && snapshot.containers.length > 0,
    findings,
    unseen,
    looked: lookedAt(snapshot),
  };
}

const isProblem = (finding: Finding): boolean => finding.severity !== 'low' && finding.severity !== 'info';

/** While a container runs between two ends, only the events know how it ended last. */
function withLastExit(snapshot: DockerSnapshot, container: Container): Container {
  if (container.status !== 'running' && container.status !== 'paused') return container;
  const code = snapshot.events.findLast((e) => e.container === container.id && e.action === 'die')?.exitCode ?? '';
  return { ...container, exitCode: /^\d{1,3}$/.test(code) ? Number(code) : undefined };
}

/** One finding a container: the first rule that fires, with what the others saw under it. */
function draftFor(context: DockerContext, container: Container): DockerDraft | undefined {
  const [first, ...rest] = RULES.flatMap((rule) => rule(context, container) ?? []);
  return first && { ...first, finding: { ...first.finding, symptoms: rest.map((draft) => draft.finding) } };
}

/** A finding whose reason is another container's fault stands under that one's finding. */
function underCauses(drafts: readonly DockerDraft[]): readonly Finding[] {
  const byName = new Map(drafts.map((draft) => [draft.finding.object.name, draft]));
  const causeOf = (draft: DockerDraft): DockerDraft | undefined => {
    const cause = draft.causedBy === undefined ? undefined : byName.get(draft.causedBy);
    return cause && isProblem(cause.finding) ? cause : undefined;
  };
  const rootOf = (draft: DockerDraft): DockerDraft => {
    const seen = new Set([draft]);
    let root = draft;
    for (let cause = causeOf(root); cause !== undefined; cause = causeOf(root)) {
      // Those that blame each other explain nothing: each stands for itself.
      if (seen.has(cause)) return draft;
      seen.add(cause);
      root = cause;
    }
    return root;
  };
  return drafts
    .filter((draft) => rootOf(draft) === draft)
    .map((root) => {
      const explained = drafts.filter((draft) => draft !== root && rootOf(draft) === root);
      return { ...root.finding, symptoms: [...root.finding.symptoms, ...explained.map((d) => d.finding)] };
    });
}

function unseenOf(context: DockerContext, names: readonly string[]): readonly Unseen[] {
  const { snapshot } = context;
  const wanted = names.length > 0 ? names : snapshot.rows.map((row) => row.name);
  const absent = wanted.filter((name) => !snapshot.containers.some((c) => c.name === name));
  const failed = snapshot.gaps.map((gap) => gapText(context, gap));
  const asked = absent.filter((name) => !snapshot.gaps.some((gap) => gap.what.endsWith(name)));
  if (asked.length === 0) return failed;
  const many = asked.length > 3;
  return [
    ...failed,
    {
      what: quoteOf(many ? `${asked.length}` : asked.join(', '), 120),
      why: many ? say(context, 'unseen.many', { count: asked.length }) : say(context, 'unseen.state'),
      hint: say(context, many ? 'unseen.many.hint' : 'unseen.state.hint'),
    },
  ];
}

function gapText(context: DockerContext, gap: Gap): Unseen {
  const kind = /does not support reading/i.test(gap.message)
    ? 'unseen.driver'
    : gap.status === 'denied' || gap.status === 'rejected'
      ? 'unseen.refused'
      : /No such (?:container|object|image)/i.test(gap.message)
        ? 'unseen.gone'
        : 'unseen.failed';
  const hint = kind === 'unseen.failed' && gap.hint !== '' ? gap.hint : say(context, `${kind}.hint`);
  return { what: quoteOf(gap.what, 120), why: `${say(context, kind)}: ${quoteOf(gap.message)} [${gap.callId}]`, hint };
}

function summaryOf(
  language: Language,
  findings: readonly Finding[],
  problems: readonly Finding[],
  sure: boolean,
): string {
  const words = (key: MessageKey, count = 0): string => fill(MESSAGES[key], language, { count });
  const [first] = problems;
  if (first !== undefined) {
    const head = problems.length === 1 ? words('report.problem') : words('report.problems', problems.length);
    return fill(MESSAGES['report.sentences'], language, { first: head, second: first.title });
  }
  if (!sure) return words('report.unsure');
  return findings.length > 0 ? words('report.minor', findings.length) : words('report.healthy');
}

function lookedAt(snapshot: DockerSnapshot): readonly Looked[] {
  const looked = (kind: string, tool: string, count: number): readonly Looked[] => {
    const callIds = snapshot.calls.get(tool) ?? [];
    return callIds.length === 0 ? [] : [{ kind, count, callIds }];
  };
  return [
    ...looked('docker ps', 'docker_ps', snapshot.rows.length),
    ...looked('inspect', 'docker_inspect', snapshot.containers.length),
    ...looked('logs', 'docker_logs', snapshot.logs.size),
    ...looked('stats', 'docker_stats', snapshot.usage.size),
    ...looked('events', 'docker_events', snapshot.events.length),
    ...looked('image', 'docker_inspect_image', snapshot.images.size),
    ...looked('info', 'docker_info', 1),
  ];
}

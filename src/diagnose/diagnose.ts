import { type Cluster, relate } from './cluster.js';
import type { Rule, RuleContext } from './draft.js';
import { unseenOf } from './gaps.js';
import { type Grouped, groupDrafts } from './group.js';
import { MESSAGES, type MessageKey } from './messages.js';
import { plainLine } from './plain-text.js';
import { claimRule } from './rules/claims.js';
import { eventRule } from './rules/events.js';
import { nodeRule } from './rules/nodes.js';
import { podRule } from './rules/pods.js';
import { serviceRule } from './rules/services.js';
import { workloadRule } from './rules/workloads.js';
import { fill } from './say.js';
import { idsAround, rootsOf } from './scope.js';
import type { Snapshot } from './snapshot.js';
import type { Diagnosis, Finding, Language, Looked, Unseen } from './types.js';

/** One rule set a kind of object. A new rule is one file and one line here. */
const RULES: readonly Rule[] = [podRule, workloadRule, serviceRule, claimRule, nodeRule, eventRule];

export interface DiagnoseOptions {
  /** Look only at this name and what has to do with it. */
  readonly name?: string;
  /** Look only in these namespaces (and at cluster-scoped objects); none or empty: all that was read. */
  readonly namespaces?: readonly string[];
  readonly language: Language;
}

/** Applies every rule to a snapshot. Pure: the same snapshot gives the same diagnosis; ages count from the snapshot's own "now". */
export function diagnose(snapshot: Snapshot, options: DiagnoseOptions): Diagnosis {
  const cluster = relate(snapshot);
  const context: RuleContext = { cluster, logs: snapshot.logs, language: options.language, nowMs: snapshot.nowMs };
  const namespaces = options.namespaces ?? [];
  const roots = options.name === undefined ? undefined : rootsOf(cluster, options.name, namespaces);
  const scope = roots === undefined ? undefined : idsAround(cluster, roots);
  const isInScope = (id: string): boolean => (scope === undefined ? isInNamespaces(id, namespaces) : scope.has(id));
  const grouped = groupDrafts(
    context,
    RULES.flatMap((rule) => rule(context)),
  );
  const findings = grouped.flatMap((g) => narrow(g, isInScope));
  const blind = blindSpots(snapshot, options, roots?.length === 0);
  const unseen = unique([...snapshot.gaps.map((gap) => unseenOf(gap, options.language)), ...blind]);
  const problems = findings.filter(isProblem);
  const healthy = problems.length === 0 && blind.length === 0 && !snapshot.gaps.some((g) => /^pods?\b/i.test(g.what));
  return {
    target: targetName(options),
    language: options.language,
    summary: summaryOf(options.language, findings, healthy && unseen.length === 0),
    healthy,
    findings,
    unseen,
    looked: lookedAt(snapshot, cluster, namespaces),
  };
}

/** Medium or worse: something that users of the service may feel. */
export const isProblem = (finding: Finding): boolean => !['low', 'info'].includes(finding.severity);

function isInNamespaces(id: string, namespaces: readonly string[]): boolean {
  const namespace = id.split('/')[1] ?? '';
  return namespaces.length === 0 || namespace === '' || namespaces.includes(namespace);
}

/** Keeps a finding that concerns the scope itself or through a symptom, with the symptoms inside the scope. */
function narrow(grouped: Grouped, isInScope: (id: string) => boolean): readonly Finding[] {
  const symptoms = grouped.symptoms.filter((s) => s.subjects.some(isInScope)).map((s) => s.finding);
  if (symptoms.length === 0 && !grouped.subjects.some(isInScope)) return [];
  return [{ ...grouped.finding, symptoms }];
}

/** Without these nobody may call the target healthy. */
function blindSpots(snapshot: Snapshot, options: DiagnoseOptions, targetMissing: boolean): readonly Unseen[] {
  const unseen = (what: string, why: MessageKey, hint: MessageKey): Unseen => ({
    what,
    why: fill(MESSAGES[why], options.language, {}),
    hint: fill(MESSAGES[hint], options.language, {}),
  });
  const sawPods = snapshot.listings.some((l) => l.kind === 'Pod') || snapshot.objects.some((o) => o.kind === 'Pod');
  return [
    ...(sawPods ? [] : [unseen('pods', 'gap.no-pods', 'gap.no-pods.hint')]),
    ...(targetMissing ? [unseen(plainLine(options.name ?? ''), 'gap.no-target', 'gap.no-target.hint')] : []),
  ];
}

const unique = (unseen: readonly Unseen[]): readonly Unseen[] => [
  ...new Map(unseen.map((u) => [`${u.what}|${u.why}`, u])).values(),
];

function targetName(options: DiagnoseOptions): string {
  const where = (options.namespaces ?? []).map((n) => plainLine(n)).join(', ');
  const name = plainLine(options.name ?? '');
  return name === '' ? where || '*' : where === '' ? name : `${where}/${name}`;
}

function summaryOf(language: Language, findings: readonly Finding[], sure: boolean): string {
  const problems = findings.filter(isProblem);
  const say = (key: MessageKey, count = 0): string => fill(MESSAGES[key], language, { count });
  const [first] = problems;
  if (first !== undefined) {
    const head = problems.length === 1 ? say('report.problem') : say('report.problems', problems.length);
    return fill(MESSAGES['report.sentences'], language, { first: head, second: first.title });
  }
  if (!sure) return say('report.unsure');
  return findings.length > 0 ? say('report.minor', findings.length) : say('report.healthy');
}

function lookedAt(snapshot: Snapshot, cluster: Cluster, namespaces: readonly string[]): readonly Looked[] {
  const kinds = new Set([...snapshot.listings.map((l) => l.kind), ...snapshot.objects.map((o) => o.kind)]);
  const here = (namespace: string): boolean =>
    namespaces.length === 0 || namespace === '' || namespaces.includes(namespace);
  const looked = [...kinds]
    .filter((kind) => kind !== '' && kind !== 'Event')
    .map((kind): Looked => {
      const objects = cluster.ofKind(kind).filter((o) => here(o.namespace));
      const calls = [
        ...snapshot.listings.filter((l) => l.kind === kind).map((l) => l.callId),
        ...objects.map((o) => o.callId),
      ];
      return { kind: plainLine(kind), count: objects.length, callIds: [...new Set(calls)] };
    });
  const others: readonly Looked[] = [
    {
      kind: 'Event',
      count: snapshot.events.length,
      callIds: [...new Set([...callsOf(snapshot, 'Event'), ...snapshot.events.map((e) => e.callId)])],
    },
    { kind: 'Log', count: snapshot.logs.length, callIds: snapshot.logs.map((l) => l.callId) },
  ];
  return [...looked, ...others.filter((o) => o.callIds.length > 0)];
}

const callsOf = (snapshot: Snapshot, kind: string): readonly string[] =>
  snapshot.listings.filter((l) => l.kind === kind).map((l) => l.callId);

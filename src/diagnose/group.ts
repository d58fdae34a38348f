import type { Draft, RuleContext } from './draft.js';
import { nameOf } from './draft.js';
import { MESSAGES } from './messages.js';
import { fill, joinSentences } from './say.js';
import { CERTAINTIES, type Finding, SEVERITIES, type Severity } from './types.js';

/** A finding with the ids of all objects it speaks of, by which a scope is applied. */
export interface Grouped {
  readonly finding: Finding;
  /** Ids of its own objects: the first and those under `also`. */
  readonly subjects: readonly string[];
  readonly symptoms: readonly { readonly finding: Finding; readonly subjects: readonly string[] }[];
}

/** Alike drafts taken together. */
interface Merged {
  readonly lead: Draft;
  readonly drafts: readonly Draft[];
  /** Drafts that look the same from outside, but whose own log was not read. */
  readonly joined: readonly Draft[];
  readonly subjects: readonly string[];
  readonly reach: ReadonlySet<string>;
  readonly causedBy: ReadonlySet<string>;
}

/**
 * One finding for each cause, with its consequences under it: alike pods of one workload become one finding; a symptom goes to the
 * worst cause that reaches its object; a symptom without a cause stands alone when it is worth saying.
 */
export function groupDrafts(context: RuleContext, drafts: readonly Draft[]): readonly Grouped[] {
  const merged = mergeAlike(drafts);
  const index = indexCauses(merged);
  const parents = new Map(merged.map((m) => [m, parentOf(m, index)] as const));
  const children = new Map<Merged, Merged[]>();
  const roots: Merged[] = [];
  for (const item of merged) {
    const root = rootOf(item, parents);
    if (root !== item) children.set(root, [...(children.get(root) ?? []), item]);
    else if (item.lead.alone) roots.push(item);
  }
  return roots
    .map((root) => finish(context, root, children.get(root) ?? []))
    .sort((a, b) => compare(a.finding, b.finding));
}

function mergeAlike(drafts: readonly Draft[]): readonly Merged[] {
  const explained = new Map<string, string>();
  for (const { likeness, key } of drafts)
    if (likeness?.explained === true && !explained.has(likeness.value)) explained.set(likeness.value, key);
  const keyOf = (draft: Draft): string =>
    explained.get(draft.likeness?.explained === false ? draft.likeness.value : '') ?? draft.key;
  const groups = new Map<string, Draft[]>();
  for (const draft of drafts) {
    const group = groups.get(keyOf(draft));
    if (group === undefined) groups.set(keyOf(draft), [draft]);
    else group.push(draft);
  }
  return [...groups.values()].flatMap((group) => {
    const [lead] = [...group].sort(
      (a, b) => strength(a.finding) - strength(b.finding) || (a.subject < b.subject ? -1 : 1),
    );
    if (lead === undefined) return [];
    return [
      {
        lead,
        drafts: group.filter((d) => d.key === lead.key),
        joined: group.filter((d) => d.key !== lead.key),
        subjects: group.map((d) => d.subject),
        reach: new Set(group.flatMap((d) => d.reach)),
        causedBy: new Set(group.flatMap((d) => d.causedBy)),
      },
    ];
  });
}

/** Causes by the ids they are about and by the ids they reach, so that no draft is compared with all others. */
interface CauseIndex {
  readonly about: ReadonlyMap<string, readonly Merged[]>;
  readonly reaching: ReadonlyMap<string, readonly Merged[]>;
}

function indexCauses(all: readonly Merged[]): CauseIndex {
  const about = new Map<string, Merged[]>();
  const reaching = new Map<string, Merged[]>();
  const add = (index: Map<string, Merged[]>, id: string, cause: Merged): void => {
    const list = index.get(id);
    if (list === undefined) index.set(id, [cause]);
    else list.push(cause);
  };
  for (const cause of all.filter((m) => m.lead.role === 'cause')) {
    for (const id of cause.subjects) add(about, id, cause);
    for (const id of cause.reach) add(reaching, id, cause);
  }
  return { about, reaching };
}

function parentOf(item: Merged, index: CauseIndex): Merged | undefined {
  const named = new Set([...item.causedBy].flatMap((id) => index.about.get(id) ?? []));
  const reaching = item.lead.role === 'symptom' ? item.subjects.flatMap((id) => index.reaching.get(id) ?? []) : [];
  // A remark (paused, cordoned) explains only what names it as its cause.
  const strong = reaching.filter((cause) => !['low', 'info'].includes(cause.lead.finding.severity));
  const subjects = new Set(item.subjects);
  const own = (cause: Merged): number => (cause.subjects.some((id) => subjects.has(id)) ? 0 : 1);
  const [best] = [...new Set([...named, ...strong])]
    .filter((cause) => cause !== item)
    .map((cause) => ({ cause, own: own(cause), strength: strength(cause.lead.finding) }))
    .sort((a, b) => a.own - b.own || a.strength - b.strength);
  return best?.cause;
}

function rootOf(item: Merged, parents: ReadonlyMap<Merged, Merged | undefined>): Merged {
  const seen = new Set<Merged>();
  let current = item;
  while (!seen.has(current)) {
    seen.add(current);
    const parent = parents.get(current);
    if (parent === undefined) return current;
    current = parent;
  }
  // Two causes that name each other: neither hides.
  return item;
}

function finish(context: RuleContext, root: Merged, below: readonly Merged[]): Grouped {
  const symptoms = below
    .map((item) => ({ finding: findingOf(context, item, []), subjects: item.subjects }))
    .sort((a, b) => compare(a.finding, b.finding));
  const finding = findingOf(
    context,
    root,
    symptoms.map((s) => s.finding),
  );
  const severity = [finding, ...finding.symptoms].map((f) => f.severity).reduce(worse);
  return { finding: { ...finding, severity }, subjects: root.subjects, symptoms };
}

function findingOf(context: RuleContext, item: Merged, symptoms: readonly Finding[]): Finding {
  const { lead } = item;
  const others = [...item.drafts, ...item.joined].filter((d) => d !== lead).map((d) => d.finding.object);
  const count = item.drafts.length;
  const owner = item.drafts.length > 1 ? ownerName(context, lead) : undefined;
  const subject =
    owner === undefined ? nameOf(lead.finding.object) : fill(MESSAGES.subjects, context.language, { count, owner });
  const joined =
    item.joined.length === 0 ? '' : fill(MESSAGES['detail.joined'], context.language, { count: item.joined.length });
  const detail = joinSentences([lead.finding.detail, joined], context.language);
  return { ...lead.finding, title: lead.titleFor(subject), detail, symptoms, also: others };
}

function ownerName(context: RuleContext, draft: Draft): string {
  const object = context.cluster.get(draft.finding.object);
  return nameOf(object === undefined ? draft.finding.object : context.cluster.top(object));
}

const strength = (finding: Pick<Finding, 'severity' | 'certainty'>): number =>
  SEVERITIES.indexOf(finding.severity) * CERTAINTIES.length + CERTAINTIES.indexOf(finding.certainty);

const worse = (a: Severity, b: Severity): Severity => (SEVERITIES.indexOf(a) <= SEVERITIES.indexOf(b) ? a : b);

/** Worst first, then surest, then widest, then by name. */
export const compare = (a: Finding, b: Finding): number =>
  strength(a) - strength(b) ||
  b.also.length + b.symptoms.length - (a.also.length + a.symptoms.length) ||
  (`${a.rule} ${a.title}` < `${b.rule} ${b.title}` ? -1 : 1);

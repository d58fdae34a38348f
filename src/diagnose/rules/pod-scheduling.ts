import { type Draft, draftOf, type RuleContext, refOf, say, seenIn, shown } from '../draft.js';
import { condition, list, str } from '../json.js';
import { plainLine, quoteOf } from '../plain-text.js';
import { joinWords } from '../say.js';
import type { KubeObject } from '../snapshot.js';
import { describeStep, getStep } from '../steps.js';

/** One obstacle of the scheduler's message: the message key and what fills it. */
interface Obstacle {
  readonly key: Parameters<typeof say>[1];
  readonly values?: Readonly<Record<string, string>>;
  readonly nodes?: string;
}

/** A pod without a node, with the scheduler's own reason taken apart; undefined when it has one. */
export function schedulingDraft(context: RuleContext, pod: KubeObject): Draft | undefined {
  const scheduled = condition(pod.raw, 'PodScheduled');
  if (str(scheduled, 'status') !== 'False' || str(pod.raw, 'spec', 'nodeName') !== '') return undefined;
  if (str(scheduled, 'reason') === 'SchedulingGated') return gated(context, pod);
  const event = context.cluster.eventsOf(pod).find((e) => e.reason === 'FailedScheduling');
  const message = str(scheduled, 'message') || (event?.message ?? '');
  if (str(scheduled, 'reason') !== 'Unschedulable' && event === undefined) return undefined;
  const obstacles = parseObstacles(message);
  const reasons = obstacles.map((o) => wordsOf(context, o, message));
  const claims = obstacles.some((o) => o.key === 'schedule.claim') ? claimsOf(pod) : [];
  const short = obstacles.some((o) => ['schedule.cpu', 'schedule.memory', 'schedule.resource'].includes(o.key));
  return draftOf(context, {
    rule: 'pod.unschedulable',
    object: pod,
    severity: 'high',
    certainty: 'confirmed',
    title: 'pod.unschedulable',
    values: { reason: joinWords([...new Set(reasons)], context.language) || say(context, 'schedule.other') },
    ...(short ? { cause: { text: say(context, 'cause.requests'), certainty: 'likely' as const } } : {}),
    detail: say(context, 'detail.quoted'),
    evidence:
      str(scheduled, 'message') === '' && event !== undefined
        ? [seenIn(context, event)]
        : [shown(pod, 'status.conditions[PodScheduled]', message || 'reason: Unschedulable')],
    checks: checksFor(context, pod, obstacles, short),
    role: 'cause',
    causedBy: claims.map((name) => `PersistentVolumeClaim/${pod.namespace}/${name}`),
    causeKey: obstacles.map((o) => o.key).join(','),
  });
}

function gated(context: RuleContext, pod: KubeObject): Draft {
  const gates = list(pod.raw, 'spec', 'schedulingGates').map((g) => plainLine(str(g, 'name')));
  return draftOf(context, {
    rule: 'pod.scheduling-gated',
    object: pod,
    severity: 'low',
    certainty: 'confirmed',
    title: 'pod.gated',
    values: { gates: gates.slice(0, 5).join(', ') || '?' },
    evidence: [shown(pod, 'status.conditions[PodScheduled]', 'reason: SchedulingGated')],
    checks: [describeStep(context.language, refOf(pod))],
    role: 'cause',
    causeKey: gates.join(','),
  });
}

const claimsOf = (pod: KubeObject): readonly string[] =>
  list(pod.raw, 'spec', 'volumes')
    .map((v) => str(v, 'persistentVolumeClaim', 'claimName'))
    .filter((name) => name !== '');

/** The scheduler writes `0/3 nodes are available: 1 Insufficient cpu, 2 node(s) had untolerated taint {k: v}. preemption: …`. */
export function parseObstacles(message: string): readonly Obstacle[] {
  const bounded = message.slice(0, 2000);
  if (/^no nodes available|0\/0 nodes/.test(bounded)) return [{ key: 'schedule.no-nodes' }];
  const missing = /persistentvolumeclaim "([^"]{1,253})" not found/.exec(bounded);
  if (missing?.[1] !== undefined) return [{ key: 'schedule.claim-missing', values: { name: plainLine(missing[1]) } }];
  const body = (bounded.split(/ ?preemption: /)[0] ?? '').replace(/^\d+\/\d+ nodes are available:?/, '');
  // Commas also stand inside a taint's braces.
  const parts = body.split(/,(?![^{]{0,300}\})/).map((p) => p.trim().replace(/\.$/, ''));
  return parts.flatMap((part) => {
    const obstacle = obstacleOf(part);
    const nodes = /^(\d{1,6}) /.exec(part)?.[1];
    return obstacle === undefined ? [] : [{ ...obstacle, ...(nodes === undefined ? {} : { nodes }) }];
  });
}

const OBSTACLES: readonly (readonly [RegExp, Obstacle['key']])[] = [
  [/insufficient cpu/i, 'schedule.cpu'],
  [/insufficient memory/i, 'schedule.memory'],
  [/too many pods/i, 'schedule.pods'],
  [/were unschedulable/i, 'schedule.cordoned'],
  [/didn't match pod (?:anti-)?affinity|anti-affinity rules|pod affinity rules/i, 'schedule.pod-affinity'],
  [/topology spread/i, 'schedule.spread'],
  [/node affinity\/selector|node selector|node affinity|nodeaffinity/i, 'schedule.affinity'],
  [/volume node affinity|no available volume zone|volume zone/i, 'schedule.volume-zone'],
  [/unbound (?:immediate )?persistentvolumeclaims|persistentvolumeclaims? (?:is |are )?not bound/i, 'schedule.claim'],
  [/free ports/i, 'schedule.host-port'],
];

function obstacleOf(part: string): Obstacle | undefined {
  if (/volume node affinity/i.test(part)) return { key: 'schedule.volume-zone' };
  if (/taint/i.test(part)) {
    const taint = /\{([^}]{1,200})\}/.exec(part)?.[1];
    return { key: 'schedule.taint', values: { taint: taint === undefined ? '' : ` {${quoteOf(taint, 120)}}` } };
  }
  const known = OBSTACLES.find(([pattern]) => pattern.test(part));
  if (known !== undefined) return { key: known[1] };
  const resource = /insufficient ([\w./-]{1,100})/i.exec(part)?.[1];
  return resource === undefined ? undefined : { key: 'schedule.resource', values: { resource } };
}

function wordsOf(context: RuleContext, obstacle: Obstacle, message: string): string {
  const reason = say(context, obstacle.key, obstacle.values ?? {});
  const total = /^\d{1,6}\/(\d{1,6}) nodes/.exec(message)?.[1];
  if (obstacle.nodes === undefined || total === undefined) return reason;
  return say(context, 'schedule.nodes', { reason, nodes: obstacle.nodes, total });
}

function checksFor(
  context: RuleContext,
  pod: KubeObject,
  obstacles: readonly Obstacle[],
  short: boolean,
): Draft['finding']['checks'] {
  const { language } = context;
  const nodes =
    short ||
    obstacles.some((o) =>
      ['schedule.taint', 'schedule.affinity', 'schedule.cordoned', 'schedule.pods'].includes(o.key),
    );
  const claims = obstacles.some((o) => o.key.startsWith('schedule.claim') || o.key === 'schedule.volume-zone');
  return [
    describeStep(language, refOf(pod)),
    ...(nodes ? [getStep(language, 'step.nodes', {}, { kind: 'nodes', namespace: '', name: '' }, ['-o', 'wide'])] : []),
    ...(claims ? [getStep(language, 'step.claim', {}, { kind: 'pvc', namespace: pod.namespace, name: '' })] : []),
  ];
}

import { ageText } from '../draft.js';
import { quoteOf } from '../plain-text.js';
import type { NextStep, ObjectRef } from '../types.js';
import { type Found, findingOf, type MetricsContext, say } from './parts.js';
import type { Target } from './snapshot.js';
import type { WordKey } from './words.js';

type Reason = Extract<WordKey, `reason.${string}`> extends `reason.${infer R}` ? R : never;

/** By the words of Go's HTTP client and of Prometheus's scraper. The first that fits. */
const REASONS: readonly (readonly [RegExp, Reason])[] = [
  [/connection refused/i, 'refused'],
  [/no such host|server misbehaving|name resolution/i, 'dns'],
  [/x509|certificate|tls:/i, 'tls'],
  [/no route to host|network is unreachable|host is down/i, 'route'],
  [/HTTP status (?:401|403|407)/i, 'login'],
  [/HTTP status 404/i, 'missing'],
  [/HTTP status 5\d\d/i, 'server'],
  [/context deadline exceeded|i\/o timeout|Client\.Timeout|timed? ?out/i, 'timeout'],
  [/limit exceeded|body size limit|label_limit|sample_limit/i, 'size'],
  [
    /expected .{0,60}(?:token|got)|invalid metric|unsupported Content-Type|text format parsing|invalid UTF-8/i,
    'format',
  ],
  [/connection reset|EOF|broken pipe|malformed HTTP/i, 'reset'],
];

/** Targets that are down: one finding for each job and reason. */
export function targetsDown(context: MetricsContext): Found[] {
  const targets = context.snapshot.targets ?? [];
  const groups = new Map<string, Target[]>();
  for (const target of targets.filter(({ health }) => health === 'down')) {
    const key = JSON.stringify([target.job, reasonOf(target)]);
    groups.set(key, [...(groups.get(key) ?? []), target]);
  }
  return [...groups.values()].flatMap((down) => {
    const [first] = down;
    return first === undefined ? [] : [{ finding: downFinding(context, first, down, targets), targets: down }];
  });
}

function downFinding(context: MetricsContext, first: Target, down: readonly Target[], targets: readonly Target[]) {
  const reason = reasonOf(first);
  const total = targets.filter(({ job }) => job === first.job).length;
  const values = {
    job: quoteOf(first.job, 80),
    instance: quoteOf(first.instance, 120),
    count: down.length,
    total,
    reason: say(context, `reason.${reason}`),
  };
  const isAll = down.length === total;
  const title: WordKey = down.length === 1 ? 'target.down.one' : isAll ? 'target.down.all' : 'target.down.some';
  return findingOf({
    rule: 'target.down',
    object: refTo(first),
    severity: isAll ? 'high' : 'medium',
    title: say(context, title, values),
    ...(reason !== 'other' && { cause: { text: say(context, `cause.${reason}`), certainty: 'likely' as const } }),
    detail: say(context, 'detail.target', {
      age: ageText(first.lastScrapeMs === 0 ? undefined : Math.max(0, context.nowMs - first.lastScrapeMs)),
    }),
    evidence: down.slice(0, 4).map((target) => ({
      callId: target.callId,
      quote: quoteOf(target.lastError === '' ? `health: ${target.health}` : target.lastError),
      where: say(context, 'where.target-error', { instance: target.instance }),
    })),
    checks: checksFor(context, first),
    also: down.slice(1).map(refTo),
  });
}

function checksFor(context: MetricsContext, target: Target): NextStep[] {
  const process: NextStep = {
    text: say(context, 'step.process', { instance: quoteOf(target.instance, 120) }),
    risk: 'low',
  };
  if (!/^https?:\/\/[^\s]+$/.test(target.url)) return [process];
  const command = ['curl', '-sS', '--max-time', '10', '-o', '/dev/null', '-w', '%{http_code}\\n', target.url];
  return [{ text: say(context, 'step.curl'), command, risk: 'low' }, process];
}

const reasonOf = (target: Target): Reason =>
  REASONS.find(([pattern]) => pattern.test(target.lastError.slice(0, 2000)))?.[1] ?? 'other';

const refTo = (target: Target): ObjectRef => ({ kind: 'Target', namespace: target.job, name: target.instance });

import { plainLine, quoteOf } from '../plain-text.js';
import type { Finding } from '../types.js';
import type { Container, HealthRun } from './container.js';
import {
  type DockerContext,
  type DockerDraft,
  findingOf,
  logStep,
  restartStep,
  say,
  shown,
  stateOf,
  step,
} from './context.js';
import { dependencyOf } from './dependency.js';
import { readLog } from './log.js';
import { explainSignature } from './signature.js';
import { platformStep } from './start-failure.js';
import type { WordKey } from './words.js';

const MEMORY_HIGH_PERCENT = 90;
/** Of the limit, when there is one. */
const CPU_HIGH_SHARE = 0.9;

/** Paused, dead, being removed. */
export function stuckDraft(context: DockerContext, container: Container): DockerDraft | undefined {
  const { name, status } = container;
  const base = { certainty: 'confirmed', evidence: [stateOf(container)] } as const;
  if (status === 'paused') {
    const resume = step(context, 'step.unpause', { command: ['docker', 'unpause', name], name, risk: 'high' });
    return {
      finding: findingOf(container, {
        ...base,
        rule: 'container.paused',
        severity: 'high',
        title: say(context, 'title.paused', { name }),
        checks: [],
        stopgap: [resume],
      }),
    };
  }
  if (status !== 'dead' && status !== 'removing') return undefined;
  const evidence = container.error === '' ? [] : [shown(container, 'State.Error', container.error)];
  return {
    finding: findingOf(container, {
      ...base,
      evidence: [...evidence, ...base.evidence],
      rule: `container.${status}`,
      severity: status === 'dead' ? 'high' : 'low',
      title: say(context, status === 'dead' ? 'title.dead' : 'title.removing', { name }),
      checks: [step(context, 'step.remove')],
    }),
  };
}

/** Why a health check fails, from what it printed. DATA. */
const HEALTH: readonly { readonly pattern: RegExp; readonly reason: WordKey }[] = [
  {
    pattern:
      /executable file not found|not found in \$PATH|: (?:command )?not found|no such file or directory: unknown/i,
    reason: 'reason.health-missing',
  },
  { pattern: /exceeded timeout|timed? ?out/i, reason: 'reason.health-timeout' },
  { pattern: /connection refused|failed to connect|couldn't connect|can't connect/i, reason: 'reason.health-refused' },
  { pattern: /\b(?:HTTP\S{0,10} |error: |status:? )?[45]\d\d\b/i, reason: 'reason.health-http' },
];

/** Runs, but its own health check fails. */
export function healthDraft(context: DockerContext, container: Container): DockerDraft | undefined {
  if (container.health !== 'unhealthy' || container.status !== 'running') return undefined;
  const { name } = container;
  const run = container.healthRuns.findLast((r) => r.exitCode !== 0);
  const known = run && HEALTH.find(({ pattern }) => pattern.test(run.output.slice(0, 2_000)))?.reason;
  const reason = known ? say(context, known) : lastLine(run);
  const verdict = readLog(context, container);
  const dependency = dependencyOf(context, container, verdict.match);
  const signature = verdict.match && explainSignature(context, container, verdict.match.signature);
  const cause: Finding['cause'] =
    dependency?.cause ?? (signature && { text: signature.title, certainty: 'likely' as const });
  return {
    finding: findingOf(container, {
      rule: 'container.unhealthy',
      severity: 'high',
      certainty: 'confirmed',
      title: say(context, reason === '' ? 'title.unhealthy' : 'title.unhealthy.because', { name, reason }),
      ...(cause && { cause }),
      detail: container.healthStreak > 0 ? say(context, 'detail.streak', { count: container.healthStreak }) : '',
      evidence: [
        ...(run ? [shown(container, `State.Health, exit code ${run.exitCode}`, run.output || '(no output)')] : []),
        ...verdict.evidence,
        ...(dependency ? [dependency.evidence] : []),
        stateOf(container),
      ],
      checks: [
        ...(dependency ? [dependency.check] : []),
        step(context, 'step.health', {
          command: ['docker', 'container', 'inspect', '--format={{json .Config.Healthcheck.Test}}', name],
          name,
        }),
        ...(signature?.checks ?? []),
        logStep(context, name),
      ],
      stopgap: [restartStep(context, name)],
    }),
    ...(dependency && { causedBy: dependency.row.name }),
  };
}

const lastLine = (run: HealthRun | undefined): string =>
  quoteOf(plainLine((run?.output ?? '').trim().split('\n').at(-1) ?? ''), 120);

/** Near its limit of memory or CPU, as measured once. */
export function usageDraft(context: DockerContext, container: Container): DockerDraft | undefined {
  const usage = context.snapshot.usage.get(container.name);
  if (usage === undefined || container.status !== 'running') return undefined;
  const { name, memoryLimit, nanoCpus } = container;
  const quote = say(context, 'quote.usage', {
    cpu: usage.cpuPercent ?? '?',
    memory: usage.memory,
    percent: usage.memoryPercent ?? '?',
  });
  const base = {
    evidence: [{ callId: usage.callId, quote: quoteOf(quote), where: `${name} docker stats` }],
    checks: [
      step(context, 'step.stats', { command: ['docker', 'stats', '--no-stream', name], name }),
      step(context, 'step.leak'),
    ],
  };
  if (memoryLimit > 0 && (usage.memoryPercent ?? 0) >= MEMORY_HIGH_PERCENT) {
    const values = { name, percent: usage.memoryPercent ?? '?', usage: quoteOf(usage.memory, 60) };
    return {
      finding: findingOf(container, {
        ...base,
        rule: 'container.memory-high',
        severity: 'medium',
        certainty: 'confirmed',
        title: say(context, 'title.memory', values),
      }),
    };
  }
  const limit = nanoCpus / 1e7;
  if (limit === 0 || usage.cpuPercent === undefined || usage.cpuPercent < limit * CPU_HIGH_SHARE) return undefined;
  return {
    finding: findingOf(container, {
      ...base,
      rule: 'container.cpu-high',
      severity: 'medium',
      certainty: 'likely',
      title: say(context, 'title.cpu', { name, percent: usage.cpuPercent, limit }),
    }),
  };
}

/** `uname` says x86_64, images say amd64. */
const ARCHITECTURES: Readonly<Record<string, string>> = {
  x86_64: 'amd64',
  aarch64: 'arm64',
  armv7l: 'arm',
  i686: '386',
};

/** The image is for another CPU than the host has; it may run by emulation, slowly. */
export function platformDraft(context: DockerContext, container: Container): DockerDraft | undefined {
  const image = context.snapshot.images.get(container.imageId);
  const { host } = context.snapshot;
  const own = host && (ARCHITECTURES[host.architecture] ?? host.architecture);
  if (!image || !own || image.architecture === '' || image.architecture === own) return undefined;
  return {
    finding: findingOf(container, {
      rule: 'container.platform',
      severity: 'medium',
      certainty: 'confirmed',
      title: say(context, 'title.platform', {
        name: container.name,
        image: quoteOf(image.architecture, 40),
        host: quoteOf(own, 40),
      }),
      evidence: [
        {
          callId: image.callId,
          quote: quoteOf(`Architecture ${image.architecture}`),
          where: quoteOf(container.image, 80),
        },
      ],
      checks: [platformStep(context, container.imageId)],
    }),
  };
}

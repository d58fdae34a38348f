import type { Container } from '../containers.js';
import { ageMs, ageText, type Draft, draftOf, type RuleContext, refOf, say } from '../draft.js';
import { explainExit } from '../exit-codes.js';
import { str } from '../json.js';
import { quoteOf } from '../plain-text.js';
import { joinSentences } from '../say.js';
import type { KubeObject } from '../snapshot.js';
import { getStep, step } from '../steps.js';
import { crashBase, endEvidence, isCrashing } from './crash-parts.js';
import { readLogs } from './pod-log.js';
import { settingSteps } from './settings.js';

/** A kill for memory is worth saying for this long, although the container runs again. */
const OOM_REMEMBERED_MS = 24 * 3_600_000;
const OOM_FRESH_MS = 3_600_000;

/** A kill for want of memory; undefined for one long ago. */
export function oomDraft(context: RuleContext, pod: KubeObject, container: Container): Draft | undefined {
  const end = container.ended?.reason === 'OOMKilled' ? container.ended : container.lastEnded;
  const age = ageMs(context, end?.finishedMs);
  const crashing = isCrashing(context, container);
  if (!crashing && age !== undefined && age > OOM_REMEMBERED_MS) return undefined;
  const { language } = context;
  // A pod may have a limit of its own, which its containers share.
  const limit =
    str(container.spec, 'resources', 'limits', 'memory') || str(pod.raw, 'spec', 'resources', 'limits', 'memory');
  const unlimited = limit === '' && container.spec !== undefined;
  const fresh = crashing || age === undefined || age < OOM_FRESH_MS;
  return draftOf(context, {
    ...crashBase(context, pod, container, end, undefined),
    rule: 'pod.oom-killed',
    severity: crashing ? 'critical' : fresh ? 'high' : 'medium',
    certainty: 'confirmed',
    title: unlimited ? 'pod.oom-unlimited' : 'pod.oom',
    values: { container: container.name, limit: limit === '' ? '' : ` (${quoteOf(limit, 20)})` },
    cause: { text: say(context, unlimited ? 'cause.memory-node' : 'cause.memory'), certainty: 'likely' },
    detail: joinSentences(
      [
        say(context, unlimited ? 'detail.oom-node' : 'detail.oom'),
        age === undefined
          ? ''
          : say(context, 'detail.restarted', { age: ageText(age), exit: explainExit(end?.exitCode ?? -1, language) }),
      ],
      language,
    ),
    evidence: [...endEvidence(context, pod, container, end), ...readLogs(context, pod, container).evidence],
    checks: [
      getStep(language, 'step.describe', { kind: 'Pod', name: pod.name }, refOf(pod), ['-o', 'yaml']),
      step(
        language,
        unlimited ? 'step.memory-node' : 'step.memory-use',
        {},
        {
          command: ['kubectl', 'top', 'pod', pod.name, '-n', pod.namespace, '--containers'],
          names: [pod.name, pod.namespace],
        },
      ),
      ...settingSteps(context, pod, container, /xmx|heap|java_(?:tool_)?opt|node_options|gomemlimit|memory/i),
    ],
    stopgap: limit === '' ? [] : [step(language, 'step.raise-limit', { container: container.name }, { risk: 'high' })],
    causeKey: 'oom',
  });
}

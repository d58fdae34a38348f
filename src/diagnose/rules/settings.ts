import type { Container } from '../containers.js';
import { type RuleContext, say } from '../draft.js';
import { list, str, strings } from '../json.js';
import { plainLine } from '../plain-text.js';
import type { KubeObject } from '../snapshot.js';
import { getStep } from '../steps.js';
import type { NextStep } from '../types.js';

const MAX_STEPS = 4;
/** Only numbers, sizes, durations and switches are shown: anything else may be a password or an address with one. */
const HARMLESS = /^(?:\d{1,12}(?:\.\d{1,3})?(?:ms|s|m|h|[KMGT]i?B?|%)?|true|false|-Xmx\d{1,6}[kmgKMG])$/;
const SECRET_KEY = /pass|secret|token|credential|private/i;

/** Settings of a container whose key matches, in the ConfigMaps it uses and in its own environment. */
export function settingSteps(
  context: RuleContext,
  pod: KubeObject,
  container: Container,
  pattern: RegExp | undefined,
): readonly NextStep[] {
  if (pattern === undefined) return [];
  const matches = (key: string): boolean => pattern.test(key) && !SECRET_KEY.test(key);
  const inEnv = list(container.spec, 'env')
    .filter((e) => matches(str(e, 'name')) && str(e, 'value') !== '')
    .map(
      (e): NextStep => ({
        text: say(context, 'step.setting-env', { key: plainLine(str(e, 'name')), value: shownValue(str(e, 'value')) }),
        risk: 'low',
      }),
    );
  const inMaps = configMapsOf(pod, container).flatMap((name) => {
    const map = context.cluster.get({ kind: 'ConfigMap', namespace: pod.namespace, name });
    return Object.entries(strings(map?.raw, 'data'))
      .filter(([key]) => matches(key))
      .map(([key, value]) =>
        getStep(
          context.language,
          'step.setting',
          {
            kind: 'ConfigMap',
            name,
            key: plainLine(key),
            value: shownValue(value) + (map === undefined ? '' : ` [${map.callId}]`),
          },
          { kind: 'ConfigMap', namespace: pod.namespace, name },
          ['-o', 'yaml'],
        ),
      );
  });
  return [...inMaps, ...inEnv].slice(0, MAX_STEPS);
}

const shownValue = (value: string): string => (HARMLESS.test(value.trim()) ? `=${value.trim()}` : '');

/** Names of the ConfigMaps a container gets: whole, by key, or as files. */
function configMapsOf(pod: KubeObject, container: Container): readonly string[] {
  const names = [
    ...list(container.spec, 'envFrom').map((e) => str(e, 'configMapRef', 'name')),
    ...list(container.spec, 'env').map((e) => str(e, 'valueFrom', 'configMapKeyRef', 'name')),
    ...list(pod.raw, 'spec', 'volumes').flatMap((v) => [
      str(v, 'configMap', 'name'),
      ...list(v, 'projected', 'sources').map((s) => str(s, 'configMap', 'name')),
    ]),
  ];
  return [...new Set(names)].filter((name) => name !== '');
}

import type { Risk } from '../domain/types.js';
import { resourceName } from './kinds.js';
import { MESSAGES, type MessageKey } from './messages.js';
import { fill, type Values } from './say.js';
import type { Language, NextStep, ObjectRef } from './types.js';

/** What Kubernetes allows as a name. Anything else comes from a broken or hostile dump and never becomes part of a command. */
const NAME = /^[a-z0-9](?:[a-z0-9.:-]{0,251}[a-z0-9])?$/;

/** A step with a command, which is left out when one of its names could be read as an option or worse. */
export function step(
  language: Language,
  key: MessageKey,
  values: Values,
  options: { readonly command?: readonly string[]; readonly names?: readonly string[]; readonly risk?: Risk } = {},
): NextStep {
  const safe = (options.names ?? []).every((name) => NAME.test(name));
  return {
    text: fill(MESSAGES[key], language, values),
    ...(options.command !== undefined && safe ? { command: options.command } : {}),
    risk: options.risk ?? 'low',
  };
}

const inNamespace = (object: ObjectRef): readonly string[] => (object.namespace === '' ? [] : ['-n', object.namespace]);
const namesIn = (object: ObjectRef): readonly string[] =>
  object.namespace === '' ? [object.name] : [object.name, object.namespace];

/** `kubectl describe` of an object. */
export const describeStep = (language: Language, object: ObjectRef): NextStep =>
  step(
    language,
    'step.describe',
    { kind: object.kind, name: object.name },
    {
      command: ['kubectl', 'describe', resourceName(object.kind), object.name, ...inNamespace(object)],
      names: namesIn(object),
    },
  );

/** `kubectl logs` of one container, of its last run when `previous`. */
export const logsStep = (language: Language, pod: ObjectRef, container: string, previous: boolean): NextStep =>
  step(
    language,
    previous ? 'step.previous-log' : 'step.log',
    { container },
    {
      command: ['kubectl', 'logs', pod.name, ...inNamespace(pod), '-c', container, ...(previous ? ['--previous'] : [])],
      names: [...namesIn(pod), container],
      risk: 'low',
    },
  );

/** `kubectl get` of an object, or of a kind in the namespace. */
export const getStep = (
  language: Language,
  key: MessageKey,
  values: Values,
  object: ObjectRef,
  more: readonly string[] = [],
): NextStep =>
  step(language, key, values, {
    command: [
      'kubectl',
      'get',
      resourceName(object.kind),
      ...(object.name === '' ? [] : [object.name]),
      ...inNamespace(object),
      ...more,
    ],
    names: namesIn(object).filter((name) => name !== ''),
  });

/** Restart: a rollout restart when a workload owns the pod (all its pods, one after the other), else deleting the pod. */
export function restartSteps(language: Language, pod: ObjectRef, top: ObjectRef): readonly NextStep[] {
  const deletion = step(
    language,
    'step.delete-pod',
    {},
    {
      command: ['kubectl', 'delete', 'pod', pod.name, ...inNamespace(pod)],
      names: namesIn(pod),
      risk: 'high',
    },
  );
  if (!['Deployment', 'StatefulSet', 'DaemonSet'].includes(top.kind)) {
    // A pod without an owner does not come back after it was deleted.
    return top.kind === 'Pod' ? [] : [deletion];
  }
  const restart = step(
    language,
    'step.rollout-restart',
    { kind: top.kind, name: top.name },
    {
      command: ['kubectl', 'rollout', 'restart', `${resourceName(top.kind)}/${top.name}`, ...inNamespace(top)],
      names: namesIn(top),
      risk: 'high',
    },
  );
  return [deletion, restart];
}

/** Back to the revision before, for what a new revision broke. */
export function undoSteps(language: Language, top: ObjectRef): readonly NextStep[] {
  if (!['Deployment', 'StatefulSet', 'DaemonSet'].includes(top.kind)) return [];
  return [
    step(
      language,
      'step.rollout-undo',
      { kind: top.kind, name: top.name },
      {
        command: ['kubectl', 'rollout', 'undo', `${resourceName(top.kind)}/${top.name}`, ...inNamespace(top)],
        names: namesIn(top),
        risk: 'high',
      },
    ),
  ];
}

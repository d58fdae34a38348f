import { describe, expect, test } from 'vitest';
import { classify } from '../../src/policy/classify/index.js';
import { inputOfCommand } from '../../src/policy/decide.js';
import { namespaceIn } from '../../src/policy/namespace.js';
import { matches } from '../../src/policy/rules.js';
import { aRule } from '../helpers/fakes.js';

const CONTEXT = { kube_context: 'a', kube_namespace: 'shop' };

function found(line: string, context: Readonly<Record<string, string>> = CONTEXT) {
  const tokens = line.split(' ');
  const does = classify(tokens);
  return does && namespaceIn(tokens, does, context);
}

describe('the namespace of an argv that names none', () => {
  test.each([
    'kubectl get pods',
    'kubectl get pods,nodes --context=a',
    'kubectl delete pods --all',
    'kubectl exec web -- tool --raw -A',
    'kubectl create configmap x',
    'kubectl rollout restart deployment/web',
    'kubectl get widgets',
    'helm upgrade web ./web --kube-context=a',
    'helm list',
  ])('%s: the session’s', (line) => {
    expect(found(line)).toBe('shop');
  });

  test.each([
    'kubectl get pods -A',
    'kubectl get pods --all-namespaces=true',
    'kubectl get nodes',
    'kubectl describe node/n1',
    'kubectl drain n1',
    'kubectl create namespace x',
    'kubectl top nodes',
    'kubectl version',
    'kubectl apply -f web.yaml',
    'kubectl get --raw /api/v1/namespaces/other/pods',
    'kubectl cp other/web:/x .',
    'kubectl get pods --context=b',
    'kubectl get pods --kubeconfig=/tmp/other',
    'kubectl something pods',
    'kubectl get pods -l -A',
    'helm list -A',
    'helm repo list',
    'docker ps',
  ])('%s: none, or not known', (line) => {
    expect(found(line)).toBeUndefined();
  });

  test('is what the argv says, else what the session was given, and not known without a context', () => {
    const given = { ...CONTEXT, namespace: 'own' };
    expect([found('kubectl get pods -n x', given), found('kubectl get pods', given)]).toEqual(['x', 'own']);
    expect([found('kubectl get pods', { namespace: 'own' }), found('kubectl get pods', { kube_context: 'a' })]).toEqual(
      [undefined, undefined],
    );
  });
});

test('a command of a script that names no namespace is found by a rule on the session’s, an allow is not', () => {
  const outer = {
    ...{ tool: 't', category: 'c', arguments: {}, argv: [], tokens: [], risk: 'low', permissions: [], user: 'ada' },
    ...{ context: CONTEXT, session: 's', session_id: 's', time: '2026-01-01T00:00:00.000Z' },
  };
  const input = inputOfCommand(outer, ['kubectl', 'get', 'pods']);
  const rule = (effect: 'allow' | 'deny', namespace: string) =>
    matches(aRule(effect, 'kubectl', 'get', 'pods', `--namespace=${namespace}`), input);
  expect([rule('deny', 'shop'), rule('deny', 'other'), rule('allow', 'shop')]).toEqual([true, false, false]);
});

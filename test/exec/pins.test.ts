import { expect, test } from 'vitest';
import { commandPins, pinsLine } from '../../src/exec/pins.js';

const KUBE = { kubeContext: 'a', kubeNamespace: 'shop', kubeCluster: 'c', kubeUser: 'u' };
const session = {
  context: { kube_context: 'a', kube_namespace: 'shop', docker_host: 'tcp://d:1' },
  kube: { cluster: 'c', user: 'u' },
};
const pinsOf = (line: string, env = ['KUBECONFIG']) => commandPins(line.split(' '), env, session);

test.each([
  'kubectl get pods',
  'kubectl get pods --context=a',
  'kubectl get pods --namespace=shop',
  'kubectl get pods --context a --namespace shop',
  'kubectl exec web -- tool --context=a --namespace=shop',
  // Values of other options, however they look.
  'kubectl get pods --namespace=shop -l --context=a',
  'kubectl get pods --context=a --selector -A',
  'kubectl get pods -l --kubeconfig=x',
  'kubectl get config view',
  'kubectl -n config get pods',
  '/usr/local/bin/kubectl get pods',
  'helm list --kube-context=a',
])('%s is held to the session', (line) => {
  expect(pinsOf(line)).toEqual(KUBE);
});

test.each([
  'kubectl get pods --context=a --namespace=shop',
  'kubectl get pods --all-namespaces --context=a',
  'helm list --namespace=shop --kube-context=a',
  // These write to the first file of the kubeconfig, and say what stands in it.
  'kubectl config use-context b',
  'kubectl -n shop config set-context --current --namespace=other',
  'kubectl get pods --kubeconfig=/tmp/other',
  'docker ps',
])('%s says everything itself, or is not for it', (line) => {
  expect(pinsOf(line)).toBeUndefined();
});

test('an argv that says everything still reads the files of the session where its tool does not list KUBECONFIG', () => {
  expect(pinsOf('kubectl get pods --context=a --namespace=shop', [])).toEqual(KUBE);
});

test('the namespace of the session goes before that of the context; without a cluster there is none', () => {
  const context = { ...session.context, namespace: 'own' };
  expect(commandPins(['kubectl'], [], { ...session, context })).toEqual({ ...KUBE, kubeNamespace: 'own' });
  expect(commandPins(['kubectl'], [], { context })).toEqual({ kubeContext: 'a' });
  expect(commandPins(['kubectl'], [], { context: {} })).toBeUndefined();
});

test.each([
  ['kubectl get pods', "\nwith the session's context a, namespace shop"],
  ['kubectl get pods -n other', "\nwith the session's context a"],
  ['kubectl get pods -A', "\nwith the session's context a"],
  ['kubectl get pods --context=a', ''],
])('a person who reads %j also reads %j', (line, expected) => {
  expect(pinsLine(line.split(' '), KUBE)).toBe(expected);
});

import { describe, expect, test } from 'vitest';
import { judgeConnection, judgeUnpinned } from '../../src/policy/guard.js';
import type { PolicyInput } from '../../src/policy/input.js';
import type { Rule } from '../../src/policy/rules.js';
import { aRule } from '../helpers/fakes.js';

const CONTEXT = { kube_context: 'prod', docker_host: 'unix:///run/docker.sock', docker_context: 'default' };

const inputOf = (line: string, context: Readonly<Record<string, string>> = CONTEXT): PolicyInput => ({
  tool: 't',
  category: 'c',
  arguments: {},
  tokens: line.split(' '),
  risk: 'low',
  permissions: [],
  user: 'ada',
  context,
  session_id: 's',
  session: 's',
  argv: line.split(' '),
  time: '2024-07-10T14:30:00Z',
});
const judged = async (line: string, rules: readonly Rule[] = [], context?: Readonly<Record<string, string>>) =>
  judgeConnection(rules)(inputOf(line, context), 'low');

describe('judgeConnection', () => {
  test.each([
    'kubectl --kubeconfig=/x get pods',
    'kubectl get pods --server https://x',
    'kubectl -s https://x get pods',
    'kubectl get pods --as=root',
    'kubectl get pods --token=t',
    'kubectl get pods --as_group=x',
    'kubectl get pods --insecure_skip_tls_verify',
    'systemctl --hos=x status nginx',
    'ansible web -m ping --inven=x',
    'kubectl get pods --context=other',
    'kubectl get pods --context=prod --context=other',
    'kubectl get pods --cluster=prod',
    '/usr/bin/kubectl get pods --as=root',
    'helm list --kube-context=other',
    'helm list --kubeconfig=/x',
    'helm upgrade web . --post-renderer=/tmp/x',
    'docker --host=tcp://x ps',
    'docker -Htcp://x ps',
    'docker --context=other ps',
    'docker --config=/x ps',
    'docker compose -H tcp://x ps',
    'docker-compose -H unix:///run/docker.sock ps',
    'systemctl -H root@x status nginx',
    'systemctl --machine=x status nginx',
    'git -c core.pager=/tmp/x log',
    'git clone ext::sh x',
    'ansible web -m ping -e ansible_connection=local',
  ])('denies %s', async (line) => {
    expect(await judged(line)).toMatchObject([{ id: 'guard.connection', effect: 'deny' }]);
  });

  test('says which option, and how to permit it', async () => {
    const [rule] = await judged('kubectl -s https://x get pods');
    expect(rule?.reason).toBe(
      '"--server=https://x" changes whom kubectl speaks to, as whom, or which program it starts. To permit it, add a rule with effect allow whose tokens name --server.',
    );
  });

  test('a session without a context has no pin that an option could repeat', async () => {
    expect(await judged('kubectl get pods --context=prod', [], {})).toHaveLength(1);
    expect(await judged('kubectl get pods --context=undefined', [], {})).toHaveLength(1);
  });

  test.each([
    'kubectl get pods --context=prod',
    'kubectl --context prod get pods',
    'helm list --kube-context=prod',
    'docker --host=unix:///run/docker.sock ps',
    'docker --context=default ps',
    'docker --host=unix:///run/docker.sock compose --project-name=shop logs',
    'kubectl get pods -n shop',
    'kubectl exec web-0 -- app --server=x --token=y',
    'docker exec web app --host=x',
    'frobnicate --server=x',
  ])('has no opinion on %s', async (line) => {
    expect(await judged(line)).toEqual([]);
  });

  describe('an allow rule', () => {
    const line = 'kubectl --kubeconfig=/x get pods';
    test.each([
      ['that does not name the option', aRule('allow', 'kubectl')],
      ['that has a star in its place', aRule('allow', 'kubectl', '*', 'get')],
      ['that names another option', aRule('allow', 'kubectl', '--server=*', 'get')],
      ['that names it, and does not match', aRule('allow', 'kubectl', '--kubeconfig=/y')],
      ['without tokens', { id: 'a', effect: 'allow', reason: 'r', source: 's', match: {} } as Rule],
      ['that is a confirm', aRule('confirm', 'kubectl', '--kubeconfig=*')],
      ['that names it for another program', aRule('allow', 'helm', '--kubeconfig=*')],
    ])('%s does not permit it', async (_, rule) => {
      expect(await judged(line, [rule])).toHaveLength(1);
    });

    test('that names it permits it, and no other', async () => {
      expect(await judged(line, [aRule('allow', 'kubectl', '--kubeconfig=*')])).toEqual([]);
      expect(await judged(line, [aRule('allow', 'kubectl', '--kubeconfig=/x', 'get')])).toEqual([]);
      expect(await judged(`${line} --as=root`, [aRule('allow', 'kubectl', '--kubeconfig=*')])).toHaveLength(1);
      expect(await judged('kubectl -s https://x get pods', [aRule('allow', 'kubectl', '-s', '*')])).toEqual([]);
    });
  });
});

describe('judgeUnpinned', () => {
  const HERE = { kube_context: 'prod', docker_host: 'unix:///run/docker.sock' };
  const denied = async (line: string, context: Readonly<Record<string, string>> = HERE) =>
    (await judgeUnpinned(inputOf(line, context), 'high')).map(({ id }) => id);

  test.each([
    'kubectl delete pod x',
    'kubectl delete pod x --as=me',
    'kubectl exec x -- kubectl --context=prod delete pod x',
    'helm upgrade web .',
    'docker restart web',
    'docker compose up',
  ])('denies %s', async (line) => {
    expect(await denied(line)).toEqual(['guard.unpinned']);
  });

  test.each([
    'kubectl delete pod x --context=prod',
    'kubectl delete pod x --kubeconfig=/x',
    'helm upgrade web . --kube-context=prod',
    'helm package web',
    'docker --host=unix:///run/docker.sock restart web',
    'docker --context=default compose up',
    'systemctl restart web',
    'git push',
  ])('does not mind %s', async (line) => {
    expect(await denied(line)).toEqual([]);
  });

  test('does not mind a read, nor a session without a cluster', async () => {
    expect(await judgeUnpinned(inputOf('kubectl get pods', HERE), 'low')).toEqual([]);
    expect(await denied('kubectl delete pod x', {})).toEqual([]);
  });
});

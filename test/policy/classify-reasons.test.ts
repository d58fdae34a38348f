import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { classify } from '../../src/policy/classify/index.js';
import { rank } from '../../src/policy/rank.js';

const reasonOf = (line: string) => classify(line.split(' '))?.reason;

describe('the reason says why', () => {
  test.each([
    ['kubectl get pods > file', 'there is no shell: kubectl gets ">" as an argument'],
    ['kubectl get pods --sneaky', '"--sneaky" is no option that is known, so what it does is not known'],
    ['kubectl get pods --token=x', '--token changes whom kubectl speaks to, as whom, or what it starts'],
    [
      'kubectl apply -f https://example.com/x.yaml',
      'it creates or changes objects; it fetches a manifest from another host, which decides what is in it',
    ],
    [
      'kubectl delete pod x --dry-run=maybe',
      'its --dry-run says neither client nor server, so it may be real; it deletes; a controller, if there is one, makes a pod again',
    ],
    ['kubectl get secret db -o yaml', 'it may print the values of Secrets'],
    ['kubectl frobnicate', '"frobnicate" is no verb that is known; it may be a plug-in, which can do anything'],
    ['kubectl config use-context x', 'it changes the kubeconfig, and with it which cluster later calls reach'],
    ['kubectl delete pod x --dry-run=server', 'a dry run: nothing changes'],
  ])('%s', (line, reason) => {
    expect(reasonOf(line)).toBe(reason);
  });

  test('an item of a template is no shell syntax, and what a program in a pod gets is its own', () => {
    expect(classify(['kubectl', 'get', 'pods', '-o', 'jsonpath={.items[?(@.a==1 && @.b>2)]}'])?.risk).toBe('low');
    expect(reasonOf('kubectl exec web-0 -- sh -c a|b')).toMatch(/runs a program/);
  });

  test('what can be taken back says so', () => {
    const lines = [
      'kubectl rollout undo deploy/web',
      'kubectl cordon n',
      'kubectl delete pod x',
      'docker stop web',
      'docker rm web',
    ];
    expect(lines.map((line) => classify(line.split(' '))?.reversible)).toEqual([true, true, false, true, false]);
  });
});

const PROGRAMS = [
  ...[
    'kubectl',
    'docker',
    'docker-compose',
    'helm',
    'systemctl',
    'git',
    'ansible',
    'ansible-playbook',
    'ansible-galaxy',
  ],
  ...['df', 'cat', 'find', 'sed', 'ip', 'journalctl', 'openssl', 'date'],
];
const WORDS = [
  ...[
    'get',
    'delete',
    'pods',
    'pod/x',
    'ns',
    'apply',
    'rollout',
    'restart',
    'config',
    'use-context',
    'drain',
    'compose',
    'up',
    'rm',
  ],
  ...[
    'container',
    'system',
    'prune',
    'exec',
    'run',
    'install',
    'uninstall',
    'push',
    'reset',
    'branch',
    'status',
    'stop',
    'nginx',
    'web',
  ],
  ...[
    '-n',
    'prod',
    '-A',
    '--all',
    '--force',
    '--dry-run=client',
    '--dry-run',
    '-f',
    '-',
    '--',
    '-o',
    'yaml',
    '-it',
    '-l',
    'a=b',
    '--hard',
  ],
];
const argv = fc.tuple(
  fc.constantFrom(...PROGRAMS),
  fc.array(fc.oneof({ weight: 6, arbitrary: fc.constantFrom(...WORDS) }, fc.string({ unit: 'binary' })), {
    maxLength: 9,
  }),
);

describe('any argv', () => {
  test('classify never throws', () => {
    const items = fc.array(fc.oneof(fc.constantFrom(...PROGRAMS, ...WORDS), fc.string({ unit: 'binary' })), {
      maxLength: 12,
    });
    fc.assert(
      fc.property(items, (tokens) => classify(tokens) === undefined || rank(classify(tokens)?.risk ?? 'low') >= 0),
    );
  });

  test('an unknown option at the end never lowers the risk', () => {
    fc.assert(
      fc.property(argv, ([program, items]) => {
        const before = rank(classify([program, ...items])?.risk ?? 'high');
        const after = rank(classify([program, ...items, '--zz-unknown'])?.risk ?? 'high');
        expect(after).toBeGreaterThanOrEqual(before);
      }),
      { numRuns: 3_000 },
    );
  });

  test('an unknown option before the verb or before "--" is at least high, unless it is the value of an option', () => {
    const tables = ['kubectl', 'docker', 'docker-compose', 'helm', 'systemctl', 'git', 'ansible', 'ansible-playbook'];
    fc.assert(
      fc.property(
        fc.constantFrom(...tables),
        fc.array(fc.constantFrom(...WORDS), { maxLength: 6 }),
        (program, items) => {
          expect(rank(classify([program, '--zz-unknown', ...items])?.risk ?? 'low')).toBeGreaterThanOrEqual(
            rank('high'),
          );
        },
      ),
      { numRuns: 2_000 },
    );
  });

  test('a long argv is read in time that grows with its length only', () => {
    const long = 'a '.repeat(50_000);
    const items = Array.from({ length: 5_000 }, () => '--sort=a --sort=b');
    for (const program of PROGRAMS) expect(() => classify([program, 'branch', ...items, long, '!'])).not.toThrow();
  });
});

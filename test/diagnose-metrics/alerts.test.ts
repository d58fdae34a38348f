import { describe, expect, test } from 'vitest';
import { anAlert, aRule, aTarget, REFUSED } from './answers.js';
import { diagnose, titles } from './diagnosis.js';

describe('alerts', () => {
  test('are grouped by name and severity, with since, labels, value and summary', async () => {
    const annotations = { summary: 'Disk is filling', description: '4 % left', runbook_url: 'https://runbooks/disk' };
    const alerts = ['a', 'b'].map((i) =>
      anAlert('DiskFull', { severity: 'critical', instance: i }, { annotations, value: '9.6e+01' }),
    );
    const { findings } = await diagnose({ alerts, rules: [aRule('DiskFull', 'disk > 95')] });
    expect(findings).toHaveLength(1);
    expect(findings[0]).toMatchObject({
      rule: 'alert.firing',
      severity: 'critical',
      title: 'Alert DiskFull is firing 2 times: Disk is filling',
      detail:
        'Firing for 30m, since 2026-01-31T07:30:00Z; value 96; {instance="a",severity="critical"}. Its description: 4 % left',
      also: [{ kind: 'Alert', namespace: '', name: 'b' }],
      checks: [
        { text: 'Read the runbook: https://runbooks/disk', risk: 'low' },
        {
          text: 'See the course of its expression',
          command: ['opsagent', 'tools', 'run', 'prometheus_query_range', '--args', '{"query":"disk > 95"}'],
          risk: 'low',
        },
      ],
    });
    expect(findings[0]?.evidence[0]).toEqual({
      callId: 'c1',
      quote: '{alertname="DiskFull",instance="a",severity="critical"} = 9.6e+01',
      where: 'firing since 2026-01-31T07:30:00Z',
    });
  });

  test.each([
    ['page', 'critical'],
    ['P2', 'high'],
    ['warning', 'medium'],
    ['', 'medium'],
    ['info', 'info'],
  ])('severity %j means %s', async (severity, wanted) => {
    expect((await diagnose({ alerts: [anAlert('A', { severity })] })).findings[0]?.severity).toBe(wanted);
  });

  test('one that always fires is no problem', async () => {
    const found = await diagnose({ alerts: [anAlert('Watchdog', { severity: 'critical' })] });
    expect(found.healthy).toBe(true);
    expect(found.findings[0]?.severity).toBe('info');
  });

  test('pending ones are one low finding', async () => {
    const pending = ['A', 'B', 'A'].map((name) => anAlert(name, {}, { state: 'pending' }));
    expect(await titles({ alerts: pending })).toEqual([
      'low: 3 alerts are pending, that is, their condition holds, but not for long enough: A, B',
    ]);
  });

  test('silenced and inhibited ones say so, by whom, and are low; the rest of the group is not', async () => {
    const status = (silencedBy: string[], inhibitedBy: string[]) => ({ silencedBy, inhibitedBy, state: 'suppressed' });
    const labels = (instance: string) => ({ severity: 'critical', instance });
    const held = [
      anAlert('A', { ...labels('1'), cluster: 'x' }, { status: status(['s1'], []) }),
      anAlert('A', { ...labels('2'), cluster: 'x' }, { status: status([], ['f']) }),
      anAlert('A', { ...labels('3'), cluster: 'x' }, { status: status([], []) }),
    ];
    const silences = [{ id: 's1', endsAt: '2026-01-31T10:00:00Z', createdBy: 'ann', comment: 'OPS-7' }];
    const alerts = ['1', '2', '3'].map((i) => anAlert('A', labels(i)));
    const { findings } = await diagnose({ alerts, held, silences });
    expect(findings.map((f) => `${f.severity} ${f.title}`)).toEqual([
      'critical Alert A is firing',
      'low Alert A is firing, but inhibited by another alert, so that nobody is told',
      'low Alert A is firing, but silenced, so that nobody is told',
    ]);
    expect(findings[2]?.detail).toContain('Silence s1 by ann until 2026-01-31T10:00:00Z: OPS-7.');
  });

  test('those that only Alertmanager holds are told apart', async () => {
    const { findings } = await diagnose({ held: [anAlert('FromLoki', { severity: 'high' })] });
    expect(findings[0]).toMatchObject({ severity: 'high', title: 'Alert FromLoki is firing' });
    expect(findings[0]?.detail).toContain('Only Alertmanager holds it');
  });
});

describe('targets that are down', () => {
  const targets = [
    aTarget('api', 'a:1'),
    aTarget('api', 'b:1', REFUSED),
    aTarget('db', 'c:1', 'context deadline exceeded'),
  ];

  test('are grouped by job and reason, and explain the alerts about them', async () => {
    const alerts = [
      anAlert('TargetDown', { job: 'api', instance: 'b:1', severity: 'critical' }),
      anAlert('JobGone', { job: 'db' }),
      anAlert('Unrelated', { job: 'api', instance: 'a:1' }),
    ];
    const rules = [aRule('TargetDown', 'up == 0'), aRule('JobGone', 'sum by (job) (up) == 0')];
    const { findings, summary } = await diagnose({ alerts, targets, rules });
    expect(findings.map((f) => [f.severity, f.title, f.symptoms.map((s) => s.title)])).toEqual([
      ['critical', 'Target b:1 of job api is down: connection refused', ['Alert TargetDown is firing']],
      ['high', 'Target c:1 of job db is down: no answer in time', ['Alert JobGone is firing']],
      ['medium', 'Alert Unrelated is firing', []],
    ]);
    expect(summary).toBe(
      'Firing alerts: 3; targets down: 2 of 3. First: Target b:1 of job api is down: connection refused',
    );
    expect(findings[0]?.evidence).toEqual([{ callId: 'c3', quote: REFUSED, where: 'lastError of b:1' }]);
  });

  test('an alert of several targets is no consequence of one of them', async () => {
    const alerts = [anAlert('A', { job: 'api', instance: 'b:1' }), anAlert('A', { job: 'db', instance: 'c:1' })];
    const { findings } = await diagnose({ alerts, targets });
    expect(findings.map((f) => f.symptoms.length)).toEqual([0, 0, 0]);
  });

  test('an alert without an instance is theirs only when its rule asks for up', async () => {
    const alerts = [anAlert('Errors', { job: 'db' })];
    const { findings } = await diagnose({ alerts, targets, rules: [aRule('Errors', 'rate(errors[5m]) > 1')] });
    expect(findings.flatMap((f) => f.symptoms)).toEqual([]);
  });

  test.each([
    ['lookup x on 10.0.0.2:53: no such host', 'its host name is not known'],
    ['x509: certificate has expired or is not yet valid', 'its TLS certificate is not trusted'],
    ['server returned HTTP status 401 Unauthorized', 'it wants other credentials'],
    ['server returned HTTP status 404 Not Found', 'there are no metrics at this path'],
    ['server returned HTTP status 503 Service Unavailable', 'it answers with a server error'],
    ['expected equal, got "<" ("INVALID") while parsing: "<!"', 'what it answers are not metrics'],
    ['dial tcp 10.0.0.1:80: connect: no route to host', 'there is no route to it'],
    ['read tcp: connection reset by peer', 'it closes the connection'],
    ['sample limit exceeded', 'it has more samples or labels than allowed'],
    ['something new', 'its scrape fails'],
  ])('%s means: %s', async (error, reason) => {
    const { findings } = await diagnose({ targets: [aTarget('j', 'i:1', error)] });
    expect(findings[0]?.title).toBe(`Target i:1 of job j is down: ${reason}`);
  });
});

describe('alerting itself', () => {
  test('a rule that fails, and an Alertmanager that is not there', async () => {
    const lastError = 'found duplicate series for the match group';
    const rules = [aRule('Broken', 'a * b', { health: 'err', lastError }), aRule('Fine', 'up')];
    const { findings } = await diagnose({ rules, managers: [] });
    expect(findings.map((f) => [f.severity, f.title, f.cause?.text])).toEqual([
      ['high', 'Rule Broken cannot be evaluated', lastError],
      ['medium', 'Prometheus knows no Alertmanager, so that nobody is told of its alerts', undefined],
    ]);
    expect(findings[0]?.checks[0]?.command).toEqual(['promtool', 'check', 'rules', '/etc/rules.yml']);
  });

  test('without an Alertmanager a firing alert reaches nobody, which is worse', async () => {
    const { findings } = await diagnose({ managers: [], alerts: [anAlert('A')] });
    expect(findings.find((f) => f.rule === 'manager.none')?.severity).toBe('high');
  });
});

import { expect, test } from 'vitest';
import { renderDiagnosis } from '../../src/diagnose/render.js';
import { diagnosisWith, disk, failure, outline, result, runBuiltin } from './machine.js';

const failed = (...units: readonly string[]) =>
  result('host_failed_units', units.map((unit) => `${unit} loaded failed failed Something`).join('\n'));
const state = (unit: string, text: string) => result('host_unit_status', text, { unit });
const log = (unit: string, ...messages: readonly string[]) =>
  result(
    'host_unit_journal',
    messages.map((text) => `2024-05-02T00:00:00+0000 db1 ${unit.split('.')[0]}[9]: ${text}`).join('\n'),
    { unit },
  );

test('a unit without a log is named with what systemd says of its end', async () => {
  const diagnosis = await diagnosisWith([
    failed('shop.service'),
    state('shop.service', 'ActiveState=failed\nResult=exit-code\nExecMainStatus=3\nNRestarts=5\n'),
  ]);
  expect(diagnosis.findings.map((f) => [f.title, f.detail])).toEqual([
    ['Unit shop.service failed (exit-code, 3)', 'systemd restarted it 5 times.'],
  ]);
});

test('a port that is taken is named with its holder', async () => {
  const diagnosis = await diagnosisWith([
    failed('nginx.service'),
    state('nginx.service', 'Result=exit-code\nExecMainStatus=1\n'),
    log(
      'nginx.service',
      'nginx: [emerg] bind() to 0.0.0.0:80 failed (98: Address already in use)',
      'still could not bind()',
    ),
    result('host_listening', 'tcp LISTEN 0 511 0.0.0.0:80 0.0.0.0:* users:(("apache2",pid=12,fd=4))\n'),
  ]);
  const [finding] = diagnosis.findings;
  expect(finding?.title).toBe(
    'Unit nginx.service failed; its log says that the port that it wants to listen on is taken',
  );
  expect(finding?.cause).toEqual({ text: 'apache2 already listens on port 80', certainty: 'confirmed' });
  expect(finding?.evidence.map((e) => e.callId)).toEqual([
    'host_failed_units',
    'host_unit_statusnginx.service',
    'host_unit_journalnginx.service',
    'host_listening',
  ]);
  expect(finding?.stopgap).toMatchObject([{ command: ['systemctl', 'restart', 'nginx.service'], risk: 'high' }]);
});

test('a full disk explains the unit that cannot write, and a unit that fails otherwise stands alone', async () => {
  const diagnosis = await diagnosisWith([
    disk('/dev/vda2 ext4 1000000 1000000 0 100% /var'),
    failed('mysql.service', 'other.service'),
    log('mysql.service', '[ERROR] Error writing file: No space left on device'),
    log('other.service', 'FATAL: connection to 10.0.0.1:5432 refused: connection refused'),
  ]);
  expect(outline(diagnosis)).toEqual([
    ['host.disk-full', 'critical', '/var', ['host.unit-failed.because']],
    ['host.unit-failed.because', 'high', 'other.service', []],
  ]);
});

test('a unit that the kernel killed stands under the kill in its own control group', async () => {
  const diagnosis = await diagnosisWith([
    failed('shop.service'),
    state('shop.service', 'Result=oom-kill\n'),
    result(
      'host_kernel_messages',
      `[89000.0] oom-kill:constraint=CONSTRAINT_MEMCG,nodemask=(null),cpuset=/,mems_allowed=0,oom_memcg=/system.slice/shop.service,task_memcg=/system.slice/shop.service,task=java,pid=7,uid=0
[89000.1] Memory cgroup out of memory: Killed process 7 (java) total-vm:1kB
`,
    ),
  ]);
  expect(outline(diagnosis)).toEqual([['host.oom-group', 'high', 'java', ['host.unit-failed.result']]]);
});

test('programs that complain of the machine in syslog are heard where there is no journal', async () => {
  const diagnosis = await diagnosisWith([
    result('host_journal', '-- No entries --\n', {}, { errorText: 'No journal files were found.' }),
    result(
      'host_syslog',
      'May  2 00:00:00 db1 redis[3]: Could not create server TCP listening socket *:6379: bind: Address already in use\n',
    ),
  ]);
  expect(diagnosis.findings.map((f) => [f.rule, f.title])).toEqual([
    ['host.log', 'The log of redis says that the port that it wants to listen on is taken'],
  ]);
});

test('the units to read more about are the failed ones, at most six', async () => {
  const units = Array.from({ length: 9 }, (_, i) => `u${i}.service`);
  const { written } = await runBuiltin('host_log_targets', [failed(...units)]);
  expect(JSON.parse(written)).toEqual({ units: units.slice(0, 6), needs_syslog: true });
  const none = await runBuiltin('host_log_targets', [failure('host_failed_units', 'Failed to connect to bus')]);
  expect(JSON.parse(none.written)).toEqual({ units: [], needs_syslog: true });
});

test('terminal escapes and Markdown in a log stay harmless', async () => {
  const diagnosis = await diagnosisWith([
    failed('x.service'),
    log('x.service', '\u001b]0;owned\u0007FATAL: `rm` [a](http://evil) No space left on device'),
  ]);
  const text = renderDiagnosis(diagnosis);
  expect(text).not.toContain('\u001b');
  expect(text).toContain('`` 2024-05-02T00:00:00+0000 db1 x[9]: FATAL: `rm`');
});

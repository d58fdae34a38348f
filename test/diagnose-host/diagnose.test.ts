import { expect, test } from 'vitest';
import { renderDiagnosis } from '../../src/diagnose/render.js';
import {
  diagnosisWith,
  disk,
  failure,
  HEALTHY,
  load,
  memory,
  outline,
  processes,
  result,
  runBuiltin,
} from './machine.js';

test('a machine on which nothing is wrong is called healthy, in both languages', async () => {
  const en = await diagnosisWith([]);
  expect([en.healthy, en.findings, en.unseen, en.summary]).toEqual([true, [], [], 'No problem was found.']);
  expect(renderDiagnosis(en)).toMatch(/^# Diagnosis of db1\n/);
  expect((await diagnosisWith([], 'zh')).summary).toBe('没有发现问题。');
});

test('what could not be looked at is said, and the machine is not called healthy without it', async () => {
  const diagnosis = await diagnosisWith([
    failure('host_memory', 'cat: /proc/meminfo: Permission denied'),
    failure('host_failed_units', "System has not been booted with systemd as init system (PID 1). Can't operate."),
    failure('host_kernel_messages', 'dmesg: read kernel buffer failed: Operation not permitted'),
    result('host_journal', '-- No entries --\n', {}, { errorText: 'No journal files were found.' }),
  ]);
  expect(diagnosis.healthy).toBe(false);
  expect(diagnosis.summary).not.toBe('No problem was found.');
  expect(diagnosis.unseen.map((u) => [u.what, u.why.replace(/:.*/, '')])).toEqual([
    ['host_failed_units', 'systemd does not run this machine (a container, perhaps) [host_failed_units]'],
    ['host_memory', 'no permission'],
    ['host_kernel_messages', 'no permission'],
    ['host_journal', 'there is no journal, or nothing in it'],
  ]);
});

test('what a machine does not have is named without having been asked for', async () => {
  const facilities = result('host_facilities', '{"systemd":false,"timedatectl":false,"chronyc":false,"dmesg":true}');
  const diagnosis = await diagnosisWith([
    facilities,
    failure('host_time_sync', 'Failed to connect to bus: Host is down'),
  ]);
  expect(diagnosis.unseen.map((u) => u.what)).toEqual(['host_time_sync', 'systemd', 'timedatectl, chronyc']);
});

test('where not one look succeeded there is no diagnosis, but the reason', async () => {
  const { outcome, written } = await runBuiltin('host_diagnose', [
    failure('host_disk', 'no'),
    failure('host_memory', 'no'),
  ]);
  expect([outcome, written]).toEqual([
    { status: 'failed', error: { category: 'execution', message: 'host_disk failed' } },
    '',
  ]);
});

test.each([
  ['/dev/vda1 ext4 1000000 890000 110000 89% /', []],
  ['/dev/vda1 ext4 1000000 900000 100000 90% /', [['host.disk-full', 'medium', '/', []]]],
  ['/dev/vda1 ext4 1000000 950000 50000 95% /', [['host.disk-full', 'high', '/', []]]],
  ['tmpfs tmpfs 1024 1024 0 100% /mnt/x', [['host.disk-full', 'critical', '/mnt/x', []]]],
  ['/dev/sdb xfs 9999999999 9500000000 499999999 96% /big', [['host.disk-full', 'medium', '/big', []]]],
  ['/dev/loop3 squashfs 65536 65536 0 100% /snap/core/1', []],
  ['/dev/sr0 iso9660 65536 65536 0 100% /media/cdrom', []],
  ['efivarfs efivarfs 100 99 1 99% /sys/firmware/efi/efivars', []],
])('disk: %s', async (line, expected) => {
  expect(outline(await diagnosisWith([disk(line)]))).toEqual(expected);
});

test('a file system without inodes is found however much space it has', async () => {
  const text = 'Filesystem Inodes IUsed IFree IUse% Mounted on\n/dev/vda1 1000 1000 0 100% /\n';
  const diagnosis = await diagnosisWith([result('host_inodes', text)]);
  expect(outline(diagnosis)).toEqual([['host.inodes-full', 'critical', '/', []]]);
  expect(diagnosis.findings[0]?.evidence).toEqual([
    { callId: 'host_inodes', quote: '/dev/vda1 1000 1000 0 100% /', where: 'df -i' },
  ]);
});

test('a mount point that could be an option or a trick never becomes part of a command', async () => {
  const [finding] = (await diagnosisWith([disk('x tmpfs 1024 1024 0 100% /mnt/$(rm -rf)')])).findings;
  expect(finding?.checks.map((step) => step.command)).toEqual([undefined, ['lsof', '+L1']]);
});

test.each([
  [110_000, 100_000, []],
  [100_000, 100_000, [['host.memory-short', 'medium', 'memory', []]]],
  [40_000, 100_000, [['host.memory-short', 'high', 'memory', []]]],
  [40_000, 5_000, [['host.memory-short', 'high', 'memory', ['host.swap-full']]]],
  [150_000, 5_000, [['host.swap-full', 'medium', 'swap', []]]],
  [300_000, 0, []],
])('memory: %d kB of 1000000 available, %d kB of swap free', async (available, swapFree, expected) => {
  expect(outline(await diagnosisWith([memory(available, swapFree)]))).toEqual(expected);
});

test('short memory, waiting for it, and kills by the kernel are one finding, with the largest processes', async () => {
  const diagnosis = await diagnosisWith([
    memory(20_000),
    result(
      'host_pressure',
      '/proc/pressure/memory:some avg10=9 avg60=50.00 avg300=9 total=1\n/proc/pressure/memory:full avg10=9 avg60=25.00 avg300=9 total=1\n',
    ),
    result('host_kernel_messages', '[89000.0] Out of memory: Killed process 77 (mysqld) total-vm:1kB\n'),
  ]);
  expect(outline(diagnosis)).toEqual([
    ['host.memory-short', 'high', 'memory', ['host.memory-pressure', 'host.oom', 'host.swap-full']],
  ]);
  expect(diagnosis.findings[0]?.cause?.text).toContain('java (50, 30 %)');
  expect(diagnosis.findings[0]?.symptoms[1]?.title).toBe(
    'The kernel killed mysqld for want of memory (1×, last 2024-05-02T00:43:20Z)',
  );
});

test.each([
  [3.9, 0, []],
  [4.1, 0, [['host.load', 'medium', 'load', []]]],
  [8.5, 0, [['host.load', 'high', 'load', []]]],
])('load %d on two CPUs', async (five, blocked, expected) => {
  expect(outline(await diagnosisWith([load(five, 90_000, blocked)]))).toEqual(expected);
});

test('behind a load stand the processes that compute, or those that wait for I/O', async () => {
  const computing = await diagnosisWith([load(9), processes('7 1 root R 99.0 1.0 1 1 stress')]);
  expect(computing.findings[0]?.cause?.text).toBe('most CPU since their start: stress (7, 99 %)');
  const waiting = await diagnosisWith([
    load(9, 90_000, 8),
    result('host_pressure', '/proc/pressure/io:full avg10=1 avg60=60.00 avg300=1 total=1\n'),
  ]);
  expect(outline(waiting)).toEqual([['host.io-pressure', 'high', 'io', ['host.load']]]);
});

test('a disk that fails explains the read-only file system and the hanging processes', async () => {
  const kernel = `[89000.1] blk_update_request: I/O error, dev sda, sector 2056
[89000.2] Buffer I/O error on dev sda1, logical block 12, lost async page write
[89001.0] EXT4-fs error (device sda1): ext4_journal_check_start:83: Detected aborted journal
[89001.1] EXT4-fs (sda1): Remounting filesystem read-only
[89130.0] INFO: task postgres:812 blocked for more than 120 seconds.
`;
  const diagnosis = await diagnosisWith([
    result('host_kernel_messages', kernel),
    result('host_mounts', '/dev/sda1 /data ext4 ro,relatime 0 0\n'),
  ]);
  expect(outline(diagnosis)).toEqual([
    ['host.io-error', 'high', 'sda', ['host.read-only', 'host.file-system-error', 'host.hung-task']],
  ]);
  expect(diagnosis.findings[0]?.title).toContain('(2×');
  expect(diagnosis.findings[0]?.symptoms[0]?.detail).toBe('It is mounted read-only now: /data.');
});

test('what the kernel said days ago is not today’s problem', async () => {
  const kernel = result('host_kernel_messages', '[100.0] Out of memory: Killed process 77 (mysqld) total-vm:1kB\n');
  expect(outline(await diagnosisWith([kernel, load(0.1, 300_000)]))).toEqual([['host.oom', 'low', 'mysqld', []]]);
});

test('an old failure of a disk does not explain what hangs today', async () => {
  const kernel = result(
    'host_kernel_messages',
    '[100.0] I/O error, dev sda, sector 1\n[299000.0] INFO: task cp:9 blocked for more than 120 seconds.\n',
  );
  expect(outline(await diagnosisWith([kernel, load(0.1, 300_000)]))).toEqual([
    ['host.hung-task', 'high', 'cp', []],
    ['host.io-error', 'low', 'sda', []],
  ]);
});

test('kills are counted where the kernel’s messages may not be read', async () => {
  const diagnosis = await diagnosisWith([
    failure('host_kernel_messages', 'dmesg: read kernel buffer failed: Operation not permitted'),
    result('host_limits', '/proc/vmstat:oom_kill 3\n'),
  ]);
  expect(outline(diagnosis)).toEqual([['host.oom-count', 'medium', 'memory', []]]);
});

test.each([
  ['1 1000 999 9 java', 'PERMILLE FILES LIMIT PID NAME\n790 790 1000 9 java\n', []],
  ['near', 'PERMILLE FILES LIMIT PID NAME\n960 960 1000 9 java\n', [['host.process-files', 'high', '9', []]]],
])('open files of a process: %s', async (_, text, expected) => {
  expect(outline(await diagnosisWith([result('host_open_files', text)]))).toEqual(expected);
});

test('a table of connections that drops packets is the cause of its being full', async () => {
  const diagnosis = await diagnosisWith([
    result('host_kernel_messages', '[89000.0] nf_conntrack: nf_conntrack: table full, dropping packet\n'),
    result(
      'host_limits',
      '/proc/sys/net/netfilter/nf_conntrack_count:65000\n/proc/sys/net/netfilter/nf_conntrack_max:65536\n',
    ),
  ]);
  expect(outline(diagnosis)).toEqual([['host.conntrack-drops', 'high', 'kernel', ['host.conntrack']]]);
});

test('zombies are named with the parent that forgets them', async () => {
  const lines = Array.from({ length: 12 }, (_, i) => `${100 + i} 50 shop Z 0.0 0.0 0 9 sh`);
  const diagnosis = await diagnosisWith([processes('50 1 shop S 0.0 0.0 1 9 worker', ...lines)]);
  expect(diagnosis.findings.map((f) => f.title)).toEqual([
    '12 processes ended, but their parent worker (50) does not take them off',
  ]);
});

test('a clock that nobody keeps right explains its jump', async () => {
  const diagnosis = await diagnosisWith([
    result('host_time_sync', 'NTP=no\nNTPSynchronized=no\n'),
    result('host_journal', '2024-05-02T00:00:00+0000 db1 chronyd[9]: System clock wrong by 12.5 seconds\n'),
  ]);
  expect(outline(diagnosis)).toEqual([['host.clock-unsynchronised', 'medium', 'clock', ['host.clock-jump']]]);
});

test('a machine that booted a short time ago is mentioned', async () => {
  expect(outline(await diagnosisWith([load(0.1, 600)]))).toEqual([['host.rebooted', 'low', 'boot', []]]);
});

test('a report speaks Chinese when asked to', async () => {
  const text = renderDiagnosis(await diagnosisWith([disk('tmpfs tmpfs 1024 1024 0 100% /mnt/x')], 'zh'));
  expect(text).toContain('文件系统 /mnt/x 已使用 100 %');
  expect(text).toContain('查看哪些目录占用空间');
});

test('the fixture of a healthy machine is complete', () => {
  expect(HEALTHY.every((one) => one.status === 'ok')).toBe(true);
});

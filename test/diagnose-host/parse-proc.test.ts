import { expect, test } from 'vitest';
import {
  listenersOf,
  parseLimits,
  parseLoad,
  parseMemory,
  parseOpenFiles,
  parsePressure,
  parseProcesses,
} from '../../src/diagnose/host/parse-proc.js';

test.each([['', 'x', '\u0000', 'MemTotal: many kB', '/proc/loadavg:a b c']])('nothing is made of %j', (text) => {
  expect([
    parseMemory(text),
    parseLoad(text),
    [...parsePressure(text)],
    parseProcesses(text),
    parseLimits(text),
  ]).toEqual([undefined, undefined, [], [], {}]);
});

test('available memory is what the kernel says, or an estimate on kernels that do not', () => {
  const rhel6 = 'MemTotal:  1000 kB\nMemFree:  100 kB\nBuffers:  50 kB\nCached:  250 kB\nSwapTotal:  0 kB\n';
  expect(parseMemory(rhel6)?.available).toBe(400);
  expect(parseMemory(`${rhel6}MemAvailable:  20 kB\nActive(anon):  1 kB\n`)?.available).toBe(20);
});

test('load, CPUs, uptime and time of boot come from three files', () => {
  const text = `/proc/loadavg:8.20 7.90 3.10 9/173 5406
/proc/uptime:3725.31 6120.02
/proc/stat:cpu0 1 2 3
/proc/stat:cpu1 1 2 3
/proc/stat:btime 1714550000
/proc/stat:procs_running 9
/proc/stat:procs_blocked 3
`;
  expect(parseLoad(text)).toEqual({
    one: 8.2,
    five: 7.9,
    fifteen: 3.1,
    cpus: 2,
    uptime: 3725.31,
    bootTime: 1714550000,
    blocked: 3,
    line: '8.20 7.90 3.10 9/173 5406',
    uptimeLine: '3725.31 6120.02',
  });
});

test('pressure is that of the last minute; old kernels have no line "full" for CPUs', () => {
  const text = `/proc/pressure/cpu:some avg10=71.18 avg60=23.70 avg300=20.65 total=610480954
/proc/pressure/memory:some avg10=0.87 avg60=30.45 avg300=0.30 total=18303419
/proc/pressure/memory:full avg10=0.07 avg60=12.07 avg300=0.13 total=13345135
`;
  expect([...parsePressure(text)].map(([name, { some, full }]) => [name, some, full])).toEqual([
    ['cpu', 23.7, 0],
    ['memory', 30.45, 12.07],
  ]);
});

test('the name of a process may hold blanks', () => {
  const text = `    PID    PPID USER                 STAT %CPU %MEM   RSS ELAPSED COMMAND
      1       0 root                 Ss    0.0  0.1  9000   86400 systemd
   4242       1 www-data             Sl   97.3 40.2 99999     120 tmux: server
   4243    4242 www-data             Z     0.0  0.0     0      60 cron <defunct>
`;
  expect(
    parseProcesses(text).map(({ pid, parent, user, state, cpu, memory, name }) => [
      pid,
      parent,
      user,
      state,
      cpu,
      memory,
      name,
    ]),
  ).toEqual([
    [1, 0, 'root', 'Ss', 0, 0.1, 'systemd'],
    [4242, 1, 'www-data', 'Sl', 97.3, 40.2, 'tmux: server'],
    [4243, 4242, 'www-data', 'Z', 0, 0, 'cron <defunct>'],
  ]);
});

test('open files are counted against the limit of the process', () => {
  const text = 'PERMILLE FILES LIMIT PID NAME\n976 1000 1024 77 my app\n0 12 unlimited 1 init\n-1 unreadable 3\n';
  expect(parseOpenFiles(text)).toEqual({
    processes: [{ count: 1000, limit: 1024, percent: 98, pid: 77, name: 'my app', line: '976 1000 1024 77 my app' }],
    unreadable: 3,
  });
});

test('counters are read with their limits, as far as the machine has them', () => {
  const files = '/proc/sys/fs/file-nr:9000\t0\t10000\n/proc/vmstat:pswpin 0\n/proc/vmstat:oom_kill 4\n';
  const openFiles = { used: 9000, max: 10000, line: '9000\t0\t10000' };
  expect(parseLimits(files)).toEqual({ openFiles, oomKills: 4 });
  const tracked = '/proc/sys/net/netfilter/nf_conntrack_count:65000\n/proc/sys/net/netfilter/nf_conntrack_max:65536\n';
  expect(parseLimits(tracked)).toEqual({
    conntrack: { used: 65000, max: 65536, line: 'nf_conntrack_count 65000, nf_conntrack_max 65536' },
  });
});

test('the listener on a port is found by exactly this port', () => {
  const text = `Netid State  Recv-Q Send-Q Local Address:Port Peer Address:Port Process
tcp   LISTEN 0      511          0.0.0.0:8080      0.0.0.0:*    users:(("java",pid=5,fd=9))
tcp   LISTEN 0      511             [::]:80           [::]:*    users:(("apache2",pid=12,fd=4),("apache2",pid=11,fd=4))
`;
  expect(listenersOf(text, '80').map((one) => one.name)).toEqual(['apache2']);
  expect(listenersOf(text, '808')).toEqual([]);
});

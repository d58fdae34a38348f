import { execFileSync, spawn, spawnSync } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { type CliRun, readAudit, runCli } from '../helpers/cli.js';

/** Where the test mounts a small file system; undefined where it may not. */
function mountTmpfs(options: string): string | undefined {
  if (process.platform !== 'linux') return undefined;
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-full-'));
  const mounted = spawnSync('mount', ['-t', 'tmpfs', '-o', options, 'tmpfs', dir]);
  return mounted.status === 0 ? dir : undefined;
}

const full = mountTmpfs('size=1m');
const crowded = mountTmpfs('size=4m,nr_inodes=20');
const canMount = full !== undefined && crowded !== undefined;
const hasSystemd =
  spawnSync('systemctl', ['is-system-running'])
    .stdout?.toString()
    .match(/^(running|degraded)/) !== null;

/** A process with a limit of 64 open files that has 60 of them open. */
const hoarder = spawn(
  'sh',
  [
    '-c',
    'ulimit -n 64; exec "$0" -e "$1"',
    process.execPath,
    'const fs = require("fs"); try { for (;;) fs.openSync("/dev/null") } catch { console.log("full") } setInterval(() => {}, 1000)',
  ],
  { stdio: ['ignore', 'pipe', 'ignore'] },
);

beforeAll(async () => {
  if (full !== undefined) spawnSync('dd', ['if=/dev/zero', `of=${full}/fill`, 'bs=64k']);
  if (crowded !== undefined) {
    for (let i = 0; i < 30; i++) spawnSync('touch', [`${crowded}/f${i}`]);
  }
  await new Promise((resolve) => hoarder.stdout?.once('data', resolve));
});

afterAll(() => {
  hoarder.kill('SIGKILL');
  for (const dir of [full, crowded]) {
    if (dir === undefined) continue;
    execFileSync('umount', [dir]);
    rmSync(dir, { recursive: true, force: true });
  }
});

/** Every call of a session is decided or refused, and finished, once. */
function auditIsWhole(run: CliRun): boolean {
  const records = readAudit(run.home);
  const ids = (event: string) => records.filter((r) => r.event === event).map((r) => r.call_id);
  const finished = ids('finished');
  return new Set(finished).size === finished.length && ids('decided').every((id) => finished.includes(id));
}

describe.runIf(process.platform === 'linux')('this machine, for real', () => {
  test.runIf(canMount)('"is this machine healthy" names the full disk and the full inodes', async () => {
    const run = await runCli(['ask', 'is this machine healthy']);
    expect(run.stderr).not.toContain('    at ');
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(/^# Diagnosis of \S+/);
    expect(run.stdout).toContain(`The file system on ${full} is 100 % full`);
    expect(run.stdout).toContain(`The file system on ${crowded} has used 100 % of its inodes`);
    expect(run.stdout).toMatch(/\[c\d+\] `tmpfs tmpfs 1024 1024 0 100% /);
    expect(auditIsWhole(run)).toBe(true);
    const tools = readAudit(run.home).map((record) => record.tool);
    for (const tool of ['diagnose_host', 'host_disk', 'host_open_files', 'host_diagnose'])
      expect(tools).toContain(tool);
    expect(readAudit(run.home).every((record) => record.risk_level === 'low')).toBe(true);
  });

  test.runIf(canMount)('"这台机器健康吗" is answered in Chinese', async () => {
    const run = await runCli(['ask', '这台机器健康吗']);
    expect([run.code, auditIsWhole(run)]).toEqual([0, true]);
    expect(run.stdout).toContain(`文件系统 ${full} 已使用 100 %`);
    expect(run.stdout).toContain(`文件系统 ${crowded} 的 inode 已使用 100 %`);
  });

  test.runIf(canMount)('"disk full?" and "磁盘满了吗" show the disks', async () => {
    for (const request of ['disk full?', '磁盘满了吗']) {
      const run = await runCli(['ask', request]);
      expect([
        run.code,
        run.stdout.split('\n').some((line) => line.includes('100%') && line.endsWith(full ?? '')),
      ]).toEqual([0, true]);
    }
  });

  test('a process near its limit of open files is on top of the list', async () => {
    const run = await runCli(['tools', 'run', 'host_open_files']);
    expect(run.code).toBe(0);
    expect(run.stdout).toMatch(new RegExp(`^\\d+ 6\\d 64 ${hoarder.pid} `, 'm'));
  });

  test.runIf(!hasSystemd)('without systemd the report says so, and a restart fails without harm', async () => {
    const run = await runCli(['ask', 'is this machine healthy']);
    expect(run.stdout).toMatch(/`systemd`: systemd does not run this machine/);
    const restart = await runCli(['ask', 'restart unit opsagent-test-nothing', '--yes']);
    expect([restart.code === 0, auditIsWhole(restart)]).toEqual([false, true]);
  });

  test('a restart that nobody confirms does not run', async () => {
    const run = await runCli(['ask', 'restart unit opsagent-test-nothing']);
    expect(run.code).not.toBe(0);
    // Where there is no systemctl at all the call is not even decided; else it is looked at before it is asked for.
    const ended = readAudit(run.home).filter((one) => one.tool === 'host_restart_unit' && one.event === 'finished');
    expect(ended.map(({ status }) => status === 'ok')).toEqual([false]);
  });

  test('a machine without its programs is told of what cannot be seen', async () => {
    const bin = mkdtempSync(join(tmpdir(), 'opsagent-bin-'));
    writeFileSync(join(bin, 'cat'), '#!/bin/sh\nexec /bin/cat "$@"\n', { mode: 0o755 });
    const run = await runCli(['ask', 'is this machine healthy'], { env: { PATH: bin } });
    expect(run.stdout).toContain('What could not be seen');
    expect(run.stdout).toContain('host_disk');
    expect(run.stdout).not.toContain('No problem was found.');
    expect(auditIsWhole(run)).toBe(true);
  });
});

import { hostBuiltins } from '../../src/diagnose/host/builtins.js';
import { diagnoseHost } from '../../src/diagnose/host/diagnose.js';
import { readFacts } from '../../src/diagnose/host/facts.js';
import type { Diagnosis, Language } from '../../src/diagnose/types.js';
import type { StoredResult } from '../../src/domain/ports.js';
import type { JsonObject } from '../../src/domain/types.js';
import { aRunContext, aStoredResult } from '../helpers/run-context.js';

/** A result of a host tool with this output. */
export const result = (
  tool: string,
  text: string,
  args: JsonObject = {},
  more: Partial<StoredResult> = {},
): StoredResult => ({
  ...aStoredResult({ callId: `${tool}${args.unit ?? ''}`, tool, text }, undefined, args),
  readText: async () => text,
  ...more,
});

export const failure = (tool: string, errorText: string): StoredResult =>
  result(tool, '', {}, { status: 'failed', errorText, error: { category: 'execution', message: `${tool} failed` } });

const DF = 'Filesystem Type 1024-blocks Used Available Capacity Mounted on\n';
export const disk = (line: string) => result('host_disk', `${DF}${line}\n`);

const BOOT = Date.parse('2024-05-01T00:00:00Z') / 1000;
/** Load of 5 minutes and seconds of uptime, on a machine of two CPUs that booted on 1 May 2024, 0:00 UTC. */
export const load = (five: number, uptime = 90_000, blocked = 0) =>
  result(
    'host_load',
    `/proc/loadavg:${five} ${five} 0.10 9/173 5406\n/proc/uptime:${uptime} 1.0\n/proc/stat:cpu0 1\n/proc/stat:cpu1 1\n/proc/stat:btime ${BOOT}\n/proc/stat:procs_blocked ${blocked}\n`,
  );
export const memory = (available: number, swapFree = 0) =>
  result(
    'host_memory',
    `MemTotal: 1000000 kB\nMemAvailable: ${available} kB\nSwapTotal: 100000 kB\nSwapFree: ${swapFree} kB\n`,
  );

const PS = '    PID    PPID USER STAT %CPU %MEM RSS ELAPSED COMMAND\n';
export const processes = (...lines: readonly string[]) => result('host_top_cpu', PS + lines.join('\n'));

/** A machine on which nothing is wrong. */
export const HEALTHY: readonly StoredResult[] = [
  disk('/dev/vda1 ext4 1000000 100000 900000 10% /'),
  result('host_inodes', 'Filesystem Inodes IUsed IFree IUse% Mounted on\n/dev/vda1 1000 10 990 1% /\n'),
  load(0.5),
  memory(800_000, 100_000),
  processes('1 0 root Ss 0.0 0.1 9000 90000 systemd', '50 1 shop Sl 12.0 30.0 300000 900 java'),
  result('host_failed_units', '0 loaded units listed.\n'),
  result('host_kernel_messages', '[    0.000000] Linux version 6.1.0\n'),
  result('host_pressure', '/proc/pressure/io:full avg10=0.00 avg60=0.00 avg300=0.00 total=1\n'),
  result('host_limits', '/proc/sys/fs/file-nr:900\t0\t9223372036854775807\n'),
  result('host_open_files', 'PERMILLE FILES LIMIT PID NAME\n100 100 1000 50 java\n-1 unreadable 0\n'),
  result('host_time_sync', 'NTP=yes\nNTPSynchronized=yes\n'),
  result('host_journal', '2024-05-02T00:00:00+0000 db1 sshd[9]: Accepted publickey for ops\n'),
  result('host_release', '/proc/sys/kernel/hostname:db1\n/etc/os-release:ID=debian\n'),
];

/** The diagnosis of the healthy machine with these results in place of its own. */
export async function diagnosisWith(changed: readonly StoredResult[], language: Language = 'en'): Promise<Diagnosis> {
  const tools = new Set(changed.map((one) => one.tool));
  return diagnoseHost(await readFacts([...HEALTHY.filter((one) => !tools.has(one.tool)), ...changed]), language);
}

/** Rule, severity and name of each finding, with the rules below it. */
export const outline = (diagnosis: Diagnosis) =>
  diagnosis.findings.map((f) => [f.rule, f.severity, f.object.name, f.symptoms.map((s) => s.rule)]);

/** Runs a builtin over results. */
export async function runBuiltin(name: string, results: readonly StoredResult[], args: JsonObject = {}) {
  const context = aRunContext({ result: (id) => results.find((one) => one.callId === id) });
  const outcome = await hostBuiltins
    .find((one) => one.name === name)
    ?.run({ ...args, results: results.map((one) => one.callId) }, context);
  return { outcome, written: context.seen.stdout };
}

import { spawn } from 'node:child_process';
import { mkdtempSync, readFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { AuditRecord } from '../../src/domain/types.js';
import type { ApiServer } from './api-server/start.js';

export const ROOT = join(import.meta.dirname, '../..');
/** The program under test: the one that was built here, or another build of it. */
export const BIN = process.env.OPSAGENT_TEST_BIN ?? join(ROOT, 'bin/opsagent.js');
export const EXAMPLE = join(ROOT, 'examples/order-service');

export interface CliOptions {
  /** Home folder; a new one when not given. */
  readonly home?: string;
  readonly env?: Readonly<Record<string, string>>;
  readonly cwd?: string;
  readonly stdin?: string;
  /** Called with the process once it runs: to signal it, say. */
  readonly onStart?: (kill: (signal: NodeJS.Signals) => void, stderr: () => string, pid: number) => void;
}

export interface CliRun {
  readonly code: number | null;
  readonly signal: NodeJS.Signals | null;
  readonly stdout: string;
  readonly stderr: string;
  readonly home: string;
}

export const newHome = (): string => mkdtempSync(join(tmpdir(), 'opsagent-home-'));

/** The environment of a test run: nothing of the tester's own configuration gets in. */
export const cleanEnv = (home: string, env: Readonly<Record<string, string>> = {}): Record<string, string> => ({
  PATH: process.env.PATH ?? '',
  HOME: home,
  LANG: 'C.UTF-8',
  TZ: 'UTC',
  ...(process.env.TMPDIR !== undefined && { TMPDIR: process.env.TMPDIR }),
  ...env,
});

/** Points the program at a test server and at nothing else; its home stays the one of the run. */
export const kubeEnv = ({ kubeconfigPath }: Pick<ApiServer, 'kubeconfigPath'>): Record<string, string> => ({
  KUBECONFIG: kubeconfigPath,
});

/** Runs the built program without a terminal. */
export function runCli(args: readonly string[], options: CliOptions = {}): Promise<CliRun> {
  const home = options.home ?? newHome();
  return new Promise((resolve, reject) => {
    const child = spawn(process.execPath, [BIN, ...args], {
      env: cleanEnv(home, options.env),
      cwd: options.cwd ?? home,
    });
    let stdout = '';
    let stderr = '';
    child.stdout.on('data', (chunk: Buffer) => {
      stdout += chunk;
    });
    child.stderr.on('data', (chunk: Buffer) => {
      stderr += chunk;
    });
    child.on('error', reject);
    child.on('close', (code, signal) => resolve({ code, signal, stdout, stderr, home }));
    child.stdin.end(options.stdin ?? '');
    options.onStart?.(
      (signal) => void child.kill(signal),
      () => stderr,
      child.pid ?? 0,
    );
  });
}

/** Accepts an MCP server or the module of an adapter, as a person would, by the program under test. */
export async function acceptByCli(home: string, name: string, options: Omit<CliOptions, 'home'> = {}): Promise<CliRun> {
  const run = await runCli(['tools', 'accept', name, '--yes'], { ...options, home });
  if (run.code !== 0) throw new Error(`tools accept ${name} ended with ${run.code}: ${run.stderr}`);
  return run;
}

export const auditFile = (home: string): string => join(home, '.local/state/opsagent/audit.jsonl');

/** Every record of a home's audit log; each line must be one. */
export const readAudit = (home: string): AuditRecord[] =>
  readFileSync(auditFile(home), 'utf8')
    .trimEnd()
    .split('\n')
    .map((line) => JSON.parse(line) as AuditRecord);

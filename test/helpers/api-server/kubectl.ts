import { execFile, execFileSync } from 'node:child_process';
import type { ApiServer } from './start.js';

/** How a kubectl run ended. */
export interface KubectlRun {
  readonly code: number;
  readonly stdout: string;
  readonly stderr: string;
}

/** Why tests with the real kubectl cannot run here, or undefined when they can. */
export function kubectlMissing(): string | undefined {
  try {
    execFileSync('kubectl', ['version', '--client'], { stdio: 'ignore' });
    return undefined;
  } catch {
    return 'kubectl is not installed';
  }
}

/** Whether the installed kubectl runs exec over WebSocket (1.31 and newer), which is what the test server serves. */
export function kubectlHasWebSockets(): boolean {
  const text = execFileSync('kubectl', ['version', '--client', '--output=json'], { encoding: 'utf8' });
  const minor = /"minor": "(\d+)/.exec(text)?.[1];
  return Number(minor) >= 31;
}

/** Runs the real kubectl against a test server, with nothing of the user's own configuration. Never throws for an exit code. */
export function runKubectl(server: ApiServer, args: readonly string[], input = ''): Promise<KubectlRun> {
  const env = { PATH: process.env.PATH ?? '', ...server.env };
  return new Promise((resolve) => {
    const child = execFile('kubectl', args, { env, maxBuffer: 64 * 1024 * 1024 }, (error, stdout, stderr) => {
      const code = error === null ? 0 : typeof error.code === 'number' ? error.code : 1;
      resolve({ code, stdout, stderr });
    });
    child.stdin?.end(input);
  });
}

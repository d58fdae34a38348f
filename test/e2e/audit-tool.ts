import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runCli } from '../helpers/cli.js';

/** The key of a log that is signed. */
export const KEY = { OPSAGENT_AUDIT_KEY: '0123456789abcdef0123456789abcdef' };

/** A folder with one tool of the tests: `touch`, a shell line. */
export function toolDir(line: string): string {
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-tools-'));
  writeFileSync(
    join(dir, 'x.yaml'),
    `version: 1\nsystem: x\ntools:\n  - { name: x, description: Runs one line of a shell., risk_level: high, run: { kind: command, argv: [bash, -c, ${JSON.stringify(line)}] } }\n`,
  );
  return dir;
}

/** Runs that tool, confirmed. */
export const runX = (line: string, home: string, env: Record<string, string> = {}) =>
  runCli(['tools', 'run', 'x', '--yes', '--tools', toolDir(line)], { home, env });

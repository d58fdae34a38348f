import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject } from '../../src/domain/types.js';
import { newHome, runCli } from '../helpers/cli.js';

/** A new temporary folder. */
export const folder = () => mkdtempSync(join(tmpdir(), 'opsagent-mcp-e2e-'));

/** A home whose tool file names this server. */
export function homeWith(source: JsonObject, home = newHome()): string {
  const dir = join(home, '.config/opsagent/tools.d');
  mkdirSync(dir, { recursive: true });
  writeFileSync(join(dir, 'mcp.yaml'), JSON.stringify({ sources: [{ kind: 'mcp', ...source }] }));
  return home;
}

/** Runs a tool with these arguments. */
export const run = (home: string, tool: string, args: JsonObject, ...more: string[]) =>
  runCli(['tools', 'run', tool, '--args', JSON.stringify(args), ...more], { home });

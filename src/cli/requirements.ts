import { createHash } from 'node:crypto';
import { readFileSync, statSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { CallError, Requirement, ToolDefinition, ToolResult } from '../domain/types.js';
import { makePrivateFolder } from '../lib/folders.js';
import { fillText } from '../lib/template.js';
import { findOnPath, unmetRequirement } from '../tools/requires.js';

type Env = Readonly<Record<string, string | undefined>>;

export interface RequirementOptions {
  readonly env: Env;
  readonly cacheDir: string;
  /** Runs a check as a call of its own on the one path. */
  readonly runCheck: (check: ToolDefinition) => Promise<ToolResult>;
}

export interface Requirements {
  /** What a tool lacks that can be seen at once: a program, a variable. Nothing is run. */
  readonly missing: (tool: ToolDefinition) => string | undefined;
  /** What a tool lacks, its programs and addresses tried out. Each check is made once in a session, all at the same time. */
  readonly unmet: (tool: ToolDefinition) => Promise<Lack | undefined>;
}

export interface Lack {
  readonly reason: string;
  /** `usage`: something is to be set up; `unavailable`: something that is set up does not answer. */
  readonly exit: NonNullable<CallError['exit']>;
}

/** A check that takes longer counts as failed: one dead endpoint must not hold up the rest. */
const DEADLINE_MS = 3_000;
/** A check that went well is believed for so long by later sessions. */
const BELIEVED_MS = 10 * 60_000;

/** Checks what tools need: lazily, at the first use of a tool. */
export function createRequirements(options: RequirementOptions): Requirements {
  const checks = new Map<string, Promise<Lack | undefined>>();
  const path = options.env.PATH ?? '';
  const missing = (tool: ToolDefinition) => unmetRequirement(tool, options.env, (name) => findOnPath(name, path));
  return {
    missing,
    async unmet(tool) {
      const lacking = missing(tool);
      if (lacking !== undefined) return { reason: lacking, exit: 'usage' };
      const tried = tool.requires
        .filter((r) => (r.command?.length ?? 0) > 1 || r.url !== undefined)
        .map((requirement) => {
          const key = keyOf(requirement, tool, options.env);
          const check = checks.get(key) ?? tryOut(requirement, tool, key, options);
          checks.set(key, check);
          return check;
        });
      return (await Promise.all(tried)).find((reason) => reason !== undefined);
    },
  };
}

async function tryOut(
  requirement: Requirement,
  tool: ToolDefinition,
  key: string,
  options: RequirementOptions,
): Promise<Lack | undefined> {
  const file = join(options.cacheDir, `requirement-${key}`);
  if (isBelieved(file)) return undefined;
  const result = await options.runCheck(checkOf(requirement, tool));
  // Of an address it is asked only whether it leaves callers waiting: whatever else is wrong, the call itself says at once and better.
  const isThere = result.status === 'ok' || (requirement.url !== undefined && result.status !== 'timed-out');
  if (isThere) {
    remember(options.cacheDir, file);
    return undefined;
  }
  const said = result.error?.message ?? result.text;
  const fix = result.error?.hint ?? requirement.fix ?? '';
  const exit =
    result.status === 'timed-out' ? 'unavailable' : (result.error?.exit ?? (requirement.url ? 'unavailable' : 'usage'));
  return { reason: `${said.replace(/[.\s]*$/, '.')} ${fix}`.trim(), exit };
}

/** The check as a tool: it only reads, and is decided and recorded like any other call. */
function checkOf(requirement: Requirement, tool: ToolDefinition): ToolDefinition {
  const run = requirement.command
    ? { kind: 'command', argv: requirement.command, env: tool.run.env ?? [] }
    : { kind: 'http', url: requirement.url ?? '' };
  return {
    ...tool,
    name: 'check_requirement',
    description: `Checks what the tools of ${tool.category} need.`,
    riskLevel: 'low',
    permissions: [],
    timeoutMs: DEADLINE_MS,
    costPerUse: 0,
    parameters: { type: 'object', properties: {} },
    run,
    raise: [],
    retryPolicy: { maxRetries: 0, retryIntervalMs: 0 },
    examples: [],
    requires: [],
    fields: {},
  };
}

/** What a check depends on: the requirement, the program as it is, and the environment that the tool sees. */
function keyOf(requirement: Requirement, tool: ToolDefinition, env: Env): string {
  const program = requirement.command && findOnPath(requirement.command[0] ?? '', env.PATH ?? '');
  const stat = program === undefined ? undefined : statSync(program);
  const names = [...tool.env, ...(Array.isArray(tool.run.env) ? tool.run.env.map(String) : [])];
  const seen = names.map((name) => [name, env[name] ?? null]);
  const url =
    requirement.url === undefined
      ? null
      : (fillText(requirement.url, (name) => env[name.replace(/^env\./, '')]) ?? null);
  const all = [requirement, program ?? null, stat?.mtimeMs ?? null, stat?.size ?? null, seen, url];
  return createHash('sha256').update(JSON.stringify(all)).digest('hex').slice(0, 32);
}

function isBelieved(file: string): boolean {
  const stat = statSync(file, { throwIfNoEntry: false });
  if (!stat || stat.uid !== process.getuid?.()) return false;
  const at = Number(readFileSync(file, 'utf8'));
  const age = Date.now() - at;
  return age >= 0 && age < BELIEVED_MS;
}

function remember(dir: string, file: string): void {
  try {
    makePrivateFolder(dir);
    writeFileSync(file, `${Date.now()}`, { mode: 0o600 });
  } catch {
    // It is checked again next time.
    return;
  }
}

import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { JsonObject, ToolDefinition } from '../../src/domain/types.js';
import { script } from '../../src/exec/script.js';
import { fillCommand, type ScriptCommand } from '../../src/lib/script-commands.js';
import { importToolsets } from '../../src/tools/sources/holmesgpt/import.js';
import { aClearedCall, aRunContext } from './run-context.js';

/** Imports toolset files without a tool file around them. */
export const importTexts = (...texts: string[]) =>
  importToolsets(
    texts.map((text, index) => ({ path: `${index + 1}.yaml`, text })),
    { header: {} },
  );

/** A file with one tool that has this command. */
export const withCommand = (command: string, more: JsonObject = {}): string =>
  JSON.stringify({
    toolsets: { 'a/b': { description: 'x', tools: [{ name: 't', description: 'x', command, ...more }] } },
  });

/** The one tool with this command, or why there is none. */
export async function importCommand(command: string, more: JsonObject = {}): Promise<ToolDefinition | string> {
  const { tools, warnings } = await importTexts(withCommand(command, more));
  return tools[0] ?? warnings.map(({ message }) => message).join('\n');
}

export const planOf = ({ run }: ToolDefinition, args: JsonObject, context: Record<string, string> = {}) =>
  script.plan(run, args, { context, env: {} });

export interface Recorder {
  /** A PATH on which the programs only write down what they were given. */
  readonly path: string;
  /** What they were given since the last look, and the environment's `ARG_…`. */
  readonly calls: () => string[][];
  /** A file that a value which is executed would make. */
  readonly canary: string;
}

/** Programs that record their argv and do nothing, before the real ones. */
export function recordPrograms(programs: readonly string[]): Recorder {
  const folder = mkdtempSync(join(tmpdir(), 'recorded-'));
  for (const program of programs)
    writeFileSync(
      join(folder, program),
      `#!/bin/bash\nwhile IFS= read -r -t 0 _; do break; done\nprintf '%s\\0' ${program} "$@" $'\\1' >>${folder}/log.$$\n`,
      { mode: 0o755 },
    );
  return {
    path: `${folder}:${process.env.PATH}`,
    canary: join(folder, 'executed'),
    calls: () => {
      // A file for each process: the two ends of a pipe write at the same time.
      const logs = readdirSync(folder).filter((name) => name.startsWith('log.'));
      const texts = logs.sort().map((name) => readFileSync(join(folder, name), 'utf8'));
      for (const name of logs) rmSync(join(folder, name));
      return texts
        .join('')
        .split('\0\x01\0')
        .filter(Boolean)
        .map((one) => one.split('\0'));
    },
  };
}

/** Runs a tool as the executor does, with this PATH. */
export async function runOn(path: string, tool: ToolDefinition, args: JsonObject) {
  const before = process.env.PATH;
  process.env.PATH = path;
  try {
    const context = aRunContext();
    const outcome = await script.run(aClearedCall(planOf(tool, args), tool), context);
    return { outcome, ...context.seen };
  } finally {
    process.env.PATH = before;
  }
}

/** The argv of every command that is known beforehand. */
export const argvsOf = (tool: ToolDefinition, args: JsonObject): string[][] => {
  const { payload } = planOf(tool, args);
  return (payload.commands as unknown as ScriptCommand[]).map((command) =>
    fillCommand(command, payload.arguments as JsonObject),
  );
};

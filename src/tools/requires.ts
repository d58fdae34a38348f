import { accessSync, constants, statSync } from 'node:fs';
import { delimiter, join } from 'node:path';
import type { Requirement, ToolDefinition } from '../domain/types.js';

/** Finds a program; undefined when there is none. */
export type FindOnPath = (program: string) => string | undefined;

/**
 * What a tool needs and does not have, in one sentence with the fix; undefined when all is there. Programs are looked
 * for on PATH, environment variables must not be empty. Nothing is run and no address is visited: a call finds out
 * whether a service answers.
 */
export function unmetRequirement(
  tool: ToolDefinition,
  env: Readonly<Record<string, string | undefined>>,
  findOnPath: FindOnPath,
): string | undefined {
  if (tool.unavailable !== undefined) return tool.unavailable;
  return tool.requires
    .map((requirement) => unmet(requirement, env, findOnPath))
    .find((message) => message !== undefined);
}

function unmet(
  { command, env: name, fix }: Requirement,
  env: Readonly<Record<string, string | undefined>>,
  findOnPath: FindOnPath,
): string | undefined {
  const program = command?.[0];
  if (program !== undefined && findOnPath(program) === undefined) {
    return `there is no program ${program} on PATH. ${fix ?? `Install ${program}, or add its folder to PATH.`}`;
  }
  if (name !== undefined && !env[name]) {
    return `the environment variable ${name} is not set. ${fix ?? `Set ${name}.`}`;
  }
  return undefined;
}

/** Looks a program up in the folders of a PATH variable; a name with a slash is a path already. */
export function findOnPath(program: string, path: string): string | undefined {
  const candidates = program.includes('/')
    ? [program]
    : path
        .split(delimiter)
        .filter((folder) => folder !== '')
        .map((folder) => join(folder, program));
  return candidates.find(isExecutable);
}

/** Looks each program up once: for one listing of all tools, not for a session, in which one may be installed. */
export function findOnceOnPath(path: string): FindOnPath {
  const found = new Map<string, string | undefined>();
  return (program) => {
    if (!found.has(program)) found.set(program, findOnPath(program, path));
    return found.get(program);
  };
}

function isExecutable(file: string): boolean {
  try {
    if (!statSync(file, { throwIfNoEntry: false })?.isFile()) return false;
    accessSync(file, constants.X_OK);
    return true;
  } catch {
    // Absent, or in a folder that this user may not enter: for this user there is none.
    return false;
  }
}

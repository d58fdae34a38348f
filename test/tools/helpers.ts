import { diagnoseBuiltins } from '../../src/diagnose/builtins.js';
import type { ToolDefinition } from '../../src/domain/types.js';
import { createExecutors } from '../../src/exec/index.js';
import { formatProblems } from '../../src/lib/problems.js';
import { findToolsBuiltin } from '../../src/tools/find-tools.js';
import { loadToolFiles } from '../../src/tools/load.js';

export const executors = createExecutors([...diagnoseBuiltins, findToolsBuiltin()]);

export const load = (text: string, path = 'a.yaml') => loadToolFiles([{ path, text }], executors);

/** Every problem of a file as text, in order. */
export const problemsOf = (text: string): string => formatProblems(load(text).problems);

/** Messages without place and fix. */
export const messagesOf = (text: string): string[] => load(text).problems.map(({ message }) => message);

/** The tools of a file that has no problems. */
export function toolsOf(text: string): readonly ToolDefinition[] {
  const { tools, problems } = load(text);
  if (problems.length > 0) throw new Error(formatProblems(problems));
  return tools;
}

/** A file with one tool of kind command: its parameters (a YAML flow map) and its argv (a YAML flow list). */
export const commandTool = (properties: string, argv: string, more = ''): string => `
system: test
tools:
  - name: sample
    description: A tool for tests, with a description that is long enough.
    risk_level: low
    parameters: { type: object, properties: ${properties} }
    run: { kind: command, argv: ${argv} }
${more}`;

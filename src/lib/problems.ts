/** One mistake in a file that a person wrote, with the place and what to do. */
export interface Problem {
  readonly file: string;
  /** From 1. */
  readonly line: number;
  /** From 1. */
  readonly column: number;
  /** What was found, in one sentence. */
  readonly message: string;
  /** What to do about it. */
  readonly fix?: string;
}

/**
 * Problems as `file:line:column: message`, each with its fix indented below, in the order of files and lines. No final
 * newline.
 */
export const formatProblems = (problems: readonly Problem[]): string =>
  sortProblems(problems).map(formatOne).join('\n');

/** Files in the order in which they first appear, then by line and column. */
export function sortProblems(problems: readonly Problem[]): Problem[] {
  const files = [...new Set(problems.map((problem) => problem.file))];
  const order = new Map(files.map((file, index) => [file, index]));
  const rank = (problem: Problem): number => order.get(problem.file) ?? 0;
  return [...problems].sort((a, b) => rank(a) - rank(b) || a.line - b.line || a.column - b.column);
}

function formatOne({ file, line, column, message, fix }: Problem): string {
  const first = `${file}:${line}:${column}: ${message}`;
  return fix === undefined ? first : `${first}\n${fix.replaceAll(/^/gm, '    ')}`;
}

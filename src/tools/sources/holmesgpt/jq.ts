import { findMarks, refuse, replaceMarks } from './marks.js';

/**
 * A program of jq with `\($ENV.ARG_X)` for every mark, each of which must stand in a string of jq: there the value is text,
 * whatever it holds.
 * @throws OpsError usage for a value anywhere else.
 */
export function bindJq(program: string, variables: readonly string[]): string {
  const strings = stringsIn(program);
  for (const { start, end } of findMarks(program, variables))
    if (!strings.some((string) => string.start < start && end <= string.end))
      refuse('a value stands in a program of jq, outside its strings');
  return replaceMarks(program, variables, (variable) => `\\($ENV.${variable})`);
}

/** The stretches of a program that are text of its strings; what is interpolated in them is not. */
function stringsIn(program: string): { start: number; end: number }[] {
  const found: { start: number; end: number }[] = [];
  // For each string that is open: how many parentheses are open in the interpolation that is being read.
  const open: number[] = [];
  let inString = false;
  let start = 0;
  for (let at = 0; at < program.length; at++) {
    const char = program[at];
    if (inString && char === '\\') {
      at++;
      if (program[at] !== '(') continue;
      found.push({ start, end: at - 1 });
      open.push(0);
      inString = false;
    } else if (inString && char === '"') {
      found.push({ start, end: at });
      inString = false;
    } else if (!inString && char === '"') {
      inString = true;
      start = at;
    } else if (!inString && char === '#') {
      at = program.indexOf('\n', at);
      if (at < 0) break;
    } else if (!inString && open.length > 0 && (char === '(' || char === ')')) {
      const depth = (open.pop() as number) + (char === '(' ? 1 : -1);
      if (depth >= 0) open.push(depth);
      else {
        inString = true;
        start = at;
      }
    }
  }
  return found;
}

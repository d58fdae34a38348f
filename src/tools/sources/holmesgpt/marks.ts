import { OpsError } from '../../../domain/errors.js';

/** What stands in a rendered template where a value will be: letters and digits, which a shell leaves alone. */
const MARK = /oPsVaL(\d{3})E/g;

/** Shell variables that stand for values, each with its mark. */
export interface Marks {
  /** The mark of a shell variable: `ARG_KIND`. */
  readonly of: (variable: string) => string;
  readonly variables: readonly string[];
}

/** @throws OpsError usage when the text already holds something that looks like a mark. */
export function createMarks(text: string): Marks {
  if (text.includes('oPsVaL')) throw new OpsError('usage', 'its text holds "oPsVaL", which stands for values here');
  const variables: string[] = [];
  return {
    variables,
    of(variable) {
      if (!variables.includes(variable)) variables.push(variable);
      return `oPsVaL${`${variables.indexOf(variable)}`.padStart(3, '0')}E`;
    },
  };
}

/** A mark in a text, with the variable that it stands for. */
export interface Found {
  readonly start: number;
  readonly end: number;
  readonly variable: string;
}

/** The marks in a text, in order. */
export const findMarks = (text: string, variables: readonly string[]): Found[] =>
  [...text.matchAll(MARK)].map((match) => ({
    start: match.index,
    end: match.index + match[0].length,
    variable: variables[Number(match[1])] as string,
  }));

/** The text with every mark as `replace` has it. */
export const replaceMarks = (text: string, variables: readonly string[], replace: (variable: string) => string) =>
  text.replaceAll(MARK, (_, index: string) => replace(variables[Number(index)] as string));

/** A refusal to import a tool, in words that end its sentence. */
export const refuse = (why: string): never => {
  throw new OpsError('usage', why);
};

/** Whether a mark stands in a text. */
export const hasMark = (text: string): boolean => text.includes('oPsVaL');

/** A message without marks. */
export const withoutMarks = (message: string): string => message.replaceAll(/\$?oPsVaL\d{3}E/g, 'a value');

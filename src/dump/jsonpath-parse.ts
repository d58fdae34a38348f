import type { Json } from '../domain/types.js';

export type Step =
  | { readonly type: 'root' }
  | { readonly type: 'keys'; readonly keys: readonly string[] }
  | { readonly type: 'all' }
  | { readonly type: 'descend' }
  | { readonly type: 'indexes'; readonly indexes: readonly number[] }
  | { readonly type: 'slice'; readonly from: number | undefined; readonly to: number | undefined; readonly by: number }
  | FilterStep;

export interface FilterStep {
  readonly type: 'filter';
  readonly left: readonly Step[];
  /** Absent when the filter only asks whether `left` exists. */
  readonly operator?: '==' | '!=' | '<' | '<=' | '>' | '>=';
  readonly right?: Operand;
}

type Operand =
  | { readonly type: 'value'; readonly value: Json }
  | { readonly type: 'path'; readonly steps: readonly Step[] };

/** Longest path that is read; no question needs more. */
const MAX_LENGTH = 4096;

/** Parses a path such as `.items[?(@.type=="Ready")].status`; returns words when it cannot be read. */
export function parsePath(text: string): Step[] | string {
  if (text.length > MAX_LENGTH) return 'the path is too long';
  const steps: Step[] = [];
  let rest = text.trim();
  if (rest.startsWith('$')) steps.push({ type: 'root' });
  if (/^[$@]/.test(rest)) rest = rest.slice(1);
  while (rest !== '') {
    const read = readStep(rest);
    if (typeof read === 'string') return read;
    steps.push(...read.steps);
    rest = rest.slice(read.length);
  }
  return steps;
}

type Read = { readonly steps: readonly Step[]; readonly length: number } | string;

/** A field may hold any character but those that end it; a backslash takes the next one as it is. */
const FIELD = /^\.((?:\\.|[^.[\]{}\s\\"'()@?*,=<>!])+)/s;

function readStep(text: string): Read {
  if (text.startsWith('..')) {
    const length = /^\.\.(?=[\w[*])/.test(text) ? 1 : 2;
    return text[2] === '[' ? { steps: [{ type: 'descend' }], length: 2 } : { steps: [{ type: 'descend' }], length };
  }
  if (text.startsWith('.*')) return { steps: [{ type: 'all' }], length: 2 };
  if (text === '.' || text.startsWith('.[')) return { steps: [], length: 1 };
  const field = FIELD.exec(text);
  if (field?.[1] !== undefined) {
    return { steps: [{ type: 'keys', keys: [field[1].replaceAll(/\\(.)/gs, '$1')] }], length: field[0].length };
  }
  if (text.startsWith('[')) return readBracket(text);
  return `unrecognized character in path: ${text.slice(0, 10)}`;
}

function readBracket(text: string): Read {
  const end = endOfBracket(text);
  if (end < 0) return 'unterminated array';
  const inside = text.slice(1, end).trim();
  const step = bracketStep(inside);
  return typeof step === 'string' ? step : { steps: [step], length: end + 1 };
}

function endOfBracket(text: string): number {
  let depth = 0;
  let quote = '';
  for (let index = 0; index < text.length; index += 1) {
    const character = text.charAt(index);
    if (character === '\\') index += 1;
    else if (quote !== '') quote = character === quote ? '' : quote;
    else if (character === '"' || character === "'") quote = character;
    else if (character === '[') depth += 1;
    else if (character === ']') {
      depth -= 1;
      if (depth === 0) return index;
    }
  }
  return -1;
}

function bracketStep(inside: string): Step | string {
  if (inside === '*') return { type: 'all' };
  const filter = /^\?\s*\((.*)\)$/s.exec(inside)?.[1];
  if (filter !== undefined) return filterStep(filter);
  if (/^-?\d+(\s*,\s*-?\d+)*$/.test(inside)) return { type: 'indexes', indexes: inside.split(',').map(Number) };
  const slice = /^(-?\d*):(-?\d*)(?::(\d*))?$/.exec(inside);
  if (slice !== null) {
    const bound = (digits: string | undefined): number | undefined => (digits ? Number(digits) : undefined);
    return { type: 'slice', from: bound(slice[1]), to: bound(slice[2]), by: Math.max(1, bound(slice[3]) ?? 1) };
  }
  const keys = [...inside.matchAll(/\s*(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\s*(?:,|$)/gs)];
  if (keys.length > 0 && keys.map((key) => key[0]).join('') === inside) {
    return { type: 'keys', keys: keys.map((key) => (key[1] ?? key[2] ?? '').replaceAll(/\\(.)/gs, '$1')) };
  }
  return `invalid array index ${inside}`;
}

function filterStep(text: string): FilterStep | string {
  const [, leftText = '', operator, rightText = ''] =
    /^\s*(@(?:[^=!<>"']|'[^']*'|"[^"]*")*?)\s*(?:(==|!=|<=|>=|<|>)\s*(.*?))?\s*$/s.exec(text) ?? [];
  if (leftText === '') return `unsupported filter ${text}`;
  const left = parsePath(leftText);
  if (typeof left === 'string') return left;
  if (!isOperator(operator)) return { type: 'filter', left };
  const right = operand(rightText);
  return typeof right === 'string' ? right : { type: 'filter', left, operator, right };
}

const isOperator = (text: string | undefined): text is NonNullable<FilterStep['operator']> =>
  text !== undefined && ['==', '!=', '<', '<=', '>', '>='].includes(text);

function operand(text: string): Operand | string {
  const quoted = /^(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")$/s.exec(text);
  if (quoted !== null) return { type: 'value', value: (quoted[1] ?? quoted[2] ?? '').replaceAll(/\\(.)/gs, '$1') };
  if (/^-?\d+(\.\d+)?$/.test(text)) return { type: 'value', value: Number(text) };
  if (text === 'true' || text === 'false') return { type: 'value', value: text === 'true' };
  const steps = parsePath(text);
  return typeof steps === 'string' || !/^[@$]/.test(text)
    ? `unsupported filter value ${text}`
    : { type: 'path', steps };
}

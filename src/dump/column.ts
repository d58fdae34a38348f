import type { Json, JsonObject } from '../domain/types.js';
import { nameOf, pairsAt, textAt } from './json.js';
import { ageOf } from './time.js';

/** One column of a kind's table. */
export interface Column {
  readonly header: string;
  /** Shown with `-o wide` only. */
  readonly wide?: boolean;
  /** `nowMs` is the dump's own time. */
  readonly cell: (object: JsonObject, nowMs: number) => string;
}

export const NONE = '<none>';

export const column = (header: string, cell: Column['cell']): Column => ({ header, cell });
export const wide = (header: string, cell: Column['cell']): Column => ({ header, cell, wide: true });
export const NAME = column('NAME', nameOf);
export const AGE = column('AGE', (object, nowMs) => ageOf(textAt(object, 'metadata', 'creationTimestamp'), nowMs));

/** Labels, selectors and the like as `a=b,c=d`. */
export const pairsText = (value: Json | undefined, ...path: string[]): string =>
  pairsAt(value, ...path)
    .map(([key, text]) => `${key}=${text}`)
    .join(',') || NONE;

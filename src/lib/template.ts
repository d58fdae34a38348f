import type { Json, JsonObject } from '../domain/types.js';

/** One item of an `argv:` list. */
export type ArgvItem =
  | string
  | { readonly when: string; readonly argv: readonly ArgvItem[]; readonly else?: readonly ArgvItem[] }
  | { readonly for_each: string; readonly argv: readonly string[] };

/** Finds the value of a placeholder: a parameter, `env.X`, `context.x` or `item`; undefined when it has none. */
export type Lookup = (name: string) => Json | undefined;

// A name never begins with a dot: `{{.Names}}` is a Go template, which docker and kubectl read themselves.
const PLACEHOLDER = /\{\{\s*(\w[\w.-]*)\s*\}\}/g;
const WHOLE = /^\{\{\s*(\w[\w.-]*)\s*\}\}$/;

/** Names of the placeholders in a text, in order, with repetitions. */
export const placeholdersIn = (text: string): string[] => [...text.matchAll(PLACEHOLDER)].map((m) => m[1] as string);

/** Looks a placeholder name up in the arguments, then in `context.` and `env.`. `secret.` is never found here. */
export function lookupIn(
  args: JsonObject,
  context: { readonly context: Readonly<Record<string, string>>; readonly env: Readonly<Record<string, string>> },
): Lookup {
  return (name) => {
    if (name.startsWith('context.')) return context.context[name.slice('context.'.length)];
    if (name.startsWith('env.')) return context.env[name.slice('env.'.length)];
    return Object.hasOwn(args, name) ? args[name] : undefined;
  };
}

/** Fills the placeholders of a text; undefined when one of them has no value. Lists and objects become JSON. */
export function fillText(text: string, lookup: Lookup): string | undefined {
  let missing = false;
  const filled = text.replaceAll(PLACEHOLDER, (_, name: string) => {
    const value = lookup(name);
    if (value === undefined || value === null) missing = true;
    return value === undefined ? '' : asText(value);
  });
  return missing ? undefined : filled;
}

/**
 * Fills an argv template. One placeholder never makes more than one argv item, whatever its value holds:
 * an item whose placeholder has no value is left out, `when` keeps a group or takes the one of `else`, `for_each` repeats a group for each
 * element of a list parameter, which is called `item` inside.
 */
export function fillArgv(items: readonly ArgvItem[], lookup: Lookup): string[] {
  return items.flatMap((item) => {
    if (typeof item === 'string') return fillText(item, lookup) ?? [];
    if ('when' in item) return fillArgv(holds(item.when, lookup) ? item.argv : (item.else ?? []), lookup);
    const list = lookup(item.for_each);
    const elements: readonly Json[] = Array.isArray(list) ? list : list === undefined ? [] : [list as Json];
    return elements.flatMap((element) => fillArgv(item.argv, (name) => (name === 'item' ? element : lookup(name))));
  });
}

/** `name` holds when it has a value other than false, null and ''; `!name` when it has not. */
export function holds(condition: string, lookup: Lookup): boolean {
  const negated = condition.startsWith('!');
  const value = lookup(negated ? condition.slice(1).trim() : condition);
  const present = value !== undefined && value !== null && value !== false && value !== '';
  return present !== negated;
}

/**
 * Fills every string inside a JSON value. A string that is one whole placeholder takes the value with its type, and
 * its key or element is left out when there is none.
 */
export function fillJson(value: Json, lookup: Lookup): Json | undefined {
  if (typeof value === 'string') {
    const whole = WHOLE.exec(value)?.[1];
    return whole === undefined ? fillText(value, lookup) : lookup(whole);
  }
  if (Array.isArray(value)) return value.map((v) => fillJson(v, lookup)).filter((v) => v !== undefined);
  if (value === null || typeof value !== 'object') return value;
  const filled = Object.entries(value).map(([key, v]) => [key, fillJson(v, lookup)] as const);
  return Object.fromEntries(filled.filter(([, v]) => v !== undefined)) as JsonObject;
}

const asText = (value: Json): string =>
  typeof value === 'object' && value !== null ? JSON.stringify(value) : `${value}`;

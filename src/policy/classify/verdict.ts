import type { Classification, Risk } from '../../domain/types.js';
import { rank } from '../rank.js';
import type { Parsed } from './flags.js';

/** A risk with its reason, in words. */
export interface Mark {
  readonly risk: Risk;
  readonly reason: string;
}

/** A mark that holds when its condition does. */
export type Maybe = Mark | false | undefined;

export const low = (reason = 'it only reads'): Mark => ({ risk: 'low', reason });
export const medium = (reason: string): Mark => ({ risk: 'medium', reason });
export const high = (reason: string): Mark => ({ risk: 'high', reason });
export const critical = (reason: string): Mark => ({ risk: 'critical', reason });

/** The highest of several marks; of equals the first. */
export const worst = (first: Mark, ...others: readonly Maybe[]): Mark =>
  others.reduce<Mark>((top, mark) => (mark && rank(mark.risk) > rank(top.risk) ? mark : top), first);

/** What a program's own file concludes from its argv. */
export interface Draft {
  readonly program: string;
  readonly verb: string;
  readonly mark: Mark;
  readonly targets?: readonly string[];
  readonly namespace?: string | undefined;
  readonly scope?: Classification['scope'];
  readonly reversible?: boolean;
  /** Each reading of a part of the argv. */
  readonly parsed: readonly Pick<Parsed, 'words' | 'unknown' | 'connection'>[];
  /** Connection options that are normal in every call: the session is pinned with them. */
  readonly pins?: readonly string[];
  /** Further items that change the connection. */
  readonly connection?: readonly string[];
}

/** The name of an option: `--server` of `--server=https://…`. */
export const flagName = (item: string): string => item.split('=', 1)[0] as string;

const REDIRECT = /^(?:\d?>{1,2}.*|&>.*|\d?<{1,3}.*|\|{1,2}|&{1,2}|;{1,2})$/s;
const SHELL = /[;`]|\$\(|&&|\|\|/;

/** An item that only a shell would understand: a pasted line is not what it seems. */
export const shellItem = (items: readonly string[], words: readonly string[] = []): string | undefined =>
  items.find((item) => REDIRECT.test(item)) ?? words.find((word) => !word.includes('{') && SHELL.test(word));

/**
 * Makes a classification. What could not be read makes it cautious, never bolder: an unknown option, a shell's syntax, or a
 * connection that is not the session's own is at least high.
 */
export function conclude(items: readonly string[], draft: Draft): Classification {
  const { program, verb, parsed, pins = [] } = draft;
  const unknown = parsed.flatMap((part) => part.unknown);
  const connection = [...parsed.flatMap((part) => part.connection), ...(draft.connection ?? [])];
  const foreign = connection.find((item) => !pins.includes(flagName(item)));
  const words = parsed.flatMap((part) => part.words);
  const shell = shellItem(items.includes('--') ? items.slice(0, items.indexOf('--')) : items, words);
  const { risk, reason } = worst(
    draft.mark,
    shell !== undefined && high(`there is no shell: ${program} gets ${show(shell)} as an argument`),
    foreign !== undefined && high(`${flagName(foreign)} changes whom ${program} speaks to, as whom, or what it starts`),
    unknown.length > 0 && high(`${show(unknown[0] ?? '')} is no option that is known, so what it does is not known`),
  );
  return {
    program,
    verb,
    targets: draft.targets ?? [],
    ...(draft.namespace !== undefined && { namespace: draft.namespace }),
    scope: unknown.length > 0 || shell !== undefined ? 'unknown' : (draft.scope ?? 'none'),
    reversible: draft.reversible ?? false,
    risk,
    reason,
    connection,
  };
}

const show = (item: string): string => JSON.stringify(item.length > 40 ? `${item.slice(0, 40)}…` : item);

import type { ToolDefinition } from '../../domain/types.js';
import { ANY_NAME_PATTERN, anyOf, unquote } from './names.js';
import type { PhraseMatch } from './phrase.js';
import { DAEMONS, PROGRAMS } from './words.js';

const PATH = '(?<![\\w.])/(?:[\\w.-]+/?)*';
const UNIT = '(?<![\\w./-])[\\w@.-]+\\.(?:service|socket|timer)(?![\\w-])';
/** Words for what a name stands for, and for the machine itself. */
const SORT =
  '(?:(?:unit|service|process|program|daemon|directory|folder|path|user|disk|partition|file\\s*system)\\s+)?';
const WHOLE_MACHINE =
  '(?!(?:machine|host|server|computer|box|vm|node|localhost|laptop|linux|kernel|memory|swap|boot|tcp|udp|ports?|files?|process|processes|units?|disks?)(?![\\w.-]))';
const NAME = `${WHOLE_MACHINE}(?:${UNIT}|${ANY_NAME_PATTERN})`;
const BEHIND = new RegExp(
  `^\\s*(?:(?:of|for|from)\\s+(?:the\\s+)?${SORT}(${PATH}|${NAME})|(?:in|on|under|at)\\s+(?:the\\s+)?${SORT}(${PATH}))`,
  'i',
);
const BEFORE = new RegExp(
  `(?:(${PATH}|${UNIT}|${anyOf([...DAEMONS, ...PROGRAMS])})(?:'s)?(?:\\s*的)?|(${NAME})\\s*的)\\s*$`,
  'i',
);

/**
 * The program, unit or folder that stands beside what a tool was asked for, though the tool answers for the whole machine:
 * to leave it out would answer another question.
 */
export function partOfMachine(tool: ToolDefinition, match: PhraseMatch): string | undefined {
  if (tool.category !== 'host' || match.ref !== undefined || Object.keys(match.values).length > 0) return undefined;
  const found = BEHIND.exec(match.rest) ?? BEFORE.exec(match.before);
  const name = found?.[1] ?? found?.[2];
  return name === undefined ? undefined : unquote(name);
}

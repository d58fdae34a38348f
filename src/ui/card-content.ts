import type { Inspection } from '../domain/ports.js';
import type { Action, Decision, Json, ToolCall } from '../domain/types.js';
import { quoteArgv } from '../lib/quote.js';
import { hasUnseen, visible, visibleLine } from '../lib/visible.js';
import { widthOf } from '../lib/width.js';
import { inspectionLines, judgedLines } from './card-findings.js';
import { type BodyLine, blank, blockLines, chopped, line, prose, section } from './card-lines.js';
import { headlineOf } from './card-name.js';
import type { Words } from './words.js';

/** What a card is about. */
export interface Subject {
  readonly call: ToolCall;
  readonly decision: Decision;
  readonly inspection?: Inspection;
}

/**
 * The whole card but its first line and its keys: headline, everything that would run, the reasons, what was found out and
 * the repairs. Nothing of what would run is left out or shortened; long lines continue on the next one behind `┆`.
 */
export function cardBody(subject: Subject, width: number, words: Words): readonly BodyLine[] {
  const { call, decision, inspection } = subject;
  const { action, repairs } = call;
  const payload = Object.entries(action.payload).filter(([key, value]) => !isShownOrEmpty(action, key, value));
  const reasons = reasonsOf(decision, words);
  return [
    ...runsLines(call, width, words),
    blank,
    ...(reasons.length > 0
      ? section(words.why, width, (room) => reasons.flatMap((reason) => prose(reason, room, 'plain')))
      : []),
    ...judgedLines(call.tool.riskLevel, decision, width, words),
    ...(repairs.length > 0
      ? section(words.repaired, width, (room) => repairs.flatMap((repair) => prose(repair, room, 'warning')))
      : []),
    ...(inspection ? inspectionLines(inspection, width, words) : []),
    ...(payload.length > 0 ? [blank] : []),
    ...payload.flatMap(([key, value]) => section(visibleLine(key), width, (room) => valueLines(value, room))),
  ];
}

/** What a yes for the session covers, below the command that was asked for. */
export const grantBody = ({ call, decision }: Subject, width: number, words: Words): readonly BodyLine[] => [
  ...runsLines(call, width, words),
  blank,
  ...section(words.covers, width, (room) => prose(decision.grantText ?? '', room, 'strong')),
];

function runsLines(call: ToolCall, width: number, words: Words): readonly BodyLine[] {
  const { action } = call;
  const unseen = stringsIn([action.tokens, action.display, action.payload]).some(hasUnseen);
  return [
    ...prose(headlineOf(call, words), width, 'strong'),
    blank,
    ...section(words.runs, width, (room) => mainLines(action, room)),
    ...(unseen ? section('⚠', width, (room) => prose(words.unseen, room, 'warning')) : []),
  ];
}

/** The command or request; for every other kind what the action says about itself. */
function mainLines(action: Action, room: number): readonly BodyLine[] {
  if (action.kind === 'command') return commandLines(action.tokens, room);
  if (action.kind === 'script') return commandLines(textsOf(action.payload.interpreter), room);
  if (action.kind === 'http') return chopped(visibleLine(action.tokens.join(' ')), room, '');
  return blockLines(action.display, room);
}

/** Payload fields that `mainLines` shows already, and those that change nothing. */
function isShownOrEmpty(action: Action, key: string, value: Json): boolean {
  const shown: Readonly<Record<string, readonly string[]>> = {
    script: ['interpreter'],
    http: ['method', 'url'],
    mcp: ['tool', 'arguments', 'sha256'],
    accept: ['what', 'arguments'],
  };
  if (shown[action.kind]?.includes(key)) return true;
  // Names of the variables that a tool's file always passes on: the same for every call, and a screenful of them.
  if (key === 'env' && action.kind === 'command') return true;
  return (
    ['null', '""', '[]', '{}'].includes(JSON.stringify(value)) || (key === 'successExitCodes' && `${value}` === '0')
  );
}

/**
 * A command on one line when it fits. Else the program and its subcommands, then one argument a line. Quoted as a POSIX
 * shell would read it, so that the ends of an argument are always plain.
 */
function commandLines(argv: readonly string[], room: number): readonly BodyLine[] {
  const whole = visibleLine(quoteArgv(argv));
  if (widthOf(whole) <= room && !argv.some((item) => item.includes('\n'))) return [line(whole, 'code')];
  const flagAt = argv.findIndex((item) => !/^[a-z][\w./:@-]*$/i.test(item));
  const leading = argv.slice(0, flagAt === -1 ? argv.length : Math.max(1, flagAt));
  const first = leading.findLastIndex((_, index) => widthOf(leading.slice(0, index + 1).join(' ')) <= room) + 1 || 1;
  const rest = argv.slice(first).flatMap((item) =>
    // An argument of several lines is broken behind each mark of a line break; the mark shows that it is one argument.
    visibleLine(quoteArgv([item]))
      .split(/(?<=␊)/u)
      .flatMap((part) => chopped(part, room, '  ')),
  );
  return [...chopped(visibleLine(quoteArgv(argv.slice(0, first))), room, ''), ...rest];
}

function valueLines(value: Json, room: number): readonly BodyLine[] {
  if (typeof value === 'string')
    return value.includes('\n') ? blockLines(value, room) : chopped(visible(value), room, '');
  const short = visibleLine(JSON.stringify(value));
  if (widthOf(short) <= room) return [line(short, 'code')];
  return blockLines(JSON.stringify(value, null, 2), room);
}

/** The reason and every rule; not the reason when it only says what raised the risk, which stands on lines of its own. */
function reasonsOf(decision: Decision, words: Words): readonly string[] {
  const rules = decision.rules.map(({ id, effect, reason }) =>
    reason === decision.reason ? `${words.rule} ${id} (${effect})` : `${words.rule} ${id} (${effect}): ${reason}`,
  );
  const raised = decision.raised.length > 0 && decision.reason === decision.raised.join('; ');
  return [raised ? '' : decision.reason, ...rules].filter(Boolean);
}

const textsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map((item) => `${item}`) : []);

/** Every string in a JSON value, keys included. */
function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsIn(inner)]);
}

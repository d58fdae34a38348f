import type { Action, Decision, Json, ToolCall } from '../domain/types.js';
import { quoteArgv } from '../lib/quote.js';
import { hasUnseen, visible, visibleLine } from '../lib/visible.js';
import { chopToWidth, padToWidth, widthOf, wrapToWidth } from '../lib/width.js';
import type { Words } from './words.js';

export type BodyTone = 'plain' | 'strong' | 'code' | 'quiet' | 'warning';

/** One line of the card: a label column and its text. Both are safe to print, together at most as wide as was asked. */
export interface BodyLine {
  readonly label: string;
  readonly text: string;
  readonly tone: BodyTone;
}

/** From this width on, labels stand in a column beside their text; below, on a line of their own. */
const WIDE = 60;
const LABEL_COLUMN = 10;
/** Arguments that name the thing a call works on, most telling first. */
const NAME_ARGUMENTS = [
  'name',
  'pod_name',
  'node',
  'container',
  'release',
  'service',
  'unit',
  'host',
  'playbook',
  'image',
  'target',
];

/** What has to be typed to approve a critical call: the name of its object, or of its tool when it has none. */
export function nameToType(call: ToolCall): string {
  for (const key of NAME_ARGUMENTS) {
    const value = Object.hasOwn(call.args, key) ? call.args[key] : undefined;
    if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) return visibleLine(`${value}`);
  }
  return call.tool.name;
}

/** What would happen to what, in one sentence: the tool, the object, its namespace and its cluster. */
export function headlineOf(call: ToolCall, words: Words): string {
  const name = nameToType(call);
  const object = name === call.tool.name ? undefined : [shortText(call.args.kind), name].filter(Boolean).join(' ');
  const namespace = shortText(call.args.namespace) ?? flagOf(call.action, ['--namespace=']);
  const cluster = flagOf(call.action, ['--context=', '--kube-context=']);
  const where = [namespace && words.inNamespace(namespace), cluster && words.onCluster(cluster)].filter(Boolean);
  const what = [call.tool.displayName, object].filter(Boolean).join(': ');
  return visibleLine([what, ...where].join(' · '));
}

/**
 * The whole card but its first line and its keys: headline, everything that would run, the reasons and the repairs.
 * Nothing is left out or shortened; long lines continue on the next one behind `┆`.
 */
export function cardBody(call: ToolCall, decision: Decision, width: number, words: Words): readonly BodyLine[] {
  const { action, repairs } = call;
  const section = (label: string, lay: (room: number) => readonly BodyLine[]) => withLabel(label, width, lay);
  const unseen = stringsIn([action.tokens, action.display, action.payload]).some(hasUnseen);
  const payload = Object.entries(action.payload).filter(([key, value]) => !isShownOrEmpty(action, key, value));
  return [
    ...prose(headlineOf(call, words), width, 'strong'),
    blank,
    ...section(words.runs, (room) => mainLines(action, room)),
    ...(unseen ? section('⚠', (room) => prose(words.unseen, room, 'warning')) : []),
    blank,
    ...section(words.why, (room) => reasonsOf(decision, words).flatMap((reason) => prose(reason, room, 'plain'))),
    ...(repairs.length > 0
      ? section(words.repaired, (room) => repairs.flatMap((repair) => prose(repair, room, 'warning')))
      : []),
    ...(payload.length > 0 ? [blank] : []),
    ...payload.flatMap(([key, value]) => section(visibleLine(key), (room) => valueLines(value, room))),
  ];
}

const blank: BodyLine = { label: '', text: '', tone: 'plain' };

/** The command or request; for every other kind what the action says about itself. */
function mainLines(action: Action, room: number): readonly BodyLine[] {
  if (action.kind === 'command') return commandLines(action.tokens, room);
  if (action.kind === 'script') return commandLines(textsOf(action.payload.interpreter), room);
  if (action.kind === 'http') return chopped(visibleLine(action.tokens.join(' ')), room, '');
  return blockLines(action.display, room);
}

/** Payload fields that `mainLines` shows already, and those that change nothing. */
function isShownOrEmpty(action: Action, key: string, value: Json): boolean {
  const shown: Readonly<Record<string, readonly string[]>> = { script: ['interpreter'], http: ['method', 'url'] };
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

/** Text of several lines, behind a rule that no text inside can imitate: what it says is never taken for the card. */
const blockLines = (text: string, room: number): readonly BodyLine[] =>
  visible(text.replace(/\n$/, ''))
    .split('\n')
    .flatMap((row) =>
      chopToWidth(row, room - 2).map((piece, index) => line(`${index === 0 ? '│' : '┆'} ${piece}`, 'code')),
    );

function chopped(text: string, room: number, indent: string): readonly BodyLine[] {
  const [first = '', ...rest] = chopToWidth(text, room - indent.length);
  const more = chopToWidth(rest.join(''), room - indent.length - 2);
  return [
    line(indent + first, 'code'),
    ...(rest.length > 0 ? more : []).map((piece) => line(`${indent}┆ ${piece}`, 'code')),
  ];
}

function reasonsOf(decision: Decision, words: Words): readonly string[] {
  const rules = decision.rules.map(({ id, effect, reason }) =>
    reason === decision.reason ? `${words.rule} ${id} (${effect})` : `${words.rule} ${id} (${effect}): ${reason}`,
  );
  return [decision.reason, ...rules].filter(Boolean);
}

/** Puts a label beside the first line, or above the lines when the card is narrow. */
function withLabel(label: string, width: number, lay: (room: number) => readonly BodyLine[]): readonly BodyLine[] {
  if (width < WIDE) {
    const lines = lay(width);
    return [...prose(label, width, 'quiet'), ...lines];
  }
  const column = Math.min(18, Math.max(LABEL_COLUMN, widthOf(label) + 2));
  const heads = chopToWidth(label, column - 2);
  const lines = lay(width - column);
  return Array.from({ length: Math.max(heads.length, lines.length) }, (_, index) => ({
    ...(lines[index] ?? blank),
    label: padToWidth(heads[index] ?? '', column),
  }));
}

const line = (text: string, tone: BodyTone): BodyLine => ({ label: '', text, tone });

const prose = (text: string, room: number, tone: BodyTone): readonly BodyLine[] =>
  wrapToWidth(visible(text), room).map((row) => line(row, tone));

const shortText = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

const textsOf = (value: Json | undefined): string[] => (Array.isArray(value) ? value.map((item) => `${item}`) : []);

/** The value of the first `--flag=value` argument that begins with one of the prefixes. */
function flagOf(action: Action, prefixes: readonly string[]): string | undefined {
  if (action.kind !== 'command') return undefined;
  for (const token of action.tokens) {
    const prefix = prefixes.find((p) => token.startsWith(p));
    if (prefix) return token.slice(prefix.length);
  }
  return undefined;
}

/** Every string in a JSON value, keys included. */
function stringsIn(value: Json): readonly string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...stringsIn(inner)]);
}

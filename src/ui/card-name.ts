import type { Action, Classification, Decision, Json, ToolCall } from '../domain/types.js';
import { visibleLine } from '../lib/visible.js';
import type { Words } from './words.js';

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

/** What has to be typed to approve a call, and whether that is the name of a place that is production. */
export interface NameToType {
  readonly name: string;
  readonly production: boolean;
}

/** What has to be typed to approve a call; undefined when a key is enough. */
export function askedName(call: ToolCall, { risk, typeName, classification }: Decision): NameToType | undefined {
  // A name of nothing but space could be typed by mistake.
  if (typeName?.trim()) return { name: visibleLine(typeName), production: true };
  if (risk !== 'critical' && typeName === undefined) return undefined;
  return { name: nameToType(call, classification), production: false };
}

/** What has to be typed to approve a critical call: its object's name, else what it does to which objects, else its tool's name. */
export function nameToType(call: ToolCall, classification?: Classification): string {
  return argumentName(call) ?? targetName(classification) ?? call.tool.name;
}

/** What would happen to what, in one sentence: the tool, the object, its namespace and its cluster. */
export function headlineOf(call: ToolCall, words: Words): string {
  const name = argumentName(call);
  const object = name === undefined ? undefined : [shortText(call.args.kind), name].filter(Boolean).join(' ');
  const namespace = shortText(call.args.namespace) ?? flagOf(call.action, ['--namespace=']);
  const cluster = flagOf(call.action, ['--context=', '--kube-context=']);
  const where = [namespace && words.inNamespace(namespace), cluster && words.onCluster(cluster)].filter(Boolean);
  const what = [call.tool.displayName, object].filter(Boolean).join(': ');
  return visibleLine([what, ...where].join(' · '));
}

function argumentName({ args }: ToolCall): string | undefined {
  for (const key of NAME_ARGUMENTS) {
    const value = Object.hasOwn(args, key) ? args[key] : undefined;
    if (typeof value === 'number' || (typeof value === 'string' && value.trim() !== '')) return visibleLine(`${value}`);
  }
  return undefined;
}

/** The name of the one target, or a phrase such as `delete all pods`, which nobody types by habit. */
function targetName(classification: Classification | undefined): string | undefined {
  if (!classification?.verb.trim()) return undefined;
  const { verb, scope, targets } = classification;
  const only = targets.length === 1 ? targets[0] : undefined;
  if (only && scope === 'one') return visibleLine(only.split('/').at(-1)?.trim() || only);
  const kinds = [...new Set(targets.map((target) => target.split('/')[0] ?? ''))].join(' ');
  const phrases: Partial<Record<Classification['scope'], string>> = {
    all: `${verb} all ${kinds}`,
    selector: `${verb} ${kinds} by selector`,
    several: `${verb} ${targets.length} objects`,
  };
  return phrases[scope] && visibleLine(phrases[scope].split(' ').filter(Boolean).join(' '));
}

const shortText = (value: Json | undefined): string | undefined => (typeof value === 'string' ? value : undefined);

/** The value of the first `--flag=value` argument that begins with one of the prefixes; behind `--` stand another program's. */
function flagOf(action: Action, prefixes: readonly string[]): string | undefined {
  if (action.kind !== 'command') return undefined;
  for (const token of action.tokens) {
    if (token === '--') return undefined;
    const prefix = prefixes.find((p) => token.startsWith(p));
    if (prefix) return token.slice(prefix.length);
  }
  return undefined;
}

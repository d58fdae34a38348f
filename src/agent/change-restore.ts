import type { Json, JsonObject, ToolCall, ToolDefinition } from '../domain/types.js';
import { isObject, objectAt } from '../lib/json-values.js';
import { placeholdersIn } from '../lib/template.js';
import { canonical } from './change-diff.js';
import { type Care, planWith, runOf } from './change-reads.js';
import { manifestNames, manifestOf, readsInput, type UndoSpec } from './change-spec.js';
import { comparable, identityOf, isAbsent, nameOnly, restorable, type State, valuesOf } from './change-state.js';

type Reversible = Exclude<UndoSpec, { none: string }>;

/** One call that takes a part of a change back, ready to be judged. */
export interface Restore {
  readonly tool: ToolDefinition;
  readonly args: JsonObject;
  readonly action: ToolCall['action'];
}

type Way = 'restore' | 'recreate' | 'remove';

const WORDS: Record<Way, string> = {
  restore: 'put back what was there',
  recreate: 'make what is gone again',
  remove: 'remove what was not there before',
};

/**
 * The calls that lead from `now` back to `before`; none when nothing differs. Or why there is no way back, in words.
 */
export function restoresOf(
  care: Care,
  call: Pick<ToolCall, 'tool' | 'args'>,
  spec: Reversible,
  before: State,
  now: State,
): readonly Restore[] | string {
  const groups = groupsOf(before, now, spec);
  const restores: Restore[] = [];
  for (const [way, objects] of groups) {
    const argv = spec[way];
    if (!argv) return `${call.tool.name} knows no way to ${WORDS[way]}`;
    const values = valuesOf(before, spec.values);
    const lost = unset(argv as readonly Json[], call.args, values);
    if (lost !== undefined) return `${lost} was not set before, and cannot be unset`;
    restores.push(restoreOf(care, call, way, argv as readonly Json[], values, objects));
  }
  return restores;
}

/** What is to be done with which objects. A state that is a text, or that is compared by its values, is one thing. */
function groupsOf(before: State, now: State, spec: Reversible): [Way, readonly JsonObject[]][] {
  const life = { sameLife: false };
  if (canonical(comparable(before, spec.values, life)) === canonical(comparable(now, spec.values, life))) return [];
  if (before.text !== '' || now.text !== '' || Object.keys(spec.values).length > 0)
    return [[isAbsent(before) ? 'remove' : isAbsent(now) ? 'recreate' : 'restore', before.objects]];
  const [old, present] = [byIdentity(before), byIdentity(now)];
  const changed = [...old].filter(([id, object]) => {
    const other = present.get(id);
    return other && canonical(restorable(object, false)) !== canonical(restorable(other, false));
  });
  const gone = [...old].filter(([id]) => !present.has(id)).map(([, object]) => restorable(object, true));
  const made = [...present].filter(([id]) => !old.has(id)).map(([, object]) => nameOnly(object));
  const all: [Way, readonly JsonObject[]][] = [
    ['restore', changed.map(([, object]) => restorable(object, false))],
    ['recreate', gone],
    ['remove', made],
  ];
  return all.filter(([, objects]) => objects.length > 0);
}

const byIdentity = ({ objects }: State): Map<string, JsonObject> =>
  new Map(objects.map((object) => [identityOf(object), object]));

/** A saved value that the argv needs and that was not there: leaving its item out would restore something else. */
function unset(argv: readonly Json[], args: JsonObject, values: Readonly<Record<string, Json>>): string | undefined {
  const needed = argv.flatMap((item): string[] => {
    if (typeof item === 'string') return placeholdersIn(item);
    if (!isObject(item) || typeof item.when !== 'string' || !Array.isArray(item.argv)) return [];
    const isGiven = Object.hasOwn(args, item.when) && args[item.when] !== false;
    return isGiven ? item.argv.flatMap((text) => placeholdersIn(`${text}`)) : [];
  });
  const missing = needed.find((name) => name.startsWith('saved.') && (values[name.slice(6)] ?? null) === null);
  return missing?.slice('saved.'.length);
}

function restoreOf(
  care: Care,
  { tool, args }: Pick<ToolCall, 'tool' | 'args'>,
  way: Way,
  argv: readonly Json[],
  values: Readonly<Record<string, Json>>,
  objects: readonly JsonObject[],
): Restore {
  const input = readsInput(argv as readonly string[]) ? manifestOf(objects) : undefined;
  const { dryRun: _dryRun, preview: _preview, verify, ...rest } = tool;
  const restoring: ToolDefinition = {
    ...rest,
    displayName: `Undo: ${tool.displayName}`,
    riskLevel: tool.riskLevel === 'critical' ? 'critical' : 'high',
    retryPolicy: { maxRetries: 0, retryIntervalMs: 0 },
    idempotent: false,
    raise: manifestNames(tool).length > 0 || way !== 'recreate' ? tool.raise : tool.raise.filter(isAboutPlace),
    // A check speaks of what the change made: of an object that is put back as well, but not of a value (it runs) that is turned
    // back, nor of what is to be gone. There the comparison with what was saved is the check.
    ...(verify && objects.length > 0 && Object.keys(values).length === 0 && way !== 'remove' && { verify }),
  };
  const run = { ...runOf(tool, argv), ...(input !== undefined && { stdin: '{{ saved.input }}' }) };
  const saved = Object.entries({ ...values, input: safely(care, input ?? '') });
  const filled = { ...args, ...Object.fromEntries(saved.map(([name, value]) => [`saved.${name}`, value])) };
  const action = planWith(care, { ...restoring, run }, filled);
  // Rules and `raise` see what the restore sets, under the names of the parameters.
  const seen = Object.entries(values).filter(([name]) => Object.hasOwn(args, name));
  const manifests = input === undefined ? [] : manifestNames(tool).map((name) => [name, input] as const);
  return { tool: restoring, args: { ...args, ...Object.fromEntries([...seen, ...manifests]) }, action };
}

/** What a tool says of the danger of removing something does not hold for making it again; where it happens does. */
const isAboutPlace = ({ when }: ToolDefinition['raise'][number]): boolean =>
  Object.keys(objectAt(when, 'properties')).every((name) => name === 'namespace');

/** Saved objects hold true values: secrets in them stay hidden until they are sent, where that gives back every byte. */
function safely({ deps }: Care, text: string): string {
  const hidden = deps.redactor.hide(text, 'output');
  try {
    const back = deps.redactor.reveal(hidden, (value) => JSON.stringify(value).slice(1, -1));
    return back === text ? hidden : text;
  } catch {
    return text;
  }
}

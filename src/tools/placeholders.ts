import type { Json, JsonObject, RunSpec, ToolDefinition } from '../domain/types.js';
import { type Finding, isList, isObject, objectAt, type Path, textsAt } from '../lib/json-values.js';
import { didYouMean } from '../lib/nearest.js';
import { placeholdersIn } from '../lib/template.js';

/** Names that `context.x` may take. */
export const CONTEXT_NAMES = [
  'kube_context',
  'kube_namespace',
  'docker_host',
  'docker_context',
  'namespace',
  'session_id',
  'user',
];

/** The argv of `undo` that may use what was saved. */
export const RESTORES = ['restore', 'recreate', 'remove'];

/** How a text is filled: `literal` not at all. `json` and `header` may lack a value: the key is left out. */
type Filling = 'argv' | 'text' | 'json' | 'header' | 'literal';

interface Use {
  readonly name: string;
  readonly path: Path;
  readonly filling: Filling;
  /** Parameters that certainly have a value here, because of `when` and `for_each`. */
  readonly guards: readonly string[];
  /** The name is a condition, not a text. */
  readonly condition?: 'when' | 'for_each';
}

/**
 * Every mistake in the placeholders and conditions of a tool: unknown names, unguarded optional parameters, unused
 * parameters.
 */
export function checkPlaceholders(tool: ToolDefinition): Finding[] {
  const uses = usesIn(tool.run, ['run']);
  const extra = extraUses(tool);
  const unknown = [...uses, ...extra].flatMap((use) => checkUse(use, tool));
  return [...unknown, ...checkUnused(tool, uses)];
}

/** The default of a parameter's schema stands in for an absent value. */
export function hasValue(parameters: JsonObject, name: string): boolean {
  return (
    textsAt(parameters, 'required').includes(name) || 'default' in objectAt(objectAt(parameters, 'properties'), name)
  );
}

function checkUse(use: Use, tool: ToolDefinition): Finding[] {
  const { name, path, filling } = use;
  if (filling === 'literal') {
    return [{ path, message: `{{ ${name} }} stands where nothing is filled in.`, fix: 'Write a fixed value here.' }];
  }
  const problem = nameProblem(use, tool);
  if (problem) return [{ path, ...problem }];
  const properties = objectAt(tool.parameters, 'properties');
  if (use.condition === 'for_each' && objectAt(properties, name).type !== 'array') {
    return [
      {
        path,
        message: `for_each needs a list, but parameter "${name}" is not of type array.`,
        fix: 'Use when, or make the parameter a list.',
      },
    ];
  }
  if (use.condition) return [];
  if (!Object.hasOwn(properties, name)) return checkOutside(use);
  if (filling === 'json' || filling === 'header' || use.guards.includes(name) || hasValue(tool.parameters, name))
    return [];
  const fix =
    filling === 'argv'
      ? `Write { when: ${name}, argv: [...] }, or give "${name}" a default.`
      : `Give "${name}" a default, or make it required.`;
  return [
    { path, message: `Parameter "${name}" is optional and has no default, but is used here without a condition.`, fix },
  ];
}

/** A value of the session or the environment that is not set would take its whole item of argv with it. */
function checkOutside({ name, path, filling, guards }: Use): Finding[] {
  if (filling !== 'argv' || guards.includes(name) || !/^(context|env)\./.test(name)) return [];
  return [
    {
      path,
      message: `"${name}" may have no value, and the item would be left out without a word.`,
      fix: `Write { when: ${name}, argv: [...] }.`,
    },
  ];
}

function nameProblem(
  { name, path, filling, guards, condition }: Use,
  tool: ToolDefinition,
): Omit<Finding, 'path'> | undefined {
  const [first = '', ...rest] = name.split('.');
  const inner = rest.join('.');
  const known = Object.keys(objectAt(tool.parameters, 'properties'));
  if (name === 'item' && guards.includes('item')) return undefined;
  if (name === 'item')
    return {
      message: '{{ item }} has a meaning only inside for_each.',
      fix: 'Put it into { for_each: list, argv: [...] }.',
    };
  if (first === 'env' && rest.length > 0) {
    if (tool.env.includes(inner)) return undefined;
    return {
      message: `The environment variable "${inner}" is not listed.`,
      fix: `Add env: [${inner}] to the tool or the file.`,
    };
  }
  if (first === 'context' && rest.length > 0) {
    if (CONTEXT_NAMES.includes(inner)) return undefined;
    return {
      message: `There is no context value "${inner}".`,
      fix: didYouMean(inner, CONTEXT_NAMES).trim() || `Known: ${CONTEXT_NAMES.join(', ')}.`,
    };
  }
  if (first === 'saved' && path[0] === 'undo' && RESTORES.includes(`${path[1]}`)) {
    const values = Object.keys(objectAt(tool.undo ?? {}, 'values'));
    if (values.includes(inner)) return undefined;
    return {
      message: `"${inner}" is not among undo.values.`,
      fix: didYouMean(inner, values).trim() || `Add it to undo.values: { ${inner}: JMESPath on what was saved }.`,
    };
  }
  if (first === 'secret' && rest.length > 0) {
    if (filling === 'header' && condition === undefined) return undefined;
    return {
      message: 'A secret may stand only in the headers or auth of an http tool.',
      fix: 'Use run.auth, or run.headers.',
    };
  }
  if (known.includes(name)) return undefined;
  const hint =
    didYouMean(name, known).trim() ||
    `Declare it under parameters, or use one of: ${known.join(', ') || '(none yet)'}.`;
  return { message: `"${name}" is not a parameter of this tool.`, fix: hint };
}

function checkUnused(tool: ToolDefinition, uses: readonly Use[]): Finding[] {
  // A script gets every argument as a variable, Python and builtins get them all as they are.
  if (['script', 'builtin', 'python', 'wasm'].includes(tool.run.kind)) return [];
  const used = new Set(uses.map((use) => use.name));
  return Object.keys(objectAt(tool.parameters, 'properties'))
    .filter((name) => !used.has(name))
    .map((name) => ({
      path: ['parameters', 'properties', name],
      message: `Parameter "${name}" is never used, so its value would be ignored.`,
      fix: `Use {{ ${name} }} in run, or remove the parameter.`,
    }));
}

function usesIn(run: RunSpec, path: Path): Use[] {
  const filling: Record<string, (value: Json, at: Path) => Use[]> = FIELDS[run.kind] ?? {};
  return Object.entries(run).flatMap(([key, value]) => {
    const read = filling[key] ?? ((inner: Json, at: Path) => textUses(inner, at, 'literal'));
    return read(value, [...path, key]);
  });
}

const ignore = (): Use[] => [];
/** The name of a parameter, not in braces. */
const parameterUse = (value: Json, path: Path): Use[] =>
  typeof value === 'string' ? [{ name: value, path, filling: 'json', guards: [] }] : [];
const asJson = (value: Json, at: Path): Use[] => textUses(value, at, 'json');

/** For each kind: the keys of `run:` that hold placeholders. Any other key is taken as it stands. */
const FIELDS: Readonly<Record<string, Record<string, (value: Json, at: Path) => Use[]>>> = {
  command: {
    argv: (value, at) => argvUses(value, at, []),
    cwd: (value, at) => textUses(value, at, 'text'),
    stdin: (value, at) => textUses(value, at, 'text'),
  },
  http: {
    url: (value, at) => textUses(value, at, 'text'),
    query: asJson,
    body: asJson,
    headers: (value, at) => textUses(value, at, 'header'),
  },
  workflow: {
    steps: (value, at) => (isList(value) ? value.flatMap((step, index) => stepUses(step, [...at, index])) : []),
  },
  script: { code: ignore, interpreter: ignore },
  python: {
    code: ignore,
    files: (value, at) => argvUses(value, at, []),
    code_from: parameterUse,
    timeout_from: parameterUse,
    memory_from: parameterUse,
  },
  wasm: { args: (value, at) => argvUses(value, at, []), files: (value, at) => argvUses(value, at, []) },
  builtin: {},
};

function stepUses(step: Json, at: Path): Use[] {
  if (!isObject(step)) return [];
  const condition = typeof step.when === 'string' ? step.when.replace(/^!\s*/, '') : '';
  const uses = textUses(step.parameters ?? {}, [...at, 'parameters'], 'json');
  if (condition === '' || condition.startsWith('$')) return uses;
  return [...uses, { name: condition, path: [...at, 'when'], filling: 'text', guards: [], condition: 'when' }];
}

function extraUses(tool: ToolDefinition): Use[] {
  const { undo, dryRun, preview, verify } = tool;
  const reads = Object.entries({ dry_run: dryRun, preview, verify });
  const argvs: [Path, Json | undefined][] = [
    ...['save', ...RESTORES].map((key): [Path, Json | undefined] => [['undo', key], undo?.[key]]),
    ...reads.map(([key, spec]): [Path, Json | undefined] => [[key, 'argv'], spec?.argv]),
  ];
  return [
    ...argvs.flatMap(([path, argv]) => argvUses(argv ?? [], path, [])),
    ...textUses(verify?.parameters ?? {}, ['verify', 'parameters'], 'json'),
    ...textUses(preview?.parameters ?? {}, ['preview', 'parameters'], 'json'),
  ];
}

/** An item of `else` is left out when the session does not know what it names. */
const KNOWN = CONTEXT_NAMES.map((one) => `context.${one}`);

/** Placeholders and conditions of an argv template. */
function argvUses(argv: Json, path: Path, guards: readonly string[]): Use[] {
  if (!isList(argv)) return [];
  return argv.flatMap((item, index): Use[] => {
    const at = [...path, index];
    if (typeof item === 'string')
      return placeholdersIn(item).map((name) => ({ name, path: at, filling: 'argv', guards }));
    if (!isObject(item)) return [];
    const when = typeof item.when === 'string' ? item.when : undefined;
    const list = typeof item.for_each === 'string' ? item.for_each : undefined;
    const name = (when ?? list ?? '').replace(/^!\s*/, '');
    const inner = when?.startsWith('!') ? guards : [...guards, name, ...(list === undefined ? [] : ['item'])];
    const key = when === undefined ? 'for_each' : 'when';
    const condition: Use = { name, path: [...at, key], filling: 'argv', guards, condition: key };
    const outer = when?.startsWith('!') ? [...guards, name] : guards;
    const otherwise = argvUses(item.else ?? [], [...at, 'else'], [...outer, ...KNOWN]);
    return [condition, ...argvUses(item.argv ?? [], [...at, 'argv'], inner), ...otherwise];
  });
}

function textUses(value: Json, path: Path, filling: Filling): Use[] {
  if (typeof value === 'string') return placeholdersIn(value).map((name) => ({ name, path, filling, guards: [] }));
  if (isList(value)) return value.flatMap((inner, index) => textUses(inner, [...path, index], filling));
  if (isObject(value)) return Object.entries(value).flatMap(([key, inner]) => textUses(inner, [...path, key], filling));
  return [];
}

import type { Json, JsonObject } from '../../../domain/types.js';
import { type JinjaNode, readJinja } from '../../../lib/jinja.js';
import { type Marks, refuse } from './marks.js';

/** A template as what it can become: one text for each choice of parameters that have a value. The values themselves never enter it. */
export interface Expanded {
  /** Names in `{{ }}`, in order: the parameters that nobody has to declare. */
  readonly inferred: readonly string[];
  /** Those that stand only where they certainly have a value. */
  readonly guarded: readonly string[];
  /** Parameters on whose presence the text depends. */
  readonly optional: readonly string[];
  readonly variants: readonly { readonly present: readonly string[]; readonly text: string }[];
}

export interface ExpandOptions {
  /** Declared parameters: name to whether they may be absent. */
  readonly declared: Readonly<Record<string, boolean>>;
  /** `config` of the toolset. */
  readonly config: JsonObject;
  readonly marks: Marks;
}

/** With n parameters that may be absent a template has up to 2^n texts. */
const MAX_OPTIONAL = 6;

/** The shell variable that holds a parameter's value; the script executor sets it. */
export const shellVariable = (parameter: string): string => `ARG_${parameter.toUpperCase()}`;

/**
 * Reads a template and makes every text of it, with marks where values will be.
 * @throws OpsError usage when its text depends on what a value is, not only on whether there is one.
 */
export async function expandTemplate(text: string, { declared, config, marks }: ExpandOptions): Promise<Expanded> {
  const template = await readJinja(text).catch((error: Error) =>
    refuse(`its template cannot be read: ${error.message}`),
  );
  const seen: Seen = { uses: new Map(), tested: new Set(), environment: new Set() };
  visit(template.body, new Set(), seen);
  const inferred = [...seen.uses.keys()];
  const guarded = inferred.filter((name) => seen.uses.get(name) === true);
  const names = [...new Set([...inferred, ...Object.keys(declared)])];
  const mayLack = (name: string) => (Object.hasOwn(declared, name) ? declared[name] === true : guarded.includes(name));
  // A name that is only asked for, and never declared, has no value in any call.
  const optional = names.filter((name) => seen.tested.has(name) || mayLack(name));
  if (optional.length > MAX_OPTIONAL) refuse(`it has more than ${MAX_OPTIONAL} parameters that may be absent`);
  const marked = (list: readonly string[], variable: (name: string) => string): Record<string, Json> =>
    Object.fromEntries(list.map((name) => [name, marks.of(variable(name))]));
  const env = marked([...seen.environment], (name) => name);
  const always = names.filter((name) => !optional.includes(name));
  const variants = subsets(optional).map((present) => ({
    present,
    text: template.render({ ...marked([...always, ...present], shellVariable), config, env }),
  }));
  return { inferred, guarded, optional, variants };
}

const subsets = (names: readonly string[]): string[][] =>
  names.reduce<string[][]>((all, name) => all.flatMap((set) => [set, [...set, name]]), [[]]);

interface Seen {
  /** Name to whether every use of it is guarded. */
  readonly uses: Map<string, boolean>;
  readonly tested: Set<string>;
  readonly environment: Set<string>;
}

/** Names that mean something else than a parameter. */
const RESERVED = ['env', 'config', 'request_context'];
const LITERALS = ['StringLiteral', 'IntegerLiteral', 'FloatLiteral'];
/** Filters that leave a text as it is. */
const PLAIN_FILTERS = ['trim', 'string'];

const nodeAt = (node: JinjaNode, key: string): JinjaNode => node[key] as JinjaNode;
const nodesAt = (node: JinjaNode, key: string): readonly JinjaNode[] => (node[key] ?? []) as readonly JinjaNode[];
const textOf = (node: JinjaNode): string => `${node.value}`;

function visit(nodes: readonly JinjaNode[], guards: ReadonlySet<string>, seen: Seen): void {
  for (const node of nodes) visitOne(node, guards, seen);
}

function visitOne(node: JinjaNode, guards: ReadonlySet<string>, seen: Seen): void {
  if (node.type === 'Identifier') {
    const name = textOf(node);
    if (RESERVED.includes(name)) refuse(`its template uses ${name} as a value`);
    seen.uses.set(name, (seen.uses.get(name) ?? true) && guards.has(name));
  } else if (node.type === 'MemberExpression') visitMember(node, seen);
  else if (node.type === 'FilterExpression') visitFilter(node, guards, seen);
  else if (node.type === 'If' || node.type === 'Ternary') {
    const [test, yes, no] =
      node.type === 'If'
        ? [nodeAt(node, 'test'), nodesAt(node, 'body'), nodesAt(node, 'alternate')]
        : [nodeAt(node, 'condition'), [nodeAt(node, 'trueExpr')], [nodeAt(node, 'falseExpr')]];
    visitTest(test, seen);
    visit(yes, new Set([...guards, ...certain(test, true)]), seen);
    visit(no, new Set([...guards, ...certain(test, false)]), seen);
  } else if (![...LITERALS, 'Comment'].includes(node.type))
    refuse(`its template uses what cannot be imported (${node.type})`);
}

/** `env.NAME` and `config.a.b`. */
function visitMember(node: JinjaNode, seen: Seen): void {
  const object = nodeAt(node, 'object');
  const property = nodeAt(node, 'property');
  const isFixed = property.type === 'StringLiteral' || (property.type === 'Identifier' && node.computed !== true);
  const name = textOf(object);
  if (!isFixed) refuse('its template looks a name up by a value');
  else if (object.type === 'MemberExpression') visitMember(object, seen);
  else if (name === 'env') seen.environment.add(textOf(property));
  else if (name !== 'config') refuse(`its template reads ${name}.${textOf(property)}, which there is not here`);
}

function visitFilter(node: JinjaNode, guards: ReadonlySet<string>, seen: Seen): void {
  const filter = nodeAt(node, 'filter');
  const operand = nodeAt(node, 'operand');
  const name = textOf(filter.type === 'CallExpression' ? nodeAt(filter, 'callee') : filter);
  const [fallback] = nodesAt(filter, 'args');
  const isPlain = filter.type === 'Identifier' && PLAIN_FILTERS.includes(name);
  const hasFallback = /^(default|d)$/.test(name) && fallback !== undefined && LITERALS.includes(fallback.type);
  if (!isPlain && !hasFallback) refuse(`its template changes a value with the filter ${name}`);
  const isGuarded = hasFallback && operand.type === 'Identifier';
  if (isGuarded) seen.tested.add(textOf(operand));
  visitOne(operand, isGuarded ? new Set([...guards, textOf(operand)]) : guards, seen);
}

/** A condition may ask whether parameters have a value, and nothing else. */
function visitTest(node: JinjaNode, seen: Seen): void {
  const operator = node.type === 'BinaryExpression' ? textOf(nodeAt(node, 'operator')) : '';
  const asks = node.type === 'TestExpression' ? textOf(nodeAt(node, 'test')) : '';
  if (node.type === 'Identifier') {
    if (RESERVED.includes(textOf(node))) refuse(`its template uses ${textOf(node)} as a value`);
    seen.tested.add(textOf(node));
  } else if (node.type === 'UnaryExpression') visitTest(nodeAt(node, 'argument'), seen);
  else if (node.type === 'MemberExpression') visitMember(node, seen);
  else if (operator === 'and' || operator === 'or') {
    visitTest(nodeAt(node, 'left'), seen);
    visitTest(nodeAt(node, 'right'), seen);
  } else if (asks === 'defined' || asks === 'undefined') visitTest(nodeAt(node, 'operand'), seen);
  else refuse('its template depends on what a value is, not only on whether there is one');
}

/** Names that certainly have a value when a condition holds, or does not. */
function certain(node: JinjaNode, holds: boolean): string[] {
  if (node.type === 'Identifier') return holds ? [textOf(node)] : [];
  if (node.type === 'UnaryExpression') return certain(nodeAt(node, 'argument'), !holds);
  if (node.type === 'TestExpression') {
    const isDefined = (textOf(nodeAt(node, 'test')) === 'defined') !== (node.negate === true);
    return certain(nodeAt(node, 'operand'), isDefined === holds);
  }
  const isBoth = node.type === 'BinaryExpression' && (textOf(nodeAt(node, 'operator')) === 'and') === holds;
  return isBoth ? [...certain(nodeAt(node, 'left'), holds), ...certain(nodeAt(node, 'right'), holds)] : [];
}

import type { Json, JsonObject, ToolDefinition } from '../domain/types.js';
import { findCycle } from '../lib/dag.js';
import { checkExpression } from '../lib/jmespath.js';
import { type Finding, isList, isObject, objectAt, type Path, textsAt } from '../lib/json-values.js';
import { didYouMean } from '../lib/nearest.js';
import { parseReference, type Reference, referencesIn } from '../lib/references.js';
import { hasValue } from './placeholders.js';

interface Step {
  readonly id: string;
  readonly tool: string;
  readonly parameters: JsonObject;
  readonly dependsOn: readonly string[];
  readonly when: string;
  readonly forEach: string | undefined;
  readonly path: Path;
}

/** What a reference means without looking into the output. */
const OWN_FIELDS = ['', 'id', 'ok', 'status', 'text'];

/**
 * Mistakes in the steps of a workflow: ids, order, references, tools and their parameters. `tools` are all tools by
 * name; undefined stands for one that has mistakes of its own.
 */
export function checkWorkflow(tool: ToolDefinition, tools: ReadonlyMap<string, ToolDefinition | undefined>): Finding[] {
  if (tool.run.kind !== 'workflow') return [];
  const steps = stepsOf(tool.run.steps);
  const byId = new Map(steps.map((step) => [step.id, step]));
  return [
    ...checkIds(steps),
    ...checkOrder(steps, byId),
    ...steps.flatMap((step) => checkReferences(step, byId, tools)),
    ...steps.flatMap((step) => checkTool(step, tool, tools)),
    ...checkAnswer(tool.run.answer, byId),
  ];
}

/** Workflows that call each other for ever, as names in order. */
export function workflowCycle(tools: readonly ToolDefinition[]): string[] {
  const flows = tools.filter((tool) => tool.run.kind === 'workflow');
  const names = new Set(flows.map((tool) => tool.name));
  return findCycle(
    flows.map((tool) => ({
      id: tool.name,
      dependsOn: stepsOf(tool.run.steps)
        .map((step) => step.tool)
        .filter((name) => names.has(name)),
    })),
  );
}

function stepsOf(raw: Json | undefined): Step[] {
  const text = (value: Json | undefined): string => (typeof value === 'string' ? value : '');
  return (isList(raw) ? raw : []).filter(isObject).map((step, index) => ({
    id: text(step.id),
    tool: text(step.tool),
    parameters: objectAt(step, 'parameters'),
    dependsOn: textsAt(step, 'depends_on'),
    when: text(step.when),
    forEach: typeof step.for_each === 'string' ? step.for_each : undefined,
    path: ['run', 'steps', index],
  }));
}

function checkIds(steps: readonly Step[]): Finding[] {
  return steps.flatMap(({ id, path }, index): Finding[] => {
    if (id === 'item')
      return [{ path: [...path, 'id'], message: '"item" is the element of for_each.', fix: 'Choose another id.' }];
    if (steps.findIndex((step) => step.id === id) === index) return [];
    return [
      { path: [...path, 'id'], message: `Two steps have the id "${id}".`, fix: 'Give each step an id of its own.' },
    ];
  });
}

function checkOrder(steps: readonly Step[], byId: ReadonlyMap<string, Step>): Finding[] {
  const unknown = steps.flatMap((step) =>
    step.dependsOn
      .filter((id) => !byId.has(id))
      .map((id) => ({
        path: [...step.path, 'depends_on'],
        message: `There is no step "${id}" to depend on.${didYouMean(id, byId.keys())}`,
        fix: stepsFix(byId),
      })),
  );
  const order = steps.map((step) => ({
    id: step.id,
    dependsOn: [...step.dependsOn, ...allReferences(step).map(({ reference }) => reference.step)].filter((id) =>
      byId.has(id),
    ),
  }));
  const cycle = findCycle(order);
  const first = byId.get(cycle[0] ?? '');
  if (!first) return unknown;
  return [
    ...unknown,
    {
      path: first.path,
      message: `The steps ${cycle.join(', ')} wait for each other.`,
      fix: 'Remove a depends_on or a reference.',
    },
  ];
}

interface PlacedReference {
  readonly reference: Reference;
  readonly path: Path;
}

function allReferences(step: Step): PlacedReference[] {
  const inParameters = Object.entries(step.parameters).flatMap(([name, value]) =>
    referencesIn(value).map((reference) => ({ reference, path: [...step.path, 'parameters', name] })),
  );
  const conditions: [string, string][] = [
    ['when', step.when.replace(/^!\s*/, '')],
    ['for_each', step.forEach ?? ''],
  ];
  const others = conditions.flatMap(([key, text]) => {
    const reference = parseReference(text);
    return reference ? [{ reference, path: [...step.path, key] }] : [];
  });
  return [...inParameters, ...others];
}

function checkReferences(
  step: Step,
  byId: ReadonlyMap<string, Step>,
  tools: ReadonlyMap<string, ToolDefinition | undefined>,
): Finding[] {
  const findings = allReferences(step).flatMap(({ reference, path }) =>
    checkReference(reference, path, step, byId, tools),
  );
  if (step.forEach === undefined || parseReference(step.forEach)) return findings;
  return [
    ...findings,
    {
      path: [...step.path, 'for_each'],
      message: 'for_each of a step must refer to an earlier step.',
      fix: 'Write for_each: $step.field.',
    },
  ];
}

function checkReference(
  { step: id, path: field }: Reference,
  path: Path,
  step: Step,
  byId: ReadonlyMap<string, Step>,
  tools: ReadonlyMap<string, ToolDefinition | undefined>,
): Finding[] {
  if (id === 'item') {
    if (step.forEach !== undefined) return [];
    return [
      {
        path,
        message: '$item has a meaning only in a step with for_each.',
        fix: 'Add for_each: $step.field to the step.',
      },
    ];
  }
  const target = byId.get(id);
  if (!target)
    return [
      {
        path,
        message: `$${id} refers to a step that does not exist.${didYouMean(id, byId.keys())}`,
        fix: stepsFix(byId),
      },
    ];
  const fields = tools.get(target.tool)?.fields ?? {};
  const problem = OWN_FIELDS.includes(field) || Object.hasOwn(fields, field) ? undefined : checkExpression(field);
  return problem === undefined
    ? []
    : [
        {
          path,
          message: `$${id}.${field} is not a field and not a JMESPath expression: ${problem}.`,
          fix: `Fields: ${[...OWN_FIELDS.slice(1), ...Object.keys(fields)].join(', ')}.`,
        },
      ];
}

function checkTool(
  step: Step,
  owner: ToolDefinition,
  tools: ReadonlyMap<string, ToolDefinition | undefined>,
): Finding[] {
  const path = [...step.path, 'tool'];
  if (!tools.has(step.tool)) {
    return [
      {
        path,
        message: `There is no tool "${step.tool}".${didYouMean(step.tool, tools.keys())}`,
        fix: 'Name a tool of these files.',
      },
    ];
  }
  const target = tools.get(step.tool);
  if (!target) return [];
  const known = Object.keys(objectAt(target.parameters, 'properties'));
  const unknown = Object.keys(step.parameters)
    .filter((name) => !known.includes(name))
    .map((name) => ({
      path: [...step.path, 'parameters', name],
      message: `${target.name} has no parameter "${name}".${didYouMean(name, known)}`,
      fix: `Its parameters: ${known.join(', ') || '(none)'}.`,
    }));
  const missing = textsAt(target.parameters, 'required')
    .filter((name) => !isFilled(name, target) && !isGiven(step.parameters[name], owner))
    .map((name) => ({
      path: [...step.path, 'parameters'],
      message: `${target.name} needs "${name}", which this step does not always give.`,
      fix: `Add ${name}: with a value, a reference or a parameter that is required.`,
    }));
  return [...unknown, ...missing];
}

const isFilled = (name: string, target: ToolDefinition): boolean => {
  const schema = objectAt(objectAt(target.parameters, 'properties'), name);
  return 'default' in schema || 'x-context' in schema;
};

/** A whole placeholder of an optional parameter may be absent, and so would be the key. */
function isGiven(value: Json | undefined, owner: ToolDefinition): boolean {
  if (typeof value !== 'string') return value !== undefined;
  const whole = /^\{\{\s*(\w+)\s*\}\}$/.exec(value)?.[1];
  // An unknown name is reported where placeholders are checked.
  const isKnown = whole !== undefined && Object.hasOwn(objectAt(owner.parameters, 'properties'), whole);
  return !isKnown || hasValue(owner.parameters, whole);
}

function checkAnswer(answer: Json | undefined, byId: ReadonlyMap<string, Step>): Finding[] {
  const reference = typeof answer === 'string' ? parseReference(answer) : undefined;
  if (!reference || byId.has(reference.step)) return [];
  return [
    {
      path: ['run', 'answer'],
      message: `$${reference.step} refers to a step that does not exist.${didYouMean(reference.step, byId.keys())}`,
      fix: stepsFix(byId),
    },
  ];
}

const stepsFix = (byId: ReadonlyMap<string, Step>): string => `The steps are: ${[...byId.keys()].join(', ')}.`;

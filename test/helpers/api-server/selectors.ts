import { badRequest } from './failures.js';
import { isFields, type KubeObject, labelsAt, listAt, textAt } from './objects.js';

/** Decides whether an object is in a selection. */
export type Matcher = (object: KubeObject) => boolean;

const splitOutsideParentheses = (text: string): string[] =>
  text
    .split(/,(?![^(]*\))/)
    .map((part) => part.trim())
    .filter((part) => part !== '');

function labelRequirement(part: string): (labels: Record<string, string>) => boolean {
  const set = /^(\S+)\s+(in|notin)\s*\(([^)]*)\)$/.exec(part);
  if (set !== null) {
    const [, key = '', operator, list = ''] = set;
    const values = list.split(',').map((value) => value.trim());
    return (labels) => {
      const value = labels[key];
      return operator === 'in' ? value !== undefined && values.includes(value) : !values.includes(value ?? '\0');
    };
  }
  const equality = /^([^=!\s]+)\s*(==|=|!=)\s*(\S*)$/.exec(part);
  if (equality !== null) {
    const [, key = '', operator, wanted = ''] = equality;
    return (labels) => (operator === '!=' ? labels[key] !== wanted : labels[key] === wanted);
  }
  if (/^![^\s=]+$/.test(part)) return (labels) => labels[part.slice(1)] === undefined;
  if (/^[^\s=!()]+$/.test(part)) return (labels) => labels[part] !== undefined;
  throw badRequest(`unable to parse requirement: found '${part}', expected: an operator`);
}

/** A labelSelector of the query: equality and set requirements, `key` and `!key`. Throws 400 on anything else. */
export function labelMatcher(selector: string): Matcher {
  const requirements = splitOutsideParentheses(selector).map(labelRequirement);
  return (object) => {
    const labels = labelsAt(object, 'metadata', 'labels');
    return requirements.every((requirement) => requirement(labels));
  };
}

const EVENT_FIELDS = ['reason', 'type', 'reportingComponent', 'source'];

function fieldValue(object: KubeObject, path: string): string | undefined {
  if (path === 'metadata.name' || path === 'metadata.namespace') return textAt(object, ...path.split('.'));
  if (object.kind === 'Event') {
    if (path === 'source') return textAt(object, 'source', 'component');
    return EVENT_FIELDS.includes(path) || path.startsWith('involvedObject.')
      ? textAt(object, ...path.split('.'))
      : undefined;
  }
  if (object.kind === 'Pod' && /^(status\.(phase|podIP)|spec\.\w+)$/.test(path)) {
    return textAt(object, ...path.split('.'));
  }
  if (object.kind === 'Secret' && path === 'type') return textAt(object, 'type');
  if (object.kind === 'Node' && path === 'spec.unschedulable') return textAt(object, ...path.split('.')) || 'false';
  if (object.kind === 'Namespace' && path === 'status.phase') return textAt(object, 'status', 'phase');
  return undefined;
}

/** A fieldSelector of the query. The matcher throws 400 for a field that this kind does not support, as the real server does. */
export function fieldMatcher(selector: string): Matcher {
  const requirements = splitOutsideParentheses(selector).map((part) => {
    const match = /^([^=!]+)(==|=|!=)(.*)$/.exec(part);
    if (match === null)
      throw badRequest(`invalid selector: '${selector}'; can't understand '${part}': no operator found`);
    const [, path = '', operator, wanted = ''] = match;
    return (object: KubeObject): boolean => {
      const value = fieldValue(object, path);
      if (value === undefined) throw badRequest(`field label not supported: ${path}`);
      return operator === '!=' ? value !== wanted : value === wanted;
    };
  });
  return (object) => requirements.every((requirement) => requirement(object));
}

/** A selector of a spec: plain labels, or matchLabels and matchExpressions. An empty one matches nothing. */
export function specMatcher(selector: unknown): Matcher {
  if (!isFields(selector) || Object.keys(selector).length === 0) return () => false;
  const structured = 'matchLabels' in selector || 'matchExpressions' in selector;
  const wanted = Object.entries(labelsAt(structured ? selector.matchLabels : selector));
  const expressions = structured ? listAt(selector, 'matchExpressions').filter(isFields) : [];
  return (object) => {
    const labels = labelsAt(object, 'metadata', 'labels');
    const expressionHolds = (expression: Record<string, unknown>): boolean => {
      const value = labels[textAt(expression, 'key')];
      const listed = listAt(expression, 'values').includes(value);
      const operator = textAt(expression, 'operator');
      if (operator === 'In') return listed;
      if (operator === 'NotIn') return !listed;
      return operator === 'Exists' ? value !== undefined : value === undefined;
    };
    return wanted.every(([key, value]) => labels[key] === value) && expressions.every(expressionHolds);
  };
}

import type { Json } from '../domain/types.js';
import { at, isObject, listAt, pairsAt, textAt } from './json.js';
import { complaint } from './outcome.js';

export type Labels = ReadonlyMap<string, string>;
export type LabelTest = (labels: Labels) => boolean;

const PART =
  /^\s*(?:(!)\s*([\w./-]+)|([\w./-]+)\s*(?:(==|=|!=)\s*([\w.-]*)|([<>])\s*(\d+)|\s(in|notin)\s*\(([^()]*)\))?)\s*(?:,|$)/;

/**
 * Compiles a label selector: `a=b`, `a==b`, `a!=b`, `a>1`, `a<1`, `a in (b,c)`, `a notin (b,c)`, `a`, `!a`, joined by
 * commas. An empty one matches everything. Throws AnswerError for one that kubectl would not read either.
 */
export function labelSelector(selector: string): LabelTest {
  const tests: LabelTest[] = [];
  let rest = selector.trim();
  while (rest !== '') {
    const part = PART.exec(rest);
    if (part === null) throw complaint(`error: unable to parse requirement in label selector "${selector}"`);
    tests.push(requirement(part));
    rest = rest.slice(part[0].length).trim();
  }
  return (labels) => tests.every((test) => test(labels));
}

function requirement(part: RegExpExecArray): LabelTest {
  const [, , absent, key = '', operator, value = '', compared, bound = '', set, members = ''] = part;
  if (absent !== undefined) return (labels) => !labels.has(absent);
  if (operator === '!=') return (labels) => labels.get(key) !== value;
  if (operator !== undefined) return (labels) => labels.get(key) === value;
  if (compared !== undefined) return (labels) => isBeyond(labels.get(key), compared, bound);
  const names = members.split(',').map((name) => name.trim());
  if (set === 'in') return (labels) => names.includes(labels.get(key) ?? '\0');
  if (set === 'notin') return (labels) => !labels.has(key) || !names.includes(labels.get(key) ?? '');
  return (labels) => labels.has(key);
}

/** As a server compares: whole numbers only, and a label that is none is on neither side. */
function isBeyond(label: string | undefined, compared: string, bound: string): boolean {
  if (label === undefined || !/^\d+$/.test(label)) return false;
  return compared === '>' ? BigInt(label) > BigInt(bound) : BigInt(label) < BigInt(bound);
}

export const labelsOf = (object: Json): Labels => new Map(pairsAt(object, 'metadata', 'labels'));

/** The pods that a workload's or service's selector means; undefined when the object has none. */
export function podSelectorOf(object: Json): LabelTest | undefined {
  const selector = at(object, 'spec', 'selector');
  if (!isObject(selector)) return undefined;
  const plain = !('matchLabels' in selector) && !('matchExpressions' in selector);
  const pairs = plain ? pairsAt(selector) : pairsAt(selector, 'matchLabels');
  const expressions = listAt(selector, 'matchExpressions').map(expressionTest);
  if (pairs.length + expressions.length === 0) return undefined;
  return (labels) =>
    pairs.every(([key, value]) => labels.get(key) === value) && expressions.every((test) => test(labels));
}

function expressionTest(expression: Json): LabelTest {
  const key = textAt(expression, 'key');
  const values = listAt(expression, 'values').map(String);
  switch (textAt(expression, 'operator')) {
    case 'In':
      return (labels) => labels.has(key) && values.includes(labels.get(key) ?? '');
    case 'NotIn':
      return (labels) => !labels.has(key) || !values.includes(labels.get(key) ?? '');
    case 'Exists':
      return (labels) => labels.has(key);
    case 'DoesNotExist':
      return (labels) => !labels.has(key);
    default:
      return () => false;
  }
}

/** Fields that a server can select by, besides metadata.name and metadata.namespace. */
const FIELDS: Readonly<Record<string, readonly string[]>> = {
  pods: [
    'spec.nodeName',
    'spec.restartPolicy',
    'spec.schedulerName',
    'spec.serviceAccountName',
    'spec.hostNetwork',
    'status.phase',
    'status.podIP',
    'status.nominatedNodeName',
  ],
  events: [
    'involvedObject.kind',
    'involvedObject.namespace',
    'involvedObject.name',
    'involvedObject.uid',
    'involvedObject.apiVersion',
    'involvedObject.resourceVersion',
    'involvedObject.fieldPath',
    'reason',
    'reportingComponent',
    'source',
    'type',
  ],
  nodes: ['spec.unschedulable'],
  namespaces: ['status.phase', 'name'],
  secrets: ['type'],
  jobs: ['status.successful'],
  replicasets: ['status.replicas'],
  replicationcontrollers: ['status.replicas'],
  certificatesigningrequests: ['spec.signerName'],
};

/**
 * Compiles a field selector (`a=b`, `a==b`, `a!=b`, joined by commas; `\` escapes) for a kind. Throws AnswerError, as
 * a server answers, for a field that cannot be selected by.
 */
export function fieldSelector(selector: string, plural: string): (object: Json) => boolean {
  const parts = selector.split(/(?<!\\),/).filter((part) => part.trim() !== '');
  const tests = parts.map((part) => {
    const [, field = '', operator = '', raw = ''] = /^\s*([^=!\s]+)\s*(==|=|!=)(.*)$/s.exec(part) ?? [];
    if (operator === '') throw complaint(`error: invalid field selector: '${part}' can't be understood`);
    const known = ['metadata.name', 'metadata.namespace', ...(FIELDS[plural] ?? [])];
    if (!known.includes(field)) {
      const asked = `label selector "", field selector "${selector}"`;
      throw complaint(
        `Error from server (BadRequest): Unable to find "${plural}" that match ${asked}: field label not supported: ${field}`,
      );
    }
    const value = raw.trim().replaceAll(/\\([\\,=])/g, '$1');
    return (object: Json) => (fieldOf(object, field) === value) === (operator !== '!=');
  });
  return (object) => tests.every((test) => test(object));
}

function fieldOf(object: Json, field: string): string {
  switch (field) {
    case 'source':
      return textAt(object, 'source', 'component') || textAt(object, 'reportingComponent');
    case 'name':
      return textAt(object, 'metadata', 'name');
    case 'status.successful':
      return textAt(object, 'status', 'succeeded') || '0';
    case 'spec.unschedulable':
    case 'spec.hostNetwork':
      return textAt(object, ...field.split('.')) || 'false';
    default:
      return textAt(object, ...field.split('.'));
  }
}

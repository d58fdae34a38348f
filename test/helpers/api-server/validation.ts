import { ApiFailure, badRequest } from './failures.js';
import { at, fieldsAt, isFields, type KubeObject, listAt } from './objects.js';
import { apiVersionOf, type ResourceType } from './resources.js';
import { SCHEMAS } from './schemas.js';

/** Paths of fields that the schema does not know; what has no schema is not looked into. */
function unknownFields(value: unknown, schemaName: string, path: string): string[] {
  const schema = SCHEMAS[schemaName];
  if (schema === undefined || !isFields(value)) return [];
  return Object.entries(value).flatMap(([key, inner]) => {
    const field = schema.properties[key];
    const here = path === '' ? key : `${path}.${key}`;
    if (field === undefined) return [here];
    if (field.ref === undefined) return [];
    const { ref } = field;
    const items = field.list && Array.isArray(inner) ? inner : undefined;
    return items === undefined
      ? unknownFields(inner, ref, here)
      : items.flatMap((item, index) => unknownFields(item, ref, `${here}[${index}]`));
  });
}

/** The check behind `fieldValidation=Strict`, for kinds with a schema. Throws 400 with the real wording. */
export function refuseUnknownFields(type: ResourceType, raw: unknown): void {
  const unknown = unknownFields(raw, type.kind, '');
  if (unknown.length === 0) return;
  const list = unknown.map((path) => `unknown field "${path}"`).join(', ');
  throw badRequest(
    `${type.kind} in version "${apiVersionOf(type)}" cannot be handled as a ${type.kind}: strict decoding error: ${list}`,
  );
}

interface Problem {
  readonly field: string;
  readonly reason: 'FieldValueRequired' | 'FieldValueInvalid';
  readonly message: string;
}

const required = (field: string): Problem => ({ field, reason: 'FieldValueRequired', message: 'Required value' });

function containerProblems(type: ResourceType, object: KubeObject): Problem[] {
  const isPod = type.kind === 'Pod';
  if (!isPod && !(type.group === 'apps' && 'template' in fieldsAt(object, 'spec'))) return [];
  const path = isPod ? ['spec'] : ['spec', 'template', 'spec'];
  const containers = listAt(object, ...path, 'containers');
  const field = `${path.join('.')}.containers`;
  if (containers.length === 0) return [required(field)];
  return containers.flatMap((container, index) =>
    at(container, 'image') === undefined ? [required(`${field}[${index}].image`)] : [],
  );
}

/** The few rules of a valid object that tests need: a name of small letters, containers with images. Throws 422. */
export function refuseInvalid(type: ResourceType, object: KubeObject): void {
  const { name } = object.metadata;
  const problems = containerProblems(type, object);
  if (!/^[a-z0-9]([-.:a-z0-9]*[a-z0-9])?$/.test(name)) {
    const message = `Invalid value: "${name}": a lowercase RFC 1123 subdomain must consist of lower case alphanumeric characters, '-' or '.'`;
    problems.unshift({ field: 'metadata.name', reason: 'FieldValueInvalid', message });
  }
  if (problems.length === 0) return;
  const kind = type.group === '' ? type.kind : `${type.kind}.${type.group}`;
  const list = problems.map((problem) => `${problem.field}: ${problem.message}`);
  const text = list.length === 1 ? list[0] : `[${list.join(', ')}]`;
  const details = { name, ...(type.group === '' ? {} : { group: type.group }), kind: type.kind, causes: problems };
  throw new ApiFailure(422, 'Invalid', `${kind} "${name}" is invalid: ${text}`, details);
}

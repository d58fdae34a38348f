import { qualifiedName, type ResourceType } from './resources.js';

/** What the server answers when it refuses: a Status object with an HTTP code. */
export class ApiFailure extends Error {
  constructor(
    readonly code: number,
    readonly reason: string,
    message: string,
    readonly details?: Record<string, unknown>,
  ) {
    super(message);
  }
}

/** The Status object of a failure, as kubectl reads it. */
export const statusBody = (failure: ApiFailure): Record<string, unknown> => ({
  kind: 'Status',
  apiVersion: 'v1',
  metadata: {},
  status: 'Failure',
  message: failure.message,
  reason: failure.reason,
  ...(failure.details === undefined ? {} : { details: failure.details }),
  code: failure.code,
});

const detailsOf = (type: ResourceType, name: string) => ({
  name,
  ...(type.group === '' ? {} : { group: type.group }),
  kind: type.plural,
});

/** 404 of an object. */
export const notFound = (type: ResourceType, name: string): ApiFailure =>
  new ApiFailure(404, 'NotFound', `${qualifiedName(type)} "${name}" not found`, detailsOf(type, name));

/** 404 of a path that nothing serves. */
export const noSuchPath = (): ApiFailure =>
  new ApiFailure(404, 'NotFound', 'the server could not find the requested resource', {});

/** 409 of a create. */
export const alreadyExists = (type: ResourceType, name: string): ApiFailure =>
  new ApiFailure(409, 'AlreadyExists', `${qualifiedName(type)} "${name}" already exists`, detailsOf(type, name));

/** 409 of a write that names an old resourceVersion. */
export const conflict = (type: ResourceType, name: string): ApiFailure =>
  new ApiFailure(
    409,
    'Conflict',
    `Operation cannot be fulfilled on ${qualifiedName(type)} "${name}": the object has been modified; please apply your changes to the latest version and try again`,
    detailsOf(type, name),
  );

/** 403 with the wording of RBAC. */
export function forbidden(
  user: string,
  verb: string,
  type: ResourceType,
  target: { name: string; namespace: string; subresource: string },
): ApiFailure {
  const resource = target.subresource === '' ? type.plural : `${type.plural}/${target.subresource}`;
  const subject = target.name === '' ? qualifiedName(type) : `${qualifiedName(type)} "${target.name}"`;
  const where = target.namespace === '' ? 'at the cluster scope' : `in the namespace "${target.namespace}"`;
  return new ApiFailure(
    403,
    'Forbidden',
    `${subject} is forbidden: User "${user}" cannot ${verb} resource "${resource}" in API group "${type.group}" ${where}`,
    detailsOf(type, target.name),
  );
}

/** 400 with a plain sentence. */
export const badRequest = (message: string): ApiFailure => new ApiFailure(400, 'BadRequest', message);

/** 401: no token, or a wrong one. */
export const unauthorized = (): ApiFailure => new ApiFailure(401, 'Unauthorized', 'Unauthorized');

/** 415 of a body that is not read. */
export const unsupportedMediaType = (why: string): ApiFailure =>
  new ApiFailure(415, 'UnsupportedMediaType', `the body of the request was in an unknown format: ${why}`);

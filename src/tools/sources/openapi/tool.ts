import { OpsError } from '../../../domain/errors.js';
import { type Json, type JsonObject, RISKS, type Risk } from '../../../domain/types.js';
import { isObject, objectAt } from '../../../lib/json-values.js';
import { toolNameOf } from '../names.js';
import { type ApiAddress, baseOf } from './access.js';
import type { ApiDocument, Operation } from './document.js';
import { requestParts } from './request.js';
import { cut } from './schema.js';

const MAX_DESCRIPTION = 600;

/** By RFC 9110 9.2.1: what is safe reads. A removal cannot be undone. */
const RISK_OF: Readonly<Record<string, Risk>> = {
  GET: 'low',
  HEAD: 'low',
  OPTIONS: 'low',
  POST: 'high',
  PUT: 'high',
  PATCH: 'high',
  DELETE: 'critical',
};

/** The tool name of an operation: its id, or its method and path. */
export const nameOfOperation = ({ id, method, path }: Operation): string => toolNameOf(id ?? `${method} ${path}`);

/** The higher of what the method means and what `x-opsagent-risk` says; a word that is no risk counts as the highest. */
export function riskOfOperation({ method, raw, shared }: Operation): Risk {
  const byMethod = RISK_OF[method] ?? 'critical';
  const said = raw['x-opsagent-risk'] ?? shared['x-opsagent-risk'];
  if (said === undefined) return byMethod;
  const own = RISKS.find((risk) => risk === said) ?? 'critical';
  return RISKS.indexOf(own) > RISKS.indexOf(byMethod) ? own : byMethod;
}

/**
 * One operation with the keys of a tool file.
 * @throws OpsError usage when it refers to what there is not, or to another file.
 */
export function rawTool(
  document: ApiDocument,
  operation: Operation,
  name: string,
  address: ApiAddress,
  auth: Json | undefined,
): JsonObject {
  const { method, path, raw, id, tags } = operation;
  // The tool file alone may ask for values of the session and the environment.
  if (path.includes('{{')) throw new OpsError('usage', 'its path holds "{{", which stands for values of the session');
  const { parameters, run } = requestParts(document, operation);
  const isOpen = Array.isArray(raw.security) && raw.security.length === 0;
  const title = typeof raw.summary === 'string' ? cut(raw.summary, 80) : (id ?? `${method} ${path}`);
  return {
    name,
    display_name: title === '' ? name : title,
    description: describe(operation),
    risk_level: riskOfOperation(operation),
    parameters,
    permissions: [permissionOf(operation, tags)],
    requires_auth: auth !== undefined && !isOpen,
    run: {
      kind: 'http',
      method,
      url: `${baseOf(operation, address)}${path}`,
      ...run,
      ...(auth !== undefined && !isOpen && { auth }),
      allow_hosts: address.allowHosts,
      ...(address.publicHosts.length > 0 && { public_hosts: address.publicHosts }),
    },
    output: { format: formatOf(document, operation) },
  };
}

/** What a model chooses by. */
function describe({ method, path, raw }: Operation): string {
  const texts = [raw.summary, raw.description].filter((text) => typeof text === 'string').map((text) => text.trim());
  const words = texts.filter((text, index) => text !== '' && !(index > 0 && text === texts[0]));
  const deprecated = raw.deprecated === true ? ' Deprecated.' : '';
  return `${cut(words.map((text) => (/[.!?。]$/.test(text) ? text : `${text}.`)).join(' '), MAX_DESCRIPTION)}${deprecated} (${method} ${path})`.trim();
}

/** `api:pets:read`: what a role must grant. The first part is put before by the caller's category. */
function permissionOf({ method, path }: Operation, [tag]: readonly string[]): string {
  const subject = tag ?? path.split('/').find((part) => part !== '' && !part.startsWith('{')) ?? 'root';
  const verb = RISK_OF[method] === 'low' ? 'read' : method === 'DELETE' ? 'delete' : 'write';
  return `openapi:${toolNameOf(subject)}:${verb}`;
}

/** By the types of the answers that mean success: JSON only when they are all JSON. */
function formatOf(document: ApiDocument, { raw }: Operation): 'json' | 'yaml' | 'text' {
  const answers = Object.entries(objectAt(raw, 'responses')).filter(([status]) => /^(?:2|default)/i.test(status));
  const good = answers.some(([status]) => status.startsWith('2'))
    ? answers.filter(([status]) => status.startsWith('2'))
    : answers;
  const types = good.flatMap(([, answer]) =>
    Object.keys(isObject(answer) ? objectAt(document.resolve(answer), 'content') : {}),
  );
  const all = (pattern: RegExp) => types.length > 0 && types.every((type) => pattern.test(type));
  if (all(/^[\w.+-]+\/(?:[\w.-]+\+)?json\b/i)) return 'json';
  return all(/\byaml\b/i) ? 'yaml' : 'text';
}

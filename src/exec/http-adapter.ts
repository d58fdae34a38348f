import { createRequire } from 'node:module';
import { messageOf, OpsError } from '../domain/errors.js';
import type { HttpPayload } from './http-spec.js';

/** What the module of a vendor adapter may export. Both run inside opsagent, and must answer at once. */
interface AdapterModule {
  /** Changes a request before it is judged and shown: the address within its origin, headers, body. */
  transformRequest?(request: { method: string; url: string; headers: Record<string, string>; body?: string }): unknown;
  /** Changes the text of an answer before it is stored and shown. */
  transformResponse?(answer: { status: number; contentType: string; body: string }): unknown;
}

/** Longer answers are left as they are. */
export const MAX_TRANSFORMED_BYTES = 8 * 1024 * 1024;

/**
 * The request as the adapter makes it. It may not choose another method or origin: the call is judged by its tool.
 * @throws OpsError usage when the module cannot be used or gives no request.
 */
export function adaptRequest(path: string, payload: HttpPayload): HttpPayload {
  const module = load(path);
  if (!module.transformRequest) return payload;
  const texts = Object.entries(payload.headers).filter(([, parts]) => parts.every((part) => typeof part === 'string'));
  const given = {
    method: payload.method,
    url: payload.url,
    headers: Object.fromEntries(texts.map(([name, parts]) => [name, parts.join('')])),
    ...(payload.body !== undefined && { body: payload.body }),
  };
  const made = attempt(path, () => module.transformRequest?.(structuredClone(given)));
  const { method, url, headers, body } = { ...given, ...(typeof made === 'object' && made !== null ? made : {}) };
  const isRequest =
    typeof made === 'object' &&
    made !== null &&
    !('then' in made) &&
    method === payload.method &&
    typeof url === 'string' &&
    URL.canParse(url) &&
    new URL(url).origin === new URL(payload.url).origin &&
    (body === undefined || typeof body === 'string') &&
    typeof headers === 'object' &&
    headers !== null &&
    Object.values(headers).every((value) => typeof value === 'string');
  if (!isRequest) {
    throw new OpsError(
      'usage',
      `transformRequest of ${path} gave no request with the same method and origin, a text as its body, and texts as headers.`,
      'Return { url, headers, body } at once, not a promise.',
    );
  }
  const secret = Object.entries(payload.headers).filter(([, parts]) => parts.some((part) => typeof part !== 'string'));
  const own = Object.entries(headers).map(([name, text]) => [name.toLowerCase(), [text]] as const);
  const { body: _body, ...rest } = payload;
  return {
    ...rest,
    url,
    headers: { ...Object.fromEntries(own), ...Object.fromEntries(secret) },
    ...(body !== undefined && { body }),
  };
}

/** The text of an answer as the adapter makes it; undefined when the module does not change answers. */
export function adaptResponse(path: string, answer: { status: number; contentType: string; body: string }): string {
  const { transformResponse } = load(path);
  if (!transformResponse) return answer.body;
  const made = attempt(path, () => transformResponse(answer));
  return typeof made === 'string' ? made : JSON.stringify(made ?? null);
}

function load(path: string): AdapterModule {
  return attempt(path, () => createRequire(path)(path));
}

function attempt<T>(path: string, work: () => T): T {
  try {
    return work();
  } catch (error) {
    throw new OpsError('usage', `The adapter ${path} failed: ${messageOf(error)}`, 'Mend the module.', {
      cause: error,
    });
  }
}

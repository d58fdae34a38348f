import { OpsError } from '../domain/errors.js';
import { type AdapterRef, type AdapterTexts, runAdapter } from './adapter-module.js';
import type { HttpPayload } from './http-spec.js';

/** Longer answers are left as they are. */
export const MAX_TRANSFORMED_BYTES = 8 * 1024 * 1024;

/**
 * The request as `transformRequest` of the adapter makes it, before it is judged and shown. It may not choose another method or origin: the call is judged by its tool.
 * @throws OpsError usage when the module cannot be used or gives no request.
 */
export function adaptRequest(adapter: AdapterRef, texts: AdapterTexts, payload: HttpPayload): HttpPayload {
  const plain = Object.entries(payload.headers).filter(([, parts]) => parts.every((part) => typeof part === 'string'));
  const given = {
    method: payload.method,
    url: payload.url,
    headers: Object.fromEntries(plain.map(([name, parts]) => [name, parts.join('')])),
    ...(payload.body !== undefined && { body: payload.body }),
  };
  const answer = runAdapter(adapter, texts, 'transformRequest', given);
  if (!answer) return payload;
  const { made } = answer;
  const { method, url, headers, body } = { ...given, ...(typeof made === 'object' && made !== null ? made : {}) };
  const isRequest =
    typeof made === 'object' &&
    made !== null &&
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
      `transformRequest of ${adapter.path} gave no request with the same method and origin, a text as its body, and texts as headers.`,
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

/** The text of an answer as `transformResponse` of the adapter makes it, before it is stored and shown; as it was without one. */
export function adaptResponse(
  adapter: AdapterRef,
  texts: AdapterTexts,
  answer: { status: number; contentType: string; body: string },
): string {
  const changed = runAdapter(adapter, texts, 'transformResponse', answer);
  if (!changed) return answer.body;
  return typeof changed.made === 'string' ? changed.made : JSON.stringify(changed.made ?? null);
}

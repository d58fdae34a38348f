import type { ServiceFault } from '../domain/ports.js';

/** What a status says of the service: 501 and 505 are what the caller asks for, and other 5xx its own fault. */
export const faultOf = (status: number): ServiceFault | undefined =>
  status === 429 ? 'busy' : status >= 500 && status !== 501 && status !== 505 ? 'failing' : undefined;

/** `Retry-After` (RFC 9110 10.2.3) in ms: whole seconds, or a date. */
export function retryAfterOf(value = ''): number | undefined {
  if (/^\s*\d{1,6}\s*$/.test(value)) return Number(value) * 1000;
  const at = /\bGMT\s*$/.test(value) ? Date.parse(value) : Number.NaN;
  return Number.isNaN(at) ? undefined : Math.max(0, at - Date.now());
}

/** When to try again, as a sentence. */
export const inWords = (retryAfterMs: number | undefined): string =>
  retryAfterMs === undefined ? 'Try again in a while.' : `Try again in ${Math.ceil(retryAfterMs / 1000)} s.`;

/** Where a model is reached, as far as messages may speak of it. */
export interface Endpoint {
  /** Host and port, the only part of the URL that messages show. */
  readonly host: string;
  /** Requests leave for this origin only. */
  readonly origin: string;
  readonly model: string;
  readonly hasKey: boolean;
  /** Makes words of a server or a library fit for a message: no key, one line, at most 400 characters. */
  readonly clean: (text: string) => string;
}

const MAX_WORDS = 400;
/** Shorter values are words such as `none`, not secrets, and would tear holes into messages. */
const MIN_KEY_LENGTH = 4;
const KEY_SHAPES = /\b(?:sk|gsk|pk|xai|key)-[\w*.-]{4,}|\bBearer\s+[^\s"',]+/gi;

/** Describes the endpoint of a base URL, which must be a valid http(s) URL. */
export function describeEndpoint(target: {
  readonly baseUrl: string;
  readonly model: string;
  readonly apiKey?: string | undefined;
}): Endpoint {
  const url = new URL(target.baseUrl);
  const key = target.apiKey ?? '';
  return {
    host: url.host,
    origin: url.origin,
    model: target.model,
    hasKey: key !== '',
    clean: (text) => bound(flatten(scrub(text, key))),
  };
}

/** Removes the key, and what looks like one: servers like to repeat a wrong key in their answer. */
function scrub(text: string, key: string): string {
  const known = key.length >= MIN_KEY_LENGTH ? text.replaceAll(key, '[key]') : text;
  return known.replaceAll(KEY_SHAPES, '[key]');
}

const flatten = (text: string): string => text.replaceAll(/[\s\p{Cc}\p{Cf}]+/gu, ' ').trim();

const bound = (text: string): string => (text.length > MAX_WORDS ? `${text.slice(0, MAX_WORDS)}…` : text);

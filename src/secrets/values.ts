/** What a telling name promises: a password, a key, or something weaker (token, secret, auth …) that often names a thing. */
export type Family = 'password' | 'key' | 'token';

/**
 * How sure a place is to hold a value. `field`: a key of JSON, YAML, a header or XML · `environment`: `DB_PASSWORD=…` ·
 * `assigned`: `password=…`, `--token …` · `prose`: `password: …` in the middle of a sentence.
 */
export type Place = 'field' | 'environment' | 'assigned' | 'prose';

const PLACEHOLDER =
  /^(?:|null|nil|none|undefined|true|false|yes|no|on|off|n\/a|y|n|\*+|x{3,}|-+|\.{2,}|_+|redacted|hidden|masked|required|optional|omitted|removed|empty|unset|enabled|disabled|strict|invalid|incorrect|expired|missing|wrong|ok|success|failed|%[sdvqr]|\d+ bytes)$/i;
/** `<none>`, `<set to the key …>`, `<secret:1>`, `${VAR}`, `$(VAR)`, `$VAR`, `{{ x }}`, `%(x)s`, `[REDACTED]`. */
const TEMPLATE = /^(?:<[^<>]*>|\$\{|\$\(|\$[A-Z_]+$|\{\{|%\(|%\{|\[[A-Za-z ]+\]?$)/;
const PATH = /^(?:\.{0,2}\/|~\/|[A-Za-z]:[\\/]|file:\/\/)[\w./@+ ~-]*$/;
const WORDS = /^[A-Za-z]+(?:[-_., :/]+[A-Za-z]+)*[.,;:!?)]*$/;
/** Numbers, sizes, durations, dates, digests, addresses without credentials, ARNs, and public keys. */
const PUBLIC =
  /^(?:[-+]?\d[\d.,:eE+-]*\s?(?:[kmgt]i?b?|[nmµu]?s|min|h|d|%)?|\d+h\d+m\d*s?|\d{4}-\d\d-\d\d[T ].*|(?:sha\d+|md5)[:-].*|[a-z][a-z0-9+.-]*:\/\/[^@]*|arn:.*|(?:ssh|ecdsa)-.*|-----BEGIN (?:CERTIFICATE|PUBLIC).*)$/i;
/** A number of this many digits is no size and no time. */
const MANY_DIGITS = /^\d{20,}$/;
const MIN_KEY = 8;
const MIN_IN_ENVIRONMENT = 4;
/** A single word this long is in no dictionary. */
const LONG_WORD = 20;

/** Whether nobody would call this a value: empty, a placeholder, a template, a reference to a secret that is hidden already. */
export const isPlaceholder = (value: string): boolean => PLACEHOLDER.test(value) || TEMPLATE.test(value);

/** Whether a value that stands behind a telling name is a secret. */
export function isSecretValue(value: string, family: Family, place: Place): boolean {
  if (isPlaceholder(value)) return false;
  if (family === 'password') return place !== 'prose' || (!WORDS.test(value) && !PATH.test(value) && value.length > 3);
  if (PATH.test(value) || (PUBLIC.test(value) && !MANY_DIGITS.test(value))) return false;
  if (place === 'environment') return value.length >= MIN_IN_ENVIRONMENT;
  if (value.length < MIN_KEY || /\s/.test(value))
    return value.length >= 2 * MIN_KEY && !/\s[a-z]+\s/i.test(value) && /\d/.test(value);
  if (WORDS.test(value)) return value.length >= LONG_WORD && /^[A-Za-z]+$/.test(value);
  if (isResourceName(value)) return false;
  return place !== 'prose' || (/\d/.test(value) && /[A-Za-z]/.test(value));
}

/** `db-credentials-7f9b4`: parts of small letters and digits, one of them a word; a UUID has none. */
function isResourceName(value: string): boolean {
  if (!/^[a-z0-9]+(?:[-./:][a-z0-9]+)+$/.test(value)) return false;
  return value.split(/[-./:]/).some((part) => /^[a-z]{2,}$/.test(part) && !/^[a-f]+$/.test(part));
}

/** Whether a value is looked for everywhere, also where no name stands before it: nobody writes it by chance. */
export function isUnmistakable(value: string): boolean {
  if (value.length < 6 || /^\d{1,15}$/.test(value) || isPlaceholder(value) || /^<?secret:?\d*>?$/.test(value))
    return false;
  if (PATH.test(value) || PUBLIC.test(value)) return false;
  if (WORDS.test(value)) return /^[A-Za-z]+$/.test(value) && value.length >= LONG_WORD;
  const kinds = [/[a-z]/, /[A-Z]/, /\d/, /[^A-Za-z0-9]/].filter((kind) => kind.test(value)).length;
  return value.length >= 12 || (kinds >= 2 && value.length >= 8) || kinds >= 3;
}

import { OpsError } from '../domain/errors.js';
import type { Redactor } from '../domain/ports.js';
import { createKnown } from './known.js';
import { isTellingName } from './names.js';
import { HidingStream } from './stream.js';
import { createVault } from './vault.js';

/** The redactor of one session, which can be told of secrets before anything prints them. */
export interface SessionRedactor extends Redactor {
  /** Hides this value wherever it appears from now on: plain, in base64, URL-encoded, inside JSON. Gives it back. */
  learn(value: string): string;
}

/** A reference, as it stands in texts, in URLs and in JSON that Go wrote. */
const REFERENCE = /<secret(?::(\d{1,6}))?>|%3Csecret(?:(?::|%3A)(\d{1,6}))?%3E|\\u003csecret(?::(\d{1,6}))?\\u003e/gi;

/** The one redactor of a session. Its vault is in memory alone, at most 10,000 values of 64 KiB. */
export function createRedactor(): SessionRedactor {
  const known = createKnown();
  const vault = createVault((value) => known.learn(value));
  const hide: Redactor['hide'] = (text, from) => {
    const stream = new HidingStream(vault, known, from);
    const bytes = Buffer.from(text);
    const hidden = Buffer.concat([stream.write(bytes), stream.end()]);
    return hidden.equals(bytes) ? text : hidden.toString('utf8');
  };
  return {
    hide,
    stream: () => new HidingStream(vault, known, 'output'),
    learn(value) {
      known.learn(value);
      return value;
    },
    reveal: (text, encode) =>
      text.replaceAll(REFERENCE, (reference, plain, inUrl, inJson, offset: number) => {
        const found = vault.get(Number(plain ?? inUrl ?? inJson ?? 0));
        if (!found) throw unknown(reference);
        if (encode === undefined && offset === 0 && found.value.startsWith('-')) throw option(reference);
        return encode ? encode(found.value) : found.value;
      }),
    references(text) {
      const numbers = [...text.matchAll(REFERENCE)].map((match) => Number(match[1] ?? match[2] ?? match[3] ?? 0));
      return [...new Set(numbers)].flatMap((number) => {
        const found = vault.get(number);
        return found ? [{ number, from: found.from }] : [];
      });
    },
  };
}

const unknown = (reference: string): OpsError =>
  new OpsError(
    'failed',
    reference === '<secret>'
      ? '<secret> stands for a value that was not kept, so it cannot be used.'
      : `There is no ${reference} in this session: nothing was hidden under this number.`,
    'Use a reference that an output or the request of this session holds, or ask the person for the value.',
  );

const option = (reference: string): OpsError =>
  new OpsError(
    'failed',
    `The value of ${reference} begins with "-": as an argument it would become an option.`,
    'Give it with its name before it, such as --password=…, or from a file.',
  );

/** Values of environment variables whose names tell that they are secret: `PROMETHEUS_PASSWORD`, `OPSAGENT_API_KEY`. */
export const secretsOf = (env: Readonly<Record<string, string | undefined>>): string[] =>
  Object.entries(env).flatMap(([name, value]) => (value && isTellingName(name) ? [value] : []));

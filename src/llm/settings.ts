import { OpsError } from '../domain/errors.js';

export interface ModelSettings {
  readonly baseUrl: string;
  readonly apiKey?: string;
  readonly model: string;
  /** What a person should know: a key that was not used, a key on an open line. */
  readonly notices: readonly string[];
}

export interface ModelSettingSources {
  readonly flags: {
    readonly model?: string | undefined;
    readonly baseUrl?: string | undefined;
    readonly apiKey?: string | undefined;
  };
  readonly env: Readonly<Record<string, string | undefined>>;
  /** The user's configuration; only its `model` entry is read. */
  readonly config: {
    readonly model?: {
      readonly name?: string | undefined;
      readonly base_url?: string | undefined;
      readonly api_key?: string | undefined;
    };
  };
}

/** Where a setting comes from, with the three values that belong together. */
interface Source {
  readonly keyName: string;
  readonly urlName: string;
  readonly model: string | undefined;
  readonly baseUrl: string | undefined;
  readonly apiKey: string | undefined;
  /** Where its key may go when the source names no base URL itself: anywhere, or to OpenAI. */
  readonly keyReach: 'any' | 'openai';
}

const DEFAULT_BASE_URL = 'https://api.openai.com/v1';
const LOOPBACK = /^(?:localhost|127(?:\.\d+){3}|\[::1\])$/;
const ENDPOINT_PATH = /\/chat\/completions\/?$/;

/**
 * Finds model, base URL and key: each from flags, else OPSAGENT_*, else OPENAI_*, else the configuration.
 *
 * A key stays with the base URL it was set with, so that no other setting can carry it to another server:
 * - `--api-key` goes wherever the request goes.
 * - Any other key goes only to the origin of the base URL of its own source, when that source names one.
 * - Else OPSAGENT_API_KEY goes to whatever base URL is chosen, it was set for opsagent; OPENAI_API_KEY and a configured
 *   key go to api.openai.com only.
 * A key that may not be used is passed over, and `notices` says so.
 *
 * Undefined when no model is named: a key that lies in the environment does not mean that it may be used. Throws
 * OpsError('usage') for a base URL that is none, and for a named model that cannot work.
 */
export function resolveModelSettings(sources: ModelSettingSources): ModelSettings | undefined {
  const ordered = orderSources(sources);
  const named = ordered.find((source) => source.model !== undefined);
  const addressed = ordered.find((source) => source.baseUrl !== undefined);
  if (named?.model === undefined) {
    if (sources.flags.baseUrl === undefined && sources.flags.apiKey === undefined) return undefined;
    throw new OpsError(
      'usage',
      'A model server or key is given, but no model.',
      'Add --model NAME, or set OPSAGENT_MODEL.',
    );
  }
  const baseUrl = checkBaseUrl(addressed?.baseUrl ?? DEFAULT_BASE_URL, addressed?.urlName ?? 'base URL');
  const url = new URL(baseUrl);
  const keyed = ordered.find((source) => source.apiKey !== undefined && mayUseKey(source, url));
  if (keyed?.apiKey === undefined && addressed === undefined) return withoutKey(named);
  const notices = ordered
    .slice(0, keyed === undefined ? undefined : ordered.indexOf(keyed))
    .filter((source) => source.apiKey !== undefined)
    .map((source) => describeWithheld(source, url));
  if (keyed?.apiKey === undefined) return { baseUrl, model: named.model, notices };
  checkKey(keyed.apiKey, keyed.keyName);
  if (url.protocol === 'http:' && !LOOPBACK.test(url.hostname)) {
    notices.push(`The API key travels unencrypted to ${url.host}; use https:// if the server can.`);
  }
  return { baseUrl, apiKey: keyed.apiKey, model: named.model, notices };
}

function orderSources({ flags, env, config }: ModelSettingSources): readonly Source[] {
  const fromEnv = (prefix: 'OPSAGENT' | 'OPENAI', keyReach: Source['keyReach']): Source => ({
    keyName: `${prefix}_API_KEY`,
    urlName: `${prefix}_BASE_URL`,
    model: read(env[`${prefix}_MODEL`]),
    baseUrl: read(env[`${prefix}_BASE_URL`]),
    apiKey: read(env[`${prefix}_API_KEY`]),
    keyReach,
  });
  return [
    {
      keyName: '--api-key',
      urlName: '--base-url',
      model: read(flags.model),
      baseUrl: read(flags.baseUrl),
      apiKey: read(flags.apiKey),
      keyReach: 'any',
    },
    fromEnv('OPSAGENT', 'any'),
    fromEnv('OPENAI', 'openai'),
    {
      keyName: 'model.api_key of the configuration',
      urlName: 'model.base_url of the configuration',
      model: read(config.model?.name),
      baseUrl: read(config.model?.base_url),
      apiKey: read(config.model?.api_key),
      keyReach: 'openai',
    },
  ];
}

/** A variable that is set to nothing is not set; files of keys end in a line feed. */
const read = (value: string | undefined): string | undefined => value?.trim() || undefined;

function mayUseKey(source: Source, url: URL): boolean {
  if (source.baseUrl !== undefined)
    return URL.canParse(source.baseUrl) && new URL(source.baseUrl).origin === url.origin;
  return source.keyReach === 'any' || url.origin === new URL(DEFAULT_BASE_URL).origin;
}

const describeWithheld = (source: Source, url: URL): string =>
  `${source.keyName} was not sent to ${url.host}: it belongs to ${source.baseUrl === undefined ? 'api.openai.com' : source.urlName}. Give the key of this server with OPSAGENT_API_KEY or --api-key.`;

/** OPENAI_MODEL alone may be meant for other programs; whoever names a model for opsagent wants an answer from it. */
function withoutKey(named: Source): undefined {
  if (named.keyName === 'OPENAI_API_KEY') return undefined;
  throw new OpsError(
    'usage',
    `The model ${named.model} has neither an API key nor a server.`,
    'Set OPSAGENT_API_KEY, or --base-url for a server of your own, or work without a model: --offline.',
  );
}

function checkBaseUrl(text: string, name: string): string {
  const example = 'Give one like http://localhost:11434/v1.';
  // A value that is no URL may be a key in the wrong place: it is not repeated.
  if (!URL.canParse(text)) throw new OpsError('usage', `The value of ${name} is not a URL.`, example);
  const url = new URL(text);
  if (url.protocol !== 'http:' && url.protocol !== 'https:') {
    throw new OpsError('usage', `The value of ${name} must begin with http:// or https://.`, example);
  }
  if (url.username !== '' || url.password !== '') {
    throw new OpsError(
      'usage',
      `The value of ${name} holds a user name or password.`,
      'Use OPSAGENT_API_KEY for the key.',
    );
  }
  url.hash = '';
  url.pathname = url.pathname.replace(ENDPOINT_PATH, '').replace(/\/+$/, '');
  return url.search === '' ? url.href.replace(/\/$/, '') : url.href;
}

function checkKey(key: string, name: string): void {
  if (/^[\x21-\x7e]+$/.test(key)) return;
  throw new OpsError(
    'usage',
    `The value of ${name} holds characters that no API key has.`,
    'Is it copied completely, and alone?',
  );
}

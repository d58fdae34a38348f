import { existsSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, OpsError } from '../domain/errors.js';
import { type Json, MODES } from '../domain/types.js';
import { makePrivateFolder } from './folders.js';
import { didYouMean } from './nearest.js';

/** What a number may be, and in words. */
const NUMBERS = {
  number: [(value: number) => value > 0 && value <= 1_000_000, 'a number above 0, up to 1000000'],
  count: [(value: number) => value > 0 && Number.isSafeInteger(value), 'a whole number above 0'],
  dollars: [(value: number) => value >= 0 && value <= 1_000_000, 'an amount of US dollars, such as 0.50'],
  share: [(value: number) => value > 0 && value <= 1, 'a share, above 0 and at most 1'],
} as const;

export interface Setting {
  readonly description: string;
  readonly type: 'string' | 'list' | keyof typeof NUMBERS;
  /** The only values there are. */
  readonly choices?: readonly string[];
  /** The least number there is. */
  readonly min?: number;
  /** Not shown by `config list` and `config get`. */
  readonly isSecret?: boolean;
}

/** Every setting of the config file; environment variables and flags go before it. */
export const SETTINGS: Readonly<Record<string, Setting>> = {
  'model.name': { description: 'Model to ask, such as gpt-4o or qwen3:14b', type: 'string' },
  'model.base_url': { description: 'OpenAI-compatible endpoint, up to /v1', type: 'string' },
  'model.api_key': { description: 'Its key; the environment is the better place', type: 'string', isSecret: true },
  'model.fast': { description: 'Model that shortens long outputs for tools with output.summarize', type: 'string' },
  'model.max_steps': { description: 'Replies of the model that may call tools in one request', type: 'count' },
  'model.max_output_tokens': { description: 'Longest answer that is asked of the model, in tokens', type: 'count' },
  'budget.max_cost_per_request': { description: 'US dollars that one request may cost', type: 'dollars' },
  'budget.max_tokens_per_request': { description: 'Tokens that one request may take', type: 'count' },
  'budget.token_budget_per_agent': { description: 'Tokens of one agent in one task', type: 'count' },
  'budget.token_budget_per_task': { description: 'Tokens of one task, all agents together', type: 'count' },
  'budget.max_cost_per_session': { description: 'US dollars that one session may cost', type: 'dollars' },
  'budget.max_tokens_per_session': { description: 'Tokens that one session may take', type: 'count' },
  'budget.max_cost_per_day': { description: 'US dollars a day, all sessions together', type: 'dollars' },
  'budget.max_tokens_per_day': { description: 'Tokens a day, all sessions together', type: 'count' },
  'kubernetes.context': { description: 'kubeconfig context when --context is not given', type: 'string' },
  'kubernetes.namespace': { description: 'Namespace when --namespace is not given', type: 'string' },
  mode: {
    description: 'How a session acts: read-only, suggest, ask, auto or paranoid',
    type: 'string',
    choices: MODES,
  },
  production_patterns: {
    description: 'Contexts and namespaces whose name must be typed, separated by commas; * stands for anything',
    type: 'list',
  },
  'audit.max_bytes': {
    description: 'Size at which the audit log is rotated, in bytes; 1048576 (1 MiB) or more',
    type: 'count',
    min: 1024 * 1024,
  },
  'tools.dirs': { description: 'Further folders of tool files, separated by commas', type: 'list' },
  'tools.max_tokens': {
    description: 'Tokens of a prompt that tools may take; the rest is found by find_tools',
    type: 'number',
  },
  'policy.opa_url': {
    description: 'OPA server that is asked about each call, such as http://localhost:8181',
    type: 'string',
  },
  'policies.dirs': { description: 'Further folders of policy files, separated by commas', type: 'list' },
  'limits.rate.default': { description: 'Calls a minute of a tool that states no rate_limit', type: 'number' },
  'limits.rate.all': { description: 'Calls a minute of all tools together', type: 'number' },
  'limits.breaker.failures': { description: 'Failures in a row that open a circuit breaker', type: 'number' },
  'limits.breaker.error_threshold': { description: 'Share of failures that opens it, up to 1', type: 'share' },
  'limits.breaker.window_seconds': { description: 'Seconds over which that share is taken', type: 'number' },
  'limits.breaker.min_requests': { description: 'Calls in them before the share counts', type: 'number' },
  'limits.breaker.recovery_seconds': { description: 'Seconds until an open breaker tries again', type: 'number' },
};

/** Settings of which there is one for each tool and each category. */
const RATE_KEY = /^limits\.rate\.[A-Za-z0-9_-]+$/;
const RATE: Setting = { description: 'Calls a minute of this tool, or of all tools of this category', type: 'number' };

/** A setting by its key; undefined when there is none. */
export const settingOf = (key: string): Setting | undefined =>
  Object.hasOwn(SETTINGS, key) ? SETTINGS[key] : RATE_KEY.test(key) ? RATE : undefined;

/** Folders whose own tools are used (`config trust`): absolute path → digest of the tool files that were trusted. */
export const TRUST_KEY = 'trusted';

export interface Config {
  readonly path: string;
  /** Value of a setting; undefined when it is not set. */
  get(key: string): Json | undefined;
  /** Sets a value, or removes it when it is undefined; the file is written at once, with mode 0600. */
  set(key: string, value: Json | undefined): void;
}

/** Path of the config file. */
export const configPath = (configDir: string): string => join(configDir, 'config.json');

/**
 * Opens the config file, kept by `conf` as JSON. An absent file is an empty configuration, and is made by the first `set`.
 * @throws OpsError usage when the file cannot be read.
 */
export async function openConfig(configDir: string): Promise<Config> {
  const path = configPath(configDir);
  // Loading conf takes longer than most commands; nobody without a config file should wait for it.
  if (!existsSync(path)) return { path, get: () => undefined, set: () => undefined };
  return openForWriting(configDir);
}

/** Like `openConfig`, but `set` makes the file when there is none. */
export async function openForWriting(configDir: string): Promise<Config> {
  const path = configPath(configDir);
  try {
    writing(path, () => makePrivateFolder(configDir));
    const { default: Conf } = await import('conf');
    const store = new Conf<Record<string, unknown>>({ cwd: configDir, configName: 'config', configFileMode: 0o600 });
    return {
      path,
      get: (key) => store.get(key) as Json | undefined,
      set: (key, value) => writing(path, () => (value === undefined ? store.delete(key) : store.set(key, value))),
    };
  } catch (error) {
    if (error instanceof OpsError) throw error;
    throw new OpsError(
      'usage',
      `The configuration ${path} cannot be read: ${messageOf(error)}`,
      'Mend the file, or delete it to begin anew.',
      { cause: error },
    );
  }
}

/**
 * Reads what a person typed as the value of a setting.
 * @throws OpsError usage for an unknown key (with the nearest) or a value of the wrong type.
 */
export function parseSetting(key: string, text: string): Json {
  const setting = settingOf(key);
  if (!setting)
    throw new OpsError(
      'usage',
      `There is no setting ${key}.${didYouMean(key, Object.keys(SETTINGS))}`,
      'List them with: opsagent config list',
    );
  if (key.endsWith('_url') && !/^https?:\/\/[^\s/]/.test(text)) {
    throw new OpsError(
      'usage',
      `${key} takes a URL, not ${JSON.stringify(text)}.`,
      `Write it like ${key === 'policy.opa_url' ? 'http://localhost:8181' : 'http://localhost:11434/v1'}`,
    );
  }
  if (setting.choices && !setting.choices.includes(text)) {
    throw new OpsError(
      'usage',
      `${key} cannot be ${JSON.stringify(text)}.${didYouMean(text, setting.choices)}`,
      `It is one of: ${setting.choices.join(', ')}`,
    );
  }
  if (setting.type === 'string') return text;
  if (setting.type === 'list')
    return text
      .split(',')
      .map((part) => part.trim())
      .filter((part) => part !== '');
  const [isPossible, wanted] = NUMBERS[setting.type];
  const value = text.trim() === '' ? Number.NaN : Number(text);
  const { min = Number.NEGATIVE_INFINITY } = setting;
  const least = setting.min === undefined ? '' : ` of ${setting.min} or more`;
  if (!isPossible(value) || value < min)
    throw new OpsError('usage', `${key} takes ${wanted}${least}, not ${JSON.stringify(text)}.`);
  return value;
}

function writing(path: string, work: () => void): void {
  try {
    work();
  } catch (error) {
    throw new OpsError(
      'failed',
      `The configuration ${path} cannot be written: ${messageOf(error)}`,
      'Make the folder writable or free some space, or point OPSAGENT_CONFIG_DIR to another folder.',
      { cause: error },
    );
  }
}

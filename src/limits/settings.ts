import { OpsError } from '../domain/errors.js';
import type { Json, ToolDefinition } from '../domain/types.js';
import type { BreakerSettings } from './breaker.js';
import type { Rate } from './rate.js';

/** Where limits are configured: the environment goes before the config file. */
export interface LimitSources {
  readonly env: Readonly<Record<string, string | undefined>>;
  /** Value of a key of the config file. */
  readonly setting: (key: string) => Json | undefined;
}

/** A limit, the bucket that counts for it, and how a person raises it. */
export interface RateLimit {
  readonly bucket: string;
  /** What it limits, in words that follow "calls a minute". */
  readonly of: string;
  readonly rate: Rate;
  readonly names: string;
}

/** Calls a minute of a tool that states none, and of all tools together: far above what a person asks for. */
const TOOL_DEFAULT = 60;
const ALL_DEFAULT = 1_200;

/**
 * The limits that a call of this tool counts for: its own, its category's where there is one, and that of all calls.
 * @throws OpsError usage when one is set to something else than a number above 0.
 */
export function rateLimitsOf(tool: ToolDefinition, sources: LimitSources): readonly RateLimit[] {
  const named = (name: string, variable = `${name.toUpperCase().replace(/[^A-Z0-9]/g, '_')}_RATE_LIMIT`) => ({
    names: `${variable}, or limits.rate.${name} of the config`,
    set: numberFrom(sources, variable, `limits.rate.${name}`),
  });
  const limit = (bucket: string, of: string, names: string, perMinute: number) => ({
    bucket,
    of,
    names,
    rate: { perMinute },
  });
  const own = named(tool.name);
  const category = tool.category === '' ? undefined : named(tool.category);
  const all = named('all', 'OPSAGENT_RATE_LIMIT');
  const otherwise = tool.rateLimit ?? named('default', 'MCP_RATE_LIMIT_DEFAULT').set ?? TOOL_DEFAULT;
  return [
    limit(`tool ${tool.name}`, `of ${tool.name}`, own.names, own.set ?? otherwise),
    ...(category?.set === undefined
      ? []
      : [limit(`category ${tool.category}`, `of all ${tool.category} tools`, category.names, category.set)]),
    limit('all', 'of all tools', all.names, all.set ?? ALL_DEFAULT),
  ];
}

/**
 * When circuit breakers open.
 * @throws OpsError usage when a value is no number above 0, or a share above 1.
 */
export function breakerSettings(sources: LimitSources): BreakerSettings {
  const read = (variable: string, key: string, otherwise: number) =>
    numberFrom(sources, variable, `limits.breaker.${key}`) ?? otherwise;
  const errorThreshold = read('ENFORCE_CB_ERROR_THRESHOLD', 'error_threshold', 0.5);
  if (errorThreshold > 1)
    throw new OpsError(
      'usage',
      `ENFORCE_CB_ERROR_THRESHOLD, or limits.breaker.error_threshold of the config, is a share, at most 1, not ${errorThreshold}.`,
    );
  return {
    failures: read('MCP_CB_FAILURES', 'failures', 5),
    recoveryMs: read('MCP_CB_RECOVERY_SECONDS', 'recovery_seconds', 60) * 1000,
    errorThreshold,
    windowSeconds: Math.ceil(read('ENFORCE_CB_WINDOW_SECONDS', 'window_seconds', 30)),
    minRequests: read('ENFORCE_CB_MIN_REQUESTS', 'min_requests', 20),
  };
}

function numberFrom({ env, setting }: LimitSources, variable: string, key: string): number | undefined {
  const [value, from] = env[variable] ? [env[variable], variable] : [setting(key), key];
  if (value === undefined || value === null) return undefined;
  const number = Number(value);
  // 10^6: above that, intervals are shorter than what is measured.
  if (typeof value === 'object' || !(number > 0 && number <= 1_000_000))
    throw new OpsError('usage', `${from} takes a number above 0, up to 1000000, not ${JSON.stringify(value)}.`);
  return number;
}

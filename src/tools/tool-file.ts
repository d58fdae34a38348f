import type { ToolDefinition } from '../domain/types.js';
import { stringifyYaml } from '../lib/yaml.js';

/** A tool file as a map of name → definition. Loading it gives the same definitions, but for `source`. */
export const toToolFile = (tools: readonly ToolDefinition[]): string =>
  stringifyYaml(Object.fromEntries(tools.map((tool) => [tool.name, toRaw(tool)])));

/** A definition with the keys of a tool file. */
export function toRaw(tool: ToolDefinition): Record<string, unknown> {
  const optional = { verify: tool.verify, undo: tool.undo, dry_run: tool.dryRun, preview: tool.preview };
  return {
    name: tool.name,
    display_name: tool.displayName,
    version: tool.version,
    description: tool.description,
    category: tool.category,
    risk_level: tool.riskLevel,
    parameters: tool.parameters,
    permissions: tool.permissions,
    timeout_seconds: tool.timeoutMs / 1000,
    memory_limit_mb: tool.memoryLimitMb,
    ...(tool.rateLimit !== undefined && { rate_limit: tool.rateLimit }),
    cost_per_use: tool.costPerUse,
    ...(tool.retryPolicy && {
      retry_policy: {
        max_retries: tool.retryPolicy.maxRetries,
        retry_interval: tool.retryPolicy.retryIntervalMs / 1000,
      },
    }),
    dangerous: tool.dangerous,
    requires_auth: tool.requiresAuth,
    sandboxed: tool.sandboxed,
    session_aware: tool.sessionAware,
    ...(tool.idempotent && { idempotent: true }),
    run: tool.run,
    output: {
      format: tool.output.format,
      ...(tool.output.select !== undefined && { select: tool.output.select }),
      keep: tool.output.keep,
      max_bytes: tool.output.maxBytes,
    },
    fields: tool.fields,
    raise: tool.raise.map(({ when, riskLevel, reason }) => ({ when, risk_level: riskLevel, reason })),
    examples: tool.examples,
    intents: tool.intents,
    requires: tool.requires,
    env: tool.env,
    ...Object.fromEntries(Object.entries(optional).filter(([, value]) => value !== undefined)),
  };
}

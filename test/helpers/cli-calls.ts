import type { ToolResult } from '../../src/domain/types.js';
import { type CliOptions, type CliRun, runCli } from './cli.js';
import { type ServerCall, startModelServer } from './model-server.js';

/** How one call ended, and what the model was told. */
export interface CallAnswer extends Omit<ToolResult, 'text'> {
  readonly text: string;
}

/** Calls in one reply of the model; more are refused. */
const CALLS_A_REPLY = 16;

/**
 * Runs the built program with a model that makes these calls, some in each reply, and then ends: many calls on the one
 * path for the price of one start. Gives the answers in the order of the calls.
 */
export async function runCalls(
  calls: readonly ServerCall[],
  args: readonly string[],
  options: CliOptions,
): Promise<CliRun & { readonly answers: readonly CallAnswer[] }> {
  const replies = Array.from({ length: Math.ceil(calls.length / CALLS_A_REPLY) }, (_, index) => ({
    calls: calls.slice(index * CALLS_A_REPLY, (index + 1) * CALLS_A_REPLY),
  }));
  const model = await startModelServer([...replies, { text: 'Done.' }]);
  const flags = ['--model', 'scripted', '--base-url', model.baseUrl, '--output', 'json', ...args];
  const env = { OPSAGENT_API_KEY: 'sk-test-1234567890', ...options.env };
  const run = await runCli(['ask', 'do it', ...flags], { ...options, env });
  const told = model.requests.at(-1)?.body.messages?.filter((message) => message.role === 'tool') ?? [];
  await model.close();
  const report = JSON.parse(run.stdout) as { readonly calls: readonly (ToolResult & { readonly call_id: string })[] };
  const own = report.calls.filter((call) => /^c\d+$/.test(call.call_id));
  return { ...run, answers: own.map((call, index) => ({ ...call, text: told[index]?.content ?? '' })) };
}

import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { Json, JsonObject } from '../domain/types.js';
import { quoteArgv } from '../lib/quote.js';
import { runArgv } from './command.js';
import { defineExecutor, runSchema } from './define.js';
import { childEnv } from './environment.js';

interface ScriptSpec {
  readonly interpreter?: readonly string[];
  readonly code: string;
  readonly env?: readonly string[];
  readonly cwd?: string;
  readonly success_exit_codes?: readonly number[];
}

interface ScriptPayload {
  readonly interpreter: readonly string[];
  readonly code: string;
  readonly arguments: Readonly<Record<string, string>>;
  readonly env: readonly string[];
  readonly cwd?: string;
  readonly successExitCodes: readonly number[];
}

const DEFAULT_INTERPRETER = ['bash', '-euo', 'pipefail'];

/** `kind: script`: fixed code; arguments reach it only as environment variables `ARG_<NAME>`, never as code. */
export const script = defineExecutor<ScriptSpec, ScriptPayload>({
  kind: 'script',
  specSchema: runSchema('script', ['code'], {
    interpreter: { type: 'array', minItems: 1, items: { type: 'string' } },
    code: { type: 'string', minLength: 1 },
    env: { type: 'array', items: { type: 'string' } },
    cwd: { type: 'string' },
    success_exit_codes: { type: 'array', minItems: 1, items: { type: 'integer', minimum: 0, maximum: 255 } },
  }),
  plan(spec, args) {
    const interpreter = spec.interpreter ?? DEFAULT_INTERPRETER;
    const passed = argumentVariables(args);
    const assignments = Object.entries(passed).map(([name, value]) => `${name}=${quoteArgv([value])}`);
    return {
      kind: 'script',
      tokens: [...interpreter, spec.code],
      display: [...assignments, `${quoteArgv(interpreter)} <<'SCRIPT'`, spec.code.trimEnd(), 'SCRIPT'].join('\n'),
      payload: {
        interpreter,
        code: spec.code,
        arguments: passed,
        env: spec.env ?? [],
        successExitCodes: spec.success_exit_codes ?? [0],
        ...(spec.cwd !== undefined && { cwd: spec.cwd }),
      },
    };
  },
  async run(call, payload, context) {
    const folder = await mkdtemp(join(tmpdir(), 'opsagent-script-'));
    try {
      const file = join(folder, 'code');
      await writeFile(file, payload.code, { mode: 0o600 });
      const revealed = mapValues(payload.arguments, (text) => context.reveal(text));
      const env = childEnv(process.env, payload.env, revealed);
      return await runArgv([...payload.interpreter, file], env, payload, call.tool, context);
    } finally {
      await rm(folder, { recursive: true, force: true });
    }
  },
});

const mapValues = (record: Readonly<Record<string, string>>, change: (text: string) => string) =>
  Object.fromEntries(Object.entries(record).map(([name, value]) => [name, change(value)]));

/** `pod_name` → `ARG_POD_NAME`; text as it is, everything else as JSON. An absent parameter has no variable. */
function argumentVariables(args: JsonObject): Record<string, string> {
  const text = (value: Json) => (typeof value === 'string' ? value : JSON.stringify(value));
  const set = Object.entries(args).filter(([, value]) => value !== null);
  return Object.fromEntries(set.map(([name, value]) => [`ARG_${name.toUpperCase()}`, text(value)]));
}

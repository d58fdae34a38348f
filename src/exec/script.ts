import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { OpsError } from '../domain/errors.js';
import type { Json, JsonObject } from '../domain/types.js';
import { quoteArgv } from '../lib/quote.js';
import { runArgv } from './command.js';
import { defineExecutor, runSchema } from './define.js';
import { childEnv } from './environment.js';
import { type Pins, pinnedEnv, pinsOf } from './pins.js';
import { chooseVariant, type ScriptVariant } from './script-variants.js';

interface ScriptSpec {
  readonly interpreter?: readonly string[];
  readonly code: string;
  /** Instead of `code`, in imported tools only: the schema of tool files knows neither. */
  readonly variants?: readonly ScriptVariant[];
  readonly optional?: readonly string[];
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
  /** The rest is of imported tools only. */
  readonly commands?: Json;
  readonly digest?: string;
  readonly silentExitCode?: number;
  readonly mergeStderr?: boolean;
  readonly pins?: Pins;
}

const PIN_WORDS = {
  kubeContext: 'kube context',
  kubeNamespace: 'kube namespace',
  dockerHost: 'Docker at',
  dockerContext: 'Docker context',
};
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
  plan(spec, args, context) {
    const interpreter = spec.interpreter ?? DEFAULT_INTERPRETER;
    const chosen = spec.variants && chooseVariant(spec.variants, spec.optional ?? [], interpreter, args);
    const code = chosen?.variant.code ?? spec.code;
    const passed = argumentVariables(chosen?.args ?? args);
    const pins = chosen && pinsOf(context);
    const assignments = Object.entries(passed).map(([name, value]) => `${name}=${quoteArgv([value])}`);
    const fixed = Object.entries(PIN_WORDS).flatMap(([name, word]) => {
      const pin = pins?.[name as keyof Pins];
      return pin === undefined ? [] : [`# ${word} ${pin}`];
    });
    return {
      kind: 'script',
      tokens: [...interpreter, code],
      display: [...fixed, ...assignments, `${quoteArgv(interpreter)} <<'SCRIPT'`, code.trimEnd(), 'SCRIPT'].join('\n'),
      payload: {
        interpreter,
        code,
        arguments: passed,
        env: spec.env ?? [],
        successExitCodes: spec.success_exit_codes ?? [0],
        ...(spec.cwd !== undefined && { cwd: spec.cwd }),
        ...(chosen && { commands: chosen.variant.commands, digest: chosen.variant.digest, mergeStderr: true }),
        ...(chosen?.variant.ends_in_search && { silentExitCode: 1 }),
        ...(pins && { pins }),
      },
    };
  },
  async run(call, payload, context) {
    const folder = await mkdtemp(join(tmpdir(), 'opsagent-script-'));
    try {
      const file = join(folder, 'code');
      await writeFile(file, payload.code, { mode: 0o600 });
      const revealed = mapValues(payload.arguments, (text) => context.reveal(text));
      const pinned = payload.pins ? await pinnedEnv(payload.pins, folder) : {};
      const env = childEnv(process.env, payload.env, { ...pinned, ...revealed });
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
  const withNul = set.find(([, value]) => text(value).includes('\0'))?.[0];
  if (withNul !== undefined)
    throw new OpsError('usage', `${withNul} holds a NUL character, which no program can be given.`);
  return Object.fromEntries(set.map(([name, value]) => [`ARG_${name.toUpperCase()}`, text(value)]));
}

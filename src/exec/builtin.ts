import type { Builtin, Executor } from '../domain/ports.js';
import type { JsonObject } from '../domain/types.js';
import { defineExecutor, runSchema } from './define.js';

interface BuiltinSpec {
  readonly name: string;
}

interface BuiltinPayload {
  readonly name: string;
  readonly arguments: JsonObject;
}

/** `kind: builtin`: code that ships with opsagent, found by name among `builtins`. */
export function builtinExecutor(builtins: readonly Builtin[]): Executor {
  const byName = new Map(builtins.map((builtin) => [builtin.name, builtin]));
  return defineExecutor<BuiltinSpec, BuiltinPayload>({
    kind: 'builtin',
    specSchema: runSchema('builtin', ['name'], {
      name: byName.size > 0 ? { enum: [...byName.keys()] } : { type: 'string' },
    }),
    plan: (spec, args) => ({
      kind: 'builtin',
      tokens: ['builtin', spec.name],
      display: `${spec.name} ${JSON.stringify(args)}`,
      payload: { name: spec.name, arguments: args },
    }),
    async run(_call, payload, context) {
      const builtin = byName.get(payload.name);
      if (!builtin) throw new Error(`there is no builtin ${payload.name}; the schema of tool files lists them all`);
      return builtin.run(payload.arguments, context);
    },
  });
}

import type { Json } from '../domain/types.js';

/** A node of a template's syntax tree, as the parser gives it. */
export interface JinjaNode {
  readonly type: string;
  readonly [field: string]: unknown;
}

/** A template that was read. */
export interface JinjaTemplate {
  readonly body: readonly JinjaNode[];
  /** Fills it. Nothing is known in it but these variables and the constants true, false and none. */
  render(variables: Readonly<Record<string, Json>>): string;
}

/**
 * Reads a Jinja template, with white space as it stands.
 * @throws Error when it is none.
 */
export async function readJinja(text: string): Promise<JinjaTemplate> {
  const { Environment, Interpreter, parse, tokenize } = await import('@huggingface/jinja');
  const program = parse(tokenize(text));
  return {
    body: program.body as unknown as readonly JinjaNode[],
    render(variables) {
      const env = new Environment();
      // A parameter may be called so, and must be unknown when it has no value.
      env.variables.delete('namespace');
      const constants = { true: true, false: false, none: null, True: true, False: false, None: null };
      for (const [name, value] of Object.entries({ ...constants, ...variables })) env.set(name, value);
      return (new Interpreter(env).run(program) as { readonly value: string }).value;
    },
  };
}

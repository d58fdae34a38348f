/** Exit codes of every command; the README's table is checked against this one. */
export const EXIT = {
  ok: 0,
  failed: 1,
  usage: 2,
  denied: 3,
  unconfirmed: 4,
  limit: 5,
  unavailable: 6,
  bug: 70,
  interrupted: 130,
} as const;
export type ExitName = keyof typeof EXIT;

/** An error that a person reads. What a model should read is a ToolResult; anything else is a bug. */
export class OpsError extends Error {
  override readonly name = 'OpsError';
  constructor(
    readonly exit: ExitName,
    message: string,
    /** What to do next, in one or two lines. */
    readonly hint?: string,
    options?: ErrorOptions,
  ) {
    super(message, options);
  }

  /** By its shape, since the bundle holds this class twice: in app.js and in the chunks. */
  static override [Symbol.hasInstance](thrown: unknown): boolean {
    return thrown instanceof Error && thrown.name === 'OpsError' && 'exit' in thrown;
  }
}

/** The words of an unknown thrown value. */
export const messageOf = (thrown: unknown): string => (thrown instanceof Error ? thrown.message : String(thrown));

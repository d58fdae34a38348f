import { ACCEPTANCES } from '../lib/mcp-pins.js';

/** Why a tool may not have this name: a rule on a call of `tools accept` must mean that call. Undefined when it may. */
export const reservedName = (name: string): string | undefined =>
  ACCEPTANCES.some((one) => one === name) ? `"${name}" is a call of opsagent itself` : undefined;

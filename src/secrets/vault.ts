/** Where a secret was first seen: in what a tool printed, or in what the person or the model wrote. */
export type From = 'output' | 'words';

/** The values that were hidden in one session. They stay in memory and are written nowhere. */
export interface Vault {
  /** What stands for a value from now on: `<secret:3>`, always the same one; `<secret>` for a value that is not kept. */
  keep(value: string, from: From): string;
  /** A hidden value with where it was first seen; undefined when there is none of this number. */
  get(number: number): { readonly value: string; readonly from: From } | undefined;
}

/** Secrets of one session that can be put back; what comes after is hidden for good. */
export const MAX_SECRETS = 10_000;
/** Longest value that can be put back, in characters. */
export const MAX_SECRET_LENGTH = 64 * 1024;
/** What stands for a value that cannot be put back. */
export const LOST = '<secret>';

/** An empty vault. `onNew` hears of each value that is kept. */
export function createVault(onNew: (value: string) => void): Vault {
  const numbers = new Map<string, number>();
  const secrets: { readonly value: string; readonly from: From }[] = [];
  return {
    keep(value, from) {
      const known = numbers.get(value);
      if (known !== undefined) return `<secret:${known}>`;
      if (secrets.length >= MAX_SECRETS || value.length > MAX_SECRET_LENGTH) return LOST;
      secrets.push({ value, from });
      numbers.set(value, secrets.length);
      onNew(value);
      return `<secret:${secrets.length}>`;
    },
    get: (number) => secrets[number - 1],
  };
}

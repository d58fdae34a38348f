import { existsSync, readFileSync } from 'node:fs';
import { messageOf, OpsError } from '../domain/errors.js';
import { PRICES, type Price } from './prices.js';

export const FREE: Price = { input: 0, output: 0 };

/**
 * The price of a model: of the person's own list, else of the list that ships, else nothing at all on this machine or a private
 * network. Undefined for any other: nobody knows what it costs. A name counts without the provider before it and the date behind
 * it. A known name behind a private address is a proxy to its provider, and has its price.
 */
export function priceOf(model: string, baseUrl: string, own: ReadonlyMap<string, Price>): Price | undefined {
  const names = [model, bareName(model)];
  const listed = [own, PRICES]
    .flatMap((list) => names.map((name) => list.get(name)))
    .find((price) => price !== undefined);
  return listed ?? (isPrivate(new URL(baseUrl).hostname) ? FREE : undefined);
}

const bareName = (model: string): string =>
  model
    .toLowerCase()
    .replace(/^.*\//, '')
    .replace(/-(?:\d{4}-\d{2}-\d{2}|latest)$/, '');

/** Names and addresses that no provider on the internet has (RFC 1918, 3927, 4193, 4291, 6598, 6762; names without a dot). */
const PRIVATE = [
  /^[^.:[]+$/,
  /\.(?:local|localhost|internal|lan|home\.arpa)$/,
  /^(?:127|10)\./,
  /^192\.168\./,
  /^169\.254\./,
  /^172\.(?:1[6-9]|2\d|3[01])\./,
  /^100\.(?:6[4-9]|[7-9]\d|1[01]\d|12[0-7])\./,
  /^\[(?:::1|f[cd][\da-f]{2}:.*|fe[89ab][\da-f]:.*)\]$/,
];

const isPrivate = (hostname: string): boolean => {
  const isAddress = /^[\d.]+$/.test(hostname);
  return PRIVATE.some((shape, index) => (index < 2 || isAddress || hostname.startsWith('[')) && shape.test(hostname));
};

/**
 * The person's own prices: `{"model": {"input": 2.5, "cached": 1.25, "output": 10}}`, dollars for a million tokens. None when
 * there is no such file.
 * @throws OpsError usage when it cannot be read or holds something else.
 */
export function readPrices(path: string): ReadonlyMap<string, Price> {
  if (!existsSync(path)) return new Map();
  const hint =
    'Write it like {"gpt-4o": {"input": 2.5, "cached": 1.25, "output": 10}}: US dollars for a million tokens.';
  try {
    const list: unknown = JSON.parse(readFileSync(path, 'utf8'));
    if (typeof list !== 'object' || list === null || Array.isArray(list)) throw new Error('it is no JSON object');
    return new Map(Object.entries(list).map(([model, raw]) => [model, toPrice(model, raw)]));
  } catch (error) {
    throw new OpsError('usage', `The prices ${path} cannot be used: ${messageOf(error)}.`, hint, { cause: error });
  }
}

function toPrice(model: string, raw: unknown): Price {
  const { input, cached, output, ...others } = Object(raw) as Readonly<Record<string, unknown>>;
  const isPrice = (value: unknown): value is number => typeof value === 'number' && value >= 0 && value < 1e6;
  if (isPrice(input) && isPrice(output) && Object.keys(others).length === 0) {
    if (cached === undefined) return { input, output };
    if (isPrice(cached)) return { input, cached, output };
  }
  throw new Error(`${model} needs numbers as input and output, and may have cached`);
}

import type { Json, JsonObject } from '../domain/types.js';
import { isList, isObject, mapTexts } from './json-values.js';

/** What a redactor does to one text. */
export type Hide = (text: string) => string;

/**
 * Hides the secrets among arguments: in each text by itself, then in all of them as one JSON document, where the name of a
 * parameter tells what its value is. Only texts change.
 */
export function hideArguments(args: JsonObject, hide: Hide): JsonObject {
  const each = mapTexts(args, hide);
  const whole = JSON.stringify(each);
  const hidden = hide(whole);
  if (hidden === whole) return each as JsonObject;
  return textsOf(each, parsed(hidden) ?? each) as JsonObject;
}

/** Arguments that nobody has checked, as a text. What is no JSON and may hold a secret is not shown at all. */
export function hideRawArguments(rawArguments: string, hide: Hide): string {
  const args = parsed(rawArguments);
  if (isObject(args)) {
    const hidden = JSON.stringify(hideArguments(args, hide));
    return hidden === JSON.stringify(args) ? rawArguments : hidden;
  }
  if (/secret|stringData|passw|token/i.test(rawArguments)) return '(not shown: it may hold secrets)';
  return hide(rawArguments);
}

/** Shows references again where a message quotes the values behind them. `value` gives the value of one reference. */
export function concealing(args: JsonObject, value: (reference: string) => string): Hide {
  const references = [...new Set(JSON.stringify(args).match(/<secret:\d+>/g) ?? [])];
  const pairs = references.flatMap((reference) => {
    const plain = value(reference);
    return [plain, JSON.stringify(plain).slice(1, -1)].map((form) => [form, reference] as const);
  });
  const longFirst = pairs.filter(([form]) => form !== '').sort(([a], [b]) => b.length - a.length);
  return (text) => longFirst.reduce((shown, [form, reference]) => shown.replaceAll(form, reference), text);
}

/** The texts of the second value in the shape of the first. */
function textsOf(shape: Json, texts: Json | undefined): Json {
  if (typeof shape === 'string') return typeof texts === 'string' ? texts : shape;
  if (isList(shape))
    return shape.map((one, index) =>
      textsOf(one, isList(texts ?? null) ? (texts as readonly Json[])[index] : undefined),
    );
  if (!isObject(shape)) return shape;
  return Object.fromEntries(
    Object.entries(shape).map(([key, one]) => [
      key,
      textsOf(one, isObject(texts ?? null) ? (texts as JsonObject)[key] : undefined),
    ]),
  );
}

function parsed(text: string): Json | undefined {
  try {
    return JSON.parse(text) as Json;
  } catch {
    return undefined;
  }
}

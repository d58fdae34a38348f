import { type RuleContext, say } from '../draft.js';
import { plainLine } from '../plain-text.js';
import { getStep } from '../steps.js';
import type { NextStep } from '../types.js';

const KINDS: Readonly<Record<string, string>> = { configmap: 'ConfigMap', secret: 'Secret' };

/** A ConfigMap, Secret or key that the kubelet says does not exist, in words, with what to check. */
export function parseMissing(
  context: RuleContext,
  message: string,
  namespace: string,
): { readonly words: string; readonly checks: readonly NextStep[] } | undefined {
  const bounded = plainLine(message.slice(0, 4000));
  const key =
    /couldn't find key (\S{1,253}) in (ConfigMap|Secret) (?:[^/\s]{1,253}\/)?(\S{1,253})/i.exec(bounded) ??
    swapped(
      /(configmap|secret) "([^"]{1,253})"[^\n]{0,80}non-existent (?:config|secret) key: (\S{1,253})/i.exec(bounded),
    );
  if (key !== null) {
    const [, keyName = '', rawKind = '', name = ''] = key;
    const object = { kind: kindName(rawKind), namespace, name };
    return {
      words: say(context, 'config.missing-key', { kind: object.kind, name, key: keyName }),
      checks:
        object.kind === 'Secret'
          ? // Never a command that prints a Secret's values.
            [{ text: say(context, 'step.keys', { kind: object.kind, name }), risk: 'low' }]
          : [getStep(context.language, 'step.keys', { kind: object.kind, name }, object, ['-o', 'yaml'])],
    };
  }
  const absent = /(configmap|secret)s? "([^"]{1,253})" not found/i.exec(bounded);
  if (absent === null) return undefined;
  const [, rawKind = '', name = ''] = absent;
  const object = { kind: kindName(rawKind), namespace, name };
  return {
    words: say(context, 'config.missing-object', { kind: object.kind, name }),
    checks: [getStep(context.language, 'step.create-missing', { kind: object.kind, name }, { ...object, name: '' })],
  };
}

const kindName = (raw: string): string => KINDS[raw.toLowerCase()] ?? raw;

/** The second wording gives kind, name, key; the first one key, kind, name. */
const swapped = (match: RegExpExecArray | null): readonly string[] | null =>
  match === null ? null : [match[0], match[3] ?? '', match[1] ?? '', match[2] ?? ''];

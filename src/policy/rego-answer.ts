import type { Json, MatchedRule } from '../domain/types.js';
import { isList, isObject } from '../lib/json-values.js';

/**
 * What the document `data.tools` says of a call: each message of its sets `deny` and `confirm` is an opinion.
 * @throws Error when it says neither, or in a form that could be misread: an `allow` would seem to be obeyed.
 */
export function opinionsOf(document: Json | undefined, source: string): MatchedRule[] {
  if (!isObject(document)) throw new Error('it has no package tools');
  if ('allow' in document) throw new Error('it defines allow, which is never asked: write deny or confirm');
  const said = (['deny', 'confirm'] as const).filter((effect) => effect in document);
  if (said.length === 0) throw new Error('its package tools defines neither deny nor confirm');
  return said.flatMap((effect) => {
    const messages = document[effect];
    if (!isList(messages)) throw new Error(`${effect} must be a set of messages: ${effect}[msg]`);
    return messages.map((message) => ({ id: `rego.${effect}`, effect, reason: wordsOf(message), source }));
  });
}

function wordsOf(message: Json): string {
  const text = isObject(message) ? message.msg : message;
  return typeof text === 'string' && text.trim() !== '' ? text : JSON.stringify(message);
}

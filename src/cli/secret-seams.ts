import type { ToolCallDeps } from '../agent/tool-call.js';
import type { AgentEvent } from '../domain/events.js';
import type { Redactor } from '../domain/ports.js';
import type { Decision, Json, JsonObject, ToolCall } from '../domain/types.js';
import { mapTexts } from '../lib/json-values.js';
import { concealing, hideRawArguments } from '../lib/secret-arguments.js';

/** The value as it is: for a look at it, not for a program. */
const asItIs = (value: string): string => value;

/** What `prepare` needs to hide secrets in arguments, and to check the values behind references. */
export const argumentSecrets = (redactor: Redactor) => ({
  hide: (text: string) => redactor.hide(text, 'words'),
  reveal: (text: string) => redactor.reveal(text, asItIs),
});

/**
 * Judges a call by the values behind its references, so that nothing can hide from a rule; what is decided shows the
 * references again. A secret that was seen in output is a fact that raises the risk, and so is one whose reference output held:
 * whoever writes output may have asked for it.
 */
export function decideOnValues(
  redactor: Redactor,
  judge: (call: ToolCall, facts: { readonly secrets?: string }) => Promise<Decision>,
  hasRead: (reference: string) => boolean = () => false,
): ToolCallDeps['decide'] {
  return async (call) => {
    const seen = redactor.references(textsOf([call.args, call.action.tokens, call.action.payload]).join('\n'));
    if (seen.length === 0) return judge(call, {});
    const { reveal } = argumentSecrets(redactor);
    const action = { ...call.action, tokens: call.action.tokens.map(reveal), display: reveal(call.action.display) };
    const meant = { ...call, args: mapTexts(call.args, reveal) as JsonObject, action };
    const decision = await judge(meant, factsOf(seen, hasRead));
    const shown = { seen: seen.map(({ number }) => `<secret:${number}>`) };
    return mapTexts(decision as unknown as Json, concealing(shown, reveal)) as unknown as Decision;
  };
}

/**
 * Every text of a value as it is, keys too: as JSON, a backslash would stand twice, and a reference that is written with one would
 * not be seen. The payload counts as well: a tool may put a reference together from two arguments in its input or body.
 */
function textsOf(value: Json): string[] {
  if (typeof value === 'string') return [value];
  if (value === null || typeof value !== 'object') return [];
  return Object.entries(value).flatMap(([key, inner]) => [key, ...textsOf(inner)]);
}

function factsOf(
  seen: ReturnType<Redactor['references']>,
  hasRead: (reference: string) => boolean,
): { readonly secrets?: string } {
  const foreign = seen.flatMap(({ number, from }) => {
    const reference = `<secret:${number}>`;
    return from === 'output' || hasRead(reference) ? [reference] : [];
  });
  if (foreign.length === 0) return {};
  return { secrets: `it uses ${foreign.join(', ')}, which a tool printed in this session` };
}

/** The event as the screen and `--output jsonl` get it: without secrets in what a model or a person wrote. */
export function hideInEvent(event: AgentEvent, redactor: Redactor): AgentEvent {
  const { hide } = argumentSecrets(redactor);
  switch (event.type) {
    case 'call-requested':
      return { ...event, raw: { ...event.raw, rawArguments: hideRawArguments(event.raw.rawArguments, hide) } };
    case 'call-repaired':
      return { ...event, repairs: event.repairs.map(hide) };
    case 'notice':
      return { ...event, text: hide(event.text) };
    default:
      return event;
  }
}

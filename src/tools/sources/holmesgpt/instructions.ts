import type { Json } from '../../../domain/types.js';
import { type JinjaNode, readJinja } from '../../../lib/jinja.js';

/** Longest text of a toolset for the model, in characters. */
const MAX_INSTRUCTIONS = 4_000;

/**
 * `llm_instructions` as they go to a model: marked as what the toolset's author wrote, without values of the environment, and without any
 * other part of the template, which is said in the warnings.
 */
export async function readInstructions(
  toolset: string,
  raw: Json | undefined,
): Promise<{ readonly instructions: readonly string[]; readonly warnings: readonly string[] }> {
  if (raw === undefined || raw === null || raw === '') return { instructions: [], warnings: [] };
  const leftOut = (why: string) => ({ instructions: [], warnings: [`llm_instructions are left out: ${why}`] });
  if (typeof raw !== 'string') return leftOut('they are no text');
  if (/^\s*(file|builtin):\/\//.test(raw)) return leftOut('they name a file; write its text there');
  const template = await readJinja(raw).catch(() => undefined);
  if (!template) return leftOut('their template cannot be read');
  const parts = template.body.map(textOf);
  const whole = parts
    .join('')
    .replaceAll(/[ \t]+\n/g, '\n')
    .replaceAll(/\n{2,}/g, '\n')
    .trim();
  const warnings = [
    ...(parts.includes(undefined)
      ? ['{% %} and {{ }} of llm_instructions are left out, with what depends on them']
      : []),
    ...(whole.length > MAX_INSTRUCTIONS
      ? [`llm_instructions are longer than ${MAX_INSTRUCTIONS} characters; the rest is left out`]
      : []),
  ];
  const text = whole.slice(0, MAX_INSTRUCTIONS);
  return { instructions: text === '' ? [] : [framed(toolset, text)], warnings };
}

/** Plain text, and `{{ env.X }}` as `$X`; undefined for anything else. */
function textOf(node: JinjaNode): string | undefined {
  if (node.type === 'Comment') return '';
  if (node.type === 'StringLiteral') return `${node.value}`;
  const { object, property } = node as { object?: JinjaNode; property?: JinjaNode };
  const isName = object?.type === 'Identifier' && object.value === 'env' && property?.type === 'Identifier';
  return node.type === 'MemberExpression' && node.computed !== true && isName ? `$${property.value}` : undefined;
}

/** Advice, not rules; the author knew the tools by their own names. */
const framed = (toolset: string, text: string): string =>
  `The author of the toolset ${JSON.stringify(toolset)} advises on its tools, which may have a prefix here. The rules above come first.\n"""\n${text.replaceAll('"""', "'''")}\n"""`;
/** Values of the environment do not belong into texts for a model: `{{ env.X }}` stays as `$X`. */
export const withoutEnvironment = (text: string): string => text.replaceAll(/\{\{\s*env\.(\w+)\s*\}\}/g, '$$$1');

import type { ToolDefinition, ToolResult } from '../../domain/types.js';
import type { NoOrder } from './order.js';
import type { Refusal } from './plan.js';
import { propertyOf } from './schema.js';
import { suggestPhrases } from './suggest.js';
import type { Language } from './text.js';

type Words = Readonly<Record<Language, string>>;

const NO_ORDER: Readonly<Record<NoOrder, Words>> = {
  negated: {
    en: 'The request says what must not be done. Without a model I do not separate that from an order, so nothing was changed.',
    zh: '请求里有否定或禁止的内容。没有模型时我不会从中猜测指令，因此没有做任何变更。',
  },
  conditional: {
    en: 'The request makes a change depend on something, or puts it off. Without a model I only carry out plain orders, so nothing was changed.',
    zh: '请求里的变更带有条件、先后或时间要求。没有模型时我只执行直接、明确的指令，因此没有做任何变更。',
  },
  question: {
    en: 'That asks about a change; it does not order one. Nothing was changed, and without a model I cannot advise on it.',
    zh: '这是在询问某个变更，而不是下达指令。没有做任何变更；没有模型时我无法给出建议。',
  },
  'too-long': {
    en: 'The request is too long to be a plain order, so nothing was changed. Give the order alone, in one short sentence.',
    zh: '请求太长，不能当作明确的指令，因此没有做任何变更。请用一句简短的话单独下达指令。',
  },
  several: {
    en: 'The request orders several changes. Nothing was changed; give them one at a time.',
    zh: '请求包含多个变更。没有做任何变更，请一次只下达一个。',
  },
  unclear: {
    en: 'The request speaks of a change, but not all of it is clear to me, so nothing was changed. Give the order alone, in one short sentence, with the kind and the name of one object (an unusual name in quotes).',
    zh: '请求提到了变更，但我不能完全理解它，因此没有做任何变更。请用一句简短的话单独下达指令，写明一个对象的类型和名称（特殊名称请加引号）。',
  },
};

const MODEL: Words = {
  en: `No model is configured; I understand only fixed ways of asking. To use a model:
  opsagent ask --base-url URL --model NAME "…"   with OPSAGENT_API_KEY in the environment, or once and for all:
  opsagent config set model.base_url URL
  opsagent config set model.name NAME`,
  zh: `当前没有配置模型，只能理解固定的说法。要使用模型：
  opsagent ask --base-url URL --model NAME "…"   并设置环境变量 OPSAGENT_API_KEY，或者一次性配置：
  opsagent config set model.base_url URL
  opsagent config set model.name NAME`,
};

/** What to tell a person whose request leads to no call: why, what would work, and how to get a model. */
export function sayRefusal(
  why: Refusal,
  tools: readonly ToolDefinition[],
  request: string,
  language: Language,
): string {
  const others = why.type === 'missing' ? why.others : [];
  const about = 'tool' in why ? [why.tool, ...others] : 'tools' in why ? why.tools : tools;
  const phrases = suggestPhrases(about, request, language, others.length > 0 ? 4 : 'tool' in why ? 2 : 5);
  const intro = language === 'en' ? 'For example:' : '例如：';
  const examples = phrases.length > 0 ? `\n${intro}\n${phrases.map((phrase) => `  ${phrase}`).join('\n')}` : '';
  const model = why.type === 'unknown' || why.type === 'no-order' ? `\n\n${MODEL[language]}` : '';
  return `${reason(why, language)}${why.type === 'cluster' ? '' : examples}${model}`;
}

function reason(why: Refusal, language: Language): string {
  const en = language === 'en';
  switch (why.type) {
    case 'no-order':
      return NO_ORDER[why.reason][language];
    case 'missing': {
      const names = why.names.map((name) => `  ${name}: ${whatItIs(why.tool, name)}`).join('\n');
      return en
        ? `${why.tool.displayName} (${why.tool.name}) was not run. The request must state, once and clearly:\n${names}`
        : `没有执行 ${why.tool.name}（${why.tool.displayName}）。请求中必须明确且唯一地说明：\n${names}`;
    }
    case 'unplaced': {
      const names = why.names.join(', ');
      return en
        ? `${why.tool.displayName} (${why.tool.name}) was not run: it cannot take ${names}, and leaving that out would answer another question.`
        : `没有执行 ${why.tool.name}（${why.tool.displayName}）：它不支持 ${names}，忽略它就答非所问了。`;
    }
    case 'tie':
      return en
        ? `The request can mean several things: ${namesOf(why.tools)}. Which one?`
        : `这个请求有多种理解：${namesOf(why.tools)}。请说明是哪一个。`;
    case 'several-objects':
      return en
        ? 'The request names several objects. Ask about one at a time.'
        : '请求里提到了多个对象，请一次只问一个。';
    case 'cluster':
      return en
        ? `The request names the cluster or context "${why.name}". A session keeps the one it started with, so nothing was run. Start again with --context ${why.name}, and leave it out of the request.`
        : `请求里指定了集群或上下文“${why.name}”。会话开始后集群不能更换，因此没有执行任何操作。请用 --context ${why.name} 重新开始，并在请求里去掉它。`;
    case 'unknown':
      return en ? 'I could not place this request, and nothing was run.' : '无法理解这个请求，没有执行任何操作。';
  }
}

const namesOf = (tools: readonly ToolDefinition[]): string =>
  tools.map((t) => `${t.displayName} (${t.name})`).join(', ');

function whatItIs(tool: ToolDefinition, name: string): string {
  const schema = propertyOf(tool, name);
  const described = typeof schema.description === 'string' ? schema.description : name;
  return Array.isArray(schema.enum) ? `${described} (${schema.enum.join(', ')})` : described;
}

const ENDED: Readonly<Record<Exclude<ToolResult['status'], 'ok'>, Words>> = {
  failed: { en: 'failed.', zh: '执行失败。' },
  'timed-out': { en: 'took too long and was ended.', zh: '执行超时，已终止。' },
  cancelled: { en: 'was interrupted.', zh: '被中断。' },
  denied: { en: 'was not run: a policy forbids it.', zh: '没有执行：策略禁止。' },
  rejected: { en: 'was not run: nobody confirmed it.', zh: '没有执行：未得到确认。' },
  'unknown-tool': { en: 'was not run: there is no such tool.', zh: '没有执行：没有这个工具。' },
  'invalid-arguments': {
    en: 'was not run: its arguments are not valid or not complete.',
    zh: '没有执行：参数无效或不完整。',
  },
  unavailable: { en: 'was not run: what it needs is not there.', zh: '没有执行：缺少它所需要的条件。' },
};

/** The answer to a request whose call has ended. The tool's own words, unless it did not do what it should. */
export function sayResult(result: ToolResult, language: Language): string {
  if (result.status === 'ok') {
    const empty =
      language === 'en' ? `${result.tool} ended well and printed nothing.` : `${result.tool} 执行成功，没有输出。`;
    return result.text.trim() === '' ? empty : result.text;
  }
  const head = `${result.tool} ${ENDED[result.status][language]}`;
  const message = result.error?.message ?? '';
  const hint = result.error?.hint ?? '';
  const shown = message !== '' && result.text.includes(message) ? '' : message;
  return [head, shown, result.text, result.text.includes(hint) ? '' : hint]
    .filter((part) => part.trim() !== '')
    .join('\n');
}

/** Added to a look when the request also spoke of a change. */
export const sayUnchanged = (language: Language): string =>
  language === 'en'
    ? 'The request also speaks of a change. Nothing was changed; give the order alone, in one short sentence.'
    : '请求里还提到了变更。没有做任何变更；如需变更，请用一句话单独下达指令。';

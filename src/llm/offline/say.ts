import type { JsonObject, ToolDefinition } from '../../domain/types.js';
import type { NoOrder } from './order.js';
import type { Refusal } from './plan.js';
import { changes, hasParameter, propertyOf } from './schema.js';
import { suggestPhrases } from './suggest.js';
import type { Language } from './text.js';
import { sayWelcome } from './welcome.js';

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
  'not-alone': {
    en: 'The request says more than the order, and that may change what it means, so nothing was changed. If you mean it, type the order alone, as one sentence about one object on this machine or cluster, to be done now; only "please" or "thanks" may stand beside it.',
    zh: '除了指令，请求里还有别的内容，可能改变它的含义，因此没有做任何变更。如果确实要执行，请只输入指令本身：一句话，一个对象，就在当前机器或集群，立即执行；除“请”“谢谢”外不要附加别的话。',
  },
  unclear: {
    en: 'The request speaks of a change, but not all of it is clear to me, so nothing was changed. Give the order alone, in one short sentence, with the kind and the name of one object (an unusual name in quotes).',
    zh: '请求提到了变更，但我不能完全理解它，因此没有做任何变更。请用一句简短的话单独下达指令，写明一个对象的类型和名称（特殊名称请加引号）。',
  },
};

const MODEL: Words = {
  en: `No model is configured; I understand only fixed ways of asking. To use a model:

- \`opsagent ask --base-url URL --model NAME "…"\` with OPSAGENT_API_KEY in the environment, or once and for all:
- \`opsagent config set model.base_url URL\`
- \`opsagent config set model.name NAME\``,
  zh: `当前没有配置模型，只能理解固定的说法。要使用模型：

- \`opsagent ask --base-url URL --model NAME "…"\` 并设置环境变量 OPSAGENT_API_KEY，或者一次性配置：
- \`opsagent config set model.base_url URL\`
- \`opsagent config set model.name NAME\``,
};

/** What to tell a person whose request leads to no call, as Markdown: why, what would work, and how to get a model. */
export function sayRefusal(
  why: Refusal,
  tools: readonly ToolDefinition[],
  request: string,
  language: Language,
): string {
  if (why.type === 'welcome') return sayWelcome(tools, language);
  const phrases = examplesFor(why, tools, request, language);
  const intro = language === 'en' ? 'For example:' : '例如：';
  const parts = [
    reason(why, request, language),
    ...(phrases.length > 0 ? [`${intro}\n\n${phrases.map((phrase) => `- ${codeOf(phrase)}`).join('\n')}`] : []),
    ...(why.type === 'unknown' || why.type === 'no-order' ? [MODEL[language]] : []),
  ];
  return parts.join('\n\n');
}

/** What a request names is a person's own text; in code it stays as it is. */
const codeOf = (text: string): string => `\`${text.replaceAll('`', "'")}\``;

function examplesFor(
  why: Refusal,
  tools: readonly ToolDefinition[],
  request: string,
  language: Language,
): readonly string[] {
  if (why.type === 'cluster') return [];
  if (why.type === 'whole-machine') return examplesOfMachine(why, tools, request, language);
  // Who is not understood orders nothing, and may only have said hello.
  if (why.type === 'unknown')
    return suggestPhrases(
      tools.filter((tool) => !changes(tool)),
      request,
      language,
      5,
    );
  if (why.type !== 'missing') {
    const about = 'tool' in why ? [why.tool] : 'tools' in why ? why.tools : tools;
    return suggestPhrases(about, request, language, 'tool' in why ? 2 : 5);
  }
  if (asksNothingNamed(why)) return PLACES[language];
  // The whole sentence, with each kind that it may be.
  const own = fullOrders(why, request, language);
  // Whose kind is known is not another system's.
  const others = suggestPhrases(why.names.includes('kind') ? why.others : [], request, language, 3).map((phrase) =>
    withName(phrase, why.args),
  );
  return [...own, ...others];
}

/** The whole, and the tools that can look at a part of the same. */
function examplesOfMachine(
  { tool, part }: Extract<Refusal, { type: 'whole-machine' }>,
  tools: readonly ToolDefinition[],
  request: string,
  language: Language,
): readonly string[] {
  const others = tools.filter(
    (other) => other.category === tool.category && !changes(other) && subjectOf(other) === subjectOf(tool),
  );
  const forPart = others.filter((other) => hasParameter(other, 'unit') || hasParameter(other, 'pid'));
  const ofPart = suggestPhrases(part.startsWith('/') ? [] : forPart, request, language, 1, ['unit', 'pid']);
  return [
    ...suggestPhrases([tool], request, language, 1),
    ...ofPart.map((phrase) => phrase.replace('<unit>', part).replace('<pid>', 'PID')),
  ];
}

/** `journal` of `host:journal:read`. */
const subjectOf = (tool: ToolDefinition): string => tool.permissions[0]?.split(':')[1] ?? '';

const MAX_KINDS = 3;
/** For tools that take every kind. */
const COMMON_KINDS = ['deployment', 'service', 'pod'];

/** The sentences to type: what the request states filled in, and one for each kind that is possible. */
function fullOrders({ tool, args, names }: Missing, request: string, language: Language): readonly string[] {
  const [phrase] = suggestPhrases([tool], request, language, 1, Object.keys(args));
  if (phrase === undefined) return [];
  const lacksKind = names.includes('kind') && !phrase.includes('<kind>');
  const whole = lacksKind ? phrase.replace('<name>', '<kind> <name>') : phrase;
  const known = Object.entries(args).reduce((text, [name, value]) => text.replace(`<${name}>`, String(value)), whole);
  const named = known.replace('<namespace>', 'NAMESPACE');
  const allowed = propertyOf(tool, 'kind').enum;
  const kinds = Array.isArray(allowed) ? allowed.slice(0, MAX_KINDS).map(String) : COMMON_KINDS;
  return named.includes('<kind>') ? kinds.map((kind) => named.replace('<kind>', kind)) : [named];
}

const withName = (phrase: string, args: JsonObject): string =>
  typeof args.name === 'string' ? phrase.replace(/<(?:name|unit)>/, args.name) : phrase;

type Missing = Extract<Refusal, { type: 'missing' }>;

const CLUSTER = /(?<![\w-])clusters?(?![\w-])|集群/i;

/** A diagnosis of no object and no namespace. */
const asksNothingNamed = (why: Refusal): boolean =>
  why.type === 'missing' &&
  why.tool.run.kind === 'workflow' &&
  hasParameter(why.tool, 'namespace') &&
  why.names.includes('name');

/** "What is wrong with the cluster". */
const isWholeCluster = (why: Refusal, request: string): boolean => asksNothingNamed(why) && CLUSTER.test(request);

const PLACES: Readonly<Record<Language, readonly string[]>> = {
  en: [
    'list namespaces',
    'what is wrong in namespace NAMESPACE',
    'diagnose NAME in namespace NAMESPACE',
    'warning events in all namespaces',
    'list nodes',
  ],
  zh: [
    '列出命名空间',
    '诊断 NAMESPACE 命名空间',
    '诊断 NAMESPACE 命名空间的 NAME',
    '查看所有命名空间的警告事件',
    '有哪些节点',
  ],
};

function reason(why: Exclude<Refusal, { type: 'welcome' }>, request: string, language: Language): string {
  const en = language === 'en';
  if (isWholeCluster(why, request)) {
    return en
      ? 'A whole cluster cannot be diagnosed in one go. Ask about one namespace or one service.'
      : '不能一次诊断整个集群。请指定一个命名空间或一个服务。';
  }
  switch (why.type) {
    case 'no-order':
      return NO_ORDER[why.reason][language];
    case 'missing': {
      const names = why.names.map((name) => `- ${codeOf(name)}: ${whatItIs(why.tool, name, language)}`).join('\n');
      return en
        ? `${why.tool.displayName} (${why.tool.name}) was not run. The request must state, once and clearly:\n\n${names}`
        : `没有执行 ${why.tool.name}（${why.tool.displayName}）。请求中必须明确且唯一地说明：\n\n${names}`;
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
    case 'whole-machine':
      return en
        ? `${why.tool.displayName} (${why.tool.name}) was not run: it answers for the whole machine and cannot look at ${codeOf(why.part)} alone. Ask for the whole, without that name.`
        : `没有执行 ${why.tool.name}（${why.tool.displayName}）：它只能查看整台机器，不能只看 ${codeOf(why.part)}。请去掉这个名称，查看整台机器。`;
    case 'cluster':
      return en
        ? `The request names the cluster or context "${why.name}". A session keeps the one it started with, so nothing was run. Start again with --context ${why.name}, and leave it out of the request.`
        : `请求里指定了集群或上下文“${why.name}”。会话开始后集群不能更换，因此没有执行任何操作。请用 --context ${why.name} 重新开始，并在请求里去掉它。`;
    case 'unknown':
      return en ? 'I could not place this request, and nothing was run.' : '无法理解这个请求，没有执行任何操作。';
  }
}

const NAMESPACE: Words = {
  en: 'The namespace, written out: "in namespace NAME", or "-n NAME".',
  zh: '命名空间，请写明：“NAME 命名空间”或“-n NAME”。',
};

/** What must be stated is not to be left out. */
const withoutLeaving = (description: string): string => description.replaceAll(/\s*Leave it out[^.]*(?:\.|$)/g, '');

const namesOf = (tools: readonly ToolDefinition[]): string =>
  tools.map((t) => `${t.displayName} (${t.name})`).join(', ');

function whatItIs(tool: ToolDefinition, name: string, language: Language): string {
  if (name === 'namespace') return NAMESPACE[language];
  const schema = propertyOf(tool, name);
  const described = typeof schema.description === 'string' ? withoutLeaving(schema.description) : name;
  return Array.isArray(schema.enum) ? `${described} (${schema.enum.join(', ')})` : described;
}

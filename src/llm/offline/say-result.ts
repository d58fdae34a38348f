import type { JsonObject, ToolDefinition, ToolResult } from '../../domain/types.js';
import { changes, hasParameter } from './schema.js';
import type { Language } from './text.js';

type Words = Readonly<Record<Language, string>>;

/** The call whose result is told. */
export interface Ended {
  readonly result: ToolResult;
  /** Undefined when it is not offered any more. */
  readonly tool: ToolDefinition | undefined;
  readonly args: JsonObject;
}

/** The answer to a request whose call has ended: the tool's own words, unless there are none or it did not do what it should. */
export function sayResult(ended: Ended, language: Language): string {
  const { result, tool } = ended;
  if (result.status === 'suggested') return saySuggestion(result, language);
  if (result.status !== 'ok') return sayFailure(ended, language);
  const isSearch =
    tool !== undefined && !changes(tool) && tool.run.kind !== 'workflow' && ended.args.pod_name === undefined;
  if (isSearch && ONLY_HEADING.test(result.text)) return sayNothing(ended, undefined, language);
  const empty = EMPTY.exec(result.text);
  if (empty === null) return result.text;
  if (!isSearch) {
    return language === 'en' ? `${result.tool} ended well and printed nothing.` : `${result.tool} 执行成功，没有输出。`;
  }
  return sayNothing(ended, empty[1], language);
}

/** The text of a suggested call says what would run. */
const saySuggestion = ({ tool, text }: ToolResult, language: Language): string =>
  language === 'en' ? text : `${headOf('suggested', tool, '', language)}。\n${text}`;

/** What programs print, or what stands for their output, when they found nothing. */
const EMPTY =
  /^\s*(?:stderr:\s*)?(?:\[\s*\]|\{\s*\}|\(no output\)|-- No entries --|No (?:resources|events) found(?: in (?:the )?"?([\w.-]+)"? namespace)?\.?)?\s*$/i;
/** A table of no rows. */
const ONLY_HEADING = /^\s*[A-Z][A-Z0-9_()%/-]*(?:(?: {2,}|\t+)[A-Z][A-Z0-9_()%/-]*(?: [A-Z0-9_()%/-]+)*)+\s*$/;

/** Where was looked, and how to look elsewhere. */
function sayNothing({ tool, args }: Ended, printed: string | undefined, language: Language): string {
  const en = language === 'en';
  if (tool === undefined || !hasParameter(tool, 'namespace')) return en ? 'Nothing was found.' : '没有找到任何内容。';
  if (args.all_namespaces === true && printed === undefined)
    return en ? 'Nothing was found in any namespace.' : '所有命名空间中都没有找到。';
  const stated = typeof args.namespace === 'string' ? args.namespace : printed;
  const where = en
    ? stated === undefined
      ? "the session's namespace"
      : `namespace ${stated}`
    : stated === undefined
      ? '当前命名空间'
      : `命名空间 ${stated} `;
  return en
    ? `Nothing was found in ${where}. To look elsewhere, add "in namespace NAME" (or "-n NAME") to the request, or "in all namespaces".`
    : `在${where}中没有找到。要查看其他位置，请在请求中加上“NAME 命名空间的”（或“-n NAME”），或“所有命名空间的”。`;
}

const NOT_RUN: Words = { en: '{tool} was not run', zh: '没有执行 {tool}' };

/** What happened, and why in general; the call's own error says it better when there is one. */
const ENDED: Readonly<Record<Exclude<ToolResult['status'], 'ok'>, { readonly head: Words; readonly why?: Words }>> = {
  failed: { head: { en: '{tool} failed', zh: '{tool} 执行失败' } },
  'timed-out': { head: { en: '{tool} took too long and was ended', zh: '{tool} 执行超时，已终止' } },
  cancelled: { head: { en: '{tool} was interrupted', zh: '{tool} 被中断' } },
  denied: { head: NOT_RUN, why: { en: 'a policy forbids it', zh: '策略禁止' } },
  rejected: { head: NOT_RUN, why: { en: 'nobody confirmed it', zh: '未得到确认' } },
  suggested: { head: { en: '{tool} was not run, only suggested', zh: '{tool} 未执行，仅作建议' } },
  limited: { head: NOT_RUN, why: { en: 'a limit is reached', zh: '已达到限制' } },
  'unknown-tool': { head: NOT_RUN, why: { en: 'there is no such tool', zh: '没有这个工具' } },
  'invalid-arguments': {
    head: NOT_RUN,
    why: { en: 'its arguments are not valid or not complete', zh: '参数无效或不完整' },
  },
  unavailable: { head: NOT_RUN, why: { en: 'what it needs is not there', zh: '缺少它所需要的条件' } },
};

function headOf(status: keyof typeof ENDED, tool: string, message: string, language: Language): string {
  const { head, why } = ENDED[status];
  const said = head[language].replace('{tool}', tool);
  const general = why?.[language] ?? '';
  if (language === 'en') {
    const reason = message === '' ? general : message;
    return reason === '' ? said : `${said}: ${reason}`;
  }
  // The message is in English: say the gist of it.
  if (message === '') return general === '' ? said : `${said}：${general}`;
  return `${said}${general === '' ? '' : `（${general}）`}：${message}`;
}

/** What the gate itself says of a call that nobody confirmed; all else is in the words of rules and programs. */
const CHINESE: readonly (readonly [RegExp, string])[] = [
  [/^not confirmed, nobody could confirm it: there is no terminal/, '没有终端，无人可以确认'],
  [/^not confirmed, the person said no/, '你没有同意'],
  [/: --yes does not cover it, for it acts in production \((.*?)\)$/, '；--yes 不包括生产环境（$1）'],
];

/** One paragraph: what happened, the reason in its own words, what to do; then what the call printed besides. */
function sayFailure(ended: Ended, language: Language): string {
  const { result } = ended;
  const { status, error } = result;
  if (status === 'ok') return '';
  const en = language === 'en';
  const told = bare(error?.message ?? '');
  const message = en ? told : CHINESE.reduce((text, [from, to]) => text.replace(from, to), told);
  const what = headOf(status, result.tool, message, language);
  const hint = message.includes(bare(error?.hint ?? '')) ? '' : bare(error?.hint ?? '');
  const sentences = [
    // A hint that is no sentence of its own goes on with the one before it.
    /^[a-z]/.test(hint) ? `${what}${en ? '; ' : '；'}${hint}` : what,
    ...(hint === '' || /^[a-z]/.test(hint) ? [] : [hint]),
    ...whereToWrite(ended, language),
  ];
  const paragraph = sentences.map((one) => (/[.!?。！？…]$/.test(one) ? one : `${one}${en ? '.' : '。'}`));
  return [paragraph.join(en ? ' ' : ''), ...printedBesides(result)].join('\n');
}

/** Without the end that the sentence gets here, and without the status that stands before it. */
const bare = (text: string): string =>
  text
    .replaceAll(/\s*Leave it out for the session's own\.?/g, '')
    .trim()
    .replace(/(?<![.。])[.。]$/, '');

/** A name that was not found, while nobody said where to look. */
function whereToWrite({ result, tool, args }: Ended, language: Language): readonly string[] {
  const missed = /\bnot ?found\b|not recorded\b.* of namespace /i.test(`${result.error?.message} ${result.text}`);
  const unsaid = args.namespace === undefined && args.all_namespaces !== true;
  if (!missed || !unsaid || tool === undefined || !hasParameter(tool, 'namespace')) return [];
  const name = typeof args.name === 'string' ? args.name : typeof args.pod_name === 'string' ? args.pod_name : 'NAME';
  return language === 'en'
    ? [`The request names no namespace: add "in namespace NAMESPACE", or ask "where is ${name}"`]
    : [`请求中没有写命名空间：请加上“NAMESPACE 命名空间的”，或询问“${name}在哪个命名空间”`];
}

/** What a call that ran printed, without the lines that the error holds already; nothing for one that did not run. */
function printedBesides({ status, text, error }: ToolResult): readonly string[] {
  if (!['failed', 'timed-out', 'cancelled'].includes(status)) return [];
  const told = `${error?.message ?? ''}\n${error?.hint ?? ''}`.toLowerCase();
  const rest = text.split('\n').filter((line, i) => {
    const own = i === 0 ? line.replace(new RegExp(`^${status}: `), '') : line;
    return own.trim() === '' || !told.includes(own.trim().toLowerCase());
  });
  const left = rest.join('\n').trim();
  return left === '' ? [] : [left];
}

/** Added to a look when the request also spoke of a change. */
export const sayUnchanged = (language: Language): string =>
  language === 'en'
    ? 'The request also speaks of a change. Nothing was changed; give the order alone, in one short sentence.'
    : '请求里还提到了变更。没有做任何变更；如需变更，请用一句话单独下达指令。';

const SLOW = /(?<![\w-])(?:slow|slowly|slowness|latency|latencies|lag|lagging|sluggish)(?![\w-])|慢|延迟|卡顿/i;
/** Reports number their findings. */
const FINDING = /^## 1\. /m;

/** A diagnosis that found nothing says nothing about what it did not measure; '' when this does not matter. */
export function sayUnmeasured({ result, tool }: Ended, request: string, language: Language): string {
  const looked = result.status === 'ok' && tool?.run.kind === 'workflow' && hasParameter(tool, 'name');
  if (!looked || !SLOW.test(request) || FINDING.test(result.text)) return '';
  return language === 'en'
    ? 'Latency was not measured: this looked at states, events and logs only. That nothing was found does not mean that it is fast; compare its response times in your metrics or traces.'
    : '没有测量延迟：这里只检查了状态、事件和日志。没有发现问题不代表响应正常；请在监控指标或链路追踪中查看响应时间。';
}

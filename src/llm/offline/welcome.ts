import type { ToolDefinition } from '../../domain/types.js';
import { changes } from './schema.js';
import type { Language } from './text.js';

const GREETING =
  /^(?:(?:hello|hi|hey|help|usage|good (?:morning|afternoon|evening)|who are you|what are you|what can (?:you|i) (?:do|ask)(?: for me)?|how (?:do|can) (?:i|you) (?:start|use (?:this|it|you)|help(?: me)?)|(?:can you )?help me|你好|您好|嗨|帮助|帮忙|求助|你是谁|你(?:能|会|可以)(?:做|干|帮我做)?(?:什么|啥|些什么|哪些事)|(?:有什么|有哪些)功能|怎么用|如何使用)(?:\s+there)?[\s!?.,。!?~]*)+$/i;

/** Whether a request says no more than hello, or asks what can be asked. */
export const isGreeting = (text: string): boolean => text.length < 200 && GREETING.test(text);

/** What to ask, by the tool that answers it. DATA. */
const EXAMPLES: readonly (readonly [string, Readonly<Record<Language, string>>])[] = [
  ['diagnose_service', { en: 'diagnose NAME in namespace NAMESPACE', zh: '诊断 NAMESPACE 命名空间的 NAME' }],
  ['kubectl_logs', { en: 'logs of NAME in namespace NAMESPACE', zh: '查看 NAMESPACE 命名空间的 NAME 的日志' }],
  ['kubectl_events', { en: 'events in namespace NAMESPACE', zh: '查看 NAMESPACE 命名空间的事件' }],
  [
    'diagnose_namespace',
    { en: 'which pods are not ready in namespace NAMESPACE', zh: 'NAMESPACE 命名空间里哪些 pod 没就绪' },
  ],
  ['diagnose_host', { en: 'is this machine healthy', zh: '这台机器健康吗' }],
  ['diagnose_metrics', { en: 'what is firing', zh: '现在有哪些告警' }],
  ['diagnose_docker', { en: 'which containers are unhealthy', zh: '哪些容器不健康' }],
  ['diagnose_container', { en: 'why does container NAME restart', zh: '容器NAME为什么一直重启' }],
];
const MAX_EXAMPLES = 6;

/** What can be asked of the tools that are offered, as Markdown. */
export function sayWelcome(tools: readonly ToolDefinition[], language: Language): string {
  const offered = EXAMPLES.filter(([name]) => tools.some((tool) => tool.name === name && !changes(tool)));
  const examples = offered.slice(0, MAX_EXAMPLES).map(([, words]) => `- \`${words[language]}\``);
  const [head, foot] =
    language === 'en'
      ? [
          'Hello. I look into what does not work, and ask before I change anything. For example:',
          'Without a model I understand fixed ways of asking like these. `opsagent tools list` shows everything that can be done.',
        ]
      : [
          '你好。我可以排查故障，任何变更都会先请你确认。例如：',
          '没有模型时只能理解这类固定的说法。`opsagent tools list` 列出全部能力。',
        ];
  return [head, '', ...examples, '', foot].join('\n');
}

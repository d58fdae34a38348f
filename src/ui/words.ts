import type { Risk } from '../domain/types.js';
import type { Language } from './ui.js';

/** Every sentence of the interactive screen. */
export interface Words {
  readonly risk: Readonly<Record<Risk, string>>;
  readonly inNamespace: (namespace: string) => string;
  readonly onCluster: (context: string) => string;
  readonly runs: string;
  readonly why: string;
  readonly rule: string;
  readonly repaired: string;
  readonly unseen: string;
  readonly choices: string;
  /** The choices while a part of the card has not been on the screen. */
  readonly choicesUnread: string;
  readonly typeName: (name: string) => string;
  readonly nameChoices: string;
  readonly reason: string;
  readonly reasonKeys: string;
  readonly position: (first: number, last: number, total: number) => string;
  readonly queue: (waiting: number) => string;
  readonly hints: Readonly<Record<Hint, string>>;
  readonly thinking: (model: string) => string;
  readonly checking: string;
  readonly asking: string;
  readonly more: (count: number) => string;
}

/** Why a key did nothing. */
export type Hint = 'early' | 'pasted' | 'unread' | 'unknown-key';

const en: Words = {
  risk: {
    low: 'LOW RISK · reads',
    medium: 'MEDIUM RISK · reads, may expose or load',
    high: 'HIGH RISK · changes things',
    critical: 'CRITICAL · cannot be undone',
  },
  inNamespace: (namespace) => `in namespace ${namespace}`,
  onCluster: (context) => `on ${context}`,
  runs: 'RUNS',
  why: 'WHY ASK',
  rule: 'rule',
  repaired: 'REPAIRED',
  unseen: 'Holds invisible or control characters, shown as ␛ or \\u202e.',
  choices: 'y run once · n no',
  choicesUnread: 'Read to the end, then y · n no',
  typeName: (name) => `To run it, type ${name} and press Enter.`,
  nameChoices: 'Anything else is no. Esc: no.',
  reason: 'No. Why? (optional)',
  reasonKeys: 'Enter sends the no',
  position: (first, last, total) => `${first}–${last} of ${total} lines · ↑↓ PgDn End`,
  queue: (waiting) => `${waiting} more to answer`,
  hints: {
    early: 'Pressed before you could read this. Press again.',
    pasted: 'Pasted text is no answer. Press a key.',
    unread: 'Read to the end first: PgDn or End.',
    'unknown-key': 'Press y or n. Enter and Esc mean no.',
  },
  thinking: (model) => `${model} is thinking`,
  checking: 'checking',
  asking: 'waiting for you',
  more: (count) => `and ${count} more running`,
};

const zh: Words = {
  risk: {
    low: '低风险 · 只读',
    medium: '中风险 · 只读,可能暴露数据或增加负载',
    high: '高风险 · 会做修改',
    critical: '极高风险 · 无法撤销',
  },
  inNamespace: (namespace) => `命名空间 ${namespace}`,
  onCluster: (context) => `集群 ${context}`,
  runs: '将执行',
  why: '原因',
  rule: '规则',
  repaired: '已修正',
  unseen: '含有不可见字符或控制字符,已显示为 ␛ 或 \\u202e。',
  choices: 'y 执行一次 · n 拒绝',
  choicesUnread: '看到末尾后才能按 y · n 拒绝',
  typeName: (name) => `要执行,请输入 ${name} 并按回车。`,
  nameChoices: '其他输入都算拒绝。Esc:拒绝。',
  reason: '拒绝。原因?(可不填)',
  reasonKeys: '回车发送',
  position: (first, last, total) => `${first}–${last} / ${total} 行 · ↑↓ PgDn End`,
  queue: (waiting) => `还有 ${waiting} 个待确认`,
  hints: {
    early: '按键早于显示,未生效。请看完再按。',
    pasted: '粘贴的内容不算回答,请按键。',
    unread: '请先看到末尾:PgDn 或 End。',
    'unknown-key': '请按 y 或 n。回车和 Esc 都是拒绝。',
  },
  thinking: (model) => `${model} 思考中`,
  checking: '检查中',
  asking: '等待确认',
  more: (count) => `另有 ${count} 个正在运行`,
};

/** The sentences of one language. */
export const wordsIn = (language: Language): Words => (language === 'zh' ? zh : en);

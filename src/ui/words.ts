import type { Classification, Risk } from '../domain/types.js';
import { type ModeWords, modeWordsIn } from './mode-words.js';
import type { Language } from './ui.js';

/** Every sentence of the interactive screen. */
export interface Words {
  readonly risk: Readonly<Record<Risk, string>>;
  /** Behind `critical`: what was found out about the way back. */
  readonly wayBack: { readonly yes: string; readonly no: string; readonly unknown: string };
  readonly inNamespace: (namespace: string) => string;
  readonly onCluster: (context: string) => string;
  readonly runs: string;
  readonly why: string;
  readonly rule: string;
  readonly repaired: string;
  readonly unseen: string;
  /** Why the call is riskier than its tool. */
  readonly raised: string;
  readonly scope: string;
  readonly scopes: Readonly<Record<Classification['scope'], string>>;
  /** Items of the command that change whom it speaks to. */
  readonly connection: string;
  readonly dryRun: string;
  readonly dryRunEnd: { readonly ok: string; readonly failed: string; readonly unknown: string };
  readonly touches: string;
  readonly previewFailed: string;
  readonly leftOut: (rows: number, callId: string) => string;
  readonly undo: string;
  readonly covers: string;
  readonly choices: (can: Choices) => string;
  readonly grantChoices: string;
  readonly typeName: (name: string) => string;
  readonly typeProduction: (name: string) => string;
  readonly nameChoices: (canEdit: boolean) => string;
  readonly reason: string;
  readonly reasonKeys: string;
  readonly position: (first: number, last: number, total: number) => string;
  readonly queue: (waiting: number) => string;
  readonly hints: Readonly<Record<Hint, string>>;
  readonly mode: ModeWords;
  readonly thinking: (model: string) => string;
  readonly checking: string;
  readonly inspecting: string;
  /** The pause before another try, then that try. */
  readonly retrying: (seconds: string, attempt: number, reason: string) => string;
  readonly attempt: (attempt: number) => string;
  readonly asking: string;
  readonly more: (count: number) => string;
  readonly formKeys: string;
  readonly formNote: string;
  readonly formDone: string;
  readonly notGiven: string;
  readonly required: string;
  readonly notJson: (name: string, message: string) => string;
  readonly problems: { readonly locked: string; readonly 'too-long': string };
}

/** What can be chosen on a card beside a no; `unread`: a part of it has not been on the screen. */
export interface Choices {
  readonly unread: boolean;
  readonly grant: boolean;
  readonly edit: boolean;
}

/** Why a key did nothing. */
export type Hint =
  | 'early'
  | 'pasted'
  | 'unread'
  | 'unknown-key'
  | 'unknown-mode'
  | 'no-grant'
  | 'no-grant-raised'
  | 'no-arguments';

const en: Words = {
  risk: {
    low: 'LOW RISK · reads',
    medium: 'MEDIUM RISK · reads, may expose or load',
    high: 'HIGH RISK · changes things',
    critical: 'CRITICAL',
  },
  wayBack: { yes: 'can be undone', no: 'cannot be undone', unknown: 'perhaps no way back' },
  inNamespace: (namespace) => `in namespace ${namespace}`,
  onCluster: (context) => `on ${context}`,
  runs: 'RUNS',
  why: 'WHY ASK',
  rule: 'rule',
  repaired: 'REPAIRED',
  unseen: 'Holds invisible or control characters, shown as ␛ or \\u202e.',
  raised: 'RISK UP',
  scope: 'SCOPE',
  scopes: {
    none: 'no object',
    one: 'one object',
    several: 'several objects, by name',
    selector: 'every object that a selector matches',
    all: 'ALL objects of its kind',
    unknown: 'unknown: the command could not be read',
  },
  connection: 'ACCESS',
  dryRun: 'DRY RUN',
  dryRunEnd: {
    ok: 'ok',
    failed: 'FAILED: the change would not be accepted',
    unknown: 'not known whether the change would be accepted',
  },
  touches: 'TOUCHES',
  previewFailed: 'could not be found out',
  leftOut: (rows, callId) => `… ${rows} lines left out here; the whole is the output of ${callId}`,
  undo: 'UNDO',
  covers: 'COVERS',
  choices: ({ unread, grant, edit }) =>
    [
      unread ? `Read to the end, then y${grant ? ' or a' : ''}` : 'y run once',
      grant && !unread ? 'a this kind, this session' : '',
      edit ? 'e edit' : '',
      'n no',
      'r read-only',
      'm mode',
    ]
      .filter(Boolean)
      .join(' · '),
  grantChoices: 'y run these without asking · n no · Enter, Esc: no · any other key: back',
  typeName: (name) => `To run it, type ${name} and press Enter.`,
  typeProduction: (name) => `To run this in production, type ${name} and press Enter.`,
  nameChoices: (canEdit) => `Anything else is no. ${canEdit ? 'Ctrl-E: edit. ' : ''}Shift+Tab: mode. Esc: no.`,
  reason: 'No. Why? (optional)',
  reasonKeys: 'Enter sends the no',
  position: (first, last, total) => `${first}–${last} of ${total} lines · ↑↓ PgDn End`,
  queue: (waiting) => `${waiting} more to answer`,
  hints: {
    early: 'Pressed before you could read this. Press again.',
    pasted: 'Pasted text is no answer. Type it on the keyboard.',
    unread: 'Read to the end first: PgDn or End.',
    'unknown-key': 'Press y or n, or another of these keys. Enter and Esc mean no.',
    'unknown-mode': 'Press a number from 1 to 5, or Esc.',
    'no-grant': 'Calls like this one are asked for every time.',
    'no-grant-raised': 'Asked for every time: it is riskier than usual (RISK UP).',
    'no-arguments': 'It has no arguments that could be changed.',
  },
  mode: modeWordsIn('en'),
  thinking: (model) => `${model} is thinking`,
  checking: 'checking',
  inspecting: 'checking what it would do',
  retrying: (seconds, attempt, reason) => `again in ${seconds} (${ordinal(attempt)} try): ${reason}`,
  attempt: (attempt) => `${ordinal(attempt)} try`,
  asking: 'waiting for you',
  more: (count) => `and ${count} more running`,
  formKeys: '↑↓ choose · type to change · Ctrl-S done · Esc back',
  formNote: 'Nothing runs: the changed call is judged and shown again.',
  formDone: 'done',
  notGiven: '(not given)',
  required: 'required',
  notJson: (name, message) => `${name} must be JSON: ${message}`,
  problems: {
    locked: 'several lines, or too long for this form: it stays as it is',
    'too-long': 'That is too long for this form.',
  },
};

const zh: Words = {
  risk: {
    low: '低风险 · 只读',
    medium: '中风险 · 只读,可能暴露数据或增加负载',
    high: '高风险 · 会做修改',
    critical: '极高风险',
  },
  wayBack: { yes: '可以撤销', no: '无法撤销', unknown: '可能无法撤销' },
  inNamespace: (namespace) => `命名空间 ${namespace}`,
  onCluster: (context) => `集群 ${context}`,
  runs: '将执行',
  why: '原因',
  rule: '规则',
  repaired: '已修正',
  unseen: '含有不可见字符或控制字符,已显示为 ␛ 或 \\u202e。',
  raised: '风险升高',
  scope: '范围',
  scopes: {
    none: '无对象',
    one: '一个对象',
    several: '多个指定对象',
    selector: '选择器匹配的所有对象',
    all: '该类型的全部对象',
    unknown: '未知:无法解析该命令',
  },
  connection: '访问方式',
  dryRun: '试运行',
  dryRunEnd: { ok: '通过', failed: '失败:该变更不会被接受', unknown: '未知该变更能否被接受' },
  touches: '影响',
  previewFailed: '无法查明',
  leftOut: (rows, callId) => `… 此处省略 ${rows} 行,完整内容见 ${callId} 的输出`,
  undo: '撤销',
  covers: '授权范围',
  choices: ({ unread, grant, edit }) =>
    [
      unread ? `看到末尾后才能按 y${grant ? ' 或 a' : ''}` : 'y 执行一次',
      grant && !unread ? 'a 本次会话允许此类' : '',
      edit ? 'e 修改' : '',
      'n 拒绝',
      'r 转为只读',
      'm 模式',
    ]
      .filter(Boolean)
      .join(' · '),
  grantChoices: 'y 此类不再询问 · n 拒绝 · 回车、Esc:拒绝 · 其他键:返回',
  typeName: (name) => `要执行,请输入 ${name} 并按回车。`,
  typeProduction: (name) => `要在生产环境执行,请输入 ${name} 并按回车。`,
  nameChoices: (canEdit) => `其他输入都算拒绝。${canEdit ? 'Ctrl-E:修改。' : ''}Shift+Tab:模式。Esc:拒绝。`,
  reason: '拒绝。原因?(可不填)',
  reasonKeys: '回车发送',
  position: (first, last, total) => `${first}–${last} / ${total} 行 · ↑↓ PgDn End`,
  queue: (waiting) => `还有 ${waiting} 个待确认`,
  hints: {
    early: '按键早于显示,未生效。请看完再按。',
    pasted: '粘贴的内容不算回答，请用键盘输入。',
    unread: '请先看到末尾:PgDn 或 End。',
    'unknown-key': '请按 y 或 n,或上面的其他键。回车和 Esc 都是拒绝。',
    'unknown-mode': '请按 1 到 5,或按 Esc。',
    'no-grant': '此类调用每次都要确认。',
    'no-grant-raised': '每次都要确认:它的风险高于平常(见“风险升高”)。',
    'no-arguments': '没有可修改的参数。',
  },
  mode: modeWordsIn('zh'),
  thinking: (model) => `${model} 思考中`,
  checking: '检查中',
  inspecting: '正在检查会有什么影响',
  retrying: (seconds, attempt, reason) => `${seconds} 后重试(第 ${attempt} 次):${reason}`,
  attempt: (attempt) => `第 ${attempt} 次`,
  asking: '等待确认',
  more: (count) => `另有 ${count} 个正在运行`,
  formKeys: '↑↓ 选择 · 输入即修改 · Ctrl-S 完成 · Esc 返回',
  formNote: '不会执行:修改后的调用会重新判定并再次显示。',
  formDone: '完成',
  notGiven: '(未填)',
  required: '必填',
  notJson: (name, message) => `${name} 必须是 JSON:${message}`,
  problems: { locked: '多行或过长,不能在此修改', 'too-long': '内容过长。' },
};

const ordinal = (number: number): string =>
  number + (number % 100 > 10 && number % 100 < 14 ? 'th' : (['th', 'st', 'nd', 'rd'][number % 10] ?? 'th'));

/** The sentences of one language. */
export const wordsIn = (language: Language): Words => (language === 'zh' ? zh : en);

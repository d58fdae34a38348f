import type { Mode } from '../domain/types.js';
import type { Language } from './ui.js';

/** The sentences about modes. The names of the modes are those of `--mode`, in every language. */
export interface ModeWords {
  readonly title: string;
  readonly means: Readonly<Record<Mode, string>>;
  readonly now: string;
  readonly keys: string;
  /** In the live line. */
  readonly current: (mode: Mode) => string;
}

const en: ModeWords = {
  title: 'MODE · from now on, in this session',
  means: {
    'read-only': 'denies every change',
    suggest: 'runs no change, says what would run',
    ask: 'asks before high and critical calls',
    auto: 'runs high calls unasked, unless unusual; asks for critical ones',
    paranoid: 'asks for reads too',
  },
  now: 'now',
  keys: 'Press 1 to 5 · Esc back',
  current: (mode) => `mode ${mode}`,
};

const zh: ModeWords = {
  title: '模式 · 本次会话从现在起',
  means: {
    'read-only': '拒绝一切修改',
    suggest: '不执行修改,只说明将执行什么',
    ask: '高风险和极高风险的调用先询问',
    auto: '高风险调用不询问(异常的除外),极高风险仍询问',
    paranoid: '只读调用也询问',
  },
  now: '当前',
  keys: '按 1 到 5 选择 · Esc 返回',
  current: (mode) => `模式 ${mode}`,
};

/** The sentences about modes in one language. */
export const modeWordsIn = (language: Language): ModeWords => (language === 'zh' ? zh : en);

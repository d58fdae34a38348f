import { describe, expect, it } from 'vitest';
import { MODES } from '../../src/domain/types.js';
import { widthOf } from '../../src/lib/width.js';
import { newCard } from '../../src/ui/card-keys.js';
import { layCard, newAsk } from '../../src/ui/card-layout.js';
import { layModes } from '../../src/ui/mode-list.js';
import { wordsIn } from '../../src/ui/words.js';
import { decision, deletePod } from './calls.js';

const draw = (columns: number, rows: number, language: 'en' | 'zh' = 'en') =>
  layModes({ mode: 'ask' }, { columns, rows }, wordsIn(language)).map(({ text }) => text);

describe('the list of modes', () => {
  it('names every mode on the smallest screens, and is never wider than they are', () => {
    for (const language of ['en', 'zh'] as const)
      for (const [columns, rows] of [
        [77, 23],
        [40, 12],
        [21, 8],
        [10, 5],
      ] as const) {
        const lines = draw(columns, rows, language);
        expect(lines.length).toBeLessThanOrEqual(rows);
        expect(Math.max(...lines.map(widthOf))).toBeLessThanOrEqual(columns);
        for (const [index, mode] of MODES.entries())
          expect(lines.some((line) => line.includes(`${index + 1} ${mode}`.slice(0, columns - 2)))).toBe(true);
      }
  });

  it('stands below the heading of the call it was opened on', () => {
    const state = { ...newCard(false), step: 'modes' as const, mode: 'auto' as const };
    const ask = newAsk(deletePod('c7'), decision('high'));
    expect(layCard(ask, state, { columns: 80, rows: 24 }, 0, wordsIn('en')).lines.map(({ text }) => text)).toEqual([
      ' HIGH RISK · changes things · c7 ',
      'MODE · from now on, in this session',
      '',
      ' 1 read-only  denies every change',
      ' 2 suggest    runs no change, says what would run',
      ' 3 ask        asks before high and critical calls',
      '›4 auto       runs high calls unasked, unless unusual; asks for critical ones',
      '              (now)',
      ' 5 paranoid   asks for reads too',
      '',
      'Press 1 to 5 · Esc back',
    ]);
  });

  it('is said in Chinese', () => {
    expect(draw(77, 23, 'zh')).toEqual([
      '模式 · 本次会话从现在起',
      '',
      ' 1 read-only  拒绝一切修改',
      ' 2 suggest    不执行修改,只说明将执行什么',
      '›3 ask        高风险和极高风险的调用先询问 (当前)',
      ' 4 auto       高风险调用不询问(异常的除外),极高风险仍询问',
      ' 5 paranoid   只读调用也询问',
      '',
      '按 1 到 5 选择 · Esc 返回',
    ]);
  });
});

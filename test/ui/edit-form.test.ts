import { describe, expect, it } from 'vitest';
import type { JsonObject } from '../../src/domain/types.js';
import { widthOf } from '../../src/lib/width.js';
import { type CardKey, newCard } from '../../src/ui/card-keys.js';
import { layCard, newAsk } from '../../src/ui/card-layout.js';
import { type EditForm, newForm, pressForm } from '../../src/ui/edit-form.js';
import { wordsIn } from '../../src/ui/words.js';
import { decision, deletePod, tool } from './calls.js';

const parameters = {
  type: 'object',
  properties: {
    kind: { type: 'string', enum: ['deployment', 'statefulset'], description: 'What is restarted' },
    name: { type: 'string' },
    replicas: { type: 'integer' },
    labels: { type: 'object' },
    surge: { type: ['integer', 'string'] },
    manifest: { type: 'string' },
  },
  required: ['kind', 'name'],
};
const callWith = (args: JsonObject) =>
  deletePod('c1', 'x', { tool: { ...tool('scale', 'Scale', 'high'), parameters }, args });
const full = {
  kind: 'deployment',
  name: '订单服务',
  replicas: 3,
  labels: { app: 'order' },
  surge: '25%',
  manifest: 'a: 1\nb: 2',
};

const key = (
  type: 'tab' | 'back-tab' | 'left' | 'right' | 'save' | 'enter' | 'escape' | 'backspace' | 'clear',
): CardKey => ({
  type,
});
const text = (value: string): CardKey => ({ type: 'text', text: value });
const to = (row: number): CardKey[] => [
  { type: 'scroll', by: 'page-up' },
  ...Array.from({ length: row }, () => key('tab')),
];

function press(
  args: JsonObject,
  keys: readonly CardKey[],
  check: (args: JsonObject) => string | undefined = () => undefined,
) {
  let form: ReturnType<typeof pressForm> = newForm(callWith(args)) as EditForm;
  for (const one of keys) {
    if (form === 'cancelled' || 'edited' in form) return form;
    form = pressForm(form, one, check);
  }
  return form;
}

/** The card with its form as a screen shows it. */
function draw(form: EditForm, columns: number, rows = 24, language: 'en' | 'zh' = 'en'): string[] {
  const state = { ...newCard(false), step: 'editing' as const, form };
  const ask = newAsk(callWith(full), decision('high'));
  const { lines } = layCard(ask, state, { columns, rows }, 0, wordsIn(language));
  return lines.map(({ label = '', text: shown }) => (label + shown).trimEnd());
}

describe('the form', () => {
  it('does not end while a value cannot be read, and says where', () => {
    expect(press(full, [...to(2), text('x'), key('save')])).toMatchObject({
      at: 2,
      problem: { type: 'not-json', name: 'replicas' },
    });
    expect(press(full, [...to(3), key('clear'), text('{app: 1}'), key('save')])).toMatchObject({
      at: 3,
      problem: { type: 'not-json', name: 'labels' },
    });
  });

  it('does not end while the arguments are not what the tool takes', () => {
    const seen: JsonObject[] = [];
    const check = (args: JsonObject) => {
      seen.push(args);
      return 'kind must be one of them';
    };
    expect(press({ kind: 'a', name: 'b' }, [text('x'), key('save')], check)).toMatchObject({
      problem: { type: 'invalid', message: 'kind must be one of them' },
    });
    expect(seen).toEqual([{ kind: 'ax', name: 'b' }]);
  });

  it('does not change a text of several lines or a very long one, and says so', () => {
    expect(press(full, [...to(5), text('x')])).toMatchObject({ problem: { type: 'locked' } });
    const long = 'x'.repeat(3_999);
    expect(press({ name: long }, [...to(1), text('yy')])).toMatchObject({
      problem: { type: 'too-long' },
      texts: ['', long, '', '', '', ''],
    });
  });

  it('is cancelled with Escape, and when it ends without a change', () => {
    expect(press(full, [text('x'), key('escape')])).toBe('cancelled');
    expect(press(full, [key('save')])).toBe('cancelled');
    expect(press(full, [text('x'), key('backspace'), key('save')])).toBe('cancelled');
  });

  it('gives back every argument, each as its type says, and those that were not touched as they are', () => {
    const changes = [
      text('x'),
      ...to(2),
      key('clear'),
      text('5'),
      ...to(3),
      key('clear'),
      text('{"a":[1]}'),
      key('save'),
    ];
    expect(press(full, changes)).toEqual({ edited: { ...full, kind: 'deploymentx', replicas: 5, labels: { a: [1] } } });
    expect(press(full, [...to(4), key('clear'), text('2'), key('save')])).toEqual({ edited: { ...full, surge: 2 } });
    expect(press(full, [...to(4), key('clear'), text('2%'), key('save')])).toEqual({
      edited: { ...full, surge: '2%' },
    });
    expect(press({ name: '5' }, [...to(1), text('0'), key('save')])).toEqual({ edited: { name: '50' } });
  });

  it('leaves out what was emptied, and keeps references to secrets', () => {
    expect(press({ kind: 'a', name: '<secret:1>' }, [key('clear'), key('save')])).toEqual({
      edited: { name: '<secret:1>' },
    });
    expect(press({ kind: 'a', name: '<secret:1>' }, [...to(1), text('!'), key('save')])).toEqual({
      edited: { kind: 'a', name: '<secret:1>!' },
    });
  });

  it('moves with arrows, Tab and Enter, and ends on its last row', () => {
    const down: CardKey = { type: 'scroll', by: 1 };
    expect(
      press(full, [down, key('left'), key('backspace'), text('的'), key('right'), text('!'), key('save')]),
    ).toEqual({
      edited: { ...full, name: '订单的务!' },
    });
    const enters = Array.from({ length: 7 }, () => key('enter'));
    expect(press(full, [text('x'), ...enters])).toEqual({ edited: { ...full, kind: 'deploymentx' } });
    expect(press(full, [key('back-tab'), text('x'), key('tab'), text('y'), key('save')])).toEqual({
      edited: { ...full, kind: 'deploymenty' },
    });
  });

  it('takes pasted text as one line, and no key inside a paste as a key', () => {
    const paste: CardKey[] = [
      { type: 'paste-start' },
      text('a\nb'),
      key('enter'),
      key('save'),
      text('c'),
      { type: 'paste-end' },
    ];
    expect(press({ name: '' }, [...to(1), ...paste, key('save')])).toEqual({ edited: { name: 'a b c' } });
    expect(press({ name: '' }, [...to(1), text('a\r\nb\0\u0013'), key('save')])).toEqual({ edited: { name: 'a b' } });
  });
});

describe('the form on the screen', () => {
  const form = press(full, [...to(1), key('left')]) as EditForm;

  it('shows each parameter with its value, and the cursor', () => {
    expect(draw(form, 80)).toMatchInlineSnapshot(`
      [
        " HIGH RISK · changes things · c1",
        "  kind     deployment",
        "› name     订单服▏务",
        "  replicas 3",
        "  labels   {"app":"order"}",
        "  surge    25%",
        "  manifest a: 1␊b: 2",
        "  done",
        "",
        "string · required",
        "",
        "↑↓ choose · type to change · Ctrl-S done · Esc back",
        "Nothing runs: the changed call is judged and shown again.",
      ]
    `);
    expect(draw(press(full, [...to(2), text('x'), key('save')]) as EditForm, 40, 24, 'zh')).toMatchInlineSnapshot(`
      [
        " 高风险 · 会做修改 · c1",
        "  kind     deployment",
        "  name     订单服务",
        "› replicas 3x▏",
        "  labels   {"app":"order"}",
        "  surge    25%",
        "  manifest a: 1␊b: 2",
        "  完成",
        "",
        "integer",
        "",
        "replicas 必须是 JSON:Unexpected",
        "non-whitespace character after JSON",
        "at position 1",
        "↑↓ 选择 · 输入即修改 · Ctrl-S 完成 ·",
        "Esc 返回",
        "不会执行:修改后的调用会重新判定并再次",
        "显示。",
      ]
    `);
  });

  it('makes escapes and invisible characters visible', () => {
    const lines = draw(press({ name: 'a\u202eb\u001b[2J' }, to(1)) as EditForm, 80);
    expect(lines[2]).toBe('› name     a\\u202eb␛[2J▏');
    expect(lines.join('')).not.toMatch(/[\p{Cf}]|\p{Cc}/u);
  });

  it.each([20, 40, 80])('is never wider or higher than the screen, at %i columns', (columns) => {
    const long = { ...full, name: '订单'.repeat(200), labels: { 名字: '长'.repeat(300) } };
    for (const rows of [12, 24]) {
      for (let row = 0; row <= 6; row += 1) {
        const lines = draw(
          press(long, [...to(row), key('left'), { type: 'scroll', by: 'start' }]) as EditForm,
          columns,
          rows,
        );
        expect(lines.filter((line) => widthOf(line) > columns - 3)).toEqual([]);
        expect(lines.length).toBeLessThan(rows + (columns === 20 ? 4 : 0));
        expect(lines.filter((line) => line.startsWith('› '))).toHaveLength(1);
      }
    }
  });

  it('shows the part of a long value where the cursor is', () => {
    const long = { name: `${'a'.repeat(100)}|${'b'.repeat(100)}` };
    const at = (keys: CardKey[]) => draw(press(long, [...to(1), ...keys]) as EditForm, 40)[2];
    expect(at([])).toMatch(/^› name {5}…b+▏$/);
    expect(at([{ type: 'scroll', by: 'start' }])).toMatch(/^› name {5}▏a+…$/);
    expect(at(Array.from({ length: 100 }, () => key('left')))).toMatch(/^› name {5}…a+\|▏b+…$/);
  });
});

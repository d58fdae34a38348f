import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Inspection } from '../../src/domain/ports.js';
import { widthOf } from '../../src/lib/width.js';
import { command, decision, deletePod } from './calls.js';
import { classification, draw, frameOf, inspection, judged, restart } from './card-frames.js';

describe('what was found out about a call', () => {
  it('stands below what would run, with the reason why it is riskier', () => {
    expect(draw(restart, judged, inspection)).toMatchInlineSnapshot(`
      " CRITICAL · perhaps no way back · c3
      Restart a workload: deployment 订单服务 · in namespace shop · on test

      RUNS      kubectl rollout restart deployment
                  '订单服务'
                  --namespace=shop
                  --context=test

      RISK UP   high → critical
                its arguments come from output read in this session
      SCOPE     one object: deployment/订单服务
      ACCESS    --server=https://10.0.0.1
      DRY RUN   ok
                │ @@ spec @@
                │ -  replicas: 1
                │ +  replicas: 3
                │    image: 订单:1.2␛[2J
      TOUCHES   │ 3 pods, all ready
                │ - order-1
                │ - order-2
      UNDO      kubectl rollout undo brings the old pods back

      To run it, type 订单服务 and press Enter.
      › ▏
      Anything else is no. Ctrl-E: edit. Shift+Tab: mode. Esc: no."
    `);
  });

  it('fits on a narrow screen', () => {
    expect(draw(restart, judged, inspection, { columns: 40 })).toMatchInlineSnapshot(`
      " CRITICAL · perhaps no way back · c3
      Restart a workload: deployment 订单服
      务 · in namespace shop · on test

      RUNS
       kubectl rollout restart deployment
         '订单服务'
         --namespace=shop
         --context=test

      RISK UP
       high → critical
       its arguments come from output read
       in this session
      SCOPE
       one object: deployment/订单服务
      ACCESS
       --server=https://10.0.0.1
      DRY RUN
       ok
       │ @@ spec @@
       │ -  replicas: 1
       │ +  replicas: 3
       │    image: 订单:1.2␛[2J
      TOUCHES
       │ 3 pods, all ready
       │ - order-1
       │ - order-2
      UNDO
       kubectl rollout undo brings the old
       pods back

      To run it, type 订单服务 and press
      Enter.
      › ▏
      Anything else is no. Ctrl-E: edit.
      Shift+Tab: mode. Esc: no."
    `);
  });

  it('is said in Chinese', () => {
    expect(draw(restart, judged, inspection, { language: 'zh' })).toMatchInlineSnapshot(`
      " 极高风险 · 可能无法撤销 · c3
      Restart a workload: deployment 订单服务 · 命名空间 shop · 集群 test

      将执行    kubectl rollout restart deployment
                  '订单服务'
                  --namespace=shop
                  --context=test

      风险升高  high → critical
                its arguments come from output read in this session
      范围      一个对象: deployment/订单服务
      访问方式  --server=https://10.0.0.1
      试运行    通过
                │ @@ spec @@
                │ -  replicas: 1
                │ +  replicas: 3
                │    image: 订单:1.2␛[2J
      影响      │ 3 pods, all ready
                │ - order-1
                │ - order-2
      撤销      kubectl rollout undo brings the old pods back

      要执行,请输入 订单服务 并按回车。
      › ▏
      其他输入都算拒绝。Ctrl-E:修改。Shift+Tab:模式。Esc:拒绝。"
    `);
  });

  it('warns of a dry run that failed, a preview that failed, and a scope that is wide', () => {
    const found: Inspection = {
      dryRun: { callId: 'c3.1', ok: false, text: 'Error: field is immutable' },
      preview: { callId: 'c3.2', ok: false, text: '' },
      undo: 'there is no way back',
    };
    const wide = decision('high', { classification: { ...classification, scope: 'all', targets: ['pods'] } });
    const warnings = frameOf(restart, wide, found).lines.filter(({ tone }) => tone === 'warning');
    expect(warnings.map(({ label = '', text }) => label + text)).toEqual([
      'SCOPE     ALL objects of its kind: pods',
      'DRY RUN   FAILED: the change would not be accepted',
      'TOUCHES   could not be found out',
    ]);
  });

  it('does not call a dry run failed that was not made', () => {
    const found: Inspection = { dryRun: { callId: 'c3.1', ok: false, skipped: true, text: 'no dry run: too slow' } };
    const warnings = frameOf(restart, decision('high'), found).lines.filter(({ tone }) => tone === 'warning');
    expect(warnings.map(({ label = '', text }) => label + text)).toEqual([
      'DRY RUN   not known whether the change would be accepted',
    ]);
  });

  it('tones added and removed lines of a diff, and no list', () => {
    const tones = frameOf(restart, judged, inspection).lines.filter(({ text }) => text.startsWith('│'));
    expect(tones.map(({ text, tone }) => [text.slice(2), tone])).toEqual([
      ['@@ spec @@', 'code'],
      ['-  replicas: 1', 'removed'],
      ['+  replicas: 3', 'added'],
      ['   image: 订单:1.2␛[2J', 'code'],
      ['3 pods, all ready', 'code'],
      ['- order-1', 'code'],
      ['- order-2', 'code'],
    ]);
  });

  it('is cut in words when it is long, while what runs never is', () => {
    const rows = Array.from({ length: 500 }, (_, n) => `row ${n}`).join('\n');
    const stdin = rows.replaceAll('row', 'line');
    const call = { ...restart, action: command(['kubectl', 'apply', '--filename=-'], { stdin }) };
    const found: Inspection = { dryRun: { callId: 'c3.1', ok: true, text: `${rows}\n${'x'.repeat(5_000)}` } };
    const lines = draw(call, decision('high'), found, { rows: 2_000 }).split('\n');
    expect(lines.filter((line) => /[│] row/.test(line))).toHaveLength(39);
    expect(lines.filter((line) => /[│] line/.test(line))).toHaveLength(500);
    expect(lines).toContain('          … 461 lines left out here; the whole is the output of c3.1');
    expect(lines.join('\n').split('x').length).toBeLessThan(400);
    expect(lines.findIndex((line) => line.startsWith('RUNS'))).toBe(3);
  });

  it('cannot pass for a part of the card, and is never wider than the screen', () => {
    const text = fc.string({ unit: 'binary', maxLength: 200 });
    fc.assert(
      fc.property(text, fc.integer({ min: 20, max: 120 }), (said, columns) => {
        const finding = { callId: 'c1.1', ok: true, text: `${said}\nRUNS      all is fine` };
        const verdict = decision('high', {
          raised: [`${said}\nRUNS      all is fine`],
          classification: { ...classification, targets: [said], connection: [said] },
        });
        const found = { dryRun: finding, preview: finding, undo: `${said}\nRUNS      all is fine` };
        const { lines } = frameOf(deletePod('c1'), verdict, found, { columns, rows: 2_000 });
        expect(lines.filter((line) => widthOf((line.label ?? '') + line.text) > columns - 3)).toEqual([]);
        expect(lines.map((line) => line.text).join('')).not.toMatch(/[\p{Cf}]|\p{Cc}/u);
        expect(lines.filter((line) => (line.label ?? '') + line.text === 'RUNS      all is fine')).toEqual([]);
      }),
    );
  });
});

import { describe, expect, it } from 'vitest';
import type { Classification, Decision, ToolCall } from '../../src/domain/types.js';
import { newAsk } from '../../src/ui/card-layout.js';
import { decision } from './calls.js';
import { classification, draw, frameOf, inspection, restart } from './card-frames.js';

describe('the name to type', () => {
  const ask = (call: ToolCall, verdict: Decision) => newAsk(call, verdict).name;
  const critical = (more: Partial<Classification>) =>
    decision('critical', { classification: { ...classification, verb: 'delete', ...more } });
  const unnamed = { ...restart, args: { all: true } };

  it('is the production context where a decision asks for it, whatever the risk', () => {
    const verdict = decision('high', { typeName: 'prod-eu\u202e' });
    expect(ask(restart, verdict)).toBe('prod-eu\\u202e');
    expect(ask(restart, decision('critical', { typeName: 'prod-eu' }))).toBe('prod-eu');
    expect(draw(restart, verdict, undefined)).toContain('To run this in production, type prod-eu\\u202e and press');
  });

  it('is never empty, so that Enter alone is a no', () => {
    expect(ask(restart, decision('high', { typeName: ' ' }))).toBe('订单服务');
  });

  it.each([
    ['the argument that names the object', restart, critical({}), '订单服务'],
    ['the one target', unnamed, critical({ targets: ['pod/order-1'] }), 'order-1'],
    ['what would happen to all', unnamed, critical({ scope: 'all', targets: ['pods'] }), 'delete all pods'],
    [
      'what would happen to many',
      unnamed,
      critical({ scope: 'several', targets: ['pod/a', 'pod/b'] }),
      'delete 2 objects',
    ],
    ['what a selector matches', unnamed, critical({ scope: 'selector', targets: ['pods'] }), 'delete pods by selector'],
    ['the tool when nothing is known', unnamed, critical({ scope: 'unknown', targets: [] }), 'kubectl_rollout_restart'],
  ] as const)('is %s', (_, call, verdict, name) => {
    expect(ask(call, verdict)).toBe(name);
  });
});

describe('the heading of a critical call', () => {
  it.each([
    ['cannot be undone', { undo: 'no way back: gone is gone', undoable: false }],
    ['perhaps no way back', { undo: 'not looked up: no cluster' }],
    ['perhaps no way back', undefined],
    ['can be undone', { undo: 'opsagent undo s1/c3', undoable: true }],
  ] as const)('says what was found out about the way back: %s', (said, inspection) => {
    expect(draw(restart, decision('critical'), inspection)).toMatch(new RegExp(`^ CRITICAL · ${said} · c3`));
  });
});

describe('the choices', () => {
  const grantText = 'kubectl rollout restart deployment in namespace shop on test, for 30 minutes';
  const grantable = decision('high', { grantText });

  it('name a yes for the session only where the decision allows one', () => {
    expect(draw(restart, grantable, undefined)).toMatch(
      /y run once · a this kind, this session · e edit · n no · r read-only · m mode$/,
    );
    expect(draw(restart, decision('high'), undefined)).toMatch(/y run once · e edit · n no · r read-only · m mode$/);
  });

  it('say what a yes for the session covers, with the command, before it is given', () => {
    expect(draw(restart, grantable, undefined, { state: { step: 'granting' } })).toMatchInlineSnapshot(`
      " HIGH RISK · changes things · c3
      Restart a workload: deployment 订单服务 · in namespace shop · on test

      RUNS      kubectl rollout restart deployment
                  '订单服务'
                  --namespace=shop
                  --context=test

      COVERS    kubectl rollout restart deployment in namespace shop on test, for
                30 minutes

      y run these without asking · n no · Enter, Esc: no · any other key: back"
    `);
  });

  it.each([
    [40, 10],
    [40, 14],
    [80, 12],
    [24, 16],
  ])('stay on a screen of %i by %i', (columns, rows) => {
    for (const step of ['choosing', 'granting', 'reason'] as const) {
      const { lines } = frameOf(restart, grantable, inspection, { columns, rows, state: { step, hint: 'early' } });
      expect([step, lines.length < rows]).toEqual([step, true]);
    }
  });
});

import type { Inspection } from '../../src/domain/ports.js';
import type { Classification, Decision, ToolCall } from '../../src/domain/types.js';
import { type CardState, newCard } from '../../src/ui/card-keys.js';
import { layCard, newAsk } from '../../src/ui/card-layout.js';
import { wordsIn } from '../../src/ui/words.js';
import { command, decision, tool } from './calls.js';

/** A call whose card has wide characters. */
export const restart: ToolCall = {
  id: 'c3',
  tool: tool('kubectl_rollout_restart', 'Restart a workload', 'high'),
  args: { kind: 'deployment', name: '订单服务', namespace: 'shop' },
  repairs: [],
  action: command(['kubectl', 'rollout', 'restart', 'deployment', '订单服务', '--namespace=shop', '--context=test']),
};
export const classification: Classification = {
  program: 'kubectl',
  verb: 'rollout restart',
  targets: ['deployment/订单服务'],
  scope: 'one',
  reversible: true,
  risk: 'high',
  reason: 'it replaces pods',
  connection: [],
};
export const judged = decision('critical', {
  reason: 'its arguments come from output read in this session',
  raised: ['its arguments come from output read in this session'],
  classification: { ...classification, connection: ['--server=https://10.0.0.1'] },
});
export const inspection: Inspection = {
  dryRun: {
    callId: 'c3.1',
    ok: true,
    text: '@@ spec @@\n-  replicas: 1\n+  replicas: 3\n   image: 订单:1.2\u001b[2J',
  },
  preview: { callId: 'c3.2', ok: true, text: '3 pods, all ready\n- order-1\n- order-2' },
  undo: 'kubectl rollout undo brings the old pods back',
};

export interface Look {
  readonly columns?: number;
  readonly rows?: number;
  readonly language?: 'en' | 'zh';
  readonly state?: Partial<CardState>;
}

export function frameOf(call: ToolCall, verdict: Decision, found: Inspection | undefined, look: Look = {}) {
  const { columns = 80, rows = 60, language = 'en', state } = look;
  const ask = newAsk(call, verdict, found);
  return layCard(ask, { ...newCard(ask.name !== undefined), ...state }, { columns, rows }, 0, wordsIn(language));
}

export const draw = (...given: Parameters<typeof frameOf>): string =>
  frameOf(...given)
    .lines.map(({ label = '', text }) => (label + text).trimEnd())
    .join('\n');

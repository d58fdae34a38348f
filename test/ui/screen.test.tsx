import { cleanup, render } from 'ink-testing-library';
import { afterEach, describe, expect, it } from 'vitest';
import { widthOf } from '../../src/lib/width.js';
import { App } from '../../src/ui/app.js';
import { createStore } from '../../src/ui/store.js';
import { wordsIn } from '../../src/ui/words.js';
import { calm, command, decision, deletePod, result, tool } from './calls.js';

afterEach(cleanup);
const words = wordsIn('en');
const settled = () => new Promise((resolve) => setTimeout(resolve, 20));

function show(columns: number, rows = 24) {
  const store = createStore({
    now: () => performance.now(),
    size: { columns, rows },
    words,
    canAsk: true,
    onInterrupt: () => store.close(),
    onAsking: (asking) => expect(typeof asking).toBe('boolean'),
  });
  const screen = render(<App store={store} words={words} keyboard={true} />);
  const frame = () => (screen.lastFrame() ?? '').replaceAll(/[⠋⠙⠹⠸⠼⠴⠦⠧⠇⠏]/g, '*');
  return { store, frame };
}

const run = (id: string, label: string, parentId?: string) => ({
  type: 'call-decided' as const,
  call: { ...deletePod(id), action: command(label.split(' ')), ...(parentId !== undefined && { parentId }) },
  decision: decision('low', { effect: 'allow' }),
});

describe('the screen', () => {
  it('keeps what is over above what is going on, steps under their workflow', async () => {
    const { store, frame } = show(60);
    const workflow = {
      ...deletePod('c1'),
      tool: tool('diagnose_service', 'Diagnose a service'),
      args: { name: '订单服务' },
    };
    store.emit({
      ...run('c1', ''),
      call: { ...workflow, action: { kind: 'workflow', tokens: [], display: '', payload: {} } },
    });
    store.emit(run('c2', 'kubectl get pods --namespace=shop', 'c1'));
    store.emit(run('c3', 'kubectl logs order-7f9c --namespace=shop --tail=200 --previous', 'c1'));
    store.emit({ type: 'call-output', callId: 'c3', bytes: 12_345 });
    store.emit({ type: 'call-finished', result: result('c2') });
    store.emit({ type: 'notice', text: 'two\u001b[2J lines\nof notice' });
    await settled();
    expect(frame().split('\n')).toEqual([
      '▸ c1 Diagnose a service name=订单服务',
      '  ✔ c2 kubectl get pods --namespace=shop 0.4 s',
      '· two lines',
      '  of notice',
      '* c1 Diagnose a service name=订单服务 0 s',
      '  * c3 kubectl logs order-7f9c --namespace=shop … 0 s 12 kB',
    ]);
  });

  it('shows that the model is asked, and the end of what it says', async () => {
    const { store, frame } = show(40);
    store.emit({ type: 'model-waiting', model: 'qwen3' });
    await settled();
    expect(frame()).toBe('* qwen3 is thinking');
    store.emit({ type: 'spent', usd: 0, tokens: 16_700, estimated: false, capTokens: 1_000_000 });
    await settled();
    expect(frame()).toBe('* qwen3 is thinking · 16.7k of 1M toke…');
    store.emit({
      type: 'model-text',
      text: 'first second third fourth fifth sixth seventh eighth ninth tenth eleventh twelfth thirteenth fourteenth fifteenth sixteenth \u001b[31mseventeenth',
    });
    await settled();
    expect(frame().split('\n')).toHaveLength(4);
    expect(frame()).toContain('seventeenth');
    store.emit({ type: 'turn-finished', reason: 'answered' });
    await settled();
    expect(frame().trimEnd()).toBe('· 16.7k of 1M tokens');
  });

  it('says that a change is checked, why a call is tried again, and what was spent', async () => {
    const { store, frame } = show(100);
    store.emit({ type: 'spent', usd: 0.0449, tokens: 12_400, estimated: false, capUsd: 0.5 });
    await settled();
    expect(frame()).toBe('');
    store.emit({ type: 'call-requested', raw: { id: 'c3', name: 'kubectl_delete_pod', rawArguments: '{}' } });
    store.emit({ type: 'call-inspecting', callId: 'c3' });
    store.emit(run('c4', 'kubectl get pods --namespace=shop'));
    const reason = 'connection refused\u001b[2J';
    store.emit({ type: 'call-retried', callId: 'c4', attempt: 2, pauseMs: 60_000, reason });
    await settled();
    expect(
      frame()
        .replace(/in (?:1 min 00|\d\d) s/, 'in N s')
        .split('\n'),
    ).toEqual([
      '* c3 kubectl_delete_pod checking what it would do',
      '* c4 kubectl get pods --namespace=shop again in N s (2nd try): connection refused␛[2J',
      '$0.0449 of $0.50 · 12.4k tokens',
    ]);
    store.emit({ type: 'call-retried', callId: 'c4', attempt: 3, pauseMs: 0, reason });
    store.emit({ type: 'call-finished', result: result('c3') });
    await settled();
    expect(frame().split('\n').slice(1)).toEqual([
      expect.stringMatching(/^\* c4 kubectl get pods --namespace=shop 3rd try \d+ s$/),
      '$0.0449 of $0.50 · 12.4k tokens',
    ]);
    store.emit({ type: 'call-finished', result: result('c4') });
    store.emit({ type: 'model-waiting', model: 'qwen3' });
    await settled();
    expect(frame().split('\n').slice(1)).toEqual([
      '✔ c4 kubectl get pods --namespace=shop 0.4 s',
      '  ↻ try 3, after: connection refused',
      '* qwen3 is thinking · $0.0449 of $0.50 · 12.4k tokens',
    ]);
  });

  it.each([20, 33, 80, 100])('is never wider than the terminal, at %i columns', async (columns) => {
    const { store, frame } = show(columns);
    store.emit({ type: 'notice', text: '长'.repeat(300) });
    store.emit(run('c1', `kubectl get pods --selector=${'订单'.repeat(90)}`));
    store.emit({ type: 'model-text', text: '思考'.repeat(500) });
    for (let n = 2; n < 40; n += 1) store.emit(run(`c${n}`, 'kubectl get pods'));
    await settled();
    const live = frame();
    void store.approver.ask(deletePod('c99', '名字'.repeat(50)), decision('critical'), calm());
    await settled();
    expect(`${live}\n${frame()}`.split('\n').filter((line) => widthOf(line) > columns)).toEqual([]);
    expect(live).toContain('more running');
  });

  it('leaves nothing but the log when it is closed', async () => {
    const { store, frame } = show(80);
    store.emit(run('c1', 'kubectl get pods'));
    store.emit({ type: 'call-finished', result: result('c1') });
    void store.approver.ask(deletePod('c2'), decision('high'), calm());
    store.close();
    await settled();
    expect(frame().trimEnd()).toBe('✔ c1 kubectl get pods 0.4 s');
  });
});

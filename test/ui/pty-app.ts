/** A run on the interactive screen, for a real terminal: `node pty-app.js SCENE LANGUAGE`. Prints what it got as JSON. */
import type { Inspection } from '../../src/domain/ports.js';
import { loadInkUi } from '../../src/ui/load-ink.js';
import { calm, command, decision, deletePod, result } from './calls.js';

const [scene = 'high', language] = process.argv.slice(2);
const interrupts = new AbortController();
const fetchBefore = globalThis.fetch;
const startInkUi = await loadInkUi();
const ui = startInkUi({
  stdin: process.stdin,
  stderr: process.stderr,
  color: process.env.NO_COLOR === undefined,
  language: language === 'zh' ? 'zh' : 'en',
  onInterrupt: () => interrupts.abort(),
});

ui.emit({ type: 'model-waiting', model: 'qwen3' });
ui.emit({ type: 'model-text', text: 'I look at the pods first. 先看 Pod 状态。' });
ui.emit({ type: 'call-requested', raw: { id: 'c1', name: 'kubectl_get_pods', rawArguments: '{}' } });
const get = deletePod('c1', 'x', { action: command(['kubectl', 'get', 'pods', '--namespace=shop']) });
ui.emit({ type: 'call-decided', call: get, decision: decision('low', { effect: 'allow' }) });
ui.emit({ type: 'call-finished', result: result('c1') });

const manifest = Array.from({ length: 60 }, (_, n) => `line ${n + 1}`).join('\n');
const long = command(['kubectl', 'apply', '--filename=-'], { stdin: manifest });
const call = deletePod('c2', 'order-7f9c', scene === 'long' ? { action: long } : {});
const judged = decision(scene === 'critical' ? 'critical' : 'high', {
  ...(scene === 'grant' && { grantText: 'deletes of pods in namespace shop on prod-eu, for 30 minutes' }),
  ...(scene === 'production' && { typeName: 'prod-eu' }),
});
const found: Inspection = {
  dryRun: { callId: 'c2.1', ok: true, text: '+ 订单\n- order' },
  undo: 'no way back',
};
const answers = [ui.approver.ask(call, judged, interrupts.signal, scene === 'grant' ? found : undefined)];
if (scene === 'two') answers.push(ui.approver.ask(deletePod('c3', 'db'), judged, calm()));
if (scene === 'crash') setTimeout(() => Promise.reject(new Error('out of luck')), 200);
if (scene === 'unanswered') await ui.stop();
const approvals = await Promise.all(answers);
for (const approval of approvals.slice(0, 1)) {
  ui.emit({ type: 'call-decided', call, decision: judged, approval });
  const refused = result('c2', { status: 'rejected', durationMs: 0 });
  ui.emit({ type: 'call-finished', result: approval.granted ? result('c2') : refused });
}
await ui.stop();
const state = { raw: process.stdin.isRaw, fetch: globalThis.fetch === fetchBefore };
process.stdout.write(`${JSON.stringify({ approvals, interrupted: interrupts.signal.aborted, ...state })}\n`);

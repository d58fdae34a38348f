import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { Decision, ToolCall } from '../../src/domain/types.js';
import { visible } from '../../src/lib/visible.js';
import { widthOf } from '../../src/lib/width.js';
import { cardBody } from '../../src/ui/card-content.js';
import { newCard } from '../../src/ui/card-keys.js';
import { layCard, newAsk } from '../../src/ui/card-layout.js';
import { nameToType } from '../../src/ui/card-name.js';
import { wordsIn } from '../../src/ui/words.js';
import { command, decision, deletePod, tool } from './calls.js';

const words = wordsIn('en');

/** The card as text, as wide as the screen allows. */
function draw(call: ToolCall, judged: Decision, columns: number, rows = 50, waiting = 0): string[] {
  const ask = newAsk(call, judged);
  const { lines } = layCard(ask, newCard(ask.name !== undefined), { columns, rows }, waiting, words);
  return lines.map(({ label = '', text }) => (label + text).trimEnd());
}

const withStdin = (stdin: string) =>
  deletePod('c7', 'x', { action: command(['kubectl', 'apply', '--filename=-'], { stdin }) });

describe('the card', () => {
  it('says what happens to what, why, and how to answer', () => {
    const judged = decision('high', { rules: [{ id: 'pods.delete', effect: 'confirm', reason: 'Pods hold work.' }] });
    const call = deletePod('c7', 'order-7f9c', { repairs: ['pod → pod_name'] });
    expect(draw(call, judged, 80, 24, 2)).toEqual([
      ' HIGH RISK · changes things · c7 · 2 more to answer',
      'Delete a pod: order-7f9c · in namespace shop · on prod-eu',
      '',
      'RUNS      kubectl delete pod order-7f9c --namespace=shop --context=prod-eu',
      '',
      'WHY ASK   Deleting a pod ends its processes.',
      '          rule pods.delete (confirm): Pods hold work.',
      'REPAIRED  pod → pod_name',
      '',
      'y run once · e edit · n no · r read-only · m mode',
    ]);
  });

  it('asks for the name when the call is critical, also on a narrow screen', () => {
    expect(draw(deletePod('c7'), decision('critical'), 20)).toEqual([
      ' CRITICAL ·',
      ' perhaps no way',
      ' back · c7',
      'Delete a pod:',
      'order-7f9c · in',
      'namespace shop ·',
      'on prod-eu',
      '',
      'RUNS',
      ' kubectl delete',
      '   pod',
      '   order-7f9c',
      '   --namespace=sh',
      '   ┆ op',
      '   --context=prod',
      '   ┆ -eu',
      '',
      'WHY ASK',
      ' Deleting a pod',
      ' ends its',
      ' processes.',
      '',
      'To run it, type',
      'order-7f9c and',
      'press Enter.',
      '› ▏',
      'Anything else is',
      'no. Ctrl-E: edit.',
      'Shift+Tab: mode.',
      'Esc: no.',
    ]);
  });

  it('shows everything that a command gets, one argument a line when it is long', () => {
    const action = command(['kubectl', 'exec', 'pod-1', '--', 'sh', '-c', 'rm -rf /data\necho done'], {
      cwd: '/srv',
      env: ['TOKEN'],
    });
    expect(draw(deletePod('c7', 'x', { action }), decision('high'), 80).slice(3, 13)).toEqual([
      'RUNS      kubectl exec pod-1',
      '            --',
      '            sh',
      '            -c',
      "            'rm -rf /data␊",
      "            echo done'",
      '',
      'WHY ASK   Deleting a pod ends its processes.',
      '',
      'cwd       /srv',
    ]);
  });

  it('shows a request and a script whole', () => {
    const request = {
      kind: 'http',
      tokens: ['POST', 'https://am/api/v2/silences'],
      display: '',
      payload: { method: 'POST', url: 'https://am/api/v2/silences', headers: {}, body: '{\n "a": 1\n}' },
    };
    const script = {
      kind: 'script',
      tokens: [],
      display: '',
      payload: { interpreter: ['bash', '-eu'], code: 'df -h\nrm x\n', arguments: { ARG_DIR: '/srv' } },
    };
    const main = (action: ToolCall['action']) =>
      draw(deletePod('c7', 'x', { action }), decision('high'), 80).filter((line) =>
        /^(RUNS|body|code|arguments| {10})/.test(line),
      );
    expect(main(request)).toEqual([
      'RUNS      POST https://am/api/v2/silences',
      'body      │ {',
      '          │  "a": 1',
      '          │ }',
    ]);
    expect(main(script)).toEqual([
      'RUNS      bash -eu',
      'code      │ df -h',
      '          │ rm x',
      'arguments  {"ARG_DIR":"/srv"}',
    ]);
  });

  it('makes invisible characters visible and says so', () => {
    const action = command(['kubectl', 'delete', 'pod', 'a\u202eb\u200b', '\u001b[2K']);
    const lines = draw(deletePod('c7', 'a\u202eb', { action }), decision('critical'), 80);
    expect(lines.join('\n')).not.toMatch(/[\p{Cf}]|(?!\n)\p{Cc}/u);
    expect(lines[3]).toBe("RUNS      kubectl delete pod 'a\\u202eb\\u200b' '␛[2K'");
    expect(lines[4]).toBe('⚠         Holds invisible or control characters, shown as ␛ or \\u202e.');
    expect(lines).toContain('To run it, type a\\u202eb and press Enter.');
  });

  it('lets no text inside pass for a part of the card', () => {
    const stdin = 'a: 1\nWHY ASK   all is fine\ny run once · n no';
    const faked = draw(withStdin(stdin), decision('high'), 80).filter((line) => /all is fine/.test(line));
    expect(faked).toEqual(['          │ WHY ASK   all is fine']);
  });

  it('hides nothing of a manifest, whatever it holds and however wide the screen is', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'binary', maxLength: 300 }), fc.integer({ min: 20, max: 200 }), (text, columns) => {
        const stdin = `first\n${text}\nlast`;
        const lines = cardBody({ call: withStdin(stdin), decision: decision('high') }, columns - 3, words);
        const block = lines.filter(({ text }) => /^[│┆] /.test(text)).map(({ text }) => text);
        const joined = block
          .map((line) => (line.startsWith('│') ? `\n${line.slice(2)}` : line.slice(2)))
          .join('')
          .slice(1);
        expect(joined).toBe(visible(stdin));
        expect(lines.filter(({ label, text }) => widthOf(label + text) > columns - 3)).toEqual([]);
      }),
    );
  });

  it('is lower than the screen and can be scrolled to every line', () => {
    const stdin = Array.from({ length: 300 }, (_, n) => `line ${n}`).join('\n');
    const ask = newAsk(withStdin(stdin), decision('high'));
    const seen = new Set<string>();
    for (let offset = 0; offset < 320; offset += 5) {
      const frame = layCard(ask, { ...newCard(false), offset }, { columns: 80, rows: 24 }, 0, words);
      expect(frame.lines.length).toBeLessThan(24);
      for (const line of frame.lines) seen.add(line.text);
    }
    expect(stdin.split('\n').filter((line) => !seen.has(`│ ${line}`))).toEqual([]);
  });
});

describe('nameToType', () => {
  it.each([
    ['the name', { name: 'order', namespace: 'shop' }, 'order'],
    ['the pod', { pod_name: 'order-7f9c', container: 'app' }, 'order-7f9c'],
    ['the node', { node: 'worker-1' }, 'worker-1'],
    ['the tool without any of them', { manifest: '…' }, 'kubectl_drain'],
    ['the tool when the name is empty or a list', { name: ' ', node: ['a'] }, 'kubectl_drain'],
  ])('is %s', (_, args, name) => {
    expect(nameToType(deletePod('c1', 'x', { tool: tool('kubectl_drain', 'Drain'), args }))).toBe(name);
  });
});

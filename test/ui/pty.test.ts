import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { widthOf } from '../../src/lib/width.js';
import { QUIET_MS } from '../../src/ui/card-keys.js';
import { bundle, lastFrame, openTerminal, type Terminal } from './terminal.js';

let app: Awaited<ReturnType<typeof bundle>>;
beforeAll(async () => {
  app = await bundle(new URL('pty-app.ts', import.meta.url).pathname);
});
afterAll(() => app.remove());

const open = (scene: string, columns: number, rows = 24, language = 'en', env: Record<string, string> = {}) =>
  openTerminal(app.file, [scene, language], { columns, rows, env });
const pause = (ms: number) => new Promise((resolve) => setTimeout(resolve, ms));
/** Longer than a key is ignored after the card was drawn. */
const read = () => pause(QUIET_MS + 200);

/** What the program printed last. */
async function outcome(terminal: Terminal) {
  const code = await terminal.ended;
  const line =
    terminal
      .output()
      .split(/[\r\n]+/)
      .find((row) => row.includes('{"approvals"')) ?? '';
  return { code, ...JSON.parse(line.slice(line.indexOf('{"approvals"'))) };
}

/** The last state of the cursor (h shown) and of bracketed paste (l off). */
const modesAfter = (output: string) => {
  const last = (mode: string) => output.charAt(output.lastIndexOf(`\u001b[?${mode}`) + mode.length + 3);
  return { cursor: last('25'), paste: last('2004') };
};

const after = { code: 0, interrupted: false, raw: false, fetch: true };
const yes = { granted: true, by: 'user' };
const no = { granted: false, by: 'user' };

describe('the card in a real terminal', () => {
  it('takes keys typed ahead for no answer, even when they come with the start', async () => {
    const terminal = open('high', 80);
    terminal.write('y\ryyy\n');
    await terminal.waitFor('y run once');
    await read();
    terminal.write('n');
    await terminal.waitFor('Why? (optional)');
    terminal.write('太晚了');
    await terminal.waitFor('太晚了');
    terminal.write('\r');
    expect(await outcome(terminal)).toEqual({ ...after, approvals: [{ ...no, note: '太晚了' }] });
  });

  it('takes Enter for a no', async () => {
    const terminal = open('high', 80);
    await terminal.waitFor('y run once');
    await read();
    terminal.write('\r');
    expect(await outcome(terminal)).toEqual({ ...after, approvals: [no] });
  });

  it('takes a paste for no answer, marked by the terminal or not', async () => {
    const terminal = open('high', 80);
    await terminal.waitFor('y run once');
    await read();
    terminal.write('\u001b[200~y\u001b[201~');
    await terminal.waitFor('Pasted text is no answer');
    await read();
    terminal.write('y\n');
    await read();
    await terminal.waitFor('Pasted text is no answer');
    terminal.write('\u001b');
    expect(await outcome(terminal)).toEqual({ ...after, approvals: [no] });
  });

  it('takes Ctrl-C for a no and an interrupt', async () => {
    const terminal = open('high', 80);
    await terminal.waitFor('y run once');
    terminal.write('\u0003');
    expect(await outcome(terminal)).toEqual({
      ...after,
      interrupted: true,
      approvals: [{ ...no, note: 'interrupted' }],
    });
  });

  it('takes Alt-y for no answer', async () => {
    const terminal = open('high', 80);
    await terminal.waitFor('y run once');
    await read();
    terminal.write('\u001by');
    await terminal.waitFor('Press y or n');
    terminal.write('\u001b');
    expect(await outcome(terminal)).toEqual({ ...after, approvals: [no] });
  });

  it('runs on y, at 80 columns', async () => {
    const terminal = open('high', 80);
    await terminal.waitFor('y run once');
    expect(lastFrame(terminal.output())).toMatchInlineSnapshot(`
      "  I look at the pods first. 先看 Pod 状态。
      ✔ c1 kubectl get pods --namespace=shop 0.4 s
      ┃  HIGH RISK · changes things · c2 
      ┃ Delete a pod: order-7f9c · in namespace shop · on prod-eu
      ┃
      ┃ RUNS      kubectl delete pod order-7f9c --namespace=shop --context=prod-eu
      ┃
      ┃ WHY ASK   Deleting a pod ends its processes.
      ┃
      ┃ y run once · e edit · n no · r read-only · m mode
      "
    `);
    await read();
    terminal.write('y');
    expect(await outcome(terminal)).toEqual({ ...after, approvals: [yes] });
    expect(modesAfter(terminal.output())).toEqual({ cursor: 'h', paste: 'l' });
  });

  it('runs a critical call when its name is typed, at 20 columns', async () => {
    const terminal = open('critical', 20, 40);
    await terminal.waitFor('Esc: no.');
    const lines = lastFrame(terminal.output()).split('\n');
    expect(lines.filter((line) => widthOf(line) > 20)).toEqual([]);
    await read();
    for (const key of 'order-7f9c') terminal.write(key);
    await terminal.waitFor('order-7f9c▏');
    terminal.write('\r');
    expect(await outcome(terminal)).toEqual({ ...after, approvals: [yes] });
  });

  it('does not run a critical call when another name is typed', async () => {
    const terminal = open('critical', 80);
    await terminal.waitFor('Esc: no.');
    await read();
    terminal.write('order-7f9d');
    await terminal.waitFor('order-7f9d▏');
    terminal.write('\r');
    const note = 'what was typed is not the name that was asked for';
    expect(await outcome(terminal)).toEqual({ ...after, approvals: [{ ...no, note }] });
  });

  it('shows what was found out, and takes a yes for the session after what it covers was read', async () => {
    const terminal = open('grant', 80);
    await terminal.waitFor('a this kind, this session · e edit · n no');
    expect(lastFrame(terminal.output())).toContain('┃ DRY RUN   ok\n┃           │ + 订单\n┃           │ - order\n');
    await read();
    terminal.write('a');
    await terminal.waitFor('COVERS deletes of pods in namespace shop on prod-eu');
    terminal.write('y');
    await terminal.waitFor('Pressed before you could read this');
    await read();
    terminal.write('y');
    expect(await outcome(terminal)).toEqual({ ...after, approvals: [{ ...yes, remember: true }] });
  });

  it('gives changed arguments back, typed with arrows and Chinese, and runs nothing', async () => {
    const terminal = open('high', 40);
    await terminal.waitFor('n no');
    await read();
    terminal.write('e');
    await terminal.waitFor('› pod_name order-7f9c▏');
    expect(
      lastFrame(terminal.output())
        .split('\n')
        .filter((line) => widthOf(line) > 40),
    ).toEqual([]);
    terminal.write('\u001b[D');
    await terminal.waitFor('order-7f9▏c');
    terminal.write('订单');
    await terminal.waitFor('order-7f9订单▏c');
    terminal.write('\t');
    await terminal.waitFor('› namespace shop▏');
    terminal.write('\u0013');
    expect(await outcome(terminal)).toEqual({
      ...after,
      approvals: [{ ...no, edited: { pod_name: 'order-7f9订单c', namespace: 'shop' } }],
    });
  });

  it('asks for the name of what is production, and takes y for no answer to that', async () => {
    const terminal = open('production', 80);
    await terminal.waitFor('To run this in production, type prod-eu');
    await read();
    terminal.write('y');
    await terminal.waitFor('› y▏');
    terminal.write('\u0015');
    await terminal.waitFor('› ▏');
    for (const key of 'prod-eu') terminal.write(key);
    await terminal.waitFor('prod-eu▏');
    terminal.write('\r');
    expect(await outcome(terminal)).toEqual({ ...after, approvals: [yes] });
  });

  it('wants the end of a long manifest to be seen, and never clears the history of the terminal', async () => {
    const terminal = open('long', 60, 20);
    await terminal.waitFor('Read to the end');
    await read();
    terminal.write('y');
    await terminal.waitFor('Read to the end first');
    terminal.write('\u001b[F');
    await terminal.waitFor('line 60');
    terminal.resize(50, 12);
    await pause(200);
    terminal.write('y');
    expect(await outcome(terminal)).toEqual({ ...after, approvals: [yes] });
    expect(terminal.output()).not.toContain('\u001b[3J');
  });

  it('asks one thing after the other', async () => {
    const terminal = open('two', 80);
    await terminal.waitFor('c2 · 1 more to answer');
    await read();
    terminal.write('y');
    await terminal.waitFor('c3');
    await read();
    terminal.write('\r');
    expect(await outcome(terminal)).toEqual({ ...after, approvals: [yes, no] });
  });

  it('gives the terminal back when the program dies', async () => {
    const terminal = open('crash', 80);
    expect(await terminal.ended).toBe(1);
    const { cursor, paste } = modesAfter(terminal.output());
    expect({ cursor, paste, said: terminal.output().includes('out of luck') }).toEqual({
      cursor: 'h',
      paste: 'l',
      said: true,
    });
  });

  it('answers what is open with no when it is stopped, and takes it off the screen', async () => {
    const terminal = open('unanswered', 80);
    expect(await outcome(terminal)).toEqual({ ...after, approvals: [{ granted: false, by: 'no-terminal' }] });
    expect(lastFrame(terminal.output())).not.toContain('┃');
  });

  it('speaks Chinese, and paints nothing under NO_COLOR', async () => {
    const terminal = open('high', 80, 24, 'zh', { NO_COLOR: '1' });
    await terminal.waitFor('y 执行一次 · e 修改 · n 拒绝');
    await read();
    terminal.write('\u001b');
    expect(await outcome(terminal)).toEqual({ ...after, approvals: [no] });
    // biome-ignore lint/suspicious/noControlCharactersInRegex: colours are what is looked for
    expect(terminal.output()).not.toMatch(/\u001b\[\d+m/);
  });
});

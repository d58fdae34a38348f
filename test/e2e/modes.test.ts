import { mkdirSync, renameSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, type TestContext, test } from 'vitest';
import { QUIET_MS } from '../../src/ui/card-keys.js';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { sampleObjects } from '../helpers/api-server/sample.js';
import { startApiServer } from '../helpers/api-server/start.js';
import { auditFile, kubeEnv, readAudit, runCli } from '../helpers/cli.js';
import { openCli } from '../helpers/cli-terminal.js';
import { type ServerAnswer, startModelServer } from '../helpers/model-server.js';

const missing = kubectlMissing();
const TALL = { columns: 80, rows: 60 };
const RESTART = ['ask', 'restart deployment order in namespace shop'];
const SHIFT_TAB = '\u001b[Z';
const ESCAPE = '\u001b';

/** A program in a terminal, with a cluster of its own where no pod crashes. */
async function open({ onTestFinished }: TestContext, args: readonly string[]) {
  const objects = sampleObjects().filter((object) => !JSON.stringify(object).includes('order-5d4-bad'));
  const server = await startApiServer({ objects });
  const terminal = openCli(args, { ...TALL, env: kubeEnv(server) });
  onTestFinished(async () => {
    terminal.end();
    await server.close();
  });
  /** Waits for words, and as long as a person who reads them. */
  const read = async (words: string) => {
    await terminal.waitFor(words);
    await pause(QUIET_MS + 150);
  };
  const outcome = async () => {
    const { code } = await terminal.ended;
    const records = readAudit(terminal.home);
    const switches = records.flatMap((record) => (record.mode_switch ? [record.mode_switch] : []));
    return { code, changes: server.changes().length, status: records.at(-1)?.status, switches };
  };
  return { ...terminal, server, read, outcome };
}

/** A request to a model that thinks for a while before it restarts a deployment. */
async function askSlowModel(context: TestContext) {
  const call = { name: 'kubectl_rollout_restart', arguments: { kind: 'deployment', name: 'order', namespace: 'shop' } };
  const answers: ServerAnswer[] = [{ calls: [call], delay: 5_000 }, { text: 'Done.' }];
  const model = await startModelServer(answers);
  context.onTestFinished(model.close);
  return open(context, ['ask', 'restart order in shop', '--model', 'scripted', '--base-url', model.baseUrl]);
}

describe.concurrent('another mode, chosen in a terminal', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  test('is none when it is pasted, in one piece or behind its key', async (context) => {
    const terminal = await open(context, RESTART);
    await terminal.read('m mode');
    terminal.write('m4');
    await terminal.read('Pasted text is no answer');
    terminal.write('\u001b[200~m\u001b[201~');
    await terminal.read('Pasted text is no answer');
    terminal.write(`${SHIFT_TAB}4`);
    await terminal.read('Press 1 to 5');
    terminal.write('44\r4');
    await terminal.read('Pasted text is no answer');
    terminal.write(ESCAPE);
    await terminal.read('y run once');
    terminal.write(ESCAPE);
    expect(await terminal.outcome()).toEqual({ code: 4, changes: 0, status: 'rejected', switches: [] });
  });

  test('is none, and stays none, when the audit log cannot be written', async (context) => {
    const terminal = await open(context, RESTART);
    await terminal.read('m mode');
    const log = auditFile(terminal.home);
    renameSync(log, `${log}.away`);
    mkdirSync(log);
    terminal.write('m');
    await terminal.read('Press 1 to 5');
    // The call is decided again in the mode that was; what a card shows needs records, too.
    terminal.write('4');
    const { code, output } = await terminal.ended;
    expect(code).toBe(1);
    expect(output.replaceAll(/\s+/g, ' ')).toContain('The mode is still ask: The audit log');
    expect(terminal.server.changes()).toEqual([]);
  });

  test('read-only refuses the call that was asked for, and the log says who switched', async (context) => {
    const terminal = await open(context, RESTART);
    await terminal.read('m mode');
    terminal.write('m');
    await terminal.read('Press 1 to 5');
    expect(terminal.screen()).toContain('›3 ask asks before high and critical calls (now)');
    terminal.write('1');
    const switched = { from: 'ask', to: 'read-only', via: 'card' };
    expect(await terminal.outcome()).toEqual({ code: 3, changes: 0, status: 'denied', switches: [switched] });
    const found = await runCli(['audit', 'search', '--event', 'mode-switched'], { home: terminal.home });
    expect(found.stdout).toMatch(
      /mode-switched +unknown +read-only +\(session\) +mode from ask to read-only, by \S+ on the card\n$/,
    );
    const call = readAudit(terminal.home).find((record) => record.mode_switch)?.call_id ?? '';
    const shown = await runCli(['audit', 'show', call], { home: terminal.home });
    expect(shown.stdout).toMatch(/mode +mode from ask to read-only/);
    expect((await runCli(['audit', 'verify'], { home: terminal.home })).code).toBe(0);
  });

  test('paranoid asks for the same call again, auto then runs it', async (context) => {
    const terminal = await open(context, RESTART);
    for (const [digit, then] of [
      ['5', 'paranoid mode asks for every call'],
      ['4', ''],
    ] as const) {
      await terminal.read('m mode');
      terminal.write('m');
      await terminal.read('Press 1 to 5');
      terminal.write(digit);
      if (then) await terminal.read(then);
    }
    expect(await terminal.outcome()).toMatchObject({
      code: 0,
      changes: 1,
      status: 'ok',
      switches: [
        { from: 'ask', to: 'paranoid' },
        { from: 'paranoid', to: 'auto' },
      ],
    });
  });

  test('is chosen with Shift+Tab while the model thinks, and holds for its calls', async (context) => {
    const terminal = await askSlowModel(context);
    await terminal.waitFor('is thinking');
    terminal.write(SHIFT_TAB);
    await terminal.read('Press 1 to 5');
    terminal.write('1');
    await terminal.waitFor('mode read-only');
    const switched = { from: 'ask', to: 'read-only', via: 'key' };
    expect(await terminal.outcome()).toEqual({ code: 3, changes: 0, status: 'denied', switches: [switched] });
    expect((await terminal.ended).output).toContain('The mode is read-only from here on; it was ask.');
  });

  test('is none when Shift+Tab and the digit come in one burst while the model thinks', async (context) => {
    const terminal = await askSlowModel(context);
    await terminal.waitFor('is thinking');
    terminal.write(`${SHIFT_TAB}4\u001b[200~${SHIFT_TAB}4\u001b[201~`);
    await terminal.read('m mode');
    terminal.write(ESCAPE);
    expect(await terminal.outcome()).toEqual({ code: 4, changes: 0, status: 'rejected', switches: [] });
  });
});

test('the mode of a run without a terminal cannot be switched by what stands on its input', async () => {
  const args = ['tools', 'run', 'host_cpu', '--mode', 'read-only'];
  const run = await runCli(args, { stdin: `${SHIFT_TAB}4m4` });
  expect(readAudit(run.home).filter(({ event }) => event === 'mode-switched')).toEqual([]);
});

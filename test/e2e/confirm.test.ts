import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, type TestContext, test } from 'vitest';
import { QUIET_MS } from '../../src/ui/card-keys.js';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { sampleObjects } from '../helpers/api-server/sample.js';
import { startApiServer } from '../helpers/api-server/start.js';
import { kubeEnv, readAudit } from '../helpers/cli.js';
import { openCli, terminalModes } from '../helpers/cli-terminal.js';
import { startModelServer } from '../helpers/model-server.js';

const missing = kubectlMissing();
const WIDE = { columns: 80, rows: 30 };
/** All of a card is on it at once. */
const TALL = { columns: 80, rows: 80 };
const NARROW = { columns: 24, rows: 20 };
const RESTART = ['ask', 'restart deployment order in namespace shop'];
const SCALE = [
  'tools',
  'run',
  'kubectl_scale',
  ...['kind=deployment', 'name=order', 'namespace=shop', 'replicas=3'].flatMap((arg) => ['--arg', arg]),
];
const DELETE = ['tools', 'run', 'kubectl_delete', '--arg', 'kind=namespace', '--arg', 'name=scratch'];
const END = '\u001b[F';
const ESCAPE = '\u001b';
const CTRL_C = '\u0003';
const CTRL_S = '\u0013';

/** Without the pod that crashes, so that the check after a change has nothing to wait for. */
const healthyObjects = () => sampleObjects().filter((object) => !JSON.stringify(object).includes('order-5d4-bad'));

/** A program in a terminal with a cluster of its own, closed when the test is over. */
async function open({ onTestFinished }: TestContext, args: readonly string[], size = WIDE) {
  const scratch = { kind: 'Namespace', metadata: { name: 'scratch' } };
  const server = await startApiServer({ objects: [...healthyObjects(), scratch] });
  const terminal = openCli(args, { ...size, env: kubeEnv(server) });
  onTestFinished(async () => {
    terminal.end();
    await server.close();
  });
  const namespaces = () => server.objects('Namespace').map((object) => object.metadata.name);
  /** How the run ended, what it changed, and what the audit log says of its last call. */
  const outcome = async () => {
    const { code } = await terminal.ended;
    const last = readAudit(terminal.home).at(-1);
    return { code, changes: server.changes().length, approval: last?.approval, status: last?.status };
  };
  /** What the program leaves behind in the terminal. */
  const leaves = async () => {
    const { output, flags } = await terminal.ended;
    return { ...terminalModes(output), off: ['echo', 'icanon', 'isig'].filter((flag) => !flags.has(flag)) };
  };
  return { ...terminal, server, namespaces, outcome, leaves };
}

interface Kubeconfig {
  readonly clusters: readonly object[];
}

type Opened = Awaited<ReturnType<typeof open>>;

/** The end of the card is on the screen: it says no position, or the last one. */
const isAtEnd = (screen: string): boolean => {
  const [, last, total] = /–(\d+) of (\d+)/.exec(screen) ?? [];
  return last === total;
};

/** Waits for the card, as long as a person must, and looks at all of it. */
async function readCard(terminal: Opened, keys: string): Promise<void> {
  await terminal.waitFor(keys);
  await pause(QUIET_MS + 100);
  if (!isAtEnd(terminal.screen())) terminal.write(END);
  await terminal.waitFor(isAtEnd);
}

/** The words of a screen, without the frame of the card. */
const words = (screen: string): string => screen.replaceAll('┃', ' ').replaceAll(/\s+/g, ' ');

const no = { granted: false, by: 'user' };
const yes = { granted: true, by: 'user' };
const refused = { code: 4, changes: 0, status: 'rejected', approval: no };
const done = { code: 0, changes: 1, status: 'ok', approval: yes };
const tidy = { cursor: 'h', paste: 'l', off: [] };
const SIZES = [
  ['wide', WIDE],
  ['narrow', NARROW],
] as const;

describe.concurrent('the question before a change, in a terminal', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

  test.for(SIZES)('Enter alone is a no, on a %s screen', async ([, size], context) => {
    const terminal = await open(context, RESTART, size);
    await readCard(terminal, 'n no');
    terminal.write('\r');
    expect(await terminal.outcome()).toEqual(refused);
  });

  test('keys pressed before the question could be read do not answer it', async (context) => {
    const terminal = await open(context, RESTART, TALL);
    while (!terminal.screen().includes('n no')) {
      terminal.write('y');
      await pause(50);
    }
    terminal.write('y');
    await terminal.waitFor('Pressed before you could read this');
    await pause(QUIET_MS + 100);
    expect(terminal.server.changes()).toEqual([]);
    terminal.write(ESCAPE);
    expect(await terminal.outcome()).toEqual(refused);
  });

  test('a no with a reason is recorded with the reason, and said', async (context) => {
    const terminal = await open(context, RESTART);
    await readCard(terminal, 'n no');
    terminal.write('n');
    await terminal.waitFor('Why?');
    terminal.write('not during the sale');
    await terminal.waitFor('not during the sale');
    terminal.write('\r');
    expect(await terminal.outcome()).toEqual({ ...refused, approval: { ...no, note: 'not during the sale' } });
    const { output } = await terminal.ended;
    expect(output.slice(output.lastIndexOf('Enter sends the no'))).toContain('not during the sale');
  });

  test.for(SIZES)(
    'a critical call does not run on y, nor on another name, on a %s screen',
    async ([, size], context) => {
      const terminal = await open(context, DELETE, size);
      await readCard(terminal, 'Esc: no.');
      terminal.write('y');
      await terminal.waitFor('y▏');
      terminal.write('scratch');
      await terminal.waitFor('yscratch▏');
      terminal.write('\r');
      const note = 'what was typed is not the name that was asked for';
      expect(await terminal.outcome()).toEqual({ ...refused, approval: { ...no, note } });
      expect(terminal.namespaces()).toContain('scratch');
    },
  );

  test.for([
    ['wide', WIDE, RESTART],
    ['narrow', NARROW, RESTART],
    ['wide, for a critical call', WIDE, DELETE],
  ] as const)(
    'Ctrl-C ends the run, changes nothing, and gives the terminal back: %s',
    async ([, size, args], context) => {
      const terminal = await open(context, args, size);
      await terminal.waitFor(args === DELETE ? 'Esc: no.' : 'n no');
      terminal.write(CTRL_C);
      const approval = { ...no, note: 'interrupted' };
      expect(await terminal.outcome()).toEqual({ ...refused, code: 130, approval });
      expect(await terminal.leaves()).toEqual(tidy);
    },
  );

  test.for(SIZES)('y runs the call that was shown, on a %s screen', async ([, size], context) => {
    const terminal = await open(context, RESTART, size);
    await terminal.waitFor('kubectl');
    await readCard(terminal, 'n no');
    terminal.write('y');
    expect(await terminal.outcome()).toEqual(done);
    expect(terminal.server.changes().map((change) => change.path)).toEqual([
      '/apis/apps/v1/namespaces/shop/deployments/order',
    ]);
    const records = readAudit(terminal.home).filter((record) => record.tool === 'kubectl_rollout_restart');
    expect(records.map((record) => [record.event, record.user_confirmed])).toEqual([
      ['decided', true],
      ['finished', true],
    ]);
    expect(await terminal.leaves()).toEqual(tidy);
  });

  test.for(SIZES)('a critical call runs when its name is typed, on a %s screen', async ([, size], context) => {
    const terminal = await open(context, DELETE, size);
    await readCard(terminal, 'Esc: no.');
    for (const key of 'scratch') terminal.write(key);
    await terminal.waitFor('scratch▏');
    terminal.write('\r');
    expect(await terminal.outcome()).toEqual(done);
    expect(terminal.namespaces()).not.toContain('scratch');
  });

  test('the whole question of a restart is on a screen of 80 by 30', async (context) => {
    const terminal = await open(context, RESTART);
    await terminal.waitFor('n no');
    expect(terminal.screen()).toContain('y run once · a this kind, this session · e edit · n no');
  });

  test('a, then y, allows calls of the kind that the card names, and no other', async (context) => {
    const calls = ['order', 'order', 'order-db'].map((name, index) => ({
      name: 'kubectl_rollout_restart',
      arguments: { kind: index === 2 ? 'statefulset' : 'deployment', name, namespace: 'shop' },
    }));
    const model = await startModelServer([{ calls }, { text: 'Done.' }]);
    context.onTestFinished(model.close);
    const flags = ['--model', 'scripted', '--base-url', model.baseUrl];
    const terminal = await open(context, ['ask', 'restart order twice and order-db in shop', ...flags]);
    await readCard(terminal, 'a this kind');
    terminal.write('a');
    await terminal.waitFor('COVERS');
    expect(words(terminal.screen())).toContain(
      'kubectl rollout restart deployment in namespace shop on test, for 30 minutes',
    );
    await pause(QUIET_MS + 100);
    terminal.write('y');
    await readCard(terminal, 'statefulset/order-db');
    terminal.write('n');
    await terminal.waitFor('No. Why?');
    terminal.write('\r');
    await terminal.outcome();
    const approvals = readAudit(terminal.home)
      .filter(({ event, tool }) => event === 'decided' && tool === 'kubectl_rollout_restart')
      .map(({ approval }) => [approval?.granted, approval?.by]);
    expect(approvals).toEqual([
      [true, 'user'],
      [true, 'grant'],
      [false, 'user'],
    ]);
  });

  test('r denies this change and all that follow', async (context) => {
    const calls = ['order', 'order'].map((name) => ({
      name: 'kubectl_rollout_restart',
      arguments: { kind: 'deployment', name, namespace: 'shop' },
    }));
    const model = await startModelServer([{ calls }, { text: 'Done.' }]);
    context.onTestFinished(model.close);
    const flags = ['--model', 'scripted', '--base-url', model.baseUrl];
    const terminal = await open(context, ['ask', 'restart order twice in shop', ...flags]);
    await readCard(terminal, 'r read-only');
    terminal.write('r');
    expect(await terminal.outcome()).toMatchObject({ code: 3, changes: 0, status: 'denied' });
    const decided = readAudit(terminal.home).filter(
      ({ event, tool }) => event === 'decided' && tool === 'kubectl_rollout_restart',
    );
    expect(decided.map(({ decision }) => decision?.effect)).toEqual(['deny', 'deny']);
    expect(decided[1]?.decision?.rules[0]?.id).toBe('mode.read-only');
  });

  test('changed arguments are asked for again, and y runs the changed call alone', async (context) => {
    const terminal = await open(context, SCALE);
    await readCard(terminal, 'n no');
    expect(terminal.screen()).toContain('--replicas=3');
    terminal.write('e');
    await terminal.waitFor('› kind deployment▏');
    terminal.write('\t');
    await terminal.waitFor('› name order▏');
    terminal.write('\t');
    await terminal.waitFor('› replicas 3▏');
    terminal.write('x');
    await terminal.waitFor('› replicas 3x▏');
    terminal.write(CTRL_S);
    await terminal.waitFor('replicas must be JSON');
    terminal.write('\u007f');
    await terminal.waitFor('› replicas 3▏');
    terminal.write('\u007f');
    await terminal.waitFor('› replicas ▏');
    terminal.write('-');
    await terminal.waitFor('› replicas -▏');
    terminal.write('1');
    await terminal.waitFor('› replicas -1▏');
    terminal.write(CTRL_S);
    await terminal.waitFor('replicas must be >= 0');
    terminal.write('\u0015');
    await terminal.waitFor('› replicas ▏');
    terminal.write('2');
    await terminal.waitFor('› replicas 2▏');
    terminal.write(CTRL_S);
    await readCard(terminal, 'n no');
    expect(terminal.server.changes()).toEqual([]);
    await readCard(terminal, '--replicas=2');
    expect(terminal.screen()).toContain('replicas = 2, from the person (was 3)');
    terminal.write('y');
    expect(await terminal.outcome()).toEqual(done);
    const [decided] = readAudit(terminal.home).filter(
      (record) => record.event === 'decided' && record.tool === 'kubectl_scale',
    );
    expect(decided?.action?.tokens).toContain('--replicas=2');
  });

  test('a change goes to the cluster that the card names, though another one became current meanwhile', async (context) => {
    const other = await startApiServer({ objects: sampleObjects() });
    context.onTestFinished(other.close);
    const terminal = await open(context, RESTART, WIDE);
    await readCard(terminal, 'n no');
    expect(terminal.screen()).toContain('on test');
    // As `kubectl config use-context` in another window does.
    const here = JSON.parse(terminal.server.kubeconfig) as Kubeconfig;
    const there = JSON.parse(other.kubeconfig) as Kubeconfig;
    const clusters = [here.clusters[0], there.clusters[1]];
    const both = { ...here, clusters, 'current-context': 'other' };
    writeFileSync(terminal.server.kubeconfigPath, JSON.stringify(both));
    terminal.write('y');
    expect(await terminal.outcome()).toEqual(done);
    expect(other.changes()).toEqual([]);
  });
});

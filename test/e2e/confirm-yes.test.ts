import { writeFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import { beforeEach, describe, expect, test } from 'vitest';
import { QUIET_MS } from '../../src/ui/card-keys.js';
import { kubectlMissing } from '../helpers/api-server/kubectl.js';
import { sampleObjects } from '../helpers/api-server/sample.js';
import { startApiServer } from '../helpers/api-server/start.js';
import { readAudit } from '../helpers/cli.js';
import { startModelServer } from '../helpers/model-server.js';
import {
  CTRL_S,
  DELETE,
  done,
  type Kubeconfig,
  open,
  RESTART,
  readCard,
  SCALE,
  SIZES,
  tidy,
  WIDE,
  words,
} from './confirm-terminal.js';

const missing = kubectlMissing();

describe.concurrent('the question before a change, in a terminal', () => {
  beforeEach(({ skip }) => skip(missing !== undefined, missing));

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

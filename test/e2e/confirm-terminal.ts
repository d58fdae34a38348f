import { setTimeout as pause } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { QUIET_MS } from '../../src/ui/card-keys.js';
import { sampleObjects } from '../helpers/api-server/sample.js';
import { startApiServer } from '../helpers/api-server/start.js';
import { kubeEnv, readAudit } from '../helpers/cli.js';
import { openCli, terminalModes } from '../helpers/cli-terminal.js';

export const WIDE = { columns: 80, rows: 30 };
/** All of a card is on it at once. */
export const TALL = { columns: 80, rows: 80 };
export const NARROW = { columns: 24, rows: 20 };
export const RESTART = ['ask', 'restart deployment order in namespace shop'];
export const SCALE = [
  'tools',
  'run',
  'kubectl_scale',
  ...['kind=deployment', 'name=order', 'namespace=shop', 'replicas=3'].flatMap((arg) => ['--arg', arg]),
];
export const DELETE = ['tools', 'run', 'kubectl_delete', '--arg', 'kind=namespace', '--arg', 'name=scratch'];
export const END = '\u001b[F';
export const ESCAPE = '\u001b';
export const CTRL_C = '\u0003';
export const CTRL_S = '\u0013';

/** Without the pod that crashes, so that the check after a change has nothing to wait for. */
export const healthyObjects = () =>
  sampleObjects().filter((object) => !JSON.stringify(object).includes('order-5d4-bad'));

/** A program in a terminal with a cluster of its own, closed when the test is over. */
export async function open({ onTestFinished }: TestContext, args: readonly string[], size = WIDE) {
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

export interface Kubeconfig {
  readonly clusters: readonly object[];
}

export type Opened = Awaited<ReturnType<typeof open>>;

/** The end of the card is on the screen: it says no position, or the last one. */
export const isAtEnd = (screen: string): boolean => {
  const [, last, total] = /–(\d+) of (\d+)/.exec(screen) ?? [];
  return last === total;
};

/** Waits for the card, as long as a person must, and looks at all of it. */
export async function readCard(terminal: Opened, keys: string): Promise<void> {
  await terminal.waitFor(keys);
  await pause(QUIET_MS + 100);
  if (!isAtEnd(terminal.screen())) terminal.write(END);
  await terminal.waitFor(isAtEnd);
}

/** The words of a screen, without the frame of the card. */
export const words = (screen: string): string => screen.replaceAll('┃', ' ').replaceAll(/\s+/g, ' ');

export const no = { granted: false, by: 'user' };
export const yes = { granted: true, by: 'user' };
export const refused = { code: 4, changes: 0, status: 'rejected', approval: no };
export const done = { code: 0, changes: 1, status: 'ok', approval: yes };
export const tidy = { cursor: 'h', paste: 'l', off: [] };
export const SIZES = [
  ['wide', WIDE],
  ['narrow', NARROW],
] as const;

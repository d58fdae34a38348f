/**
 * The disposable process that holds a guest. It is started with an empty environment, takes its orders over IPC, and opens
 * nothing but this package's own files and the module. It ends when its parent does, whatever the guest is doing meanwhile:
 * guests run in threads, the main thread hears that the channel is closed, and a thread of its own looks at the parent's id,
 * should the main thread be held up.
 */
import { Worker } from 'node:worker_threads';
import { OpsError } from '../domain/errors.js';
import { type Guest, openGuest } from './guest.js';
import type { FromChild, Run, ToChild } from './messages.js';

const WATCH_EVERY_MS = 250;

const die = (): never => {
  process.kill(process.pid, 'SIGKILL');
  throw new Error('killed');
};

const send = (message: FromChild) =>
  new Promise<void>((resolve) => {
    if (!process.connected) die();
    process.send?.(message, () => resolve());
  });

function watchParent(parent: string): void {
  const code = `setInterval(() => { if (process.ppid !== ${Number(parent)}) process.kill(process.pid, 'SIGKILL'); }, ${WATCH_EVERY_MS});`;
  new Worker(code, { eval: true, env: {}, stdin: false, resourceLimits: { maxOldGenerationSizeMb: 16 } }).unref();
}

/** Files as they arrive, each with its whole length reserved. */
const files = new Map<string, { readonly bytes: Uint8Array; filled: number }>();
let last: string | undefined;
let guest: Guest | undefined;

async function take(message: ToChild): Promise<void> {
  switch (message.type) {
    case 'setup':
      guest = await openGuest(message);
      return send({ type: 'ready' });
    case 'file':
      last = message.path;
      files.set(message.path, { bytes: new Uint8Array(message.bytes), filled: 0 });
      return;
    case 'chunk': {
      const file = files.get(last ?? '');
      if (!file) throw new Error('a chunk came before its file');
      file.bytes.set(message.bytes, file.filled);
      file.filled += message.bytes.length;
      return;
    }
    case 'run':
      return run(message);
  }
}

async function run({ args, stdin }: Run): Promise<void> {
  if (!guest) throw new Error('a run came before the setup');
  const given = new Map([...files].map(([path, { bytes, filled }]) => [path, bytes.subarray(0, filled)]));
  files.clear();
  const ended = await guest.run({
    args,
    ...(stdin && { stdin }),
    files: given,
    onStart: () => send({ type: 'started' }),
    onOutput: (stream, bytes) => send({ type: 'output', stream, bytes }),
  });
  await send(ended);
}

let queue = Promise.resolve();
process.on('message', (message: ToChild) => {
  queue = queue.then(() => take(message)).catch(refuse);
});
process.once('disconnect', die);
watchParent(process.argv[2] ?? '');

async function refuse(error: unknown): Promise<void> {
  const hint = error instanceof OpsError ? error.hint : undefined;
  const text = error instanceof Error ? error.message : String(error);
  await send({ type: 'refused', message: text, ...(hint !== undefined && { hint }) });
}

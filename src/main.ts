import { createRequire } from 'node:module';
import { findPaths } from './lib/paths.js';

const argv = process.argv.slice(2);

// Until the program has its own handlers nothing runs that would have to be ended in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.once(signal, () => process.exit(130));

// Packages written for CommonJS call require() for Node's own modules. Once here, not in every chunk of the bundle.
Object.assign(globalThis, { require: createRequire(import.meta.url) });

if (argv[0] === '--version' || argv[0] === '-V') {
  // Nothing else is loaded for this one.
  const { version } = createRequire(import.meta.url)('../package.json') as { version: string };
  process.stdout.write(`${version}\n`);
} else {
  await start();
}

async function start(): Promise<void> {
  const { enableCompileCache } = createRequire(import.meta.url)('node:module') as {
    enableCompileCache?: (folder: string) => void;
  };
  // From Node.js 22.1 on. In our own folder: one in /tmp could be written by others.
  enableCompileCache?.(`${findPaths(process.env).cache}/compile`);
  const { runMain } = await import('./cli/run-main.js');
  await runMain(argv);
}

import { createRequire } from 'node:module';

const require = createRequire(import.meta.url);
const argv = process.argv.slice(2);

// Until the program has its own handlers nothing runs that would have to be ended in order.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP', 'SIGQUIT'] as const) process.once(signal, () => process.exit(130));

if (argv[0] === '--version' || argv[0] === '-V') {
  // Nothing else is loaded for this one.
  const { version } = require('../package.json') as { version: string };
  process.stdout.write(`${version}\n`);
} else {
  // Packages written for CommonJS call require() for Node's own modules. Once here, not in every chunk of the bundle.
  Object.assign(globalThis, { require });
  const { runMain } = await import('./cli/run-main.js');
  await runMain(argv);
}

// Starts the test API server by hand:  node test/helpers/api-server/main.mjs [DUMP_DIR [OPTIONS_AS_JSON]]
// Prints the kubeconfig to use; ends with Ctrl-C.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const directory = mkdtempSync(join(tmpdir(), 'opsagent-api-server-'));
const outfile = join(directory, 'start.mjs');
await build({
  entryPoints: [fileURLToPath(new URL('start.ts', import.meta.url))],
  bundle: true,
  platform: 'node',
  format: 'esm',
  outfile,
});
const { startApiServer } = await import(pathToFileURL(outfile).href);
rmSync(directory, { recursive: true });

const [dumpDir, options = '{}'] = process.argv.slice(2);
const server = await startApiServer({ ...(dumpDir === undefined ? {} : { dumpDir }), ...JSON.parse(options) });
console.log(`export KUBECONFIG=${server.kubeconfigPath} KUBECACHEDIR=${server.env.KUBECACHEDIR}`);
console.log(`# ${server.url}, Ctrl-C ends it`);
for (const signal of ['SIGINT', 'SIGTERM']) process.once(signal, () => server.close());

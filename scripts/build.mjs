// Builds dist/: one chunk a command, loaded when it is needed, and the package's own tools as JSON.
import { rename, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
// Built beside dist/ and moved into place, so that a program that runs meanwhile never meets half a build.
const dist = join(root, `dist.${process.pid}`);

const common = {
  bundle: true,
  platform: 'node',
  target: 'node20.19',
  format: 'esm',
  define: { 'process.env.NODE_ENV': '"production"', 'process.env.DEV': '"false"' },
  // Ink loads its developer tools only when DEV is set; they are not installed.
  alias: { 'react-devtools-core': join(root, 'scripts/empty.mjs') },
  external: ['@wasmer/sdk'],
  logLevel: 'warning',
  absWorkingDir: root,
};

await build({
  ...common,
  entryPoints: ['src/main.ts'],
  outdir: dist,
  splitting: true,
  minify: true,
  // Names of functions and classes stand in messages and stack traces.
  keepNames: false,
  chunkNames: 'chunks/[name]-[hash]',
  legalComments: 'linked',
});

// The tools and rules of the package are checked and compiled here, so that no start has to parse YAML.
const compiler = join(dist, 'compile-package.mjs');
const banner = {
  js: "import{createRequire as topRequire}from'node:module';const require=topRequire(import.meta.url);",
};
await build({ ...common, banner, entryPoints: ['scripts/compile-package.ts'], outfile: compiler });
const { compilePackage, toolsSchema } = await import(pathToFileURL(compiler).href);
for (const [name, value] of Object.entries(await compilePackage(root))) {
  await writeFile(join(dist, name), JSON.stringify(value));
}
await writeFile(join(root, 'schema/tools.schema.json'), `${JSON.stringify(toolsSchema(), null, 2)}\n`);
await rm(compiler);

await rm(`${dist}.old`, { recursive: true, force: true });
await rename(join(root, 'dist'), `${dist}.old`).catch((error) => {
  if (error.code !== 'ENOENT') throw error;
});
await rename(dist, join(root, 'dist'));
await rm(`${dist}.old`, { recursive: true, force: true });

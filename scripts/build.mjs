// Builds dist/: the program in three parts, and the package's own tools as JSON.
import { copyFile, readFile, rename, rm, writeFile } from 'node:fs/promises';
import { basename, join, relative } from 'node:path';
import { fileURLToPath, pathToFileURL } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('..', import.meta.url));
// Built beside dist/ and moved into place, so that a program that runs meanwhile never meets half a build.
const dist = join(root, `dist.${process.pid}`);

/**
 * Node.js takes longer to compile the set of all emoji than to start. Each emoji of the set holds one of these two (UTS #51, ED-20 to
 * ED-27), and few texts do: the set waits for one.
 */
const emojiWhenMet = {
  name: 'emoji-when-met',
  setup(bundler) {
    bundler.onLoad({ filter: /\/string-width\/index\.js$/ }, async ({ path }) => {
      // The one that src/lib/width.ts and Ink use; others may have an older one of their own.
      if (path !== join(root, 'node_modules/string-width/index.js')) return undefined;
      const text = await readFile(path, 'utf8');
      const contents = text.replace(
        'const rgiEmojiRegex = /^\\p{RGI_Emoji}$/v;',
        'let rgi; const rgiEmojiRegex = { test: (text) => /[\\p{Emoji_Presentation}\\uFE0F]/u.test(text) && (rgi ??= /^\\p{RGI_Emoji}$/v).test(text) };',
      );
      if (contents === text) throw new Error('string-width has changed: look at its emoji again');
      return { contents };
    });
  },
};

/**
 * Packages that take long to begin and that most starts do not come to: the bundle begins them when they are first called. ajv, the largest,
 * is a file of its own beside main.js, from where the `require` of src/main.ts looks.
 */
const WHEN_CALLED = {
  'string-width': "let real; export default (...given) => (real ??= require('string-width').default)(...given);",
  'ajv/dist/2020.js':
    "export class Ajv2020 { constructor(given) { return new (require('./ajv.cjs').Ajv2020)(given); } }",
  'ajv-formats': "export default { default: (ajv) => require('./ajv.cjs').addFormats(ajv) };",
};
const AJV =
  "exports.Ajv2020 = require('ajv/dist/2020.js').Ajv2020; exports.addFormats = require('ajv-formats').default;";
const whenCalled = {
  name: 'when-called',
  setup(bundler) {
    bundler.onResolve({ filter: /^(string-width|ajv\/dist\/2020\.js|ajv-formats)$/ }, ({ path, kind, importer }) =>
      kind === 'import-statement' && importer.startsWith(join(root, 'src/'))
        ? { path, namespace: 'when-called' }
        : undefined,
    );
    bundler.onResolve({ filter: /^\.\/ajv\.cjs$/ }, ({ path }) => ({ path, external: true }));
    bundler.onLoad({ filter: /.*/, namespace: 'when-called' }, ({ path }) => ({
      contents: WHEN_CALLED[path],
      resolveDir: root,
    }));
  },
};

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

// Each file that Node loads costs as much as thousands of lines in one. So: main.js for --version alone, app.js in one piece for what
// every command and the listing of tools need, session.js in one piece for what every session needs before it asks a model, and everything
// else in chunks that are loaded when they are wanted.
const APP = join(root, 'src/cli/run-main.ts');
const SESSION = join(root, 'src/cli/session-commands.ts');
const LIGHT = /\/src\/(cli\/(commands\/\w+|tool-commands|table|program)|tools\/requires)\.ts$/;
const IN_SESSION =
  /\/src\/(cli\/dump-executors|exec\/(index|mcp\/connections)|diagnose\/builtins|llm\/(openai|settings)|lib\/secrets|tools\/(export|finder|find-tools|selection)|ui\/plain)\.ts$|\/minisearch\//;
const heavy = new Map();

/** Which dynamic imports of a piece become part of it; the others are loaded from their own files. */
const divide = (isPart) => ({
  name: 'divide',
  setup(bundler) {
    bundler.onResolve({ filter: /.*/ }, async ({ path, kind, importer, resolveDir, pluginData }) => {
      if (kind !== 'dynamic-import' || pluginData === 'resolved') return undefined;
      const found = await bundler.resolve(path, { kind, importer, resolveDir, pluginData: 'resolved' });
      if (found.errors.length > 0 || found.external || isPart.test(found.path)) return found;
      if (found.path === APP) return { path: './app.js', external: true };
      if (found.path === SESSION) return { path: './session.js', external: true };
      const name = relative(root, found.path)
        .replace(/^src\//, '')
        .replace(/\.tsx?$|\.m?js$/, '')
        .replaceAll(/[^\w]+/g, '-');
      heavy.set(name, found.path);
      return { path: `./chunks/${name}.js`, external: true };
    });
  },
});

const output = { minify: true, legalComments: 'linked' };
for (const [entry, file, isPart] of [
  ['src/main.ts', 'main.js', LIGHT],
  [APP, 'app.js', LIGHT],
  [SESSION, 'session.js', IN_SESSION],
]) {
  const plugins = [emojiWhenMet, whenCalled, divide(isPart)];
  await build({ ...common, ...output, entryPoints: [entry], outfile: join(dist, file), plugins });
}
await build({
  ...common,
  ...output,
  entryPoints: Object.fromEntries(heavy),
  outdir: join(dist, 'chunks'),
  splitting: true,
  chunkNames: '[name]-[hash]',
  plugins: [emojiWhenMet, whenCalled],
});

await build({
  ...common,
  ...output,
  format: 'cjs',
  stdin: { contents: AJV, resolveDir: root },
  outfile: join(dist, 'ajv.cjs'),
});

// The grammar with which scripts of other programs are read, when there are any.
for (const file of ['web-tree-sitter/web-tree-sitter.wasm', 'tree-sitter-bash/tree-sitter-bash.wasm'])
  await copyFile(join(root, 'node_modules', file), join(dist, basename(file)));
// The process that holds a guest of the sandbox: a file of its own, since it is started by its path.
await build({ ...common, ...output, entryPoints: ['src/sandbox/child.ts'], outfile: join(dist, 'sandbox-child.js') });

// The tools and rules of the package are checked and compiled here, so that no start has to parse YAML.
const compiler = join(dist, 'compile-package.mjs');
const banner = {
  js: "import{createRequire as topRequire}from'node:module';const require=topRequire(import.meta.url);",
};
await build({ ...common, banner, entryPoints: ['scripts/compile-package.ts'], outfile: compiler });
const { compilePackage, schemas } = await import(pathToFileURL(compiler).href);
for (const [name, value] of Object.entries(await compilePackage(root))) {
  await writeFile(join(dist, name), JSON.stringify(value));
}
for (const [name, schema] of Object.entries(schemas())) {
  await writeFile(join(root, 'schema', name), `${JSON.stringify(schema, null, 2)}\n`);
}
await rm(compiler);

await rm(`${dist}.old`, { recursive: true, force: true });
await rename(join(root, 'dist'), `${dist}.old`).catch((error) => {
  if (error.code !== 'ENOENT') throw error;
});
await rename(dist, join(root, 'dist'));
await rm(`${dist}.old`, { recursive: true, force: true });

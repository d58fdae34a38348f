import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { build } from 'esbuild';
import { ROOT } from './cli.js';

/** Bundles a small program that imports modules of src/ as `#src/…`, for tests that need several real processes. */
export async function bundleProgram(source: string): Promise<string> {
  const folder = mkdtempSync(join(tmpdir(), 'opsagent-program-'));
  writeFileSync(join(folder, 'program.ts'), source.replaceAll('#src/', join(ROOT, 'src/')));
  const outfile = join(folder, 'program.mjs');
  await build({ entryPoints: [join(folder, 'program.ts')], bundle: true, platform: 'node', format: 'esm', outfile });
  return outfile;
}

import { mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { messageOf, OpsError } from '../domain/errors.js';
import { childEnv } from '../exec/environment.js';
import { runProcess } from '../exec/process.js';
import { openConfig } from '../lib/config.js';
import { fileOfTar } from '../lib/tar.js';
import { visible } from '../lib/visible.js';
import {
  checkRegoSources,
  manifestOf,
  REGO_MANIFEST,
  REGO_WASM,
  type RegoSource,
  readRegoSources,
} from '../policy/rego.js';
import { findOnPath } from '../tools/requires.js';
import type { Io } from './io.js';
import { policyFolders } from './rulebook.js';

const DEADLINE_MS = 60_000;
const MAX_OUTPUT_BYTES = 256 * 1024;

/**
 * `policy build [DIR]`: compiles the Rego of a folder, or of every policy folder that has some, with `opa`.
 * @throws OpsError usage when there is no opa, no Rego, or a mistake in it.
 */
export async function buildRego(io: Io, dir: string | undefined): Promise<void> {
  const folders =
    dir === undefined
      ? policyFolders({ paths: io.paths, config: await openConfig(io.paths.config), dirs: [] })
      : [resolve(io.cwd, dir)];
  const found = folders
    .map((folder) => ({ folder, sources: sourcesIn(folder) }))
    .filter(({ sources }) => sources.length > 0);
  if (found.length === 0) {
    const where = folders.join(', ') || `${join(io.paths.config, 'policies')}, which does not exist`;
    throw new OpsError('usage', `There is no Rego in ${where}.`, 'Name the folder: opsagent policy build DIR');
  }
  const opa = findOnPath('opa', io.env.PATH ?? '');
  if (opa === undefined) {
    throw new OpsError(
      'usage',
      'Rego is compiled with opa, which is not on PATH. Compiled policies run without it.',
      'Get it from https://www.openpolicyagent.org/docs/#1-download-opa, then run this again.',
    );
  }
  for (const { folder, sources } of found) {
    await buildFolder(io, opa, folder, sources);
    io.out(visible(`${join(folder, REGO_WASM)} from ${sources.map(({ name }) => name).join(', ')}\n`));
  }
}

function sourcesIn(folder: string): RegoSource[] {
  try {
    return readRegoSources(folder);
  } catch (error) {
    throw new OpsError('usage', `The policy folder ${folder} cannot be read: ${messageOf(error)}`, 'Mend the path.');
  }
}

async function buildFolder(io: Io, opa: string, folder: string, sources: readonly RegoSource[]): Promise<void> {
  checkRegoSources(folder, sources);
  const work = mkdtempSync(join(tmpdir(), 'opsagent-rego-'));
  try {
    const bundle = join(work, 'bundle.tar.gz');
    await compile(io, opa, folder, sources, bundle);
    const wasm = fileOfTar(gunzipSync(readFileSync(bundle)), 'policy.wasm');
    if (!wasm)
      throw new OpsError('failed', `${opa} wrote a bundle without policy.wasm.`, 'Use an opa that builds Wasm.');
    const version = /^Version: (\S+)/m.exec((await run(io, [opa, 'version'], folder)).text)?.[1] ?? 'unknown';
    // What was read is what the manifest names: a source that changed meanwhile is refused when it is loaded.
    const manifest = JSON.stringify(manifestOf(sources, wasm, version), null, 2);
    replaceFile(join(folder, REGO_WASM), wasm);
    replaceFile(join(folder, REGO_MANIFEST), `${manifest}\n`);
  } finally {
    rmSync(work, { recursive: true, force: true });
  }
}

/** Compiles Rego of version 1, or of version 0 where that is what it is. */
async function compile(
  io: Io,
  opa: string,
  folder: string,
  sources: readonly RegoSource[],
  bundle: string,
): Promise<void> {
  // By their names alone: the paths of this machine would stand in the result.
  const files = sources.map(({ name }) => `./${name}`);
  const build = (...flags: string[]) =>
    run(io, [opa, 'build', ...flags, '--target=wasm', '--entrypoint=tools', '--output', bundle, ...files], folder);
  const first = await build();
  if (first.ok) return;
  const second = await build('--v0-compatible');
  if (second.ok) return;
  const isOld = /`(if|contains)` keyword is required/.test(first.text);
  throw new OpsError(
    'usage',
    `The Rego in ${folder} cannot be compiled:\n${(isOld ? second : first).text.trimEnd()}`,
    'Mend it. It must be package tools, with deny[msg] or confirm[msg].',
  );
}

async function run(
  io: Io,
  argv: readonly string[],
  cwd: string,
): Promise<{ readonly ok: boolean; readonly text: string }> {
  const chunks: Uint8Array[] = [];
  let bytes = 0;
  const take = (chunk: Uint8Array): boolean => {
    chunks.push(chunk);
    bytes += chunk.length;
    return bytes < MAX_OUTPUT_BYTES;
  };
  const env = childEnv(io.env, [], {});
  const end = await runProcess({
    argv,
    cwd,
    env,
    signal: io.signal,
    timeoutMs: DEADLINE_MS,
    onStdout: take,
    onStderr: take,
  });
  const text = Buffer.concat(chunks).toString();
  if (end.type === 'exited') return { ok: end.exitCode === 0, text };
  throw new OpsError('failed', `${argv[0]} did not end well (${end.type}). ${text}`.trim());
}

function replaceFile(path: string, content: string | Uint8Array): void {
  const fresh = `${path}.${process.pid}.new`;
  try {
    writeFileSync(fresh, content);
    renameSync(fresh, path);
  } catch (error) {
    rmSync(fresh, { force: true });
    throw new OpsError('failed', `${path} cannot be written: ${messageOf(error)}`, 'Make the folder writable.');
  }
}

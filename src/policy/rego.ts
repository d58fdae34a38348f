import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { messageOf, OpsError } from '../domain/errors.js';
import type { JsonObject } from '../domain/types.js';
import type { Judge } from './decide.js';
import { opinionsOf } from './rego-answer.js';

/** The Rego of one policy folder, compiled from exactly the sources that stand beside it. */
export interface RegoFolder {
  readonly folder: string;
  /** Paths of the sources. */
  readonly sources: readonly string[];
  readonly wasm: Uint8Array;
}

/** What `tools.wasm` was made from; stands beside it. */
export interface RegoManifest {
  /** Name of each source → its sha256. */
  readonly sources: Readonly<Record<string, string>>;
  readonly wasm_sha256: string;
  /** Version of the compiler. */
  readonly opa: string;
}

/** Name of the compiled policy of a folder, after its package, and of its manifest. */
export const REGO_WASM = 'tools.wasm';
export const REGO_MANIFEST = 'tools.wasm.json';

/** A Rego source with its name in the folder. */
export interface RegoSource {
  readonly name: string;
  readonly text: string;
}

const sha256 = (content: string | Uint8Array): string => createHash('sha256').update(content).digest('hex');

/** The manifest of a policy that was compiled from these sources. */
export const manifestOf = (sources: readonly RegoSource[], wasm: Uint8Array, opa: string): RegoManifest => ({
  sources: Object.fromEntries(sources.map(({ name, text }) => [name, sha256(text)])),
  wasm_sha256: sha256(wasm),
  opa,
});

/** The Rego sources of a folder, tests of Rego left out, by name. */
export const readRegoSources = (folder: string): RegoSource[] =>
  readdirSync(folder)
    .filter((name) => name.endsWith('.rego') && !name.endsWith('_test.rego'))
    .sort()
    .map((name) => ({ name, text: readWhole(join(folder, name)).toString('utf8') }));

/** A FIFO would hold everything up for ever. @throws OpsError usage for what is no regular file. */
function readWhole(path: string): Buffer {
  if (statSync(path).isFile()) return readFileSync(path);
  throw new OpsError('usage', `${path} is not a regular file.`, 'Nothing runs without its policy: mend it.');
}

/**
 * Checks sources for what would be misread.
 * @throws OpsError usage when one defines `allow`: whoever wrote it believes that nothing else is allowed.
 */
export function checkRegoSources(folder: string, sources: readonly RegoSource[]): void {
  const wrong = sources.find(
    ({ text }) => /^\s*package\s+tools\b(?!\.)/m.test(text) && /^\s*(default\s+)?allow\b/m.test(text),
  );
  if (!wrong) return;
  throw new OpsError(
    'usage',
    `The Rego policy ${join(folder, wrong.name)} defines allow, which is never asked: Rego can only deny or confirm.`,
    'Say what is forbidden: deny[msg] { … }',
  );
}

/**
 * The compiled Rego of folders; those without Rego are left out.
 * @throws OpsError usage when a folder's sources were not compiled, or changed since: nothing runs with half a policy.
 */
export function findRego(folders: readonly string[]): RegoFolder[] {
  return folders.flatMap((folder) => {
    try {
      return readFolder(folder);
    } catch (error) {
      if (error instanceof OpsError) throw error;
      throw refused(folder, `cannot be read: ${messageOf(error)}`);
    }
  });
}

function readFolder(folder: string): RegoFolder[] {
  const sources = readRegoSources(folder);
  const isCompiled = existsSync(join(folder, REGO_WASM));
  if (sources.length === 0 && !isCompiled) return [];
  checkRegoSources(folder, sources);
  if (!isCompiled) throw refused(folder, 'is not compiled');
  const wasm = readFileSync(join(folder, REGO_WASM));
  const manifest = JSON.parse(readFileSync(join(folder, REGO_MANIFEST), 'utf8')) as RegoManifest;
  const now = manifestOf(sources, wasm, manifest.opa);
  const isSame = (a: object, b: object) =>
    JSON.stringify(Object.entries(a).sort()) === JSON.stringify(Object.entries(b).sort());
  if (!isSame(now.sources, manifest.sources)) throw refused(folder, `has changed since ${REGO_WASM} was compiled`);
  if (now.wasm_sha256 !== manifest.wasm_sha256) throw refused(folder, `is not what ${REGO_WASM} was compiled to`);
  return [{ folder, sources: sources.map(({ name }) => join(folder, name)), wasm }];
}

const refused = (folder: string, what: string): OpsError =>
  new OpsError(
    'usage',
    `The Rego policy in ${folder} ${what}.`,
    `Nothing runs without its policy. Compile it with: opsagent policy build ${folder}`,
  );

/** Compiled Rego as a judge. */
export function judgeByRego({ folder, sources, wasm }: RegoFolder): Judge {
  return async (input) => {
    try {
      // Loaded for the first call: most sessions have no Rego.
      const { evaluateRego } = await import('./rego-wasm.js');
      return opinionsOf(await evaluateRego(wasm, input as unknown as JsonObject), sources.join(', '));
    } catch (error) {
      throw new Error(`the Rego policy in ${folder}: ${messageOf(error)}`, { cause: error });
    }
  };
}

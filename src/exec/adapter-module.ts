import { Buffer } from 'node:buffer';
import { createRequire } from 'node:module';
import { createContext, Script } from 'node:vm';
import { messageOf, OpsError } from '../domain/errors.js';
import type { Json } from '../domain/types.js';

/** How long a module may take for one transformation, its loading included, in ms. */
const TIMEOUT_MS = 1_000;
/** What a module may ask for: parts of Node that reach no file, process or network. */
const PURE = ['buffer', 'crypto', 'querystring', 'string_decoder', 'url', 'util'];

/** Where the module of an adapter is, and the digest of the text of it that was accepted. */
export interface AdapterRef {
  readonly path: string;
  readonly sha256: string;
}

/** Accepted texts of modules, by their digests. */
export type AdapterTexts = ReadonlyMap<string, string>;

/**
 * Runs one function of an accepted module in a context of its own, which ends with the call: without process, files, network and
 * timers, for at most a second. Only JSON goes in and comes out. It is a fence against mistakes, not against malice: node:vm is no
 * security boundary, and that the text was accepted is what counts.
 * @returns undefined when the module has no such function; else what it gave, undefined when that is no JSON.
 * @throws OpsError usage when the text was not accepted, or the module fails or does not end.
 */
export function runAdapter(
  { path, sha256 }: AdapterRef,
  texts: AdapterTexts,
  name: string,
  input: Json,
): { readonly made: Json | undefined } | undefined {
  const text = texts.get(sha256);
  if (text === undefined)
    throw new OpsError('usage', `The adapter ${path} was not accepted.`, 'To see and accept it: opsagent tools accept');
  const out = evaluate(path, text, name, JSON.stringify(input));
  if (out.error !== undefined) throw failed(path, String(out.error));
  return out.absent === true ? undefined : { made: out.made };
}

/** A promise of a module that fails is the module's affair, and ends nothing here; one of opsagent's own ends it as ever. */
const ignoreTheirs = (reason: unknown, promise: unknown): void => {
  if (promise instanceof Promise) throw reason;
};

function evaluate(path: string, text: string, name: string, input: string): Readonly<Record<string, Json | undefined>> {
  const globals = { Buffer, URL, URLSearchParams, TextEncoder, TextDecoder, atob, btoa };
  const context = createContext(Object.assign(Object.create(null), globals, { require: requirePure, input }), {
    codeGeneration: { strings: false, wasm: false },
    microtaskMode: 'afterEvaluate',
  });
  if (!process.listeners('unhandledRejection').includes(ignoreTheirs)) process.on('unhandledRejection', ignoreTheirs);
  try {
    const script = new Script(wrapped(text, name), { filename: path });
    const out: unknown = script.runInContext(context, { timeout: TIMEOUT_MS });
    if (typeof out !== 'string') throw new Error('it gave no data');
    return JSON.parse(out) as Record<string, Json>;
  } catch (error) {
    // An error of the time limit is one of that context, and no instance of Error here.
    const code = typeof error === 'object' && error !== null && 'code' in error ? error.code : undefined;
    if (code === 'ERR_SCRIPT_EXECUTION_TIMEOUT') throw failed(path, `it did not end within ${TIMEOUT_MS / 1_000} s`);
    throw failed(path, messageOf(error));
  }
}

const failed = (path: string, why: string): OpsError =>
  new OpsError('usage', `The adapter ${path} failed: ${why}`, 'Mend the module, and accept it: opsagent tools accept');

/**
 * The module with what calls one of its functions. Even its errors become text inside, where the time limit holds: what is thrown may
 * be anything.
 */
const wrapped = (text: string, name: string): string => `(() => {
const { parse, stringify } = JSON;
const module = { exports: {} };
try {
(function (exports, module, require) {${asCommonJs(text)}
})(module.exports, module, require);
const work = module.exports[${JSON.stringify(name)}];
if (work === undefined) return '{"absent":true}';
const made = work(parse(input));
if (made !== null && typeof made === 'object' && 'then' in made) return '{}';
return stringify({ made });
} catch (error) {
return stringify({ error: String(error && error.message || error) });
}
})()`;

function requirePure(name: unknown): unknown {
  const plain = String(name).replace(/^node:/, '');
  if (!PURE.includes(plain))
    throw new Error(`it may not require ${plain}; it may require ${PURE.map((one) => `node:${one}`).join(', ')}`);
  return createRequire(import.meta.url)(`node:${plain}`);
}

/**
 * Imports and exports at the beginning of a line in the older form, since a context takes no ES modules without a flag of Node. The
 * lines stay where they are.
 */
function asCommonJs(text: string): string {
  const names: string[] = [];
  const body = text
    .replaceAll(/^[^\S\n]*import\s+\*\s+as\s+(\w+)\s+from\s+(['"][^'"]+['"])/gm, 'const $1 = require($2)')
    .replaceAll(/^[^\S\n]*import\s+(\w+)\s+from\s+(['"][^'"]+['"])/gm, 'const $1 = require($2)')
    .replaceAll(/^[^\S\n]*import\s+\{([^}]*)\}\s+from\s+(['"][^'"]+['"])/gm, (_whole, list: string, from: string) => {
      return `const {${list.replaceAll(/\bas\b/g, ':')}} = require(${from})`;
    })
    .replaceAll(
      /^([^\S\n]*)export\s+((?:const|let|function)\s+(\w+))/gm,
      (_whole, space: string, rest: string, name) => {
        names.push(`${name}`);
        return space + rest;
      },
    )
    .replaceAll(/^[^\S\n]*export\s+\{([^}]*)\}/gm, (_whole, list: string) => {
      for (const one of list.split(',')) if (/^\s*\w+\s*$/.test(one)) names.push(one.trim());
      return '';
    });
  return `${body}\n${names.map((name) => `module.exports.${name} = ${name};`).join('')}`;
}

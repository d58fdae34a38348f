import { mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import type { PlanContext } from '../../src/domain/ports.js';
import type { JsonObject, ToolDefinition } from '../../src/domain/types.js';
import type { AdapterTexts } from '../../src/exec/adapter-module.js';
import { httpExecutor } from '../../src/exec/http.js';
import { explainProblems } from '../../src/lib/explain-schema.js';
import { compileSchema } from '../../src/lib/json-schema.js';
import { loadSources, type SourceOptions } from '../../src/tools/sources/load.js';
import type { SourceEntry } from '../../src/tools/sources/source.js';
import { aClearedCall, aRunContext } from '../helpers/run-context.js';

export const newFolder = (): string => mkdtempSync(join(tmpdir(), 'opsagent-openapi-'));

/** A description with these paths. */
export const description = (paths: JsonObject, more: JsonObject = {}): JsonObject => ({
  openapi: '3.1.0',
  info: { title: 'Shop', version: '1' },
  servers: [{ url: 'https://shop.example.com/v1/' }],
  paths,
  ...more,
});

export interface LoadOptions extends Partial<SourceOptions> {
  readonly folder?: string;
  readonly adapters?: JsonObject;
  readonly header?: JsonObject;
  readonly known?: readonly ToolDefinition[];
}

/** Loads one source of kind openapi, of the file shop.yaml in a folder of its own. */
export function loadApi(source: JsonObject, options: LoadOptions = {}) {
  const { folder = newFolder(), adapters = {}, header = {}, known = [], ...rest } = options;
  const file = join(folder, 'shop.yaml');
  const entry: SourceEntry = {
    ...{ kind: 'openapi', source: { kind: 'openapi', ...source }, file, line: 3, column: 5 },
    ...{ header: { system: 'shop', ...header }, adapters },
  };
  return loadSources([entry], known, {
    cacheDir: join(folder, 'cache'),
    env: {},
    secret: (name) => `value-of-${name}`,
    signal: new AbortController().signal,
    confined: () => false,
    ...rest,
  });
}

/** The tools of a description that has no faults. */
export async function toolsOf(spec: JsonObject, source: JsonObject = {}, options: LoadOptions = {}) {
  const { tools, failures, warnings } = await loadApi({ spec, ...source }, options);
  const faults = [...failures, ...warnings].map(({ message }) => message);
  if (faults.length > 0) throw new Error(faults.join('\n'));
  return tools;
}

/** What is wrong with a source, in one line each: message and fix. */
export async function faultsOf(source: JsonObject, options: LoadOptions = {}) {
  const { tools, failures, warnings } = await loadApi(source, options);
  const lines = [...failures, ...warnings].map(({ message, fix }) =>
    fix === undefined ? message : `${message} → ${fix}`,
  );
  return { names: tools.map(({ name }) => name), lines };
}

export const writeSpec = (folder: string, name: string, text: string): string => {
  writeFileSync(join(folder, name), text);
  return `./${name}`;
};

/** Checks arguments as the path does, plans the call and runs it. */
export async function runTool(
  tool: ToolDefinition | undefined,
  args: JsonObject,
  plan: Partial<PlanContext> = {},
  modules: AdapterTexts = new Map(),
) {
  const http = httpExecutor(modules);
  if (!tool) throw new Error('there is no such tool');
  const problems = explainProblems(compileSchema(tool.parameters)(args), args, 'The call');
  if (problems.length > 0) throw new Error(problems.map(({ message }) => message).join(' '));
  const action = http.plan(tool.run, args, { context: {}, env: {}, ...plan });
  const context = aRunContext();
  const outcome = await http.run(aClearedCall(action, tool), context);
  return { outcome, action, ...context.seen };
}

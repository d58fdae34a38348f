import { readFileSync } from 'node:fs';
import { join, relative } from 'node:path';
import { diagnoseBuiltins } from '../src/diagnose/builtins.js';
import { createExecutors } from '../src/exec/index.js';
import { formatProblems } from '../src/lib/problems.js';
import { loadPolicies } from '../src/policy/load.js';
import { POLICY_FILE_SCHEMA } from '../src/policy/policy-file.js';
import { findToolsBuiltin } from '../src/tools/find-tools.js';
import { indexTools } from '../src/tools/finder.js';
import { loadToolFiles } from '../src/tools/load.js';
import { readToolFiles } from '../src/tools/read-files.js';
import { toolFileSchema } from '../src/tools/schema.js';

const executors = createExecutors([...diagnoseBuiltins, findToolsBuiltin()]);

/** The package's own tools and rules, checked; throws with every mistake. */
export async function compilePackage(root: string) {
  const filesIn = async (dir: string) =>
    (await readToolFiles([join(root, dir)])).map(({ path, text }) => ({ path: relative(root, path), text }));
  const { version } = JSON.parse(readFileSync(join(root, 'package.json'), 'utf8')) as { version: string };
  const { tools, files, problems } = loadToolFiles(await filesIn('tools.d'), executors);
  if (problems.length > 0) throw new Error(`tools.d:\n${formatProblems(problems)}`);
  return {
    'tools.json': { version, tools, files },
    'tool-index.json': { version, names: tools.map(({ name }) => name), ...(await indexTools(tools)) },
    'policies.json': { version, ...loadPolicies(await filesIn('policies')) },
  };
}

/** JSON Schemas of files that people write, for editors: name of the file → schema. */
export const schemas = () => ({
  'tools.schema.json': toolFileSchema(executors),
  'policies.schema.json': POLICY_FILE_SCHEMA,
});

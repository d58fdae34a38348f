import { type Command, Option } from 'commander';
import type { Io } from '../io.js';

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** `opsagent policy …`: what would be decided, and why. */
export function define(command: Command, io: Io): void {
  const withPolicies = (sub: Command) =>
    sub
      .option('--policies <dir>', 'a further folder of policy files (repeatable)', collect)
      .addOption(
        new Option('-o, --output <format>', 'how the result is printed').choices(['text', 'json']).default('text'),
      );

  withPolicies(command.command('check').description('what would be decided on a call, which is not run, and why'))
    .argument('<words...>', 'a tool, or after -- a command line: -- kubectl delete ns scratch')
    .option('--args <json>', 'arguments of the tool as a JSON object')
    .option('--tools <dir>', 'a further folder of tool files (repeatable)', collect)
    .option('--context <name>', 'kubeconfig context')
    .option('-n, --namespace <name>', 'namespace, where the arguments name none')
    .addHelpText('after', '\nExit codes: 0 it would run · 3 denied · 4 it would be asked for')
    .action(async (words: readonly string[], options) => {
      io.exit = await (await import('../policy-check.js')).checkCall(io, words, options);
    });
  withPolicies(command.command('explain').description('why a recorded call was decided so, and who confirmed it'))
    .argument('<call>', 'such as c3 or SESSION/c3; the last session that has it')
    .option('--session <id>')
    .action(async (call: string, options) => (await import('../policy-explain.js')).explainCall(io, call, options));
  withPolicies(command.command('test').description('check the policy, then judge the recorded calls again with it'))
    .option('--since <when>', 'only calls since then: a duration back (2h, 7d) or a time')
    .addHelpText('after', '\nExit codes: 0 the same decisions · 1 some would differ · 2 the policy has mistakes')
    .action(async (options) => {
      io.exit = await (await import('../policy-test.js')).testPolicy(io, options);
    });
  command
    .command('build')
    .description('compile the Rego of a folder to tools.wasm; needs opa')
    .argument('[dir]', 'default: every policy folder in use that has Rego')
    .action(async (dir: string | undefined) => (await import('../policy-build.js')).buildRego(io, dir));
}

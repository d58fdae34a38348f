import { type Command, InvalidArgumentError, Option } from 'commander';
import { MODES, RISKS } from '../domain/types.js';

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Adds the options of every command that runs tools. */
export function addSessionOptions(command: Command): Command {
  return command
    .addOption(
      new Option(
        '--yes [level]',
        'approve calls up to high, outside production; --yes=critical approves all that may be confirmed',
      ).argParser(parseYes),
    )
    .addOption(new Option('--max-risk <risk>', 'deny every call above this risk').choices(RISKS))
    .addOption(
      new Option(
        '--mode <mode>',
        'how to act; default ask; in a terminal, m on a question or Shift+Tab switches it',
      ).choices(MODES),
    )
    .option('--read-only', 'deny every call that changes something; the same as --mode read-only')
    .option('--dump <dir>', 'answer kubectl from a cluster dump instead of a cluster')
    .option('--context <name>', 'kubeconfig context')
    .option('-n, --namespace <name>', 'namespace, where a request names none')
    .option('--tools <dir>', 'a further folder of tool files (repeatable)', collect)
    .option('--policies <dir>', 'a further folder of policy files (repeatable)', collect);
}

function parseYes(value: string): string {
  if (value === 'high' || value === 'critical') return value;
  throw new InvalidArgumentError('It is --yes (up to high) or --yes=critical.');
}

/** An amount of US dollars, 0 or more. */
export function parseDollars(value: string): number {
  const dollars = Number(value.replace(/^\$/, ''));
  if (/\d/.test(value) && dollars >= 0 && dollars <= 1e6) return dollars;
  throw new InvalidArgumentError('It takes an amount of US dollars, such as 0.50.');
}

/** A positive whole number. */
export function parseCount(value: string): number {
  const count = Number(value);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It takes a whole number above 0.');
}

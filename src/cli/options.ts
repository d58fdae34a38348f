import { type Command, InvalidArgumentError, Option } from 'commander';
import type { YesFlag } from '../agent/approval.js';
import { RISKS, type Risk } from '../domain/types.js';
import type { SessionOptions } from './session.js';

/** What commander gives for the options that `addSessionOptions` adds. */
export interface RawSessionOptions {
  readonly yes?: true | string;
  readonly maxRisk?: Risk;
  readonly readOnly?: boolean;
  readonly dump?: string;
  readonly context?: string;
  readonly namespace?: string;
  readonly tools?: readonly string[];
  readonly policies?: readonly string[];
}

const collect = (value: string, before: readonly string[] = []): readonly string[] => [...before, value];

/** Adds the options of every command that runs tools. */
export function addSessionOptions(command: Command): Command {
  return command
    .addOption(
      new Option('--yes [level]', 'approve calls up to high; --yes=critical approves critical ones too').argParser(
        parseYes,
      ),
    )
    .addOption(new Option('--max-risk <risk>', 'deny every call above this risk').choices(RISKS))
    .option('--read-only', 'deny every call that changes something')
    .option('--dump <dir>', 'answer kubectl from a cluster dump instead of a cluster')
    .option('--context <name>', 'kubeconfig context')
    .option('-n, --namespace <name>', 'namespace, where a request names none')
    .option('--tools <dir>', 'a further folder of tool files (repeatable)', collect)
    .option('--policies <dir>', 'a further folder of policy files (repeatable)', collect);
}

/** The options as a session takes them. */
export function toSessionOptions(raw: RawSessionOptions): SessionOptions {
  const isStricter = raw.readOnly && raw.maxRisk !== 'low';
  const maxRisk = isStricter
    ? { risk: 'medium' as const, flag: '--read-only' }
    : raw.maxRisk && { risk: raw.maxRisk, flag: `--max-risk ${raw.maxRisk}` };
  return {
    ...(raw.yes !== undefined && { yes: raw.yes === true ? ('high' as const) : (raw.yes as YesFlag) }),
    ...(maxRisk && { maxRisk }),
    ...(raw.dump !== undefined && { dump: raw.dump }),
    ...(raw.context !== undefined && { context: raw.context }),
    ...(raw.namespace !== undefined && { namespace: raw.namespace }),
    toolDirs: raw.tools ?? [],
    policyDirs: raw.policies ?? [],
  };
}

function parseYes(value: string): string {
  if (value === 'high' || value === 'critical') return value;
  throw new InvalidArgumentError('It is --yes (up to high) or --yes=critical.');
}

/** A positive whole number. */
export function parseCount(value: string): number {
  const count = Number(value);
  if (Number.isSafeInteger(count) && count > 0) return count;
  throw new InvalidArgumentError('It takes a whole number above 0.');
}

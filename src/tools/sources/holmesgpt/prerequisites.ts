import type { Json, JsonObject } from '../../../domain/types.js';
import type { ParseBash } from '../../../lib/bash.js';
import { isList, isObject, textsAt } from '../../../lib/json-values.js';
import { readScript } from './commands.js';

/** What the prerequisites of a toolset come to. */
export interface Prerequisites {
  /** `requires` of its tools. */
  readonly requires: readonly JsonObject[];
  readonly env: readonly string[];
  /** Why the toolset is off; undefined when it is not. */
  readonly off?: string;
  readonly warnings: readonly string[];
}

/** Checks that are known to read only. Of any other it is asked only whether the program is there: it would have to be confirmed. */
const CHECKS = /^(kubectl (version|top|cluster-info|get)|docker (version|info|ps)|helm version)( |$)/;

/** Turns prerequisites into requirements, as far as they fit; the rest is said in warnings. */
export function readPrerequisites(raw: Json | undefined, parse: ParseBash): Prerequisites {
  const found = (isList(raw) ? raw : raw === undefined || raw === null ? [] : [raw]).map((one) => readOne(one, parse));
  const off = found.find((one) => one.off !== undefined)?.off;
  return {
    requires: found.flatMap((one) => one.requires ?? []),
    env: found.flatMap((one) => one.env ?? []),
    warnings: found.flatMap((one) => one.warnings ?? []),
    ...(off !== undefined && { off }),
  };
}

function readOne(raw: Json, parse: ParseBash): Partial<Prerequisites> {
  if (typeof raw === 'string') return { warnings: [`the prerequisite ${JSON.stringify(raw)} is taken for a note`] };
  if (!isObject(raw)) return { warnings: ['a prerequisite is none of command, env and enabled'] };
  if (isList(raw.env)) {
    const env = textsAt(raw, 'env');
    return { env, requires: env.map((name) => ({ env: name })) };
  }
  if (raw.enabled === false)
    return { off: typeof raw.disabled_reason === 'string' ? raw.disabled_reason : 'its prerequisites say so' };
  if (typeof raw.command !== 'string')
    return raw.enabled === true ? {} : { warnings: ['a prerequisite is none of command, env and enabled'] };
  const commands = plainCommands(raw.command, parse);
  if (!commands)
    return {
      warnings: [
        `the prerequisite ${JSON.stringify(raw.command.slice(0, 80))} is not checked: it is more than plain commands`,
      ],
    };
  const isChecked = raw.expected_output === undefined || raw.expected_output === null;
  return {
    requires: commands.map((words) => ({ command: CHECKS.test(words.join(' ')) ? words : words.slice(0, 1) })),
    ...(!isChecked && {
      warnings: [`the output of ${JSON.stringify(raw.command.slice(0, 80))} is not compared with expected_output`],
    }),
  };
}

/** The commands of a line of fixed words, joined by && at most. */
function plainCommands(line: string, parse: ParseBash): string[][] | undefined {
  const commands = readScript(line, parse)?.commands ?? [];
  const isPlain =
    commands.length > 0 && !/[|;<>$`]/.test(line) && commands.flat(2).every((part) => typeof part === 'string');
  return isPlain ? commands.map((command) => command.map((word) => word.join(''))) : undefined;
}

import { statSync } from 'node:fs';
import type { RunContext, RunOutcome } from '../domain/ports.js';
import type { CallError, JsonObject, ToolDefinition } from '../domain/types.js';
import { quoteArgv } from '../lib/quote.js';
import { type ArgvItem, fillArgv, fillText, lookupIn } from '../lib/template.js';
import { defineExecutor, runSchema } from './define.js';
import { childEnv } from './environment.js';
import { explainFailure } from './explain.js';
import { commandPins, type Pins, pinsLine, withPins } from './pins.js';
import { type ProcessEnd, runProcess } from './process.js';

interface CommandSpec {
  readonly argv: readonly ArgvItem[];
  readonly cwd?: string;
  readonly env?: readonly string[];
  readonly stdin?: string;
  readonly success_exit_codes?: readonly number[];
  /** Stderr is part of the output: for programs that print another program's two streams (docker logs). */
  readonly merge_stderr?: boolean;
}

interface CommandPayload {
  readonly cwd?: string;
  readonly env: readonly string[];
  readonly mergeStderr?: boolean;
  readonly stdin?: string;
  readonly successExitCodes: readonly number[];
  readonly pins?: Pins;
}

export const ARGV_SCHEMA: JsonObject = {
  type: 'array',
  minItems: 1,
  items: {
    anyOf: [
      { type: 'string' },
      {
        type: 'object',
        required: ['when', 'argv'],
        additionalProperties: false,
        properties: {
          when: { type: 'string' },
          argv: { type: 'array', minItems: 1, items: { type: 'string' } },
          else: { type: 'array', minItems: 1, items: { type: 'string' } },
        },
      },
      {
        type: 'object',
        required: ['for_each', 'argv'],
        additionalProperties: false,
        properties: { for_each: { type: 'string' }, argv: { type: 'array', minItems: 1, items: { type: 'string' } } },
      },
    ],
  },
};

/** `kind: command`: an argv, never a shell string. */
export const command = defineExecutor<CommandSpec, CommandPayload>({
  kind: 'command',
  specSchema: runSchema('command', ['argv'], {
    argv: ARGV_SCHEMA,
    cwd: { type: 'string' },
    env: { type: 'array', items: { type: 'string' } },
    stdin: { type: 'string' },
    success_exit_codes: { type: 'array', minItems: 1, items: { type: 'integer', minimum: 0, maximum: 255 } },
    merge_stderr: { type: 'boolean' },
  }),
  plan(spec, args, context) {
    const lookup = lookupIn(args, context);
    const tokens = fillArgv(spec.argv, lookup);
    const filled = spec.stdin === undefined ? undefined : fillText(spec.stdin, lookup);
    const stdin = filled && tokens[0] === 'kubectl' ? asJsonStream(filled) : filled;
    const cwd = spec.cwd === undefined ? undefined : fillText(spec.cwd, lookup);
    // "." is where opsagent was started, as without a word.
    const place = cwd === undefined || cwd === '.' ? '' : `\nin the folder ${cwd}`;
    const pins = commandPins(tokens, spec.env ?? [], context);
    const display =
      quoteArgv(tokens) + pinsLine(tokens, pins) + place + (stdin === undefined ? '' : `\nstandard input:\n${stdin}`);
    const payload = {
      env: spec.env ?? [],
      successExitCodes: spec.success_exit_codes ?? [0],
      ...(cwd !== undefined && { cwd }),
      ...(stdin !== undefined && { stdin }),
      ...(spec.merge_stderr === true && { mergeStderr: true }),
      ...(pins && { pins }),
    };
    return { kind: 'command', tokens, display, payload };
  },
  async run(call, payload, context) {
    const argv = call.action.tokens.map((token) => context.reveal(token));
    const stdin = payload.stdin === undefined ? {} : { stdin: revealText(payload.stdin, context) };
    return withPins(payload.pins, (pinned) =>
      runArgv(argv, childEnv(process.env, payload.env, pinned), { ...payload, ...stdin }, call.tool, context),
    );
  },
});

/**
 * kubectl (seen with 1.32) takes an input that begins with `{` for a stream of JSON, in which `---` between objects is an error.
 * No JSON text holds a line break, so that these lines are separators and nothing else.
 */
const asJsonStream = (input: string): string => (/^\s*\{/.test(input) ? input.replaceAll('\n---\n{', '\n{') : input);

/** Values go into JSON as JSON, into other texts as they are. */
const revealText = (text: string, context: RunContext): string =>
  context.reveal(text, /^\s*[[{]/.test(text) ? (value) => JSON.stringify(value).slice(1, -1) : undefined);

interface ArgvOptions {
  readonly cwd?: string;
  readonly stdin?: string;
  readonly successExitCodes: readonly number[];
  readonly mergeStderr?: boolean;
  /** An exit code that means success when nothing was printed at all: a search that found nothing. */
  readonly silentExitCode?: number;
}

/** Runs an argv and says how it ended in the words of a RunOutcome. */
export async function runArgv(
  argv: readonly string[],
  env: Readonly<Record<string, string>>,
  options: ArgvOptions,
  tool: ToolDefinition,
  context: RunContext,
): Promise<RunOutcome> {
  let stderr = '';
  let printed = false;
  const end = await runProcess({
    argv,
    env,
    ...(options.cwd !== undefined && { cwd: options.cwd }),
    ...(options.stdin !== undefined && { stdin: options.stdin }),
    signal: context.signal,
    timeoutMs: context.timeoutMs,
    onStdout: (chunk) => {
      printed ||= chunk.length > 0;
      return context.write(chunk);
    },
    onStderr: (chunk) => {
      if (stderr.length < 4_096) stderr += Buffer.from(chunk).toString('utf8', 0, 4_096);
      return options.mergeStderr ? context.write(chunk) : context.writeError(chunk);
    },
  });
  const silent = !printed && stderr === '' && options.silentExitCode !== undefined ? [options.silentExitCode] : [];
  const ends = { ...options, successExitCodes: [...options.successExitCodes, ...silent] };
  return outcomeOf(end, argv[0] ?? '', { stderr, printed }, ends, tool, context.timeoutMs);
}

/** What a program printed: the beginning of its stderr, and whether there was anything on stdout. */
interface Said {
  readonly stderr: string;
  readonly printed: boolean;
}

function outcomeOf(
  end: ProcessEnd,
  program: string,
  said: Said,
  options: ArgvOptions,
  tool: ToolDefinition,
  timeoutMs: number,
): RunOutcome {
  switch (end.type) {
    case 'exited':
      return options.successExitCodes.includes(end.exitCode)
        ? { status: 'ok', exitCode: end.exitCode }
        : { status: 'failed', exitCode: end.exitCode, ...failure(program, end.exitCode, said.stderr) };
    case 'killed':
      return failed(`${program} was killed by ${end.signal}`);
    case 'timed-out':
      return {
        status: 'timed-out',
        // Without a word it waited for an answer; what has printed waits for something else, a rollout say.
        ...(!said.printed && { service: explainFailure(program, said.stderr)?.service ?? 'failing' }),
        error: {
          category: 'execution',
          message: `${program} did not end within ${timeoutMs / 1000} s and was ended, with its process group`,
          hint: 'Does the service that it asks answer at all? If so, ask for less (a narrower selector, a shorter time, fewer lines), or raise timeout_seconds of the tool.',
        },
      };
    case 'aborted':
      return { status: 'cancelled', error: { category: 'cancelled', message: `${program} was interrupted` } };
    case 'output-full':
      return failed(`${program} was stopped: its output passed the limit of what is stored`, 'Ask for less output.');
    case 'not-started':
      return { status: 'failed', error: notStarted(program, end, tool, options.cwd) };
  }
}

const failed = (message: string, hint?: string): RunOutcome => ({
  status: 'failed',
  error: { category: 'execution', message, ...(hint !== undefined && { hint }) },
});

function failure(program: string, exitCode: number, stderr: string): Pick<RunOutcome, 'error' | 'service'> {
  const known = explainFailure(program, stderr);
  const said = stderr.trim().split('\n').at(-1)?.slice(0, 300);
  const message = `${program} ended with exit code ${exitCode}${said ? `: ${said}` : ''}`;
  const error: CallError = { category: 'execution', ...known?.error, message };
  return { error, ...(known?.service && { service: known.service }) };
}

function notStarted(
  program: string,
  { code, message }: { readonly code: string; readonly message: string },
  tool: ToolDefinition,
  cwd?: string,
): CallError {
  // The system says of a folder that is not there what it says of a program that is not there.
  if (cwd !== undefined && !statSync(cwd, { throwIfNoEntry: false })?.isDirectory()) {
    return { category: 'validation', message: `${program} was not started: there is no folder ${cwd}` };
  }
  if (code !== 'ENOENT') return { category: 'execution', message: `${program} could not be started: ${message}` };
  const fix = tool.requires.find((r) => r.command?.[0] === program)?.fix;
  return {
    category: 'validation',
    exit: 'usage',
    message: `${program} is not installed: there is none on PATH`,
    hint: fix ?? `Install ${program}, or add its folder to PATH.`,
  };
}

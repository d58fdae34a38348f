import { messageOf } from '../domain/errors.js';
import { answerApiResources, answerClusterInfo, answerConfig, answerVersion, contextOf } from './about.js';
import { visibleEscapes } from './align.js';
import { answerDescribe } from './describe.js';
import { answerEvents } from './events.js';
import { DumpFileError } from './files.js';
import { type FlagProblem, flagValue, type ParsedArgs, parseArgs } from './flags.js';
import { answerGet } from './get.js';
import type { Dump } from './holdings.js';
import { answerLogs } from './logs.js';
import { AnswerError, cannot, complaint, type KubectlAnswer } from './outcome.js';
import { type Question, questionOf } from './question.js';
import { answerRollout } from './rollout.js';
import { answerTop } from './top.js';
import { ANSWERED_VERBS, flagsOf } from './verb-flags.js';

export type { KubectlAnswer } from './outcome.js';

type Answer = (question: Question) => Promise<KubectlAnswer> | KubectlAnswer;

const ANSWERS: ReadonlyMap<string, Answer> = new Map<string, Answer>([
  ['get', answerGet],
  ['describe', answerDescribe],
  ['logs', answerLogs],
  ['events', answerEvents],
  ['top', answerTop],
  ['rollout', answerRollout],
  ['version', answerVersion],
  ['config', answerConfig],
  ['api-resources', answerApiResources],
  ['cluster-info', answerClusterInfo],
]);

/**
 * Answers a kubectl command from a dump, in kubectl's words and with its exit code; `argv[0]` is the program. Ages are
 * counted from the dump's own time. Never throws for what a command or a dump can be: whatever cannot be answered has
 * an `error` that says why, and what to do. An interrupted one is `cancelled`.
 */
export async function answerKubectl(dump: Dump, argv: readonly string[], signal: AbortSignal): Promise<KubectlAnswer> {
  const answer = await answerOrFailure(dump, argv, signal);
  const { error } = answer;
  // Both repeat words of argv and of the dump. What stdout may hold is up to each verb: a log is shown as it was.
  const shown = error === undefined ? {} : { error: { ...error, message: visibleEscapes(error.message) } };
  return { ...answer, stderr: visibleEscapes(answer.stderr), ...shown };
}

async function answerOrFailure(dump: Dump, argv: readonly string[], signal: AbortSignal): Promise<KubectlAnswer> {
  try {
    signal.throwIfAborted();
    const args = readArgs(argv.slice(1));
    refuseOtherContext(dump, args);
    const answer = await answerOfVerb(args)(await questionOf(dump, args));
    signal.throwIfAborted();
    return answer;
  } catch (thrown) {
    return failureOf(thrown, signal);
  }
}

function failureOf(thrown: unknown, signal: AbortSignal): KubectlAnswer {
  if (thrown instanceof AnswerError) {
    return { stdout: thrown.stdout, stderr: thrown.stderr, exitCode: 1, error: thrown.callError };
  }
  if (thrown instanceof DumpFileError) {
    const { message, hint } = thrown;
    return {
      stdout: '',
      stderr: `error: ${message} ${hint}\n`,
      exitCode: 1,
      error: { category: 'execution', message, hint, exit: 'usage' },
    };
  }
  if (!signal.aborted) throw thrown;
  const message = `interrupted: ${messageOf(thrown)}`;
  return { stdout: '', stderr: `${message}\n`, exitCode: 130, error: { category: 'cancelled', message } };
}

function readArgs(argv: readonly string[]): ParsedArgs {
  const read = parseArgs(argv, flagsOf);
  if (read.status === 'ok') return read.args;
  // A verb that cannot be answered is told as that, whatever its flags are.
  if (read.status === 'unknown-flag' && read.verb !== '' && !ANSWERS.has(read.verb)) throw unanswered(read.verb);
  throw flagError(read, read.verb);
}

function flagError(problem: FlagProblem, verb: string): AnswerError {
  if (problem.status === 'bad') return complaint(`error: ${problem.message}`);
  const flag = problem.flag;
  if (problem.status === 'cannot') return cannot(`${problem.why} (${flag})`);
  return cannot(
    `answer "kubectl${verb === '' ? '' : ` ${verb}`}" with the flag ${flag}: this flag is not known here`,
    `Leave ${flag} out, or ask a live cluster without --dump.`,
  );
}

function answerOfVerb(args: ParsedArgs): Answer {
  const [verb = ''] = args.words;
  if (verb === '') throw complaint('error: no kubectl command given.');
  const answer = ANSWERS.get(verb);
  if (answer === undefined) throw unanswered(verb);
  return answer;
}

const READS = [
  'explain',
  'auth',
  'diff',
  'api-versions',
  'wait',
  'debug',
  'proxy',
  'port-forward',
  'attach',
  'plugin',
  'options',
];

function unanswered(verb: string): AnswerError {
  const name = verb;
  const why = READS.includes(verb)
    ? 'it holds recorded objects and logs only'
    : 'it is a recording, and nothing in it can be changed';
  return cannot(
    `answer "kubectl ${name}": ${why}`,
    `From a dump: ${ANSWERED_VERBS.join(', ')}. For "kubectl ${name}" use a live cluster: run the same without --dump.`,
  );
}

/** A dump that names its cluster is not passed off as another one. */
function refuseOtherContext(dump: Dump, args: ParsedArgs): void {
  const asked = flagValue(args, 'context');
  const recorded = dump.manifest?.context;
  if (asked === undefined || asked === '' || recorded === undefined || asked === contextOf(dump)) return;
  throw cannot(
    `answer for the context ${asked}: it was recorded from ${recorded}`,
    'Leave --context out, or give the dump of that cluster.',
  );
}

import type { Container } from '../containers.js';
import { nameOf, type RuleContext, say } from '../draft.js';
import { type LogMatch, lastErrorLine, matchLog } from '../log-match.js';
import type { MessageKey } from '../messages.js';
import { quoteAround, quoteOf } from '../plain-text.js';
import type { ContainerLog, KubeObject } from '../snapshot.js';
import type { Certainty, Evidence } from '../types.js';

/** A fatal line further from the end than this may belong to something that was overcome. */
const NEAR_END_LINES = 50;

/** What the log of the run that ended says about its end. */
export interface LogVerdict {
  readonly match: LogMatch | undefined;
  /** How sure it is that the match is why the run ended. */
  readonly certainty: Certainty;
  readonly evidence: readonly Evidence[];
  /** Why there is no match, as a sentence of the table. */
  readonly without: MessageKey;
}

interface Source {
  readonly text: string;
  readonly callId: string;
  readonly where: string;
  /** It is from the run that ended, not from the one that runs now. */
  readonly ended: boolean;
}

/** Looks for the reason of the last end: the previous run's log, then the termination message, then the present log. */
export function readLogs(context: RuleContext, pod: KubeObject, container: Container): LogVerdict {
  const sources = sourcesOf(context, pod, container);
  for (const source of sources) {
    const match = matchLog(source.text);
    if (match === undefined) continue;
    const sure = source.ended && match.level !== 'warning' && match.linesAfter <= NEAR_END_LINES;
    const evidence: Evidence = {
      callId: source.callId,
      quote: quoteAround(match.line, match.index),
      where: source.where,
    };
    return { match, certainty: sure ? 'confirmed' : 'likely', evidence: [evidence], without: 'detail.none' };
  }
  for (const source of sources) {
    const line = lastErrorLine(source.text);
    if (line === undefined) continue;
    const evidence: Evidence = { callId: source.callId, quote: quoteOf(line), where: source.where };
    return { match: undefined, certainty: 'unknown', evidence: [evidence], without: 'detail.no-signature' };
  }
  const ended = sources.filter((s) => s.ended);
  const silent = ended.length > 0 && ended.every((s) => s.text.trim() === '');
  const without = ended.length === 0 ? 'detail.no-log' : silent ? 'detail.empty-log' : 'detail.no-error-line';
  return { match: undefined, certainty: 'unknown', evidence: [], without };
}

function sourcesOf(context: RuleContext, pod: KubeObject, container: Container): readonly Source[] {
  const logs = context.logs.filter(
    (l) =>
      l.pod === pod.name &&
      (l.namespace === '' || l.namespace === pod.namespace) &&
      (l.container === '' || l.container === container.name),
  );
  const message = container.lastEnded?.message || container.ended?.message || '';
  const fromLog = (log: ContainerLog, ended: boolean): Source => ({
    text: log.text,
    callId: log.callId,
    where: say(context, log.previous ? 'where.previous-log' : 'where.log', {
      pod: nameOf(pod),
      container: container.name,
    }),
    ended,
  });
  return [
    // A container that ended for good and was not restarted has its last words in the present log.
    ...(container.ended === undefined ? [] : logs.filter((l) => !l.previous).map((l) => fromLog(l, true))),
    ...logs.filter((l) => l.previous).map((l) => fromLog(l, true)),
    ...(message === ''
      ? []
      : [
          {
            text: message,
            callId: pod.callId,
            where: say(context, 'where.termination', { pod: nameOf(pod), field: container.where }),
            ended: true,
          },
        ]),
    ...(container.ended !== undefined
      ? []
      : logs.filter((l) => !l.previous).map((l) => fromLog(l, container.running === undefined))),
  ];
}

import { basename } from 'node:path';
import type { Link } from './chain.js';
import { type Expected, LineCheck, type Problem } from './check.js';
import { headPath, readHead, readSessionHeads } from './head.js';
import { openSegments, readingLog, type Segment } from './segments.js';

export interface VerifyOptions {
  /** Key of the signatures; without it they are not checked. */
  readonly key?: string | undefined;
  /** The folder with the sessions, each of which keeps the head that it saw last. */
  readonly sessions?: string;
  /** A head that somebody noted down elsewhere. */
  readonly noted?: Link | undefined;
}

/** What `audit verify` found out. */
export interface Verdict {
  readonly ok: boolean;
  /** Records of calls that are in the chain. */
  readonly records: number;
  /** Notes of the log about itself: rotations, torn lines. */
  readonly notes: number;
  /** Lines that a crash left half-written, each sealed by a note. */
  readonly torn: number;
  /** Lines from before there was a chain. */
  readonly unchained: number;
  /** The log ends in a line that is being written, or that a crash left; the next record seals it. */
  readonly endsTorn: boolean;
  readonly segments: readonly string[];
  readonly head?: Link | undefined;
  /** Number of the first record that has a signature, and whether signatures were checked. */
  readonly signedFrom?: number | undefined;
  readonly signaturesChecked: boolean;
  readonly problem?: Problem | undefined;
}

/**
 * Reads the whole log once and checks every link of its chain, every signature, and that the records which others remember
 * (the head file, sessions, a noted head) are still there. Stops at the first line that is wrong. Memory is bounded.
 * @throws OpsError failed when it cannot be read.
 */
export const verifyAuditLog = (path: string, options: VerifyOptions = {}): Promise<Verdict> =>
  readingLog(path, () => verify(path, options));

async function verify(path: string, options: VerifyOptions): Promise<Verdict> {
  // What is remembered is read first: the log only grows, so all of it must be found.
  const head = readHead(headPath(path));
  const expected = expectations(path, head, options);
  const segments = await openSegments(path);
  const check = new LineCheck(expected, options.key);
  let problem: Problem | undefined;
  for (const segment of segments) {
    if (problem) await segment.close();
    else problem = await checkSegment(segment, check);
  }
  problem ??= check.end(basename(path)) ?? missingHead(path, head, check.records);
  return {
    ok: problem === undefined,
    ...check.counts(),
    segments: segments.map((segment) => basename(segment.path)),
    head: check.head,
    signaturesChecked: options.key !== undefined && check.counts().signedFrom !== undefined,
    problem,
  };
}

async function checkSegment({ path, lines }: Segment, check: LineCheck): Promise<Problem | undefined> {
  const file = basename(path);
  for await (const batch of lines()) {
    for (const line of batch) {
      const problem = check.feed(line, { file, line: line.number });
      if (problem) return problem;
    }
  }
  return undefined;
}

function expectations(path: string, head: ReturnType<typeof readHead>, options: VerifyOptions): Expected[] {
  return [
    ...(typeof head === 'string' ? [] : [{ link: head, by: basename(headPath(path)) }]),
    ...(options.noted ? [{ link: options.noted, by: 'the noted head' }] : []),
    ...(options.sessions === undefined ? [] : readSessionHeads(options.sessions)).map((one) => ({
      link: one.head,
      by: one.path,
    })),
  ];
}

/** Without its head file a chain could have lost its end unseen. */
function missingHead(path: string, head: ReturnType<typeof readHead>, records: number): Problem | undefined {
  if (typeof head !== 'string' || (head === 'absent' && records === 0)) return undefined;
  // A log that has just begun has one by now.
  if (typeof readHead(headPath(path)) !== 'string') return undefined;
  return { file: basename(headPath(path)), reason: `is ${head}: records cut from the end of the log would not show` };
}

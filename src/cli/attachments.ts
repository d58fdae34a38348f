import { basename } from 'node:path';
import { messageOf, OpsError } from '../domain/errors.js';
import { openRegularFile } from '../lib/regular-file.js';
import { MAX_INPUT_BYTES } from '../sandbox/limits.js';
import type { Session } from './session.js';

/**
 * Takes a file of the person into the session, as a result that tools can read: its id is its name. What the redactor hides is
 * hidden in it.
 * @throws OpsError usage when it cannot be read, is no regular file, or is larger than the sandbox takes.
 */
export async function attachFile(session: Session, path: string): Promise<string> {
  const id = freeId(session, basename(path));
  try {
    const file = await openRegularFile(path, MAX_INPUT_BYTES);
    const capture = session.results.capture(id, 16 * 1024);
    for await (const chunk of file.createReadStream({ end: MAX_INPUT_BYTES - 1 })) capture.write(chunk as Buffer);
    const result = { callId: id, tool: 'file', status: 'ok' as const, text: `the file ${path}`, durationMs: 0 };
    session.results.add(result, { args: { path }, tokens: [] }, capture.end());
    return id;
  } catch (error) {
    if (error instanceof OpsError) throw error;
    throw new OpsError('usage', `${path} cannot be read: ${messageOf(error)}`);
  }
}

/** The name of a file, fit to be an id: never that of a call, and never that of another file. */
function freeId(session: Session, name: string): string {
  const plain = name
    .replaceAll(/[^A-Za-z0-9_.-]/g, '_')
    .replace(/^[.-]/, '_')
    .slice(-80);
  const base = plain.includes('.') ? plain : `${plain}.txt`;
  for (let count = 1; ; count++) {
    const id = count === 1 ? base : `${count}-${base}`;
    if (!session.results.get(id) && id !== 'index.json') return id;
  }
}

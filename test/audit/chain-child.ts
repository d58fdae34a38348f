/** A process of chain-processes.test.ts: makes calls, notes those that it was told are on record, and may die on the way. */
import { appendFileSync, openSync, writeSync } from 'node:fs';
import { openAuditLog } from '../../src/audit/append.js';
import { withLock } from '../../src/audit/lock.js';
import { aRecord } from './records.js';

const [path = '', notes = '', id = '', calls = '', maxBytes = '', death = '', at = ''] = process.argv.slice(2);

const die = () => process.kill(process.pid, 'SIGKILL');

/** Dies as it may happen to a writer: with the lock, with half a line, or with a whole one that nobody was told of. */
async function perish(): Promise<void> {
  await withLock(`${path}.lock`, 60_000, () => {
    if (death === 'mid-write') writeSync(openSync(path, 'a'), JSON.stringify(aRecord()).slice(0, 100));
    die();
  });
}

const log = await openAuditLog(path, { maxBytes: Number(maxBytes), waitMs: 60_000 });
process.stdout.write('open\n');
for (let i = 0; i < Number(calls); i++) {
  if (death !== '' && i === Number(at)) await perish();
  const call = { session_id: id, call_id: `c${i}` };
  await log.append(aRecord(call));
  // From here on the gate would run the call.
  appendFileSync(notes, `${id} c${i}\n`);
  await log.append(aRecord({ ...call, event: 'finished', status: 'ok' }));
}
log.close();

import { describe, expect, test } from 'vitest';
import { lastErrorLine, matchLog } from '../../src/diagnose/log-match.js';

const idOf = (...lines: readonly string[]): string | undefined => matchLog(lines.join('\n'))?.signature.id;

describe('the reason in a log', () => {
  test('is not a failure that a later line shows to be overcome', () => {
    expect(
      idOf('WARN dial tcp 10.0.0.4:5432: connection refused, retrying', 'INFO connected to database', 'INFO listening'),
    ).toBeUndefined();
  });

  test('is a failure whose retry did not succeed', () => {
    expect(
      idOf('WARN connection refused, retrying', 'WARN connection refused, retrying', 'FATAL giving up: not connected'),
    ).toBe('connection-refused');
  });

  test('is not in debug and info lines, whatever way they give their level', () => {
    expect(
      idOf(
        'DEBUG connection refused',
        '{"level":"info","msg":"connection refused"}',
        'level=info msg="connection refused"',
        'I0506 10:00:00.000000 1 a.go:1] connection refused',
        '{"level":30,"msg":"connection refused"}',
      ),
    ).toBeUndefined();
  });

  test('is the last fatal one, not an earlier one', () => {
    expect(
      idOf(
        'FATAL: password authentication failed for user "app"',
        'INFO retry',
        'FATAL: database connection pool exhausted',
      ),
    ).toBe('database-pool-exhausted');
  });

  test('is a fatal line rather than an error while shutting down', () => {
    expect(idOf('FATAL: database connection pool exhausted', 'ERROR flush: connection reset by peer')).toBe(
      'database-pool-exhausted',
    );
  });

  test('is the line that names the fault, not the one after it that only says that the program broke', () => {
    expect(idOf('Error: connect ECONNREFUSED 10.0.0.4:5432', '[UnhandledPromiseRejection: see above]')).toBe(
      'connection-refused',
    );
  });

  test('is the error a Python trace ends with', () => {
    expect(
      idOf(
        'Traceback (most recent call last):',
        '  File "a.py", line 1, in <module>',
        "ModuleNotFoundError: No module named 'x'",
      ),
    ).toBe('python-module');
  });

  test('says how far from the end it stands', () => {
    expect(matchLog('panic: boom\n\ngoroutine 1 [running]:\nmain.main()')?.linesAfter).toBe(2);
  });

  test('is looked for at the end of a log of any size only', () => {
    const long = `FATAL: database connection pool exhausted\n${'x'.repeat(10 * 1024 * 1024)}`;
    expect(matchLog(long)).toBeUndefined();
    expect(matchLog(`${'x'.repeat(10 * 1024 * 1024)}\nFATAL: database connection pool exhausted`)?.line).toBe(
      'FATAL: database connection pool exhausted',
    );
  });

  test('has a line of at most 1000 characters', () => {
    expect(matchLog(`FATAL: database connection pool exhausted ${'y'.repeat(5000)}`)?.line.length).toBe(1000);
  });
});

describe('the last error line', () => {
  test('is not a counter at zero', () => {
    expect(lastErrorLine('finished with 0 errors\nerror_count=0')).toBeUndefined();
  });

  test('is the last that calls itself an error', () => {
    expect(lastErrorLine('ERROR first\nERROR second: widget broke\nINFO bye')).toBe('ERROR second: widget broke');
  });
});

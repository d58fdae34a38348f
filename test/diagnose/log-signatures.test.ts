import { describe, expect, test } from 'vitest';
import { matchLine } from '../../src/diagnose/log-match.js';
import { LOG_SIGNATURES } from '../../src/diagnose/log-signatures.js';
import { CASES } from './log-lines.js';

describe('log signatures', () => {
  test('each has a case here, and there are at least 35', () => {
    expect(Object.keys(CASES).sort()).toEqual(LOG_SIGNATURES.map((s) => s.id).sort());
    expect(LOG_SIGNATURES.length).toBeGreaterThanOrEqual(35);
  });

  test.each(Object.entries(CASES))('%s is recognised in its line', (id, [line]) => {
    expect(matchLine(line)?.signature.id).toBe(id);
  });

  test.each(Object.entries(CASES).flatMap(([id, [, ...misses]]) => misses.map((miss) => [id, miss] as const)))(
    '%s does not match: %s',
    (_, line) => {
      expect(matchLine(line)?.signature.id).toBeUndefined();
    },
  );

  test.each([
    ['HikariPool-1 - Connection is not available, request timed out after 30000ms.', 'database-pool-exhausted'],
    [
      'sqlalchemy.exc.TimeoutError: QueuePool limit of size 5 overflow 10 reached, connection timed out',
      'database-pool-exhausted',
    ],
    ['KnexTimeoutError: Knex: Timeout acquiring a connection. The pool is probably full.', 'database-pool-exhausted'],
    [
      'remaining connection slots are reserved for non-replication superuser connections',
      'database-too-many-connections',
    ],
    ['ERROR 1040 (HY000): Too many connections', 'database-too-many-connections'],
    ["ERROR 1045 (28000): Access denied for user 'app'@'10.0.0.3' (using password: YES)", 'database-authentication'],
    ['Error: getaddrinfo ENOTFOUND redis', 'dns'],
    [
      'psycopg2.OperationalError: could not translate host name "db" to address: Temporary failure in name resolution',
      'dns',
    ],
    ['connect ECONNREFUSED 10.0.0.4:6379', 'connection-refused'],
    ['panic: dial tcp 10.0.0.4:5432: connect: connection refused', 'connection-refused'],
    ['sh: 1: /app/start: not found', 'command-not-found'],
    ['fork: Cannot allocate memory', 'heap-out-of-memory'],
    [
      'MISCONF Redis is configured to save RDB snapshots, but it is currently not able to persist on disk.',
      'redis-cannot-write',
    ],
  ])('%s', (line, id) => {
    expect(matchLine(line)?.signature.id).toBe(id);
  });

  test('patterns take time in proportion to the line: lines made to make them backtrack are answered', () => {
    const hostile = [
      'config '.repeat(150),
      'database pool '.repeat(70),
      '"'.repeat(1000),
      'failed to parse '.repeat(60),
      '{"level":"'.repeat(100),
      'A_'.repeat(500),
    ];
    for (const line of hostile) expect(() => matchLine(line)).not.toThrow();
  });
});

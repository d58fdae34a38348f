import { describe, expect, test } from 'vitest';
import { matchLine } from '../../src/diagnose/log-match.js';
import { LOG_SIGNATURES } from '../../src/diagnose/log-signatures.js';

/** Signature → a line as programs write it, and lines that look alike but say something else. */
const CASES: Readonly<Record<string, readonly [string, ...string[]]>> = {
  'database-pool-exhausted': [
    'FATAL: database connection pool exhausted',
    'INFO database connection pool created, size 10',
    'database pool exhausted_total=0',
    'the swimming pool is exhausted',
  ],
  'connection-pool-exhausted': [
    'redis: connection pool exhausted',
    'pool size 10, 0 waiting',
    'DEBUG connection pool exhausted check passed',
  ],
  'database-too-many-connections': [
    'FATAL:  sorry, too many clients already',
    'max clients reached: 0 of 100',
    'accepting connections',
  ],
  'database-authentication': [
    'FATAL: password authentication failed for user "app"',
    'authentication succeeded for user "app"',
    'INFO password authentication failed for user metrics exported',
  ],
  'redis-auth': ['ReplyError: NOAUTH Authentication required.', 'redis auth ok', 'noauth mode enabled by config'],
  'redis-cannot-write': [
    "READONLY You can't write against a read only replica.",
    'mounted volume readonly',
    'MISCONFIGURED flag ignored',
  ],
  'database-deadlock': ['ERROR: deadlock detected', 'INFO deadlock detector started', 'deadlocks=0'],
  'database-lock-timeout': [
    'ERROR 1205: Lock wait timeout exceeded; try restarting transaction',
    'lock released',
    'lock wait 3 ms',
  ],
  'database-migration': [
    'ERROR migration 0042_add_index failed: syntax error',
    'migration 0042 applied',
    'migration errors: 0',
  ],
  'database-schema': [
    'ERROR: relation "orders" does not exist',
    'relation "orders" already exists, skipping',
    'table orders created',
  ],
  'kafka-unavailable': [
    'kafka: client has run out of available brokers to talk to',
    'kafka broker 1 available',
    'INFO LEADER_NOT_AVAILABLE while fetching metadata',
  ],
  'amqp-refused': [
    'ACCESS_REFUSED - Login was refused using authentication mechanism PLAIN',
    'amqp connection opened',
    'access granted',
  ],
  'elastic-unavailable': [
    'ClusterBlockException: index [orders] blocked by: [FORBIDDEN/12/index read-only]',
    '3 shards started',
    'cluster green',
  ],
  dns: [
    'dial tcp: lookup orders-db on 10.96.0.10:53: no such host',
    'lookup table loaded',
    'resolved host orders-db to 10.0.0.4',
  ],
  'tls-expired': [
    'x509: certificate has expired or is not yet valid: current time',
    'certificate expires in 30 days',
    'certificate renewed',
  ],
  'tls-unknown-authority': [
    'x509: certificate signed by unknown authority',
    'certificate signed by cluster-ca',
    'loaded 3 authorities',
  ],
  'tls-name-mismatch': [
    'x509: certificate is valid for a.example.com, not b.example.com',
    'certificate is valid for 90 days',
    'hostname set',
  ],
  'tls-handshake': ['remote error: tls: handshake failure', 'TLS handshake completed', 'tls enabled'],
  'connection-refused': [
    'dial tcp 10.0.0.4:5432: connect: connection refused',
    'refused_connections=0',
    'DEBUG connection refused, retrying',
  ],
  'connection-reset': [
    'read tcp 10.0.0.1:80: connection reset by peer',
    'connection reset counter cleared',
    'resets=0',
  ],
  'no-route': [
    'dial tcp 10.9.9.9:443: connect: no route to host',
    'route to /orders registered',
    'no routes configured',
  ],
  'rate-limited': [
    'HTTP 429 Too Many Requests from api.example.com',
    'order 429 shipped',
    'rate limit is 100 a minute',
  ],
  'kubernetes-forbidden': [
    'pods is forbidden: User "system:serviceaccount:prod:app" cannot list resource "pods" in API group ""',
    'User "alice" cannot log in',
    'forbidden words: 0',
  ],
  'admission-webhook': [
    'Internal error occurred: failed calling webhook "mutate.example.com": no endpoints',
    'webhook registered',
    'calling webhook ok',
  ],
  'leader-election-lost': ['leaderelection lost', 'leader election won', 'became leader'],
  'token-expired': ['TokenExpiredError: jwt expired', 'token expires in 3600 s', 'token refreshed'],
  license: ['license key has expired', 'license: Apache-2.0', 'licensed to Example'],
  'upstream-denied': ['request failed with status code 403', 'processed 403 orders', 'INFO GET /admin HTTP/1.1 401'],
  'java-out-of-memory': [
    'java.lang.OutOfMemoryError: Java heap space',
    '-XX:+ExitOnOutOfMemory set',
    'heap space 512m',
  ],
  'heap-out-of-memory': [
    'FATAL ERROR: Reached heap limit Allocation failed - JavaScript heap out of memory',
    'heap used 40 MB',
    'memory allocated',
  ],
  'disk-full': ['write /data/wal: no space left on device', '12 GB space left on device', 'disk is fully encrypted'],
  'disk-quota': ['write /data/x: disk quota exceeded', 'quota 10Gi, used 3Gi', 'inode cache enabled'],
  'read-only-file-system': [
    'mkdir /app/tmp: read-only file system',
    'file system mounted read-write',
    'read-only mode: false',
  ],
  'too-many-open-files': ['accept tcp [::]:8080: too many open files', 'open files: 12', 'opened file a.log'],
  'port-in-use': [
    'Error: listen EADDRINUSE: address already in use :::8080',
    'listening on address 0.0.0.0:8080',
    'port 8080 in use by nobody',
  ],
  'exec-format': ['exec /app/server: exec format error', 'log format: json', 'error format set to text'],
  'command-not-found': [
    'exec: "/app/run.sh": stat /app/run.sh: no such file or directory',
    'user not found',
    'executable found in $PATH',
  ],
  'python-module': ["ModuleNotFoundError: No module named 'psycopg2'", 'modules imported', 'no module reload needed'],
  'node-module': ["Error: Cannot find module '/app/server.js'", 'module loaded', 'found module pg'],
  'java-class': ['java.lang.ClassNotFoundException: com.example.Main', 'class found', 'main class com.example.Main'],
  'shared-library': [
    './app: error while loading shared libraries: libpq.so.5',
    'shared libraries loaded',
    'library cache built',
  ],
  'config-parse': [
    'error parsing config file /etc/app.yaml: yaml: line 3: mapping values are not allowed in this context',
    'config parsed',
    'config.yaml loaded',
  ],
  'config-missing': [
    'Error: environment variable DATABASE_URL is not set',
    'environment variables loaded: 12',
    'FEATURE_X set to false',
  ],
  'permission-denied': ['open /data/db.lock: permission denied', 'permissions granted', 'denied=0'],
  'file-not-found': [
    "FileNotFoundError: [Errno 2] No such file or directory: '/etc/app/key.pem'",
    'file found',
    'directory created',
  ],
  'timed-out': ['Get "http://pay:8080": context deadline exceeded', 'timeout set to 30s', 'timeouts=0'],
  'nil-pointer': [
    'panic: runtime error: invalid memory address or nil pointer dereference',
    'nil handler registered',
    'pointer updated',
  ],
  'segmentation-fault': ['Segmentation fault (core dumped)', 'network segmentation enabled', 'core dump disabled'],
  'java-null-pointer': [
    'Exception: java.lang.NullPointerException at com.example.A',
    'null pointers checked',
    'NullPointer analysis passed',
  ],
  'node-unhandled': [
    '[UnhandledPromiseRejection: This error originated inside an async function]',
    'rejection handled',
    'promise resolved',
  ],
  panic: ['panic: index out of range [3] with length 3', 'panic mode disabled', 'do not panic'],
  traceback: ['Traceback (most recent call last):', 'traceback disabled', 'exceptions handled in thread main'],
};

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

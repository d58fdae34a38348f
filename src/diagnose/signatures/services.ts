import type { LogSignature } from './signature.js';

const POOL_SETTINGS = /pool|max_?conn|maxactive|max_?idle/i;
const ADDRESS_SETTINGS = /host|addr|url|uri|endpoint|broker|server|port$/i;

const pool: Pick<LogSignature, 'cause' | 'checks' | 'helps' | 'weight' | 'settings'> = {
  cause: {
    en: 'the application does not give connections back (a leak, or transactions that stay open), or the pool is too small for the load; this log line cannot tell which',
    zh: '应用未正确释放连接（连接泄漏或事务长时间未结束），或连接池对当前负载来说过小；仅凭这行日志无法区分',
  },
  checks: [
    {
      en: 'Check the size and time-outs of the connection pool; it may be too small.',
      zh: '检查连接池的大小与超时配置（可能配置过小）。',
    },
    {
      en: 'Check for connection leaks: connections or transactions that are opened and not closed.',
      zh: '检查连接是否泄漏：打开后未关闭的连接或事务。',
    },
    {
      en: "Compare the database's own connection count and limit with replicas × pool size, and look for long queries.",
      zh: '查看数据库侧的当前连接数与上限，与“副本数 × 连接池大小”对比，并查找长时间运行的查询。',
    },
  ],
  helps: 'restart',
  weight: 3,
  settings: POOL_SETTINGS,
};

/** Databases, queues and search. DATA: one entry a meaning. */
export const SERVICE_SIGNATURES: readonly LogSignature[] = [
  {
    ...pool,
    id: 'database-pool-exhausted',
    pattern:
      /(?:database|\bdb\b|jdbc|sql|postgres|mysql|oracle|mongo)[^\n]{0,60}\bpool\b[^\n]{0,30}(?:exhausted|is full|is empty)|HikariPool-\S{1,60} - Connection is not available|QueuePool limit of size \d|Timeout acquiring a connection\. The pool is probably full|Unable to acquire JDBC Connection|Cannot get a connection, pool error|CannotGetJdbcConnectionException/i,
    title: { en: 'the database connection pool is exhausted', zh: '数据库连接池耗尽' },
  },
  {
    ...pool,
    id: 'connection-pool-exhausted',
    pattern:
      /connection pool (?:is |was |has been )?(?:exhausted|full|timed out)|pool exhausted|PoolExhausted(?:Error|Exception)|Could not get a resource from the pool|PoolTimeout(?:Error|Exception)?\b|ConnectionPoolTimeoutException/i,
    title: { en: 'a connection pool is exhausted', zh: '连接池耗尽' },
  },
  {
    id: 'database-too-many-connections',
    pattern:
      /sorry, too many clients already|remaining connection slots are reserved|(?:ERROR 1040|\b1040\b|08004)[^\n]{0,40}Too many connections|\bToo many connections\b|ORA-00020|ORA-12516|too many connections for (?:role|database)/i,
    title: { en: 'the database accepts no more connections', zh: '数据库连接数已达上限' },
    cause: {
      en: 'all clients together open more connections than the database allows: too many replicas × pool size, a leak, or a limit that is too low',
      zh: '所有客户端合计打开的连接超过数据库上限：副本数 × 连接池过大、连接泄漏，或上限过低',
    },
    checks: [
      {
        en: "Compare the database's connection limit with the number of open connections, by client.",
        zh: '对比数据库的连接上限与当前连接数（按客户端统计）。',
      },
      { en: 'Check whether replicas × pool size is over the limit.', zh: '检查“副本数 × 连接池大小”是否超过上限。' },
    ],
    helps: 'restart',
    weight: 3,
    settings: POOL_SETTINGS,
  },
  {
    id: 'database-authentication',
    pattern:
      /password authentication failed for user|Access denied for user '[^'\n]{0,80}'@|ORA-01017|Login failed for user '|SASL authentication failed|MongoServerError: Authentication failed|SCRAM authentication failed|no pg_hba\.conf entry for host/i,
    title: { en: 'the database refuses the login', zh: '数据库拒绝登录（认证失败）' },
    cause: {
      en: 'user, password or allowed client address do not match: a rotated or wrong Secret, or a missing grant',
      zh: '用户名、密码或允许的客户端地址不匹配：Secret 已轮换或填写错误，或缺少授权',
    },
    checks: [
      {
        en: 'Compare the Secret the pod uses with the user in the database; see when each was changed last.',
        zh: '核对 Pod 使用的 Secret 与数据库中的用户，查看两者最近的修改时间。',
      },
    ],
    helps: 'nothing',
    weight: 3,
  },
  {
    id: 'redis-auth',
    pattern:
      /\bNOAUTH\b|WRONGPASS\b|ERR (?:invalid password|AUTH <password> called)|Client sent AUTH, but no password is set/,
    title: { en: 'Redis refuses the login', zh: 'Redis 拒绝登录（认证失败）' },
    cause: { en: 'the password is missing or wrong', zh: '未提供密码或密码错误' },
    checks: [
      {
        en: 'Compare the password in the Secret with the one Redis expects.',
        zh: '核对 Secret 中的密码与 Redis 的密码。',
      },
    ],
    helps: 'nothing',
    weight: 3,
  },
  {
    id: 'redis-cannot-write',
    pattern:
      /\bMISCONF Redis|\bMISCONF\b[^\n]{0,60}snapshots|READONLY You can't write against a read only (?:replica|slave)|\bOOM command not allowed when used memory/,
    title: { en: 'Redis refuses writes', zh: 'Redis 拒绝写入' },
    cause: {
      en: 'it cannot save its snapshot (disk), it is a replica, or it is at its memory limit; the quoted line says which',
      zh: '无法保存快照（磁盘问题）、当前节点是只读副本，或已达内存上限；引用的日志行指明了具体情况',
    },
    checks: [
      {
        en: "Check Redis's disk, memory limit and role (INFO persistence, INFO memory, INFO replication).",
        zh: '检查 Redis 的磁盘、内存上限与角色（INFO persistence、INFO memory、INFO replication）。',
      },
    ],
    helps: 'nothing',
    weight: 3,
  },
  {
    id: 'database-deadlock',
    pattern: /deadlock detected|Deadlock found when trying to get lock|was deadlocked on lock resources|ORA-00060/i,
    title: { en: 'database transactions deadlock', zh: '数据库事务发生死锁' },
    cause: { en: 'two transactions take the same rows in a different order', zh: '两个事务以不同顺序锁定相同的行' },
    checks: [
      {
        en: "Read the database's deadlock report; see which statements took part.",
        zh: '查看数据库的死锁报告，确认涉及的语句。',
      },
    ],
    helps: 'restart',
    weight: 2,
  },
  {
    id: 'database-lock-timeout',
    pattern:
      /Lock wait timeout exceeded|canceling statement due to lock timeout|could not obtain lock on|database is locked|Could not acquire change log lock/i,
    title: { en: 'a database lock was not released in time', zh: '等待数据库锁超时' },
    cause: {
      en: 'another transaction, or a migration that died, still holds the lock',
      zh: '另一个事务或中途失败的迁移仍持有锁',
    },
    checks: [{ en: 'Find out which session holds the lock.', zh: '查找持有锁的会话。' }],
    helps: 'nothing',
    weight: 3,
  },
  {
    id: 'database-migration',
    pattern:
      /(?:migration|flyway|liquibase|alembic|prisma migrate)[^\n]{0,80}(?:\bfailed\b|\berror\b|checksum mismatch|is dirty)|Dirty database version \d|Validate failed: Migrations have failed validation|P3009\b/i,
    title: { en: 'a database migration failed', zh: '数据库迁移失败' },
    cause: {
      en: 'the schema is not in the state that this version of the program expects',
      zh: '数据库结构与该版本程序预期的状态不一致',
    },
    checks: [
      {
        en: 'Look at the migration table and at the first error of the migration.',
        zh: '查看迁移记录表以及迁移的第一条错误。',
      },
    ],
    helps: 'rollback',
    weight: 3,
  },
  {
    id: 'database-schema',
    pattern:
      /relation "[^"\n]{1,120}" does not exist|column "?[\w.]{1,120}"? does not exist|Table '[^'\n]{1,120}' doesn't exist|Unknown column '|no such table: |ORA-00942/i,
    title: { en: 'a table or column that the program needs does not exist', zh: '程序所需的表或列不存在' },
    cause: {
      en: 'a migration did not run, or the program is connected to another database',
      zh: '迁移没有执行，或程序连接到了其他数据库',
    },
    checks: [
      {
        en: 'Check whether the migrations of this version ran, and which database the program is connected to.',
        zh: '检查该版本的迁移是否已执行，以及程序连接的是哪个数据库。',
      },
    ],
    helps: 'rollback',
    weight: 3,
  },
  {
    id: 'kafka-unavailable',
    pattern:
      /LEADER_NOT_AVAILABLE|NOT_LEADER_(?:FOR_PARTITION|OR_FOLLOWER)|Broker(?: may)? not(?: be)? available|NoBrokersAvailable|COORDINATOR_NOT_AVAILABLE|kafka: client has run out of available brokers|Failed to update metadata after \d+ ?ms/i,
    title: { en: 'Kafka is not available to the program', zh: '程序无法使用 Kafka' },
    cause: {
      en: 'brokers are down, a partition has no leader, or the advertised address is wrong',
      zh: 'Broker 不可用、分区没有 leader，或 advertised 地址有误',
    },
    checks: [
      {
        en: 'Check the brokers, the leaders of the topic and the advertised listeners.',
        zh: '检查 Broker、主题的 leader 与 advertised listeners。',
      },
    ],
    helps: 'nothing',
    weight: 3,
    transient: true,
    settings: ADDRESS_SETTINGS,
  },
  {
    id: 'amqp-refused',
    pattern:
      /ACCESS_REFUSED - Login was refused|AMQPConnectionError|AmqpConnectException|(?:amqp|rabbitmq)[^\n]{0,80}(?:connection refused|ECONNREFUSED)|NOT_ALLOWED - (?:vhost|access to vhost)/i,
    title: { en: 'the message broker (AMQP) refuses the connection', zh: '消息队列（AMQP）拒绝连接' },
    cause: {
      en: 'the broker is down, or user, password or vhost are wrong',
      zh: '消息队列不可用，或用户、密码、vhost 有误',
    },
    checks: [{ en: 'Check the broker, the user and the vhost.', zh: '检查消息队列服务、用户与 vhost。' }],
    helps: 'nothing',
    weight: 3,
    transient: true,
    settings: ADDRESS_SETTINGS,
  },
  {
    id: 'elastic-unavailable',
    pattern: /NoNodeAvailableException|cluster_block_exception|ClusterBlockException|all shards failed/i,
    title: {
      en: 'Elasticsearch or OpenSearch does not serve the request',
      zh: 'Elasticsearch/OpenSearch 无法处理请求',
    },
    cause: {
      en: 'no node answers, or an index is blocked (often because its disk is full)',
      zh: '没有可用节点，或索引被设为只读（常因磁盘将满）',
    },
    checks: [{ en: 'Check the cluster health and the disk watermarks.', zh: '检查集群健康状态与磁盘水位。' }],
    helps: 'nothing',
    weight: 3,
    transient: true,
  },
];

import type { Text } from './types.js';

/** What a line of a container's log means when it is the last serious thing the container said. DATA: one entry a meaning. */
export interface LogSignature {
  readonly id: string;
  /** Matched against one line of at most 1000 characters. No nested or adjacent unbounded quantifiers: linear time. */
  readonly pattern: RegExp;
  /** Follows "… because" and 原因是: what the line shows, and not more. */
  readonly title: Text;
  /** What usually lies behind it. Never claimed as certain. */
  readonly cause: Text;
  readonly checks: readonly Text[];
  /** What brings the service back for now: a restart, the revision before, or neither. */
  readonly helps: 'restart' | 'rollback' | 'nothing';
  /** 3 names the fault · 2 names its kind · 1 says only that the program broke. */
  readonly weight: 1 | 2 | 3;
  /** Such lines are often followed by a retry that succeeds; a later success makes them irrelevant. */
  readonly transient?: true;
  /** Keys of settings that matter, to be looked up in the pod's ConfigMaps and environment. */
  readonly settings?: RegExp;
}

const POOL_SETTINGS = /pool|max_?conn|maxactive|max_?idle/i;
const MEMORY_SETTINGS = /xmx|heap|java_(?:tool_)?opt|node_options|gomemlimit|memory/i;
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

export const LOG_SIGNATURES: readonly LogSignature[] = [
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
  {
    id: 'dns',
    pattern:
      /no such host|\bENOTFOUND\b|getaddrinfo (?:EAI_AGAIN|failed)|\bEAI_AGAIN\b|Temporary failure in name resolution|Name or service not known|could not translate host name|UnknownHostException|nodename nor servname provided|failed to resolve host|server misbehaving/i,
    title: { en: 'a host name cannot be resolved', zh: '主机名无法解析（DNS）' },
    cause: {
      en: 'the name is wrong or its Service does not exist, or the cluster DNS does not answer',
      zh: '主机名写错或对应的 Service 不存在，或集群 DNS 无响应',
    },
    checks: [
      {
        en: 'Check the host name in the quoted line against the Services that exist, namespace included.',
        zh: '核对日志中的主机名与现有 Service（包括命名空间）。',
      },
      {
        en: 'Check that the CoreDNS pods in kube-system are ready.',
        zh: '检查 kube-system 中的 CoreDNS Pod 是否就绪。',
      },
    ],
    helps: 'nothing',
    weight: 3,
    transient: true,
    settings: ADDRESS_SETTINGS,
  },
  {
    id: 'tls-expired',
    pattern:
      /certificate has expired|CERT_HAS_EXPIRED|certificate is not yet valid|CertificateExpiredException|certificate expired/i,
    title: { en: 'a TLS certificate is outside its validity period', zh: 'TLS 证书已过期或尚未生效' },
    cause: { en: 'it was not renewed, or a clock is wrong', zh: '证书未续期，或时钟不准' },
    checks: [
      {
        en: 'Look at the validity of the certificate that the quoted address presents, and at what should renew it.',
        zh: '检查对端证书的有效期以及负责续期的组件。',
      },
    ],
    helps: 'nothing',
    weight: 3,
  },
  {
    id: 'tls-unknown-authority',
    pattern:
      /certificate signed by unknown authority|self[- ]signed certificate|unable to get local issuer certificate|UNABLE_TO_VERIFY_LEAF_SIGNATURE|DEPTH_ZERO_SELF_SIGNED_CERT|PKIX path building failed|CERTIFICATE_VERIFY_FAILED|unable to verify the first certificate/i,
    title: { en: 'a TLS certificate is not trusted', zh: 'TLS 证书不受信任' },
    cause: {
      en: 'the authority that signed it is not in the trust store of the image',
      zh: '签发该证书的 CA 不在镜像的信任库中',
    },
    checks: [
      {
        en: 'Check which CA signed the certificate and whether the pod mounts it.',
        zh: '检查证书由哪个 CA 签发，以及 Pod 是否挂载了该 CA。',
      },
    ],
    helps: 'nothing',
    weight: 3,
  },
  {
    id: 'tls-name-mismatch',
    pattern:
      /certificate is valid for [^\n]{1,200}, not |ERR_TLS_CERT_ALTNAME_INVALID|doesn't match any of the subject alternative names|Hostname\/IP does not match certificate|hostname mismatch/i,
    title: { en: 'a TLS certificate is for another host name', zh: 'TLS 证书与主机名不匹配' },
    cause: {
      en: 'the program calls the server by a name that the certificate does not list',
      zh: '程序访问服务器所用的名称不在证书列出的名称中',
    },
    checks: [
      {
        en: 'Compare the name in the configuration with the names in the certificate.',
        zh: '核对配置中的主机名与证书中的名称。',
      },
    ],
    helps: 'nothing',
    weight: 3,
  },
  {
    id: 'tls-handshake',
    pattern:
      /TLS handshake (?:error|failed|failure|timeout)|SSLHandshakeException|handshake_failure|sslv3 alert|wrong version number|http: server gave HTTP response to HTTPS client|remote error: tls:/i,
    title: { en: 'a TLS handshake fails', zh: 'TLS 握手失败' },
    cause: {
      en: 'the two sides do not agree: plain text against TLS, protocol versions, or a client certificate',
      zh: '两端不一致：明文与 TLS 混用、协议版本不同，或缺少客户端证书',
    },
    checks: [
      {
        en: 'Check that both sides use TLS on this port, and the versions they allow.',
        zh: '检查两端在该端口是否都使用 TLS 以及允许的版本。',
      },
    ],
    helps: 'nothing',
    weight: 2,
    transient: true,
  },
  {
    id: 'connection-refused',
    pattern:
      /connection refused|\bECONNREFUSED\b|actively refused it|could not connect to server|Can't connect to (?:local )?MySQL server|Communications link failure/i,
    title: { en: 'a service that it needs refuses the connection', zh: '依赖的服务拒绝连接' },
    cause: {
      en: 'nothing listens at that address: the service is down or not ready, or address or port are wrong',
      zh: '该地址没有进程监听：依赖服务未运行或未就绪，或地址、端口有误',
    },
    checks: [
      {
        en: 'Check the service at the address in the quoted line: its pods, its endpoints, its port.',
        zh: '检查日志中地址对应的服务：Pod、Endpoints 与端口。',
      },
    ],
    helps: 'nothing',
    weight: 3,
    transient: true,
    settings: ADDRESS_SETTINGS,
  },
  {
    id: 'connection-reset',
    pattern:
      /connection reset by peer|\bECONNRESET\b|\bbroken pipe\b|\bEPIPE\b|server closed the connection unexpectedly|unexpected EOF|socket hang up|MySQL server has gone away/i,
    title: { en: 'the other side closes the connection', zh: '对端关闭了连接' },
    cause: {
      en: 'the peer crashed or restarted, or something between closes idle connections',
      zh: '对端崩溃或重启，或中间设备关闭了空闲连接',
    },
    checks: [
      {
        en: 'Look at the peer at that time: restarts, limits, its own log.',
        zh: '检查对端在该时间的情况：重启、限制及其日志。',
      },
    ],
    helps: 'restart',
    weight: 2,
    transient: true,
  },
  {
    id: 'no-route',
    pattern: /no route to host|network is unreachable|\bEHOSTUNREACH\b|\bENETUNREACH\b/i,
    title: { en: 'a host that it needs cannot be reached over the network', zh: '所需主机网络不可达' },
    cause: {
      en: 'routing, a NetworkPolicy or a firewall, or the node of the peer is down',
      zh: '路由、NetworkPolicy 或防火墙问题，或对端节点已宕机',
    },
    checks: [
      { en: 'Check NetworkPolicies and the address in the quoted line.', zh: '检查 NetworkPolicy 以及日志中的地址。' },
    ],
    helps: 'nothing',
    weight: 3,
    transient: true,
    settings: ADDRESS_SETTINGS,
  },
  {
    id: 'rate-limited',
    pattern:
      /\b429 Too Many Requests|(?:status(?: ?code)?|HTTP)[ :=/.\d]{0,12}\b429\b|\brate limit (?:exceeded|reached)|toomanyrequests|ThrottlingException/i,
    title: { en: 'a service that it calls limits its rate (429)', zh: '被调用的服务限流（429）' },
    cause: { en: 'more requests than the other side allows', zh: '请求数超过对端允许的上限' },
    checks: [
      {
        en: 'Compare the request rate with the limit; look for retries without a pause.',
        zh: '对比请求速率与上限，检查是否存在无间隔的重试。',
      },
    ],
    helps: 'nothing',
    weight: 2,
    transient: true,
  },
  {
    id: 'kubernetes-forbidden',
    pattern:
      /\bis forbidden: User "system:serviceaccount:[^"\n]{1,200}" cannot|User "system:serviceaccount:[^"\n]{1,200}" cannot \w{1,20} resource/i,
    title: {
      en: 'its service account may not do what it needs in the Kubernetes API',
      zh: '其 ServiceAccount 缺少所需的 Kubernetes API 权限（RBAC）',
    },
    cause: { en: 'a Role or RoleBinding is missing', zh: '缺少 Role 或 RoleBinding' },
    checks: [
      {
        en: 'Check the RoleBindings of the service account in the quoted line.',
        zh: '检查日志中 ServiceAccount 的 RoleBinding。',
      },
    ],
    helps: 'nothing',
    weight: 3,
  },
  {
    id: 'admission-webhook',
    pattern: /failed calling webhook|admission webhook "[^"\n]{1,200}" denied the request/i,
    title: { en: 'an admission webhook fails or refuses the request', zh: '准入 Webhook 失败或拒绝了请求' },
    cause: {
      en: 'the webhook service does not answer, or its policy forbids the object',
      zh: 'Webhook 服务无响应，或其策略禁止该对象',
    },
    checks: [{ en: 'Check the webhook named in the quoted line and its pods.', zh: '检查日志中的 Webhook 及其 Pod。' }],
    helps: 'nothing',
    weight: 3,
  },
  {
    id: 'leader-election-lost',
    pattern: /leader ?election lost|failed to renew lease|lost (?:the )?leader lease|stopped leading/i,
    title: { en: 'it lost the leader election and stopped', zh: '失去 leader 身份后退出' },
    cause: {
      en: 'the API server answered too slowly, or the process did not get CPU to renew its lease in time',
      zh: 'API Server 响应过慢，或进程因 CPU 不足未能及时续约',
    },
    checks: [
      {
        en: 'Check the latency of the API server and the CPU throttling of the container.',
        zh: '检查 API Server 延迟以及容器的 CPU 限流。',
      },
    ],
    helps: 'restart',
    weight: 3,
  },
  {
    id: 'token-expired',
    pattern:
      /token (?:is |has )?expired|TokenExpiredError|ExpiredTokenException|RequestTimeTooSkewed|clock skew|token used before issued|JWT expired at/i,
    title: { en: 'a token has expired, or clocks differ', zh: '令牌已过期或时钟不一致' },
    cause: { en: 'the credential was not renewed, or the clock of a node is wrong', zh: '凭据未刷新，或节点时钟不准' },
    checks: [
      { en: 'Check when the credential was issued and the time of the node.', zh: '检查凭据的签发时间与节点时间。' },
    ],
    helps: 'restart',
    weight: 3,
  },
  {
    id: 'license',
    pattern:
      /licen[sc]e (?:key )?(?:has |is )?(?:expired|invalid|not found|missing)|invalid licen[sc]e|no valid licen[sc]e/i,
    title: { en: 'its licence is missing or not valid', zh: '许可证缺失或无效' },
    cause: { en: 'the licence ran out or was not mounted', zh: '许可证已到期或未挂载' },
    checks: [{ en: 'Check the licence and where the program expects it.', zh: '检查许可证及程序读取的位置。' }],
    helps: 'nothing',
    weight: 3,
  },
  {
    id: 'upstream-denied',
    pattern:
      /\b401 Unauthorized\b|\b403 Forbidden\b|(?:status(?: ?code)?|HTTP)[ :=/.\d]{0,12}\b40[13]\b|invalid_client\b|InvalidClientTokenId|\bAccessDenied(?:Exception)?\b|invalid api key/i,
    title: { en: 'a service that it calls refuses its credentials (401/403)', zh: '被调用的服务拒绝其凭据（401/403）' },
    cause: { en: 'a wrong, expired or insufficient credential', zh: '凭据错误、过期或权限不足' },
    checks: [
      {
        en: 'Check the Secret with the credential and when it was changed last.',
        zh: '检查保存凭据的 Secret 及其最近修改时间。',
      },
    ],
    helps: 'nothing',
    weight: 2,
  },
  {
    id: 'java-out-of-memory',
    pattern:
      /java\.lang\.OutOfMemoryError|OutOfMemoryError: (?:Java heap space|Metaspace|GC overhead|unable to create)|GC overhead limit exceeded/i,
    title: { en: 'the Java process is out of memory', zh: 'Java 进程内存不足（OutOfMemoryError）' },
    cause: {
      en: 'the heap (or the part the quoted line names) is too small for the load, or memory leaks',
      zh: '堆（或日志所指的区域）对当前负载过小，或存在内存泄漏',
    },
    checks: [
      {
        en: "Compare -Xmx with the container's memory limit; take a heap dump.",
        zh: '对比 -Xmx 与容器内存限制，并获取堆转储。',
      },
    ],
    helps: 'restart',
    weight: 3,
    settings: MEMORY_SETTINGS,
  },
  {
    id: 'heap-out-of-memory',
    pattern:
      /JavaScript heap out of memory|Reached heap limit Allocation failed|fatal error: (?:runtime: )?out of memory|Cannot allocate memory|\bENOMEM\b|std::bad_alloc|^MemoryError\b|Allowed memory size of \d+ bytes exhausted/i,
    title: { en: 'the process is out of memory', zh: '进程内存不足' },
    cause: { en: 'the limit is too low for the load, or memory leaks', zh: '内存上限对当前负载过低，或存在内存泄漏' },
    checks: [
      {
        en: "Compare the program's own memory limit with the container's, and watch its use over time.",
        zh: '对比程序自身的内存上限与容器限制，并观察内存随时间的变化。',
      },
    ],
    helps: 'restart',
    weight: 3,
    settings: MEMORY_SETTINGS,
  },
  {
    id: 'disk-full',
    pattern: /No space left on device|\bENOSPC\b|disk is full\b|could not extend file/i,
    title: { en: 'a disk is full', zh: '磁盘空间不足' },
    cause: {
      en: 'the volume (or the inodes) ran out, or the inotify watches did',
      zh: '卷空间（或 inode）用尽，或 inotify 监视数用尽',
    },
    checks: [
      {
        en: 'Check the use of the volume in the quoted path, inodes included.',
        zh: '检查相关卷的空间与 inode 使用情况。',
      },
    ],
    helps: 'nothing',
    weight: 3,
  },
  {
    id: 'disk-quota',
    pattern:
      /Disk quota exceeded|\bEDQUOT\b|inode(?:s)? (?:exhausted|limit reached)|ephemeral[- ]storage[^\n]{0,60}exceed/i,
    title: { en: 'a storage quota is used up', zh: '存储配额用尽' },
    cause: { en: 'more data or files than the quota allows', zh: '数据或文件数超过配额' },
    checks: [{ en: 'Check what fills the volume and its quota.', zh: '检查卷的占用与配额。' }],
    helps: 'nothing',
    weight: 3,
  },
  {
    id: 'read-only-file-system',
    pattern: /read-only file system|\bEROFS\b/i,
    title: { en: 'it writes to a read-only file system', zh: '程序写入只读文件系统' },
    cause: {
      en: 'readOnlyRootFilesystem, a read-only mount, or a volume that the kernel remounted after a disk error',
      zh: '设置了 readOnlyRootFilesystem、只读挂载，或卷因磁盘错误被重新挂载为只读',
    },
    checks: [
      {
        en: "Check the path in the quoted line against the container's volume mounts.",
        zh: '核对日志中的路径与容器的卷挂载。',
      },
    ],
    helps: 'rollback',
    weight: 3,
  },
  {
    id: 'too-many-open-files',
    pattern: /too many open files|\bEMFILE\b|\bENFILE\b/i,
    title: { en: 'it has too many open files', zh: '打开的文件过多' },
    cause: {
      en: 'files or sockets are not closed, or the limit (ulimit -n) is too low',
      zh: '文件或套接字未关闭，或上限（ulimit -n）过低',
    },
    checks: [
      { en: "Count the process's open files and compare with its limit.", zh: '统计进程打开的文件数并与上限对比。' },
    ],
    helps: 'restart',
    weight: 3,
  },
  {
    id: 'port-in-use',
    pattern:
      /\bEADDRINUSE\b|address already in use|Port \d{1,5} (?:was|is) already in use|Only one usage of each socket address/i,
    title: { en: 'the port that it wants to listen on is taken', zh: '要监听的端口已被占用' },
    cause: {
      en: 'two processes of the pod (or of the node with hostNetwork) use the same port',
      zh: '同一 Pod（或 hostNetwork 下同一节点）中的两个进程使用了同一端口',
    },
    checks: [{ en: 'Compare the ports of all containers of the pod.', zh: '对比 Pod 中所有容器的端口。' }],
    helps: 'rollback',
    weight: 3,
  },
  {
    id: 'exec-format',
    pattern: /exec format error|cannot execute binary file/i,
    title: { en: 'its program is built for another CPU architecture', zh: '程序是为其他 CPU 架构构建的' },
    cause: {
      en: 'the image does not fit the node (amd64 against arm64), or a script has no first line',
      zh: '镜像与节点架构不符（amd64 与 arm64），或脚本缺少首行解释器',
    },
    checks: [{ en: "Compare the image's architecture with the node's.", zh: '对比镜像与节点的架构。' }],
    helps: 'rollback',
    weight: 3,
  },
  {
    id: 'command-not-found',
    pattern:
      /exec: "[^"\n]{0,200}": (?:executable file not found|stat |no such file|permission denied)|executable file not found in \$PATH|exec: [\w./-]{1,120}: not found|: (?:line \d+: )?[\w./-]{1,80}: (?:command )?not found$/i,
    title: { en: 'the command to start is not in the image', zh: '镜像中找不到要启动的命令' },
    cause: {
      en: 'command or args of the container, or the entry point of the image, are wrong',
      zh: '容器的 command/args 或镜像入口点有误',
    },
    checks: [
      { en: 'Compare the command in the quoted line with what the image holds.', zh: '核对日志中的命令与镜像内容。' },
    ],
    helps: 'rollback',
    weight: 3,
  },
  {
    id: 'python-module',
    pattern:
      /ModuleNotFoundError: No module named|ImportError: (?:cannot import name|No module|lib\S{1,60}: cannot open)/,
    title: { en: 'a Python module is missing', zh: '缺少 Python 模块' },
    cause: { en: 'the image was built without it, or with another version', zh: '镜像构建时未包含该模块或版本不符' },
    checks: [{ en: 'Compare the requirements of this version with the image.', zh: '核对该版本的依赖与镜像。' }],
    helps: 'rollback',
    weight: 3,
  },
  {
    id: 'node-module',
    pattern: /Cannot find (?:module|package) '[^'\n]{1,200}'|ERR_MODULE_NOT_FOUND/,
    title: { en: 'a Node.js module is missing', zh: '缺少 Node.js 模块' },
    cause: {
      en: 'the image was built without it, or the start path is wrong',
      zh: '镜像构建时未包含该模块，或启动路径有误',
    },
    checks: [{ en: 'Compare the dependencies of this version with the image.', zh: '核对该版本的依赖与镜像。' }],
    helps: 'rollback',
    weight: 3,
  },
  {
    id: 'java-class',
    pattern:
      /ClassNotFoundException|NoClassDefFoundError|NoSuchMethodError|UnsupportedClassVersionError|Could not find or load main class/,
    title: { en: 'a Java class or method is missing', zh: '缺少 Java 类或方法' },
    cause: { en: 'the class path of the image does not fit this version', zh: '镜像的类路径与该版本不符' },
    checks: [
      { en: 'Compare the libraries in the image with those of the version before.', zh: '对比镜像与上一版本中的库。' },
    ],
    helps: 'rollback',
    weight: 3,
  },
  {
    id: 'shared-library',
    pattern:
      /error while loading shared libraries|version `GLIBC_[\d.]{1,12}' not found|cannot open shared object file/i,
    title: { en: 'a shared library is missing or too old', zh: '共享库缺失或版本过旧' },
    cause: { en: 'the base image changed', zh: '基础镜像发生了变化' },
    checks: [{ en: 'Compare the base image with the version before.', zh: '对比当前与上一版本的基础镜像。' }],
    helps: 'rollback',
    weight: 3,
  },
  {
    id: 'config-parse',
    pattern:
      /(?:yaml: (?:line \d+|unmarshal errors|did not find)|mapping values are not allowed|found character that cannot start any token|YAMLException|yaml\.scanner\.ScannerError|toml: |TOMLDecodeError|(?:failed|unable|error|cannot|could not)[^\n]{0,20} (?:to )?(?:parse|parsing|decode|decoding|unmarshal|unmarshaling)[^\n]{0,40}(?:config|\.ya?ml|\.json|\.toml|settings)|config[^\n]{0,40}invalid character|\bin configuration file\b[^\n]{0,60}(?:invalid|unknown|syntax)|nginx: \[emerg\])/i,
    title: { en: 'its configuration cannot be parsed', zh: '配置文件无法解析' },
    cause: {
      en: 'a syntax error or an unknown key in the configuration that was mounted',
      zh: '挂载的配置存在语法错误或未知字段',
    },
    checks: [
      {
        en: 'Check the last change of the ConfigMap or file that the quoted line names.',
        zh: '检查相关 ConfigMap 或文件的最近修改。',
      },
    ],
    helps: 'rollback',
    weight: 3,
  },
  {
    id: 'config-missing',
    pattern:
      /(?:required|mandatory|missing|undefined)[^\n]{0,30}\b(?:env(?:ironment)? var(?:iable)?s?|environment|config(?:uration)?(?: key| value| property)?|setting)\b|env(?:ironment)? var(?:iable)? [`"']?\w{1,80}[`"']?:? (?:is |was )?(?:not set|required|missing|undefined|unset)|[`"']?\b[A-Z][A-Z0-9_]{2,80}[`"']? (?:is not set|must be set|is required|not set\b)|Could not resolve placeholder '|KeyError: '[A-Z][A-Z0-9_]{2,80}'|field required \[type=missing/,
    title: { en: 'a setting that it needs is missing', zh: '缺少必需的配置项' },
    cause: {
      en: 'an environment variable or key is absent from the ConfigMap, Secret or pod template',
      zh: 'ConfigMap、Secret 或 Pod 模板中缺少该环境变量或键',
    },
    checks: [
      {
        en: 'Look for the setting in the quoted line in the pod template and its ConfigMaps and Secrets.',
        zh: '在 Pod 模板及其 ConfigMap、Secret 中查找日志中的配置项。',
      },
    ],
    helps: 'rollback',
    weight: 3,
  },
  {
    id: 'permission-denied',
    pattern: /permission denied|\bEACCES\b|\bEPERM\b|Operation not permitted|java\.nio\.file\.AccessDeniedException/i,
    title: {
      en: 'the process may not do something on its system (permission denied)',
      zh: '进程权限不足（permission denied）',
    },
    cause: {
      en: 'the user of the container does not own the file, or a capability or a port below 1024 is not allowed',
      zh: '容器用户不拥有该文件，或缺少 capability、监听 1024 以下端口',
    },
    checks: [
      {
        en: 'Compare runAsUser and fsGroup with the owner of the path in the quoted line.',
        zh: '核对 runAsUser、fsGroup 与日志中路径的属主。',
      },
    ],
    helps: 'rollback',
    weight: 2,
  },
  {
    id: 'file-not-found',
    pattern: /No such file or directory|\bENOENT\b|FileNotFoundException|FileNotFoundError|cannot stat '/i,
    title: { en: 'a file that it needs does not exist', zh: '所需文件不存在' },
    cause: {
      en: 'it is not in the image, or a volume is not mounted where the program looks',
      zh: '镜像中没有该文件，或卷未挂载到程序读取的位置',
    },
    checks: [
      {
        en: "Compare the path in the quoted line with the container's volume mounts.",
        zh: '核对日志中的路径与容器的卷挂载。',
      },
    ],
    helps: 'rollback',
    weight: 2,
  },
  {
    id: 'timed-out',
    pattern:
      /i\/o timeout|\bETIMEDOUT\b|context deadline exceeded|connection timed out|connect timed out|read timed out|SocketTimeoutException|DeadlineExceeded|upstream request timeout|timeout exceeded when trying to connect/i,
    title: { en: 'something that it calls does not answer in time', zh: '所调用的对象响应超时' },
    cause: {
      en: 'the other side is slow or unreachable (network policy, firewall), or the time-out is too short',
      zh: '对端缓慢或不可达（NetworkPolicy、防火墙），或超时时间过短',
    },
    checks: [
      {
        en: 'Check the address in the quoted line: can it be reached, how long does it take?',
        zh: '检查日志中的地址是否可达以及耗时。',
      },
    ],
    helps: 'nothing',
    weight: 2,
    transient: true,
    settings: ADDRESS_SETTINGS,
  },
  {
    id: 'nil-pointer',
    pattern: /invalid memory address or nil pointer dereference/,
    title: { en: 'the Go program dereferences a nil pointer', zh: 'Go 程序空指针解引用' },
    cause: { en: 'a fault in the program', zh: '程序缺陷' },
    checks: [{ en: 'Read the stack trace that follows the quoted line.', zh: '查看该行之后的调用栈。' }],
    helps: 'rollback',
    weight: 2,
  },
  {
    id: 'segmentation-fault',
    pattern: /segmentation fault|\bSIGSEGV\b|core dumped/i,
    title: { en: 'the process broke with a segmentation fault', zh: '进程发生段错误' },
    cause: { en: 'a fault in the program or in a native library', zh: '程序或本地库的缺陷' },
    checks: [
      { en: 'Compare the version with the one before; look for a core dump.', zh: '对比上一版本，查找 core dump。' },
    ],
    helps: 'rollback',
    weight: 2,
  },
  {
    id: 'java-null-pointer',
    pattern: /java\.lang\.NullPointerException/,
    title: { en: 'the Java program fails with a NullPointerException', zh: 'Java 程序抛出 NullPointerException' },
    cause: {
      en: 'a fault in the program, or data or settings that it does not expect',
      zh: '程序缺陷，或存在未预期的数据或配置',
    },
    checks: [
      {
        en: 'Read the stack trace: the first line of the program’s own package.',
        zh: '查看调用栈中程序自身包的第一行。',
      },
    ],
    helps: 'rollback',
    weight: 1,
  },
  {
    id: 'node-unhandled',
    pattern:
      /unhandled ?(?:promise )?rejection|UnhandledPromiseRejection|ERR_UNHANDLED_REJECTION|Uncaught (?:Exception|\w{0,30}Error)/i,
    title: { en: 'an error was not handled by the program', zh: '程序存在未处理的异常' },
    cause: { en: 'the error in the lines around the quoted one', zh: '见该行前后的错误信息' },
    checks: [{ en: 'Read the lines around the quoted one.', zh: '查看该行前后的日志。' }],
    helps: 'rollback',
    weight: 1,
  },
  {
    id: 'panic',
    pattern: /^panic: |\bgoroutine \d+ \[running\]|^thread '[^'\n]{0,60}' panicked at|kernel panic/i,
    title: { en: 'the program panicked', zh: '程序发生 panic' },
    cause: { en: 'a fault in the program, or a condition it does not handle', zh: '程序缺陷，或存在未处理的情况' },
    checks: [{ en: 'Read the message and the stack trace of the panic.', zh: '查看 panic 的消息与调用栈。' }],
    helps: 'rollback',
    weight: 1,
  },
  {
    id: 'traceback',
    pattern:
      /^Traceback \(most recent call last\)|Exception in thread "main"|Application run failed|APPLICATION FAILED TO START/,
    title: { en: 'the program stopped with an exception', zh: '程序因异常退出' },
    cause: { en: 'the error that the trace ends with', zh: '见异常信息末尾' },
    checks: [{ en: 'Read the whole trace.', zh: '查看完整的异常信息。' }],
    helps: 'rollback',
    weight: 1,
  },
];

import type { LogSignature } from './signature.js';

const ADDRESS_SETTINGS = /host|addr|url|uri|endpoint|broker|server|port$/i;

/** Names, certificates, connections, and who may call. DATA: one entry a meaning. */
export const NETWORK_SIGNATURES: readonly LogSignature[] = [
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
];

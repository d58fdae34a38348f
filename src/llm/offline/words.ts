/** Word lists of the offline planner, English and Chinese. Data only. */

/** Kind of a Kubernetes object (singular, as kubectl takes it) → what people call it, besides the kind itself and its plural. */
const KIND_WORDS: Readonly<Record<string, readonly string[]>> = {
  pod: ['po', '容器组'],
  deployment: ['deploy', '部署', '无状态应用'],
  statefulset: ['sts', '有状态应用', '有状态集'],
  daemonset: ['ds', '守护进程集'],
  replicaset: ['rs', '副本集'],
  replicationcontroller: ['rc'],
  service: ['svc', '服务'],
  node: ['节点'],
  namespace: ['命名空间', '名称空间'],
  ingress: ['ingresses', 'ing'],
  configmap: ['cm', 'config map', 'config maps', '配置映射', '配置字典'],
  secret: ['密钥'],
  job: ['任务'],
  cronjob: ['cron job', 'cron jobs', 'cj', '定时任务'],
  persistentvolumeclaim: ['pvc', 'pvcs', '存储卷声明'],
  persistentvolume: ['pv', 'pvs', '存储卷', '持久卷'],
  event: ['ev', '事件'],
  endpoints: ['endpoint', 'ep'],
  endpointslice: [],
  horizontalpodautoscaler: ['hpa', 'hpas', 'autoscaler', 'autoscalers'],
  poddisruptionbudget: ['pdb', 'pdbs'],
  networkpolicy: ['networkpolicies', 'network policy', 'network policies', 'netpol', '网络策略'],
  serviceaccount: ['sa', 'service account', 'service accounts', '服务账号'],
  storageclass: ['storageclasses', 'sc', '存储类'],
  resourcequota: ['quota', 'quotas', '配额'],
  limitrange: [],
  customresourcedefinition: ['crd', 'crds'],
};

/** Kinds whose objects stand in no namespace. */
export const CLUSTER_KINDS: readonly string[] =
  'namespace node persistentvolume storageclass customresourcedefinition'.split(' ');

const PLURALS: Readonly<Record<string, string>> = {
  ingress: 'ingresses',
  endpoints: 'endpoints',
  networkpolicy: 'networkpolicies',
  storageclass: 'storageclasses',
};

/** The plural of a kind. */
export const pluralOf = (kind: string): string => PLURALS[kind] ?? `${kind}s`;

/** Every word for a kind, in lower case → the kind, singular. */
export const KIND_OF: ReadonlyMap<string, string> = new Map(
  Object.entries(KIND_WORDS).flatMap(([kind, words]) =>
    [kind, pluralOf(kind), ...words].map((word) => [word, kind] as const),
  ),
);

/** Words for one kind. */
export const wordsForKind = (kind: string): string[] =>
  [...KIND_OF].filter(([, k]) => k === kind).map(([word]) => word);

/** Words that only a request about Kubernetes holds. */
export const KUBERNETES_WORDS: readonly string[] =
  'kubectl kubernetes k8s pod pods 容器组 deployment deployments statefulset statefulsets daemonset daemonsets replicaset replicasets cronjob cronjobs 命名空间 namespace'.split(
    ' ',
  );
/** Kinds that mean Kubernetes once an object is named with them; alone the word may be anything. */
export const KUBERNETES_KINDS: readonly string[] = ['service', 'deployment', 'node', 'job', 'ingress'];

/** What people say → what the tools' own ways to ask say; for looks only. */
export const SYNONYMS: readonly (readonly [RegExp, string])[] = [
  [
    /^(?:is|are)\s+(?:the\s+|my\s+|our\s+|this\s+)?(?:whole\s+|entire\s+)?(?:k8s\s+|kubernetes\s+)?clusters?\s+(?:ok|okay|fine|healthy|well|up|down|alive|working|running|available|reachable|slow)(?=[?.!\s]*$)/gi,
    'what is wrong with the cluster',
  ],
  [
    /^(?:整个|当前)?(?:k8s|kubernetes)?\s*集群\s*(?:是否)?(?:还好|正常|健康|没问题|可用)(?=(?:吗|么)?[?。\s]*$)/gi,
    '集群有问题',
  ],
  [
    /(?<![\w-])(?:what|who|which\s+(?:process|program|service))\s+(?:listens|is\s+listening|runs|is)\s+on\s+(?:the\s+)?(?:tcp\s+|udp\s+)?port(?![\w-])/gi,
    'who listens on port',
  ],
  [
    /(?:谁|什么|哪个进程|什么进程|哪个程序|什么程序)(?:在|正在)?(?:监听|占用)(?:了)?\s*(\d{1,5})\s*(?:号)?端口/g,
    '监听端口 $1',
  ],
  [/(\d{1,5})\s*(?:号)?端口(?:是|在)?被?(?:谁|什么|哪个进程|什么进程|哪个程序)(?:在)?(?:监听|占用)/g, '监听端口 $1'],
  [/端口\s*(\d{1,5})\s*(?:是|在)?被?(?:谁|什么|哪个进程|什么进程|哪个程序)(?:在)?(?:监听|占用)/g, '监听端口 $1'],
  [/(?<![\w-])warnings(?![\w-])(?!\s+events?)/gi, 'warning events'],
  [/警告(?!事件|event)/g, '警告事件'],
  [/(?:没有?|未|尚未)(?:就绪|ready|准备好)/gi, '异常'],
  [/(?<!docker\s*|容器\s*)(?:有|出了?)(?:什么|哪些|啥)(?:问题|异常|故障|毛病)/gi, '有问题'],
  [
    /^(?:please\s+)?(?:(?:show|check|get)\s+)?(?:the\s+)?(?:status of (?:the\s+|all\s+)*nodes?|nodes?\s+status)(?=[?.!\s]*$)/gi,
    'list nodes',
  ],
  [/(?<![\w-])which\s+(cron ?jobs?|jobs?)\s+(?:have\s+|has\s+|are\s+)?(?:failed|failing|fail)(?![\w-])/gi, 'list $1'],
  [/哪些\s*(?:定时任务|cronjob)\s*(?:失败|出错)了?/gi, '查看cronjob'],
  [
    /哪些\s*(?:抓取|采集|监控)?目标\s*(?:都|已经?)?(?:挂掉?了?|宕机?了?|down掉?了?|异常了?|失败了?|不正常|不健康)/gi,
    '哪些目标挂了',
  ],
  [/哪些\s*(?:抓取|采集|监控)目标\s*(?=不可用)/g, '哪些目标'],
  [/哪些\s*(?:任务|job)\s*(?:失败|出错)了?/gi, '查看job'],
];

const list = (text: string): string[] => text.trim().split(/\s+/);

const POD_FAULTS =
  '(?:crash(?:ing|ed)?|crash-?loop(?:ing|backoff)?|restart(?:ing|ed|s)?|(?:not|never)\\s+(?:yet\\s+)?(?:ready|running|healthy|starting)|unready|unhealthy|failing|failed|pending|broken|down|stuck|evicted|oom-?killed|in\\s+trouble)';
const POD_FAULTS_ZH =
  '(?:异常|重启|崩溃|挂掉?了?|失败|有问题|出问题|不正常|不健康|不可用|起不来|没就绪|未就绪|pending)';
/** Asks for pods of a state, of no one name: where no namespace is said, all pods answer it, each with its state. */
export const POD_LISTS: readonly RegExp[] = [
  new RegExp(
    `(?<![\\w-])(?:which|what)\\s+(?:of\\s+the\\s+)?pods\\s+(?:(?:are|were|is|have|had|been|keep|kept|on|still|currently|now|always)\\s+)*${POD_FAULTS}(?![\\w-])`,
    'gi',
  ),
  new RegExp(`(?<![\\w-])(?:are\\s+there\\s+)?any\\s+pods\\s+(?:that\\s+are\\s+)?${POD_FAULTS}(?![\\w-])`, 'gi'),
  new RegExp(`(?<![\\w-])are\\s+(?:any|all)\\s+pods\\s+(?:ready|running|healthy|ok|${POD_FAULTS})(?![\\w-])`, 'gi'),
  new RegExp(`(?<![\\w-])(?:list|show|get)\\s+(?:me\\s+)?(?:the\\s+|all\\s+)*${POD_FAULTS}\\s+pods(?![\\w-])`, 'gi'),
  /^(?:show\s+)?(?:the\s+)?(?:pods?\s+status|status\s+of\s+(?:the\s+|all\s+)*pods)(?=[?.!\s]*$)/gi,
  new RegExp(
    `(?:有|查看|看看|列出)?哪些\\s*(?:pods?|容器组)\\s*(?:都|还|在|正在|一直|总是|老是|反复|不断|频繁|最近|处于|状态|已经)*\\s*${POD_FAULTS_ZH}(?:过|了|状态)*`,
    'gi',
  ),
];
/** Kinds whose lists of no namespace are lists of all. */
export const LISTED_EVERYWHERE: readonly string[] = list('pods deployments events');

/** Programs that run on a machine itself, nearly always. */
export const DAEMONS: readonly string[] = list(`
  cron crond cronie anacron atd sshd ssh rsyslog rsyslogd syslog-ng systemd-journald journald systemd-resolved systemd-networkd
  systemd-timesyncd systemd-logind chronyd chrony ntpd ntp dbus udev udevd polkit auditd firewalld ufw fail2ban networkmanager
  kubelet containerd dockerd crio snapd cups postfix logrotate unattended-upgrades irqbalance getty
`);
/** Others that people ask about beside what a machine has. */
export const PROGRAMS: readonly string[] = list(`
  nginx httpd apache apache2 haproxy mysql mysqld mariadb postgres postgresql redis redis-server java node php-fpm docker
`);

/** English words that are no object's name, unless quoted. Kinds and verbs of the tools come on top. */
export const STOP_WORDS: readonly string[] = list(`
  a an the my our your his her their its it this that these those he she they we i you me us them
  all any each every both some none everything anything something nothing one two other others another same such
  and or but nor so then than if when while unless until once because as of in on at to for from by with without within
  into onto over under about after before during between across out up down off
  is are was were be been being am do does did done doing has have had having can could will would shall should may might must
  not no never yes ok okay please kindly thanks thank hello hi hey now again just only really still currently immediately
  today tomorrow tonight yesterday later soon ago asap
  why what which who whom whose how where whether there here
  problem problems issue issues error errors failure failures reason reasons cause causes root wrong matter help trouble
  broken failing failed fails fail crash crashes crashed crashing restart restarts restarting restarted pending running
  ready unready healthy unhealthy unavailable available unreachable slow stuck bad good dead alive working work works
  cluster clusters context environment env production prod staging replica replicas instance instances container containers
  app apps application applications system object objects resource resources thing things stuff
  log logs event events status state states detail details usage cpu memory history revision revisions version versions label labels
  list get show give tell look see view check describe explain find diagnose investigate troubleshoot debug analyse analyze inspect
  delete remove destroy kill scale drain cordon uncordon evict roll rollback rollout undo apply run exec execute create update
  change stop start reboot edit patch set try make let want need like know go going happen happened happening keep keeps got
  last latest recent past previous current new old more less most least many much few first next default safe
  minute minutes hour hours day days second seconds line lines time times hash name names named called
  warning warnings top alert alerts via using use used per vs also too very since ever yet
`);

/** Words between the parts of a phrase that change nothing, in a question or a look. */
export const READ_FILLERS: readonly string[] = list(`
  the a an my our this that these those me us all please just of for please now current recent latest
  一下 这个 那个 该 我的 我们的 的 所有 全部 当前 最近 最新 下 请 帮我 里 里面 中 上 是 都 了 在 吧 看看
`);

/** The same inside an order: nothing that could widen it. */
export const ORDER_FILLERS: readonly string[] = list('the our my please 一下 这个');

/** What may stand before an order. */
export const ORDER_OPENINGS: readonly string[] = [
  ...list(
    'kubectl please kindly now just ok okay hi hello hey immediately 请 请你 帮我 帮忙 麻烦 麻烦你 给我 现在 立即 立刻 马上 直接 好的 你好',
  ),
  'can you',
  'could you',
  'i want you to',
  'i need you to',
  "i'd like you to",
  'go ahead and',
];

/** What may follow an order. */
export const ORDER_ENDINGS: readonly string[] = [
  ...list('please now immediately asap thanks 一下 吧 谢谢 多谢'),
  'right now',
  'for me',
  'thank you',
];

/** A part of a request that is nothing but these asks for nothing more, before an order or after it. */
export const POLITE_ALONE: readonly string[] = [
  ...list(
    'please kindly thanks cheers hi hello hey 请 谢谢 谢谢你 谢谢您 谢谢了 谢谢啦 多谢 感谢 非常感谢 拜托 拜托了 麻烦 麻烦你 麻烦您 麻烦了 麻烦你了 辛苦了 劳驾 帮忙 帮个忙 你好 您好',
  ),
  ...['thank you', 'thank you very much', 'many thanks', 'thanks a lot', 'hi there', 'hello there', 'hey there'],
  ...['good morning', 'good afternoon', 'good evening'],
];
/** Behind an order these would ask. */
export const BEFORE_ALONE: readonly string[] = list('ok okay 好的 好');
export const AFTER_ALONE: readonly string[] = [
  ...list('now immediately asap 现在 马上 立刻 立即'),
  'right now',
  'for me',
];

/** What is said of an object that does not work, now and without more; patterns. */
export const FAULTS_EN =
  "(?:(?:is|are)\\s+(?:(?:now|still|currently|again)\\s+)?(?:down|crashing|crash-?looping|unhealthy|unavailable|unreachable|unresponsive|failing|broken|stuck|hanging|hung|dead|slow|restarting)|(?:is\\s+not|are\\s+not|isn't|aren't)\\s+(?:working|responding|ready|running|available|healthy|starting|reachable)|(?:does\\s+not|doesn't)\\s+(?:work|respond|start)|keeps?\\s+(?:on\\s+)?(?:crashing|restarting|failing)|(?:has\\s+)?crashed)(?:\\s+(?:again|now))?";
export const FAULTS_ZH =
  '(?:已经|现在|目前|又|突然|一直|总是|老是|反复|不断|持续|在|都)*(?:不可用|挂掉?了?|崩溃|宕机|异常|故障|出问题|有问题|不健康|不正常|不响应|不工作|不通|没有?响应|没有?反应|起不来|打不开|访问不了|连不上|很慢|卡住|卡死|报错|(?<=一直|总是|老是|反复|不断|持续|在)重启)了?';

/** Common words that are also names of containers; directly behind the word container they are one. */
export const CONTAINER_NAMES: readonly string[] = list(`
  app apps application node log job env event service secret system cluster instance label version
  first last second next one two other another top new old current latest recent default safe
  running healthy ok okay ready pending broken slow stuck dead alive available unhealthy good bad working
`);
/** Those that can be nothing else in an order, where a wrong guess changes something. The others need quotes there. */
export const ORDERED_CONTAINER_NAMES: readonly string[] = list('app application node');

/** States and questions that are written with a negation but forbid nothing. */
export const NEGATIVE_STATES: readonly RegExp[] = [
  /\bnot (?:yet )?(?:working|ready|responding|starting|running|available|healthy|reachable|coming up|serving)\b/gi,
  /\b(?:isn't|aren't|is not|are not|does not|doesn't|can't|cannot) (?:yet )?(?:working|ready|responding|respond|work|start|starting|available|healthy|reachable|be reached)\b/gi,
  /不可用|不可调度|不正常|不健康|不响应|不工作|不通|不稳定|起不来|打不开|访问不了|连不上|没有响应|没响应|没有反应/g,
  /能不能|要不要|可不可以|会不会|该不该|应不应该|是不是|有没有/g,
];

/** Each of these in a request means: no change now. */
export const NEGATIONS: readonly RegExp[] = [
  /(?<![\w-])(?:not|never|no|none|without|avoid|avoiding|except|instead|rather|cannot|dont|forbid|forbidden|refuse|prevent|cancel|abort)(?![\w-])|n't\b/i,
  /不|(?<![级分特区类个])别|勿|禁止|无需|无须|没|未|除了|避免|拒绝|取消(?!隔离)|停止(?!调度)|撤销/,
];
export const CONDITIONS: readonly RegExp[] = [
  /(?<![\w-])(?:if|when|whenever|unless|until|once|after|before|case|maybe|perhaps|might|later|tomorrow|tonight|then|while|every|only|assuming|provided|hypothetically|suppose|imagine|pretend)(?![\w-])/i,
  /如果|若|要是|假如|假设|的话|除非|万一|之后|以后|之前|等到|等一下|等会|必要时|可能|也许|或许|明天|今晚|稍后|待会|晚点|然后|再|只有|定期|每天|每次/,
];
export const QUESTIONS: readonly RegExp[] = [
  /^\W*(?:how|why|what|which|who|where|when|should|shall|is|are|was|were|do|does|did|has|have|can i|can we|could i|could we|may i|must|would it|would this)(?![\w-])/i,
  /(?<![\w-])(?:should i|should we|how do|how to|how can|what happens|what if|is it|wonder|wondering|whether)(?![\w-])/i,
  /吗|什么|怎么|怎样|如何|是否|要不要|该不该|应不应该|能不能|可不可以|会不会|有没有|为何|呢|哪/,
];

/** Asking for an order politely; a question mark after it asks nothing. */
export const POLITE_REQUEST = /^\W*(?:please\s+)?(?:can|could) you(?![\w-])/i;

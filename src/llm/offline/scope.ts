import { ANY_NAME_PATTERN, anyOf, KIND_PATTERN, NAME_PATTERN, NAMESPACE_MARK, SCOPE_MARK, unquote } from './names.js';
import { READ_FILLERS } from './words.js';

/** Something that a request says besides the object: a value for the parameter of that name. */
export interface Stated {
  readonly param: string;
  readonly value: string | number | boolean;
  /** True when the words only suggest it (`in shop`, `the production environment`): good enough to look, not to change. */
  readonly implied: boolean;
  /** The request ends with `in NAME`, the very name: firm enough for a change that is otherwise plain. */
  readonly bare?: boolean;
}

export interface Scope {
  /** The request with a mark in place of each thing stated. */
  readonly masked: string;
  readonly stated: readonly Stated[];
  /** A cluster or context that the request names; the planner cannot change it. */
  readonly cluster?: string;
}

const NAME = `(${ANY_NAME_PATTERN})`;
// After `namespace` even a word like `default` or `production` is a name; only these are not.
const NOT_A_NAMESPACE = `(?!${anyOf([...READ_FILLERS.filter((w) => /^\w+$/.test(w)), 'is', 'are', 'has', 'and', 'or', 'to', 'it', 'that', 'which', 'each', 'every', 'any', 'same', 'other', 'another', 'delete', 'remove', 'restart', 'diagnose', 'list', 'show', 'get', 'describe', 'check', 'in', 'from', 'with', 'if', 'when', 'where', 'called', 'named', 'pods', 'events', 'name'])})`;
const NAMESPACE = `("${'[a-z0-9][a-z0-9-]*'}"|'[a-z0-9][a-z0-9-]*'|${NOT_A_NAMESPACE}(?<![\\w./-])[a-z0-9][a-z0-9-]*(?![\\w/-]))`;
// Containers are often called `app` or `log`.
const CONTAINER = `(?!(?:logs?|status|events?|restarts?|crash\\w*|fail\\w*|keeps|exited)(?![\\w-]))${NAMESPACE}`;
/** `restart it in parallel`: these are no places. */
const NO_PLACE = `(?!(?:parallel|sequence|series|order|turn|full|place|time|total|advance|general|particular|case|fact|short|detail|background|foreground|peace|maintenance|trouble|debug|dry-run|one|bulk|batches|rotation|half|secret|line|sync|use|january|february|march|april|may|june|july|august|september|october|november|december|spring|summer|autumn|winter|morning|afternoon|evening|night)(?![\\w-]))`;
const IN = '(?:(?<![\\w-])(?:in|from|of|for|within|on|inside)\\s+)';
const ZH_NAMESPACE = '(?:命名空间|名称空间|名字空间)';
/** Not the first half of another word: 内存, 下线, 中断. */
const ZH_PLACE = '\\s*(?:里面?|中(?![断止午])|下面|下(?![线载游降午次])|内(?![存核容部])|上(?![线次传游升]))';
const ZH_IN = `(?:${ZH_PLACE})?的?`;

interface Rule {
  readonly pattern: string;
  readonly param: string;
  /** From the match's first groups. */
  readonly value?: (groups: readonly (string | undefined)[]) => Stated['value'];
  readonly implied?: boolean;
  readonly bare?: boolean;
  readonly mark?: string;
}

const text = ([first]: readonly (string | undefined)[]): string => unquote(first ?? '');

const UNITS: Readonly<Record<string, string>> = { s: 's', 秒: 's', m: 'm', 分: 'm', h: 'h', 小: 'h', d: 'd', 天: 'd' };

/** kubectl knows s, m and h. */
function duration([count, unit]: readonly (string | undefined)[]): string {
  const letter = UNITS[(unit ?? '').slice(0, 1).toLowerCase()] ?? 'm';
  const number = Number(count ?? 1);
  return letter === 'd' ? `${number * 24}h` : `${number}${letter}`;
}

const ENVIRONMENTS: Readonly<Record<string, string>> = {
  production: 'production',
  prod: 'production',
  生产: 'production',
  线上: 'production',
  正式: 'production',
  staging: 'staging',
  预发: 'staging',
  预发布: 'staging',
  test: 'test',
  testing: 'test',
  测试: 'test',
  dev: 'dev',
  development: 'dev',
  开发: 'dev',
};
const environment = ([first]: readonly (string | undefined)[]): string =>
  ENVIRONMENTS[(first ?? '').toLowerCase()] ?? '';

// In this order: a rule must not see what an earlier one took.
const RULES: readonly Rule[] = [
  {
    param: 'cluster',
    pattern: `(?:--context[= ]|(?:in|on|to|use|using)\\s+(?:the\\s+)?(?:cluster|context)\\s+)${NAME}`,
    value: text,
  },
  {
    param: 'cluster',
    pattern: `(?:in|on|to)\\s+(?:the\\s+)?((?!(?:the|this|my|our|a|whole|entire)\\s)[\\w.-]+)\\s+(?:cluster|context)(?![\\w-])`,
    value: text,
  },
  {
    param: 'cluster',
    pattern: `在\\s*${NAME}\\s*(?:集群|上下文)|(?:集群|上下文)\\s*${NAME}`,
    value: (g) => text([g[0] ?? g[1]]),
  },
  { param: 'cluster', pattern: `${NAME}\\s*集群(?:上|里|中|内)?的(?=\\s*["a-z0-9])`, value: text },
  {
    param: 'all_namespaces',
    pattern: `${IN}?(?:across\\s+)?(?:all|every|any)\\s+(?:the\\s+)?namespaces?(?![\\w-])|--all-namespaces|(?<![\\w-])-A(?![\\w-])|(?<![\\w-])cluster[- ]wide(?![\\w-])|(?:across|in|of)\\s+the\\s+(?:whole|entire)\\s+cluster`,
  },
  {
    param: 'all_namespaces',
    pattern: `(?:在)?(?:所有|全部|各个|每个)(?:的)?${ZH_NAMESPACE}${ZH_IN}|(?:在)?(?:全|整个)集群${ZH_IN}`,
  },
  { param: 'namespace', pattern: `(?:(?<![\\w-])-n[ =]|--namespace[ =])\\s*${NAMESPACE}`, value: text },
  { param: 'namespace', pattern: `${IN}(?:the\\s+)?(?:namespace|ns)\\s*[:=]?\\s*${NAMESPACE}`, value: text },
  { param: 'namespace', pattern: `${IN}(?:the\\s+)?${NAMESPACE}\\s+(?:namespace|ns)(?![\\w-])`, value: text },
  {
    param: 'namespace',
    pattern: `(?<![\\w-])(?:namespace|ns)\\s*[:=/]?\\s*${NAMESPACE}`,
    value: text,
    mark: NAMESPACE_MARK,
  },
  { param: 'namespace', pattern: `${NAMESPACE}\\s+(?:namespace|ns)(?![\\w-])`, value: text, mark: NAMESPACE_MARK },
  {
    param: 'namespace',
    pattern: `(?:在|位于)\\s*${NAMESPACE}\\s*(?:这个|那个)?${ZH_NAMESPACE}${ZH_IN}|(?:在|位于)\\s*${ZH_NAMESPACE}\\s*[:为]?\\s*${NAMESPACE}${ZH_IN}|${NAMESPACE}\\s*(?:这个|那个)?${ZH_NAMESPACE}(?:${ZH_PLACE}的?|的)|${ZH_NAMESPACE}\\s*[:为]?\\s*${NAMESPACE}(?:${ZH_PLACE}的?|的)`,
    value: (g) => text([g.find((x) => x !== undefined)]),
  },
  {
    param: 'namespace',
    pattern: `${NAMESPACE}\\s*(?:这个|那个)?${ZH_NAMESPACE}|${ZH_NAMESPACE}\\s*[:为]?\\s*${NAMESPACE}`,
    value: (g) => text([g[0] ?? g[1]]),
    mark: NAMESPACE_MARK,
  },
  // At the very end, and said as it is: `prod` would have to be read as another name.
  {
    param: 'namespace',
    pattern: `(?<![\\w-])in\\s+${NO_PLACE}(production|staging|default|(?=[a-z])${NAME_PATTERN})(?=\\s*(?:(?:please|now|asap|thanks)\\s*)?[.!]*\\s*$)`,
    value: text,
    implied: true,
    bare: true,
  },
  {
    param: 'namespace',
    pattern: `${IN}?(?:the\\s+|our\\s+)?(production|prod|staging|testing|test|development|dev)\\s+(?:environment|env)(?![\\w-])|${IN}?(?<![\\w-])(production|prod|staging)(?![\\w-])`,
    value: (g) => environment([g[0] ?? g[1]]),
    implied: true,
  },
  {
    param: 'namespace',
    pattern: '(?:在)?(?:(生产|正式|预发布?|测试|开发)环境|(线上)(?:环境)?)(?:里面?|中|下|内|上)?的?',
    value: (g) => environment([g[0] ?? g[1]]),
    implied: true,
  },
  {
    param: 'container',
    pattern: `(?:(?:in|of|from)\\s+(?:the\\s+)?)?(?<![\\w-])container\\s*[:=]?\\s*${CONTAINER}|(?<![\\w-])-c\\s+${NAME}|(?:in|of|from)\\s+(?:the\\s+)?((?!(?:the|this|all|each|every|which)\\s)[a-z0-9-]+)\\s+container(?![\\w-])`,
    value: (g) => text([g.find((x) => x !== undefined)]),
  },
  {
    param: 'all_containers',
    pattern: '(?:(?:of|from|in)\\s+)?all\\s+(?:the\\s+)?containers(?![\\w-])|所有容器(?!组)的?',
  },
  {
    param: 'container',
    pattern: `容器(?!组)\\s*${NAME}的?|${NAME}\\s*容器(?!组)的?`,
    value: (g) => text([g[0] ?? g[1]]),
  },
  {
    param: 'tail',
    pattern:
      '(?:the\\s+)?(?:last|latest|final)\\s+(\\d{1,5})\\s+(?:lines?)(?:\\s+of)?|--tail[= ](\\d{1,5})|(?:最后|最近|最新|末尾)的?\\s*(\\d{1,5})\\s*行的?',
    value: (g) => Number(g.find((x) => x !== undefined)),
  },
  {
    param: 'since',
    pattern:
      '(?:(?:in|for|over|from|within|of)\\s+)?(?:the\\s+)?(?:last|past)\\s+(\\d{1,4}\\s*)?(seconds?|secs?|minutes?|mins?|hours?|days?|h|m|s|d)(?![\\w-])',
    value: duration,
  },
  { param: 'since', pattern: '(?:--since[= ]|(?<![\\w-])since\\s+)(\\d{1,4})\\s*([smhd])(?![\\w-])', value: duration },
  {
    param: 'since',
    pattern: '(?:最近|过去|近)的?\\s*(\\d{1,4})?\\s*个?(秒|分钟|小时|天)(?:以内|之内|内|里)?的?',
    value: duration,
  },
  {
    param: 'previous',
    pattern:
      "(?:the\\s+)?(?<![\\w-])previous(?:ly)?(?:\\s+(?:container|instance|run))?(?=(?:'s)?\\s+logs?)|--previous|(?:上一次|上次|前一次|之前)(?:运行|容器|实例)?的?(?=日志)|(?:重启|崩溃)前的?",
  },
  {
    param: 'label_selector',
    pattern:
      '(?:with\\s+)?(?:the\\s+)?(?:labels?|selector|标签)\\s*[:=]?\\s*([a-z0-9][\\w./-]*=[\\w.-]+(?:,[a-z0-9][\\w./-]*=[\\w.-]+)*)的?|(?<![\\w-])-l\\s+([a-z0-9][\\w./-]*=[\\w.-]+)',
    value: (g) => g[0] ?? g[1] ?? '',
  },
  {
    param: 'namespace',
    pattern: `(?:在\\s*)?(?<!(?:${KIND_PATTERN})\\s*)${NAME}\\s*(?:里面?|下面?|中|内)的?`,
    value: text,
    implied: true,
  },
  // Last: `in shop` at the end of a part. A place, very likely a namespace; nobody said so.
  {
    param: 'namespace',
    pattern: `(?<![\\w-])(?:in|from)\\s+(${NAME_PATTERN})(?=\\s*(?:$|[,.;!?\\n]|please|now))`,
    value: text,
    implied: true,
  },
];

const COMPILED = RULES.map((rule) => ({ ...rule, regexp: new RegExp(rule.pattern, 'gi') }));

/**
 * Takes out of a request what it says besides the object: namespace, container, time and the like. What is said for the
 * parameters in `leave` stays in the text.
 */
export function readScope(request: string, leave: readonly string[] = []): Scope {
  const stated: Stated[] = [];
  let masked = request;
  for (const { regexp, param, value, implied = false, bare = false, mark = SCOPE_MARK } of COMPILED) {
    if (leave.includes(param)) continue;
    masked = masked.replaceAll(regexp, (...found: unknown[]) => {
      const groups = found
        .slice(
          1,
          found.findIndex((x) => typeof x === 'number'),
        )
        .map((g) => (typeof g === 'string' ? g : undefined));
      stated.push({ param, value: value ? value(groups) : true, implied, ...(bare && { bare }) });
      return ` ${mark} `;
    });
  }
  const cluster = stated.find((s) => s.param === 'cluster');
  return {
    masked: masked.replaceAll(/ +/g, ' ').trim(),
    stated: unique(stated.filter((s) => s.param !== 'cluster')),
    ...(cluster && { cluster: String(cluster.value) }),
  };
}

/** The same thing said twice counts once; the firmer words win. */
const unique = (stated: readonly Stated[]): Stated[] =>
  stated.filter((s, i) => {
    const same = (other: Stated): boolean => other.param === s.param && other.value === s.value;
    const firmer = stated.some((other) => same(other) && s.implied && !other.implied);
    return !firmer && stated.findIndex((other) => same(other) && other.implied === s.implied) === i;
  });

import type { LogSignature } from './signature.js';

const ADDRESS_SETTINGS = /host|addr|url|uri|endpoint|broker|server|port$/i;

/** Configuration, and how a program broke. DATA: one entry a meaning. */
export const PROGRAM_SIGNATURES: readonly LogSignature[] = [
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

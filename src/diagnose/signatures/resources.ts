import type { LogSignature } from './signature.js';

const MEMORY_SETTINGS = /xmx|heap|java_(?:tool_)?opt|node_options|gomemlimit|memory/i;

/** Memory, disk, files, ports, and programs that are not there. DATA: one entry a meaning. */
export const RESOURCE_SIGNATURES: readonly LogSignature[] = [
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
];

import type { Text } from '../types.js';

/** Evidence, exit codes, details and causes of findings. DATA. */
export const DETAILS = {
  // Evidence that is put together here, and where it stands
  'quote.state': { en: '{state}, restarts: {count}', zh: '{state}，重启次数：{count}' },
  'quote.state-ended': {
    en: '{state}, last end: {reason}, exit code {code}, restarts: {count}',
    zh: '{state}，上次结束：{reason}，退出码 {code}，重启次数：{count}',
  },
  'quote.unready': { en: 'running since {age}, ready: false', zh: '已运行 {age}，未就绪（ready: false）' },
  'quote.counts': { en: 'wanted: {wanted}, ready: {ready}', zh: '期望：{wanted}，就绪：{ready}' },
  'quote.no-addresses': { en: 'no ready addresses', zh: '没有就绪的地址' },
  'where.log': { en: '{pod} log of {container}', zh: '{pod} 中 {container} 的日志' },
  'where.previous-log': {
    en: '{pod} log of {container} (previous run)',
    zh: '{pod} 中 {container} 的日志，上一次运行',
  },
  'where.termination': { en: '{pod} {field} termination message', zh: '{pod} {field} 的终止消息' },
  'where.event': { en: '{object} event {reason}', zh: '{object} 的事件 {reason}' },

  // Exit codes
  'exit.0': {
    en: 'exit code 0: the program ended by itself without an error, and is restarted because the restart policy says so',
    zh: '退出码 0：程序正常结束，但重启策略要求再次启动',
  },
  'exit.1': { en: 'exit code 1: the program reported an error', zh: '退出码 1：程序报告了错误' },
  'exit.2': {
    en: 'exit code 2: wrong use of a command, or a Go panic',
    zh: '退出码 2：命令用法错误，或 Go 程序 panic',
  },
  'exit.126': { en: 'exit code 126: the command cannot be executed', zh: '退出码 126：命令无法执行' },
  'exit.127': { en: 'exit code 127: the command was not found', zh: '退出码 127：找不到命令' },
  'exit.128': { en: 'exit code 128: the container could not be started', zh: '退出码 128：容器未能启动' },
  'exit.signal': { en: 'exit code {code}: ended by signal {signal}', zh: '退出码 {code}：被信号 {signal} 终止' },
  'exit.other': { en: 'exit code {code}', zh: '退出码 {code}' },

  // Details
  'detail.restarts': { en: '{count} restarts; {exit}.', zh: '已重启 {count} 次；{exit}。' },
  'detail.no-log': {
    en: 'The log of the run that ended was not read, so the cause is unknown.',
    zh: '未读取到已结束那次运行的日志，原因未知。',
  },
  'detail.empty-log': {
    en: 'The log of the run that ended is empty, so the cause is unknown.',
    zh: '已结束那次运行的日志为空，原因未知。',
  },
  'detail.joined': {
    en: 'Others of its pods that ended in the same way, and whose logs were not read: {count}.',
    zh: '另有 {count} 个同属 Pod 以同样方式结束，但未读取其日志。',
  },
  'detail.no-signature': {
    en: 'No known failure was recognised in the log; its last error line is quoted. The cause is unknown.',
    zh: '日志中没有识别出已知故障；已引用最后一条错误。原因未知。',
  },
  'detail.no-error-line': {
    en: 'The log of the run that ended holds no error line, so the cause is unknown.',
    zh: '已结束那次运行的日志中没有错误行，原因未知。',
  },
  'detail.log-signature': { en: 'The last serious line of its log says so.', zh: '其日志中最后一条严重错误如此表明。' },
  'detail.older-revision': {
    en: 'Pods of revision {old} of the same workload are ready: the fault came with the new revision.',
    zh: '同一工作负载的旧版本 {old} 的 Pod 正常就绪：故障随新版本出现。',
  },
  'detail.oom': {
    en: 'The kernel killed the container at its memory limit. Whether it leaks or needs more cannot be told from this.',
    zh: '内核在容器达到内存限制时将其杀死。无法据此区分是内存泄漏还是确实需要更多内存。',
  },
  'detail.oom-node': {
    en: 'No limit of its own was reached, so its node most likely ran out of memory. Which program used it up cannot be told from this.',
    zh: '容器没有自己的限制可超过，因此很可能是所在节点的内存耗尽。无法据此判断是哪个程序耗尽了内存。',
  },
  'detail.restarted': { en: 'The last run ended {age} ago; {exit}.', zh: '上一次运行结束于 {age} 前；{exit}。' },
  'detail.quoted': { en: 'The cluster says so in the quoted line.', zh: '集群在引用的消息中如此说明。' },
  'detail.no-event': { en: 'No event says why; the cause is unknown.', zh: '没有事件说明原因，原因未知。' },
  'detail.probe-unknown': {
    en: 'No probe failure was recorded in the events that were read; the cause is unknown.',
    zh: '已读取的事件中没有探针失败记录，原因未知。',
  },
  'detail.finalizers': { en: 'Finalizers still hold it: {names}.', zh: '仍被 finalizer 占用：{names}。' },
  'detail.kubelet-silent': {
    en: 'It has no finalizers: its node has not confirmed the end.',
    zh: '没有 finalizer：所在节点尚未确认终止。',
  },
  'detail.available': {
    en: '{available} available, {updated} updated.',
    zh: '可用 {available} 个，已更新 {updated} 个。',
  },
  'detail.zero': { en: 'No pods are wanted, so none run.', zh: '期望副本数为 0，因此没有 Pod 运行。' },
  'detail.nearest': { en: 'Selector {selector}. Nearest: {pods}.', zh: '选择器为 {selector}。最接近的：{pods}。' },
  'detail.nearest-pod': { en: 'pod {pod} differs in {differences}', zh: 'Pod {pod} 的差异为 {differences}' },
  'detail.nearest-label': { en: '{key} ({actual} instead of {wanted})', zh: '{key}（实际为 {actual}，期望 {wanted}）' },
  'detail.nearest-absent': { en: '{key} (not set, wanted {wanted})', zh: '{key}（未设置，期望 {wanted}）' },
  'detail.ended-pods': { en: 'They are: {pods}.', zh: '分别是：{pods}。' },
  'detail.no-pods': {
    en: 'Selector {selector}. There are no pods in the namespace.',
    zh: '选择器为 {selector}。该命名空间没有 Pod。',
  },
  'detail.no-near-pods': {
    en: 'Selector {selector}. No pod in the namespace has any of these labels.',
    zh: '选择器为 {selector}。命名空间中没有 Pod 带有其中任何标签。',
  },
  'detail.pods-unseen': {
    en: 'Not all pods of the namespace were read, so whether the selector matches none or the pods are not ready is unknown.',
    zh: '未读取该命名空间的全部 Pod，无法判断是选择器未匹配还是 Pod 未就绪。',
  },
  'detail.declared-ports': { en: 'Declared: {ports}.', zh: '已声明的端口：{ports}。' },
  'detail.port-informational': {
    en: 'A container may listen on a port that it does not declare.',
    zh: '容器也可能监听未声明的端口。',
  },
  'detail.event': { en: 'Last seen {age} ago.', zh: '最近一次在 {age} 前。' },
  'detail.node-pods': {
    en: '{count} pods that were read run there.',
    zh: '已读取的 Pod 中有 {count} 个运行在该节点。',
  },
  'detail.claim-users': { en: 'Used by: {pods}.', zh: '使用者：{pods}。' },
  'detail.none': { en: '', zh: '' },

  // Causes
  'cause.memory': {
    en: 'the program needs more memory than the limit, or leaks',
    zh: '程序所需内存超过限制，或存在内存泄漏',
  },
  'cause.memory-node': {
    en: 'the programs on the node together need more memory than it has, or one of them leaks',
    zh: '节点上的程序所需内存合计超过节点内存，或其中某个存在内存泄漏',
  },
  'cause.requests': {
    en: 'the requests of the pod are larger than what any node has left',
    zh: 'Pod 的资源请求超过任何节点的剩余资源',
  },
  'cause.new-revision': { en: 'the last change of the workload', zh: '工作负载最近一次变更' },
} as const satisfies Readonly<Record<string, Text>>;

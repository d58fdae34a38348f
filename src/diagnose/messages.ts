import type { Text } from './types.js';

/** Every sentence of the diagnosis, in both languages. DATA. `{name}` is filled in; log signatures have their own table. */
export const MESSAGES = {
  // Titles
  'pod.crash': { en: '{subject}: container {container} keeps crashing', zh: '{subject}：容器 {container} 反复崩溃' },
  'pod.crash.because': {
    en: '{subject}: container {container} keeps crashing because {reason}',
    zh: '{subject}：容器 {container} 反复崩溃，原因是{reason}',
  },
  'pod.crash.maybe': {
    en: '{subject}: container {container} keeps crashing, probably because {reason}',
    zh: '{subject}：容器 {container} 反复崩溃，可能的原因是{reason}',
  },
  'pod.exited': {
    en: '{subject}: container {container} ended with exit code {code}',
    zh: '{subject}：容器 {container} 以退出码 {code} 结束',
  },
  'pod.exited.because': {
    en: '{subject}: container {container} ended with exit code {code} because {reason}',
    zh: '{subject}：容器 {container} 以退出码 {code} 结束，原因是{reason}',
  },
  'pod.exited.maybe': {
    en: '{subject}: container {container} ended with exit code {code}, probably because {reason}',
    zh: '{subject}：容器 {container} 以退出码 {code} 结束，可能的原因是{reason}',
  },
  'pod.liveness-killed': {
    en: '{subject}: container {container} is restarted again and again by its liveness or startup probe',
    zh: '{subject}：容器 {container} 被存活/启动探针反复重启',
  },
  'pod.oom': {
    en: '{subject}: container {container} was killed for using more memory than its limit{limit} (OOMKilled)',
    zh: '{subject}：容器 {container} 因内存超过限制{limit}被杀死（OOMKilled）',
  },
  'pod.oom-unlimited': {
    en: '{subject}: container {container}, which has no memory limit, was killed because memory ran out (OOMKilled)',
    zh: '{subject}：容器 {container} 没有设置内存限制，因内存耗尽被杀死（OOMKilled）',
  },
  'pod.restarts': {
    en: '{subject}: container {container} runs now, but restarted {count} times',
    zh: '{subject}：容器 {container} 目前在运行，但已重启 {count} 次',
  },
  'pod.image': {
    en: '{subject}: the image {image} of container {container} cannot be pulled: {reason}',
    zh: '{subject}：容器 {container} 的镜像 {image} 拉取失败：{reason}',
  },
  'pod.invalid-image': {
    en: '{subject}: container {container} has an invalid image name, {image}',
    zh: '{subject}：容器 {container} 的镜像名 {image} 无效',
  },
  'pod.config': {
    en: '{subject}: container {container} cannot be created: {reason}',
    zh: '{subject}：容器 {container} 无法创建：{reason}',
  },
  'pod.start': {
    en: '{subject}: container {container} cannot be started: {reason}',
    zh: '{subject}：容器 {container} 无法启动：{reason}',
  },
  'pod.mount': { en: '{subject} does not start: {reason}', zh: '{subject} 无法启动：{reason}' },
  'pod.creating': {
    en: '{subject} has been in ContainerCreating for {age}',
    zh: '{subject} 停留在 ContainerCreating 已 {age}',
  },
  'pod.unschedulable': { en: '{subject} cannot be scheduled: {reason}', zh: '{subject} 无法调度：{reason}' },
  'pod.gated': {
    en: '{subject} waits for its scheduling gates: {gates}',
    zh: '{subject} 在等待调度门控（scheduling gates）：{gates}',
  },
  'pod.evicted': { en: '{subject} was evicted', zh: '{subject} 被驱逐' },
  'pod.failed': { en: '{subject} failed: {reason}', zh: '{subject} 失败：{reason}' },
  'pod.probe': {
    en: '{subject}: container {container} runs but fails its {probe} probe',
    zh: '{subject}：容器 {container} 在运行，但{probe}探针失败',
  },
  'pod.not-ready': {
    en: '{subject}: container {container} runs but is not ready',
    zh: '{subject}：容器 {container} 在运行但未就绪',
  },
  'pod.gate-condition': {
    en: '{subject}: all containers are ready, but a readiness gate of the pod is not',
    zh: '{subject}：容器均已就绪，但 Pod 的 readiness gate 未满足',
  },
  'pod.init-running': {
    en: '{subject}: init container {container} has been running for {age} and holds up the pod',
    zh: '{subject}：初始化容器 {container} 已运行 {age}，阻塞了 Pod 启动',
  },
  'pod.terminating': {
    en: '{subject} should have ended {age} ago and is still there',
    zh: '{subject} 本应在 {age} 前终止，但仍然存在',
  },
  'pod.node-lost': { en: '{subject}: its node no longer reports ({node})', zh: '{subject}：所在节点失联（{node}）' },
  'deployment.not-ready': {
    en: '{subject}: {ready} of {wanted} pods are ready',
    zh: '{subject}：{wanted} 个 Pod 中 {ready} 个就绪',
  },
  'deployment.stuck': {
    en: '{subject}: the rollout made no progress within its deadline ({ready} of {wanted} pods are ready)',
    zh: '{subject}：发布在期限内没有进展（{wanted} 个 Pod 中 {ready} 个就绪）',
  },
  'workload.cannot-create': {
    en: '{subject} cannot create its pods: {reason}',
    zh: '{subject} 无法创建 Pod：{reason}',
  },
  'deployment.paused': { en: '{subject} is paused: changes are not rolled out', zh: '{subject} 已暂停：变更不会发布' },
  'workload.zero': { en: '{subject} is scaled to 0', zh: '{subject} 的副本数被设为 0' },
  'statefulset.not-ready': {
    en: '{subject}: {ready} of {wanted} pods are ready',
    zh: '{subject}：{wanted} 个 Pod 中 {ready} 个就绪',
  },
  'daemonset.not-ready': {
    en: '{subject}: ready on {ready} of {wanted} nodes',
    zh: '{subject}：{wanted} 个节点中 {ready} 个就绪',
  },
  'job.failed': { en: '{subject} failed ({reason})', zh: '{subject} 失败（{reason}）' },
  'job.suspended': { en: '{subject} is suspended', zh: '{subject} 已挂起' },
  'service.no-match': {
    en: '{subject} has no endpoints: its selector matches no pod',
    zh: '{subject} 没有端点：选择器未匹配到任何 Pod',
  },
  'service.pod-ended': {
    en: '{subject} has no endpoints: its selector matches 1 pod, which has ended or is being deleted',
    zh: '{subject} 没有端点：选择器匹配到 1 个 Pod，但该 Pod 已结束或正在删除',
  },
  'service.pods-ended': {
    en: '{subject} has no endpoints: its selector matches {count} pods, all of them ended or being deleted',
    zh: '{subject} 没有端点：选择器匹配到 {count} 个 Pod，但均已结束或正在删除',
  },
  'service.no-endpoints': { en: '{subject} has no endpoints', zh: '{subject} 没有端点' },
  'service.not-ready': {
    en: '{subject} has no ready endpoint: none of its {count} pods is ready',
    zh: '{subject} 没有就绪端点：其 {count} 个 Pod 均未就绪',
  },
  'service.partly-ready': {
    en: '{subject}: only {ready} of {count} pods behind it are ready',
    zh: '{subject}：后端 {count} 个 Pod 中仅 {ready} 个就绪',
  },
  'service.port-name': {
    en: '{subject} sends port {port} to the named port "{target}", which no container of its pods has',
    zh: '{subject} 的端口 {port} 指向命名端口 “{target}”，但其 Pod 的容器没有该端口',
  },
  'service.port-number': {
    en: '{subject} sends port {port} to container port {target}, which its pods do not declare',
    zh: '{subject} 的端口 {port} 指向容器端口 {target}，但其 Pod 未声明该端口',
  },
  'event.warning': { en: '{subject}: {reason} ({count}×)', zh: '{subject}：{reason}（{count} 次）' },
  'node.not-ready': { en: '{subject} is not ready', zh: '{subject} 未就绪' },
  'node.pressure': { en: '{subject} reports {type}', zh: '{subject} 报告 {type}' },
  'node.cordoned': {
    en: '{subject} is cordoned: no new pods are scheduled there',
    zh: '{subject} 已被隔离（cordon）：不会调度新 Pod',
  },
  'claim.pending': { en: '{subject} is not bound', zh: '{subject} 未绑定' },
  'claim.pending.because': { en: '{subject} is not bound: {reason}', zh: '{subject} 未绑定：{reason}' },
  'claim.lost': { en: '{subject} lost its volume', zh: '{subject} 丢失了对应的卷' },
  subjects: { en: '{count} pods of {owner}', zh: '{owner} 的 {count} 个 Pod' },

  // Reasons inside titles
  'image.not-found': { en: 'the registry does not have it', zh: '仓库中不存在该镜像' },
  'image.not-found-or-private': { en: 'it does not exist, or the pull has no permission', zh: '镜像不存在或无权拉取' },
  'image.unauthorized': { en: 'the registry refuses the credentials', zh: '镜像仓库拒绝凭据（未授权）' },
  'image.rate-limit': { en: 'the registry limits the rate of pulls', zh: '镜像仓库限流' },
  'image.dns': { en: "the registry's name cannot be resolved", zh: '镜像仓库域名无法解析' },
  'image.timeout': { en: 'the registry does not answer in time', zh: '镜像仓库响应超时' },
  'image.refused': { en: 'the registry refuses the connection', zh: '镜像仓库拒绝连接' },
  'image.tls': { en: "the registry's certificate is not trusted", zh: '镜像仓库证书不受信任' },
  'image.architecture': { en: "it is not built for the node's CPU architecture", zh: '镜像不支持该节点的 CPU 架构' },
  'image.disk': { en: 'the node has no disk space left', zh: '节点磁盘空间不足' },
  'image.never': {
    en: 'it is not on the node, and the pull policy is Never',
    zh: '节点上没有该镜像，且拉取策略为 Never',
  },
  'image.unknown': { en: 'the reason is not in what was read', zh: '已读取的内容中没有具体原因' },
  'config.missing-object': { en: '{kind} {name} does not exist', zh: '{kind} {name} 不存在' },
  'config.missing-key': { en: '{kind} {name} has no key {key}', zh: '{kind} {name} 中没有键 {key}' },
  'config.run-as-root': {
    en: 'runAsNonRoot is set, but the image runs as root',
    zh: '设置了 runAsNonRoot，但镜像以 root 运行',
  },
  'config.other': { en: 'see the quoted message', zh: '见引用的消息' },
  'mount.multi-attach': {
    en: 'its volume is still attached to another node',
    zh: '卷仍挂载在其他节点上（Multi-Attach）',
  },
  'mount.attach': { en: 'a volume cannot be attached', zh: '卷无法挂接（attach）' },
  'mount.volume': { en: 'a volume cannot be mounted', zh: '卷无法挂载' },
  'mount.sandbox': { en: 'its network or sandbox cannot be set up', zh: '无法创建 Pod 沙箱/网络' },
  'schedule.cpu': { en: 'too little free CPU', zh: '可用 CPU 不足' },
  'schedule.memory': { en: 'too little free memory', zh: '可用内存不足' },
  'schedule.resource': { en: 'too little {resource}', zh: '{resource} 不足' },
  'schedule.pods': { en: 'the nodes already run their maximum of pods', zh: '节点 Pod 数已达上限' },
  'schedule.taint': { en: 'a taint it does not tolerate{taint}', zh: '存在未容忍的污点{taint}' },
  'schedule.affinity': {
    en: 'no node satisfies its node selector or affinity',
    zh: '没有节点满足其 nodeSelector 或亲和性',
  },
  'schedule.pod-affinity': { en: 'its pod affinity or anti-affinity rules', zh: '不满足 Pod 亲和/反亲和规则' },
  'schedule.spread': { en: 'its topology spread constraints', zh: '不满足拓扑分布约束' },
  'schedule.claim': { en: 'a PersistentVolumeClaim is not bound', zh: 'PersistentVolumeClaim 未绑定' },
  'schedule.claim-missing': {
    en: 'PersistentVolumeClaim {name} does not exist',
    zh: 'PersistentVolumeClaim {name} 不存在',
  },
  'schedule.volume-zone': { en: 'its volume is in another zone', zh: '卷位于其他可用区' },
  'schedule.host-port': { en: 'its host port is taken', zh: '主机端口已被占用' },
  'schedule.cordoned': { en: 'nodes are cordoned', zh: '节点已被隔离（cordon）' },
  'schedule.no-nodes': { en: 'there is no node', zh: '没有可用节点' },
  'schedule.nodes': { en: '{reason} ({nodes} of {total} nodes)', zh: '{reason}（{total} 个节点中的 {nodes} 个）' },
  'schedule.other': { en: 'see the quoted message', zh: '见引用的消息' },
  'create.quota': { en: 'the resource quota {quota} is used up', zh: '资源配额 {quota} 已用尽' },
  'create.quota-unnamed': { en: 'a resource quota of the namespace is used up', zh: '命名空间的资源配额已用尽' },
  'create.security': {
    en: 'the pod security standard of the namespace forbids them',
    zh: '命名空间的 Pod 安全标准禁止创建',
  },
  'create.webhook': { en: 'an admission webhook fails or refuses them', zh: '准入 Webhook 失败或拒绝' },
  'create.service-account': { en: 'their service account does not exist', zh: 'ServiceAccount 不存在' },
  'create.limit-range': { en: 'a LimitRange of the namespace forbids them', zh: '命名空间的 LimitRange 禁止创建' },
  'create.other': { en: 'see the quoted message', zh: '见引用的消息' },
  'claim.no-class': {
    en: 'it names no storage class and there is no default one',
    zh: '未指定 StorageClass 且没有默认的 StorageClass',
  },
  'claim.class-missing': { en: 'its storage class does not exist', zh: '其 StorageClass 不存在' },
  'claim.provision': { en: 'the volume cannot be provisioned', zh: '卷无法供应（provision）' },
  'claim.waiting': { en: 'it waits for a pod that uses it to be scheduled', zh: '等待使用它的 Pod 被调度' },
  'probe.readiness': { en: 'readiness', zh: '就绪' },
  'probe.liveness': { en: 'liveness', zh: '存活' },
  'probe.startup': { en: 'startup', zh: '启动' },

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

  // Steps
  'step.describe': { en: 'Describe {kind} {name}.', zh: '查看 {kind} {name} 的详情。' },
  'step.previous-log': {
    en: 'Read the log of the last run of container {container}.',
    zh: '查看容器 {container} 上一次运行的日志。',
  },
  'step.log': { en: 'Read the log of container {container}.', zh: '查看容器 {container} 的日志。' },
  'step.delete-pod': {
    en: 'Delete the pod, so that its owner starts a new one; this does not remove the cause.',
    zh: '重启 Pod：删除后由其控制器重建；这不会消除根因。',
  },
  'step.rollout-restart': {
    en: 'Restart all pods of {kind} {name}, one after the other; this does not remove the cause.',
    zh: '逐个重启 {kind} {name} 的所有 Pod；这不会消除根因。',
  },
  'step.rollout-undo': {
    en: 'If it came with the last change: go back to the revision before of {kind} {name}.',
    zh: '如果是最近变更引起：将 {kind} {name} 回滚到上一版本。',
  },
  'step.setting': {
    en: '{kind} {name} sets {key}{value}: check it.',
    zh: '{kind} {name} 中设置了 {key}{value}：请检查。',
  },
  'step.setting-env': {
    en: 'The pod template sets {key}{value}: check it.',
    zh: 'Pod 模板中设置了 {key}{value}：请检查。',
  },
  'step.dependency': {
    en: 'The quoted line names service {name}, which has no ready pod: look there first.',
    zh: '日志中提到的服务 {name} 没有就绪的 Pod：请先检查它。',
  },
  'step.dependency-missing': {
    en: 'The quoted line names {name}, and there is no such service in namespace {namespace}.',
    zh: '日志中提到 {name}，但命名空间 {namespace} 中没有该服务。',
  },
  'step.memory-use': { en: "Compare the containers' memory use with the limit.", zh: '对比容器内存用量与限制。' },
  'step.memory-node': {
    en: "See the containers' memory use, and give them limits that fit.",
    zh: '查看容器内存用量，并为其设置合适的限制。',
  },
  'step.raise-limit': {
    en: 'Raise the memory limit of container {container}, if its use is known to be right.',
    zh: '若确认用量合理，提高容器 {container} 的内存限制。',
  },
  'step.image-name': {
    en: 'Check name and tag of the image, and that it was pushed.',
    zh: '检查镜像名与标签，确认已推送。',
  },
  'step.pull-secret': {
    en: 'Check imagePullSecrets of the pod and of its service account.',
    zh: '检查 Pod 及其 ServiceAccount 的 imagePullSecrets。',
  },
  'step.registry': {
    en: 'Check from the node that the registry can be reached.',
    zh: '在节点上检查能否访问镜像仓库。',
  },
  'step.create-missing': {
    en: 'Find out whether {kind} {name} was renamed, deleted or never created.',
    zh: '确认 {kind} {name} 是被改名、删除还是从未创建。',
  },
  'step.keys': {
    en: 'Compare the keys of {kind} {name} with what the pod asks for.',
    zh: '核对 {kind} {name} 的键与 Pod 所需的键。',
  },
  'step.template': { en: 'Read the pod template of {kind} {name}.', zh: '查看 {kind} {name} 的 Pod 模板。' },
  'step.nodes': { en: 'Look at free resources and taints of the nodes.', zh: '查看节点的剩余资源与污点。' },
  'step.claim': { en: 'Look at the claims of the namespace.', zh: '查看命名空间中的 PVC。' },
  'step.attachments': { en: 'See which node still holds the volume.', zh: '查看卷仍挂接在哪个节点。' },
  'step.probe': {
    en: 'Compare path, port and time-outs of the probe with what the program serves.',
    zh: '核对探针的路径、端口、超时与程序实际提供的接口。',
  },
  'step.rollout-status': { en: 'See how the rollout stands.', zh: '查看发布状态。' },
  'step.history': { en: 'See what the last revisions changed.', zh: '查看最近版本的变更历史。' },
  'step.quota': { en: 'Compare use and limit of the quotas of the namespace.', zh: '查看命名空间配额的用量与上限。' },
  'step.labels': {
    en: 'Compare the labels of the pods with the selector; correct the one that is wrong.',
    zh: '对比 Pod 标签与选择器，修正有误的一方。',
  },
  'step.ports': { en: "Compare targetPort with the containers' ports.", zh: '核对 targetPort 与容器端口。' },
  'step.resume': { en: 'Resume it when the pause is not intended.', zh: '若并非有意暂停，恢复发布。' },
  'step.scale': { en: 'Scale it up when 0 is not intended.', zh: '若并非有意设为 0，扩容恢复。' },
  'step.events': { en: 'Read the events of the namespace.', zh: '查看命名空间的事件。' },
  'step.finalizers': {
    en: 'Find the controller that should remove the finalizers.',
    zh: '查找应移除 finalizer 的控制器。',
  },
  'step.webhook': { en: 'Check the webhook named in the quoted line.', zh: '检查引用消息中的 Webhook。' },
  'step.storage-classes': {
    en: 'See which storage classes exist and which is the default.',
    zh: '查看现有的 StorageClass 及默认项。',
  },

  // Gaps
  'gap.forbidden': { en: 'no permission', zh: '没有权限' },
  'gap.forbidden.hint': {
    en: 'ask for the right to read it, or give a dump made by someone who may',
    zh: '申请读取权限，或使用有权限的人导出的转储',
  },
  'gap.not-served': { en: 'the cluster does not know this kind', zh: '集群不支持该资源类型' },
  'gap.not-served.hint': { en: 'nothing to do unless the kind should exist', zh: '除非该类型本应存在，否则无需处理' },
  'gap.not-recorded': { en: 'the dump does not hold it', zh: '转储中没有记录' },
  'gap.not-recorded.hint': {
    en: 'make the dump again with it, or ask the cluster itself',
    zh: '重新导出并包含该内容，或直接查询集群',
  },
  'gap.unreachable': { en: 'the cluster could not be reached', zh: '无法连接集群' },
  'gap.unreachable.hint': { en: 'check the kube context and the network', zh: '检查 kube context 与网络' },
  'gap.not-found': { en: 'there was no such thing when it was asked for', zh: '查询时不存在' },
  'gap.not-found.hint': { en: 'it may have gone in the meantime', zh: '可能在此期间已消失' },
  'gap.refused': { en: 'the call was not allowed', zh: '调用未获允许' },
  'gap.refused.hint': { en: 'allow it by policy or confirm it', zh: '通过策略允许或确认该调用' },
  'gap.timed-out': { en: 'no answer in time', zh: '响应超时' },
  'gap.timed-out.hint': { en: 'try again with a longer time-out', zh: '延长超时后重试' },
  'gap.not-json': { en: 'its output is not JSON, so the rules cannot read it', zh: '输出不是 JSON，规则无法读取' },
  'gap.not-json.hint': { en: 'ask for it with --output=json', zh: '使用 --output=json 重新获取' },
  'gap.no-such-result': { en: 'this session has no such result', zh: '本会话没有该结果' },
  'gap.no-such-result.hint': { en: 'give the id of a call that ran', zh: '请提供已执行调用的编号' },
  'gap.failed': { en: 'the call failed', zh: '调用失败' },
  'gap.failed.hint': { en: 'read the quoted message', zh: '见引用的错误信息' },
  'gap.no-pods': { en: 'no list of pods was read', zh: '没有读取 Pod 列表' },
  'gap.no-pods.hint': {
    en: 'without it nothing can be said about the health of the service',
    zh: '缺少它就无法判断服务是否健康',
  },
  'gap.no-target': { en: 'nothing of this name is in what was read', zh: '已读取的内容中没有该名称的对象' },
  'gap.no-target.hint': { en: 'check name and namespace', zh: '检查名称与命名空间' },

  // Errors of the diagnosis itself
  'error.unreachable': { en: 'the cluster cannot be reached: {quote}', zh: '无法连接集群：{quote}' },
  'error.unreachable.hint': {
    en: 'check the kube context and the network, or give a cluster dump with --dump DIR',
    zh: '检查 kube context 与网络，或用 --dump DIR 指定集群转储',
  },
  'error.ambiguous': {
    en: '"{name}" exists in {count} namespaces: {namespaces}',
    zh: '“{name}”存在于 {count} 个命名空间：{namespaces}',
  },
  'error.ambiguous.hint': {
    en: 'say which one: --namespace {namespace}',
    zh: '请指明是哪一个：--namespace {namespace}',
  },
  'error.no-such-name': {
    en: 'there is no "{name}"; {count} names of {kinds} were searched in {where}',
    zh: '没有“{name}”；已在{where}中查找 {kinds} 的 {count} 个名称',
  },
  'error.near': { en: 'did you mean {names}?', zh: '是否想查 {names}？' },
  'error.near-or': { en: ' or ', zh: ' 或 ' },
  'error.none-near': { en: 'check the name, the namespace and the cluster', zh: '检查名称、命名空间与集群' },
  'error.all-namespaces': { en: 'all namespaces', zh: '所有命名空间' },
  'error.namespace': { en: 'namespace {namespace}', zh: '命名空间 {namespace} ' },
  'error.more': { en: ' and {count} more', zh: ' 等，另有 {count} 个' },
  'error.store-full': {
    en: 'the result could not be stored: the store of this session is full',
    zh: '结果无法保存：本会话的存储空间已满',
  },
  'error.store-full.hint': {
    en: 'free disk space, or start a new session',
    zh: '释放磁盘空间，或开始新的会话',
  },

  // The report
  'report.grade': { en: ' ({severity}, {certainty})', zh: '（{severity}，{certainty}）' },
  'report.sentences': { en: '{first} {second}', zh: '{first}{second}' },
  'report.title': { en: 'Diagnosis of {target}', zh: '诊断结果：{target}' },
  'report.healthy': { en: 'No problem was found.', zh: '没有发现问题。' },
  'report.minor': {
    en: 'No problem that affects the service was found; {count} minor remarks.',
    zh: '没有发现影响服务的问题；有 {count} 条次要提示。',
  },
  'report.unsure': {
    en: 'No problem was found in what could be read, but not everything could be (see below).',
    zh: '在可读取的内容中没有发现问题，但并非所有内容都能读取（见下文）。',
  },
  'report.problems': { en: '{count} problems found.', zh: '发现 {count} 个问题。' },
  'report.problem': { en: '1 problem found.', zh: '发现 1 个问题。' },
  'report.evidence': { en: 'Evidence', zh: '依据' },
  'report.cause': { en: 'Behind it', zh: '根因推测' },
  'report.checks': { en: 'Check next', zh: '建议检查' },
  'report.stopgap': { en: 'Stop-gap', zh: '临时方案' },
  'report.symptoms': { en: 'Consequences', zh: '由此引起' },
  'report.also': { en: 'The same in', zh: '同样情况' },
  'report.unseen': { en: 'What could not be seen', zh: '未能查看的内容' },
  'report.looked': { en: 'Looked at', zh: '已检查' },
  'report.further': { en: 'Further findings', zh: '其他发现' },
  'report.where': { en: ' ({where})', zh: '（{where}）' },
  'report.colon': { en: ': ', zh: '：' },
  'report.logs': { en: 'Log', zh: '日志' },
  'report.events': { en: 'Event', zh: '事件' },
  'report.more': { en: '… and {count} more', zh: '……另有 {count} 项' },
  'report.risk': { en: ' (risk {risk})', zh: '（风险：{risk}）' },
  'severity.critical': { en: 'critical', zh: '严重' },
  'severity.high': { en: 'high', zh: '高' },
  'severity.medium': { en: 'medium', zh: '中' },
  'severity.low': { en: 'low', zh: '低' },
  'severity.info': { en: 'info', zh: '提示' },
  'certainty.confirmed': { en: 'confirmed', zh: '已确认' },
  'certainty.likely': { en: 'likely', zh: '很可能' },
  'certainty.unknown': { en: 'cause unknown', zh: '原因未知' },
  'risk.low': { en: 'low', zh: '低' },
  'risk.medium': { en: 'medium', zh: '中' },
  'risk.high': { en: 'high', zh: '高' },
  'risk.critical': { en: 'critical', zh: '极高' },
} as const satisfies Readonly<Record<string, Text>>;

export type MessageKey = keyof typeof MESSAGES;

import type { Text } from '../types.js';

/** Titles of findings, and the reasons inside them. DATA. */
export const TITLES = {
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
} as const satisfies Readonly<Record<string, Text>>;

import type { Text } from '../types.js';

/** Steps, gaps, errors, and the frame of the report. DATA. */
export const REPORT = {
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

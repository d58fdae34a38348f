import type { Text } from '../types.js';

/** Every sentence about alerts and targets, in both languages. DATA. `{name}` is filled in. */
export const WORDS = {
  target: { en: 'the alerts of {address}', zh: '{address} 的告警' },

  // Titles
  'alert.firing': { en: 'Alert {name} is firing: {summary}', zh: '告警 {name} 正在触发：{summary}' },
  'alert.firing.bare': { en: 'Alert {name} is firing', zh: '告警 {name} 正在触发' },
  'alert.firing.many': {
    en: 'Alert {name} is firing {count} times: {summary}',
    zh: '告警 {name} 正在触发（{count} 条）：{summary}',
  },
  'alert.firing.many.bare': { en: 'Alert {name} is firing {count} times', zh: '告警 {name} 正在触发（{count} 条）' },
  'alert.quiet': {
    en: 'Alert {name} is firing, but {how}, so that nobody is told',
    zh: '告警 {name} 正在触发，但已被{how}，不会通知任何人',
  },
  'alert.watchdog': {
    en: 'Alert {name} is firing, as it always should: it shows that alerting works',
    zh: '告警 {name} 正在触发，这是正常的：它用于证明告警链路可用',
  },
  'alert.pending': {
    en: '{count} alerts are pending, that is, their condition holds, but not for long enough: {names}',
    zh: '{count} 条告警处于等待状态（条件已满足，但持续时间不足）：{names}',
  },
  'alert.pending.one': {
    en: 'Alert {names} is pending, that is, its condition holds, but not for long enough',
    zh: '告警 {names} 处于等待状态（条件已满足，但持续时间不足）',
  },
  'target.down.all': {
    en: 'All {count} targets of job {job} are down: {reason}',
    zh: '任务 {job} 的全部 {count} 个抓取目标均不可用：{reason}',
  },
  'target.down.one': {
    en: 'Target {instance} of job {job} is down: {reason}',
    zh: '任务 {job} 的抓取目标 {instance} 不可用：{reason}',
  },
  'target.down.some': {
    en: '{count} of {total} targets of job {job} are down: {reason}',
    zh: '任务 {job} 的 {total} 个抓取目标中有 {count} 个不可用：{reason}',
  },
  'rule.error': { en: 'Rule {name} cannot be evaluated', zh: '规则 {name} 无法计算' },
  'rule.errors': {
    en: '{count} rules cannot be evaluated, among them {name}',
    zh: '{count} 条规则无法计算，其中包括 {name}',
  },
  'manager.none': {
    en: 'Prometheus knows no Alertmanager, so that nobody is told of its alerts',
    zh: 'Prometheus 没有配置可用的 Alertmanager，告警不会通知任何人',
  },
  'rule.none': {
    en: 'Prometheus has no alerting rules: that nothing fires proves nothing',
    zh: 'Prometheus 没有任何告警规则：没有告警并不说明系统正常',
  },

  // How an alert is kept quiet
  silenced: { en: 'silenced', zh: '静默' },
  inhibited: { en: 'inhibited by another alert', zh: '另一条告警抑制' },

  // Why a target is down
  'reason.refused': { en: 'connection refused', zh: '连接被拒绝' },
  'reason.timeout': { en: 'no answer in time', zh: '超时无响应' },
  'reason.dns': { en: 'its host name is not known', zh: '主机名无法解析' },
  'reason.route': { en: 'there is no route to it', zh: '网络不可达' },
  'reason.tls': { en: 'its TLS certificate is not trusted', zh: 'TLS 证书不受信任' },
  'reason.login': { en: 'it wants other credentials', zh: '凭据无效或缺失' },
  'reason.missing': { en: 'there are no metrics at this path', zh: '该路径下没有指标' },
  'reason.server': { en: 'it answers with a server error', zh: '返回服务器错误' },
  'reason.reset': { en: 'it closes the connection', zh: '连接被对端关闭' },
  'reason.format': { en: 'what it answers are not metrics', zh: '返回内容不是指标格式' },
  'reason.size': { en: 'it has more samples or labels than allowed', zh: '样本或标签超过限制' },
  'reason.other': { en: 'its scrape fails', zh: '抓取失败' },

  // Causes
  'cause.refused': {
    en: 'Nothing listens on that port: the process has ended, or listens elsewhere.',
    zh: '该端口没有进程监听：进程已退出，或监听在其他地址。',
  },
  'cause.timeout': {
    en: 'The host is down or cut off, a firewall drops the packets, or the exporter is too slow for the scrape timeout.',
    zh: '主机宕机或网络中断、防火墙丢弃报文，或 exporter 响应慢于抓取超时。',
  },
  'cause.dns': {
    en: 'The name is misspelt, or the host or service behind it was removed.',
    zh: '名称拼写错误，或对应的主机/服务已被删除。',
  },
  'cause.route': {
    en: 'The host is down, or the network between Prometheus and it is.',
    zh: '主机宕机，或 Prometheus 与其之间的网络中断。',
  },
  'cause.tls': {
    en: 'The certificate has expired, is for another name, or comes from an authority that Prometheus does not trust.',
    zh: '证书已过期、名称不匹配，或其签发机构不受 Prometheus 信任。',
  },
  'cause.login': {
    en: 'The credentials in the scrape configuration were changed, have expired, or are missing.',
    zh: '抓取配置中的凭据已变更、过期或缺失。',
  },
  'cause.missing': {
    en: 'metrics_path of the scrape configuration is wrong, or another service answers there.',
    zh: '抓取配置中的 metrics_path 错误，或该地址是其他服务。',
  },
  'cause.server': {
    en: 'The exporter itself fails, or the proxy in front of it has lost it.',
    zh: 'exporter 自身出错，或其前端代理无法连接它。',
  },
  'cause.reset': {
    en: 'The process crashes while it answers, or http and https are mixed up.',
    zh: '进程在响应时崩溃，或混用了 http 与 https。',
  },
  'cause.format': {
    en: 'It is not a metrics endpoint, or a login page stands in front of it.',
    zh: '该地址不是指标接口，或前面有登录页面。',
  },
  'cause.size': {
    en: 'A limit of the scrape configuration (sample_limit, label_limit) is exceeded.',
    zh: '超过了抓取配置的限制（sample_limit、label_limit）。',
  },

  // Details
  'detail.alert': {
    en: 'Firing for {age}, since {since}; value {value}; {labels}.',
    zh: '已触发 {age}（自 {since}），当前值 {value}；{labels}。',
  },
  'detail.description': { en: 'Its description: {text}', zh: '描述：{text}' },
  'detail.only-manager': {
    en: 'Only Alertmanager holds it: another Prometheus or program sent it.',
    zh: '仅在 Alertmanager 中存在：由其他 Prometheus 或程序发送。',
  },
  'detail.silence': {
    en: 'Silence {id} by {by} until {until}: {comment}.',
    zh: '静默 {id}，由 {by} 创建，至 {until}：{comment}。',
  },
  'detail.target': { en: 'Last scraped {age} ago.', zh: '最近一次抓取在 {age} 前。' },
  'detail.rule': { en: 'An alert whose rule fails can never fire.', zh: '规则计算失败的告警永远不会触发。' },
  'detail.record': { en: 'What is computed from it is missing or old.', zh: '依赖该规则的数据会缺失或过期。' },

  // Next steps
  'step.curl': {
    en: 'Ask the target yourself, from the host of Prometheus',
    zh: '在 Prometheus 所在主机上直接访问该目标',
  },
  'step.process': {
    en: 'See whether the process of {instance} runs, and what its log says last',
    zh: '检查 {instance} 的进程是否运行，并查看其最近日志',
  },
  'step.runbook': { en: 'Read the runbook: {url}', zh: '查看处理手册：{url}' },
  'step.expression': { en: 'See the course of its expression', zh: '查看其表达式的变化趋势' },
  'step.rule-file': { en: 'Correct the rule in {file}, then check the file', zh: '修正 {file} 中的规则并检查文件' },
  'step.manager': {
    en: 'Name an Alertmanager under alerting.alertmanagers in prometheus.yml, and see that it runs',
    zh: '在 prometheus.yml 的 alerting.alertmanagers 中配置 Alertmanager，并确认其正在运行',
  },

  // Summary
  'summary.firing': {
    en: 'Firing alerts: {alerts}; targets down: {targets} of {total}.',
    zh: '触发中的告警：{alerts} 条；不可用的抓取目标：{targets}/{total}。',
  },
  'summary.no-targets': {
    en: 'Firing alerts: {alerts}; the targets could not be read.',
    zh: '触发中的告警：{alerts} 条；抓取目标无法读取。',
  },
  'summary.calm': {
    en: 'Nothing is firing; {rules} alerting rules are evaluated, and {total} targets are up.',
    zh: '没有告警在触发；共有 {rules} 条告警规则，{total} 个抓取目标均正常。',
  },
  'summary.first': { en: '{first} First: {title}', zh: '{first}首要问题：{title}' },
  'summary.unsure': {
    en: 'Nothing firing was seen, but not everything could be read.',
    zh: '未发现触发中的告警，但部分信息无法读取。',
  },

  // Gaps
  'gap.failed': { en: 'it could not be read', zh: '无法读取' },
  'gap.odd': { en: 'its answer is not what this interface promises', zh: '返回内容不符合接口约定' },
  'gap.odd.hint': {
    en: 'Is the address that of Prometheus or Alertmanager?',
    zh: '请确认地址是否为 Prometheus 或 Alertmanager',
  },
  'gap.hint': { en: 'See the call for the reason', zh: '原因见该调用的输出' },
  'gap.no-manager-url': {
    en: 'Alertmanager was not asked, so that silences and inhibitions are not known',
    zh: '未查询 Alertmanager，因此静默与抑制情况未知',
  },
  'where.since': { en: '{state} since {time}', zh: '自 {time} 起 {state}' },
  'where.rule-error': { en: 'lastError of {name} (group {group})', zh: '{name}（组 {group}）的 lastError' },
  'where.target-error': { en: 'lastError of {instance}', zh: '{instance} 的 lastError' },
  'quote.no-rule': { en: 'no rule of type alerting', zh: '没有 alerting 类型的规则' },
  'gap.no-manager-url.hint': { en: 'Set ALERTMANAGER_URL', zh: '设置 ALERTMANAGER_URL' },
} as const satisfies Readonly<Record<string, Text>>;

export type WordKey = keyof typeof WORDS;

import type { Text } from '../types.js';

/** Every sentence about containers, in both languages. DATA. `{name}` is filled in. */
export const WORDS = {
  // What keeps a container from starting
  'start.port': { en: 'its host port {port} is taken', zh: '主机端口 {port} 已被占用' },
  'start.port.by': {
    en: 'its host port {port} is taken by container {other}',
    zh: '主机端口 {port} 已被容器 {other} 占用',
  },
  'start.command': { en: 'its command {what} is not in the image', zh: '镜像中没有要执行的命令 {what}' },
  'start.permission': { en: 'its command may not be executed', zh: '启动命令没有执行权限' },
  'start.platform': { en: 'its program is not made for this host ({arch})', zh: '程序与主机架构（{arch}）不兼容' },
  'start.mount': {
    en: 'a path that it mounts does not exist or is of the wrong kind',
    zh: '挂载的路径不存在或类型不符',
  },
  'start.volume': { en: 'a volume cannot be mounted', zh: '卷无法挂载' },
  'start.network': { en: 'its network does not exist any more', zh: '所属的网络已不存在' },
  'start.container-network': {
    en: 'it shares the network of a container that does not run',
    zh: '它共享网络的那个容器没有运行',
  },
  'start.disk': { en: 'the disk is full', zh: '磁盘空间不足' },
  'start.device': { en: 'a device or its driver is missing', zh: '缺少设备或设备驱动' },
  'start.memory': { en: 'the host or the limit leaves it no memory', zh: '主机或限制没有留出足够内存' },
  'start.image': { en: 'its image is missing', zh: '镜像不存在' },
  'start.workdir': { en: 'its working directory cannot be entered', zh: '工作目录无法进入' },
  'start.other': { en: 'see the quoted message', zh: '见引用的消息' },

  // Titles
  'title.start': { en: 'Container {name} cannot be started: {reason}', zh: '容器 {name} 无法启动：{reason}' },
  'title.never': { en: 'Container {name} was created but never started', zh: '容器 {name} 已创建但从未启动' },
  'title.oom': {
    en: 'Container {name} was killed for using more memory than its limit{limit} (OOMKilled)',
    zh: '容器 {name} 因内存超过限制{limit}被杀死（OOMKilled）',
  },
  'title.oom-host': {
    en: 'Container {name} was killed because the host ran out of memory',
    zh: '容器 {name} 因主机内存耗尽被杀死',
  },
  'title.oom-process': {
    en: 'A process of container {name} was killed for lack of memory; the container runs on',
    zh: '容器 {name} 中有进程因内存不足被杀死，但容器仍在运行',
  },
  'title.loop': { en: 'Container {name} keeps restarting', zh: '容器 {name} 反复重启' },
  'title.loop.because': {
    en: 'Container {name} keeps restarting because {reason}',
    zh: '容器 {name} 反复重启，原因是{reason}',
  },
  'title.loop.maybe': {
    en: 'Container {name} keeps restarting, probably because {reason}',
    zh: '容器 {name} 反复重启，可能的原因是{reason}',
  },
  'title.exited': { en: 'Container {name} ended with exit code {code}', zh: '容器 {name} 以退出码 {code} 结束' },
  'title.exited.because': {
    en: 'Container {name} ended with exit code {code} because {reason}',
    zh: '容器 {name} 以退出码 {code} 结束，原因是{reason}',
  },
  'title.exited.maybe': {
    en: 'Container {name} ended with exit code {code}, probably because {reason}',
    zh: '容器 {name} 以退出码 {code} 结束，可能的原因是{reason}',
  },
  'title.stopped': { en: 'Container {name} was stopped from outside', zh: '容器 {name} 被人为（或由其他程序）停止' },
  'title.done': { en: 'Container {name} ended without an error', zh: '容器 {name} 正常结束' },
  'title.restarted': {
    en: 'Container {name} runs now, but restarted {count} times',
    zh: '容器 {name} 目前在运行，但已重启 {count} 次',
  },
  'title.paused': {
    en: 'Container {name} is paused: its processes do not run',
    zh: '容器 {name} 已暂停：其进程不会运行',
  },
  'title.dead': {
    en: 'Container {name} is dead: Docker could not remove it',
    zh: '容器 {name} 处于 dead 状态：Docker 未能将其删除',
  },
  'title.removing': { en: 'Container {name} is being removed', zh: '容器 {name} 正在被删除' },
  'title.unhealthy': { en: 'Container {name} runs but fails its health check', zh: '容器 {name} 在运行但健康检查失败' },
  'title.unhealthy.because': {
    en: 'Container {name} runs but fails its health check: {reason}',
    zh: '容器 {name} 在运行但健康检查失败：{reason}',
  },
  'title.memory': {
    en: 'Container {name} uses {percent} % of its memory limit ({usage})',
    zh: '容器 {name} 已使用内存限制的 {percent} %（{usage}）',
  },
  'title.cpu': {
    en: 'Container {name} uses {percent} % of a CPU; its limit is {limit} %',
    zh: '容器 {name} 的 CPU 使用率为 {percent} %，上限为 {limit} %',
  },
  'title.platform': {
    en: 'Container {name}: its image is made for {image}, the host is {host}',
    zh: '容器 {name}：镜像架构为 {image}，主机架构为 {host}',
  },

  // Reasons inside titles
  'reason.health-missing': {
    en: 'the program that the check runs is not in the image',
    zh: '健康检查使用的程序不在镜像中',
  },
  'reason.health-timeout': { en: 'the check gets no answer in time', zh: '健康检查超时' },
  'reason.health-refused': {
    en: 'nothing listens where the check connects to',
    zh: '健康检查所连接的端口没有程序监听',
  },
  'reason.health-http': { en: 'the program answers the check with an error', zh: '程序对健康检查返回错误' },
  'reason.sigkill': { en: 'it was killed (SIGKILL) from outside', zh: '它被外部强制杀死（SIGKILL）' },

  'reason.other-down': { en: 'container {other} does not run', zh: '容器 {other} 没有运行' },
  'reason.other-unhealthy': { en: 'container {other} is unhealthy', zh: '容器 {other} 不健康' },

  // Details
  'detail.restarts': { en: '{count} restarts; {exit}.', zh: '已重启 {count} 次；{exit}。' },
  'detail.exit': { en: '{exit}.', zh: '{exit}。' },
  'detail.policy-no': {
    en: 'Its restart policy is "{policy}", so Docker does not start it again.',
    zh: '重启策略为 “{policy}”，因此 Docker 不会再次启动它。',
  },
  'detail.gave-up': {
    en: 'Its restart policy allows {max} restarts, and they are used up.',
    zh: '重启策略最多允许 {max} 次重启，已用尽。',
  },
  'detail.no-limit': { en: 'It has no memory limit of its own.', zh: '它没有设置内存限制。' },
  'detail.streak': { en: 'The check failed {count} times in a row.', zh: '健康检查已连续失败 {count} 次。' },
  'detail.no-signature': {
    en: 'No rule explains the last error line; it is quoted.',
    zh: '没有规则能解释最后一条错误日志，已引用原文。',
  },
  'detail.empty-log': { en: 'The program printed nothing.', zh: '程序没有输出任何日志。' },
  'detail.no-error-line': { en: 'Its log holds no line that speaks of an error.', zh: '日志中没有表示错误的内容。' },
  'detail.no-log': { en: 'Its log was not read.', zh: '没有读取到它的日志。' },
  'detail.code-signal': {
    en: 'Only a signal from outside ends a program this way.',
    zh: '只有来自外部的信号才会这样结束程序。',
  },

  'exit.unknown': { en: 'the exit code of its last run is not known', zh: '上次运行的退出码未知' },
  'exit.125': {
    en: 'exit code 125: Docker itself could not run the container',
    zh: '退出码 125：Docker 自身未能运行该容器',
  },

  // Causes
  'cause.memory': {
    en: 'the program needs more memory than the limit allows, or it leaks memory; one kill cannot tell which',
    zh: '程序所需内存超过限制，或存在内存泄漏；仅凭一次被杀无法区分',
  },
  'cause.dependency': {
    en: 'container {other}, which the quoted line names, does not run ({status})',
    zh: '引用日志中提到的容器 {other} 没有运行（{status}）',
  },
  'cause.dependency-unhealthy': {
    en: 'container {other}, which the quoted line names, is unhealthy ({status})',
    zh: '引用日志中提到的容器 {other} 不健康（{status}）',
  },
  'cause.port-host': {
    en: 'no container of this daemon publishes the port, so another program on the host holds it',
    zh: '本机没有容器发布该端口，因此是主机上的其他程序占用了它',
  },
  'cause.dns': {
    en: 'the name is wrong, or the container of this name does not run or is in another network; names of containers work in user-defined networks only',
    zh: '名称错误，或该名称的容器没有运行、不在同一网络；容器名只能在自定义网络中解析',
  },
  'cause.listen': {
    en: 'two processes in the same network want the same port',
    zh: '同一网络中的两个进程使用了同一端口',
  },
  'cause.setting': {
    en: 'an environment variable or a mounted file is missing or wrong',
    zh: '缺少环境变量或挂载的文件，或其内容有误',
  },
  'cause.platform': {
    en: 'the image is for another CPU architecture, or its script lacks the first line that names its interpreter',
    zh: '镜像属于其他 CPU 架构，或脚本缺少指定解释器的首行',
  },
  'cause.killed': {
    en: 'docker kill, docker stop after its grace period, or the kernel; OOMKilled is not set',
    zh: '可能是 docker kill、docker stop 超过等待时间，或内核所为；OOMKilled 未置位',
  },

  // Next steps
  'step.log': { en: 'Read the end of its log.', zh: '查看日志末尾。' },
  'step.inspect': { en: 'Look at its state, limits and mounts.', zh: '查看其状态、限制与挂载。' },
  'step.stats': { en: 'Look at what it uses now.', zh: '查看当前资源使用情况。' },
  'step.env': {
    en: 'Compare the names of its environment variables with those that the program needs: {names}',
    zh: '将其环境变量名与程序所需的对比：{names}',
  },
  'step.restart': { en: 'Restart it; that does not remove the cause.', zh: '重启容器（不能消除根因）。' },
  'step.start': { en: 'Start it, after the cause is removed.', zh: '消除原因后启动它。' },
  'step.start-now': { en: 'Start it, if it should run.', zh: '如果它应当运行，请启动它。' },
  'step.unpause': { en: 'Let it run on.', zh: '恢复运行。' },
  'step.raise-limit': {
    en: 'Raise its memory limit for now, and in the place where it is defined (Compose file, script).',
    zh: '先临时提高内存限制，并在其定义处（Compose 文件、脚本）同步修改。',
  },
  'step.leak': {
    en: 'Watch its memory after a restart: steady growth is a leak.',
    zh: '重启后观察内存：持续增长说明有泄漏。',
  },
  'step.port-host': { en: 'Find the program that holds the port.', zh: '查找占用该端口的程序。' },
  'step.port-other': {
    en: 'Give one of the two containers another host port, or stop the one that is not wanted.',
    zh: '为其中一个容器更换主机端口，或停止不需要的那个。',
  },
  'step.command': { en: 'Compare the command with what the image holds.', zh: '核对启动命令与镜像内容。' },
  'step.platform': { en: 'Compare the platform of the image with that of the host.', zh: '核对镜像平台与主机平台。' },
  'step.mount': {
    en: 'Look whether the path exists on the host of the daemon, as file or as folder.',
    zh: '在守护进程所在主机上检查该路径是否存在（文件或目录）。',
  },
  'step.networks': {
    en: 'See which networks there are; the container must be made again to join another one.',
    zh: '查看现有网络；要加入其他网络需要重新创建容器。',
  },
  'step.df': {
    en: 'See what takes the disk space, and what of it nothing uses.',
    zh: '查看磁盘占用情况及可回收空间。',
  },
  'step.other': { en: 'Find out why container {other} does not run.', zh: '查明容器 {other} 为什么没有运行。' },
  'step.health': {
    en: 'Read the command of its health check, and run it by hand.',
    zh: '查看其健康检查命令，并手动执行。',
  },
  'step.who': { en: 'See who or what stopped it and when.', zh: '查看何时由谁（或什么程序）停止了它。' },
  'step.remove': { en: 'Look into the log of the daemon, then remove it.', zh: '查看守护进程日志后将其删除。' },

  // What could not be seen
  'unseen.driver': {
    en: 'its log driver does not let Docker read the log',
    zh: '其日志驱动不支持通过 Docker 读取日志',
  },
  'unseen.driver.hint': { en: 'read it where the driver sends it', zh: '请到日志驱动的目标处查看' },
  'unseen.gone': { en: 'it was gone when it was asked for', zh: '查询时已不存在' },
  'unseen.gone.hint': { en: 'it may have been removed or made again; ask again', zh: '可能已被删除或重建，请重试' },
  'unseen.refused': { en: 'the call was not allowed', zh: '调用未获允许' },
  'unseen.refused.hint': { en: 'allow it by policy or confirm it', zh: '通过策略允许或确认该调用' },
  'unseen.failed': { en: 'the call failed', zh: '调用失败' },
  'where.log': { en: '{name} log', zh: '{name} 的日志' },
  'where.event': { en: '{name} event', zh: '{name} 的事件' },
  'quote.usage': { en: 'CPU {cpu} %, memory {memory} ({percent} %)', zh: 'CPU {cpu} %，内存 {memory}（{percent} %）' },
  'unseen.failed.hint': { en: 'read the quoted message', zh: '见引用的错误信息' },
  'unseen.many': { en: '{count} containers were not looked at', zh: '有 {count} 个容器未检查' },
  'unseen.many.hint': { en: 'ask about one by its name', zh: '请按名称单独诊断' },
  'unseen.state': { en: 'its state was not read', zh: '没有读取到它的状态' },
  'unseen.state.hint': { en: 'without it nothing can be said about the container', zh: '缺少它就无法判断该容器' },
} as const satisfies Record<string, Text>;

export type WordKey = keyof typeof WORDS;

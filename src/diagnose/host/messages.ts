import type { Text } from '../types.js';

/** Every sentence about a machine, in both languages. DATA. */
export const HOST_MESSAGES = {
  // Titles; the key is the id of the rule.
  'host.disk-full': {
    en: 'The file system on {mount} is {percent} % full ({free} free of {total})',
    zh: '文件系统 {mount} 已使用 {percent} %（总量 {total}，剩余 {free}）',
  },
  'host.inodes-full': {
    en: 'The file system on {mount} has used {percent} % of its inodes ({free} free of {total})',
    zh: '文件系统 {mount} 的 inode 已使用 {percent} %（总量 {total}，剩余 {free}）',
  },
  'host.memory-short': {
    en: 'Memory is short: {available} of {total} available ({percent} %)',
    zh: '内存不足：可用 {available}，总量 {total}（{percent} %）',
  },
  'host.swap-full': {
    en: 'Swap is nearly full ({free} free of {total}) while only {percent} % of memory is available',
    zh: '交换分区几乎用尽（总量 {total}，剩余 {free}），同时可用内存只有 {percent} %',
  },
  'host.memory-pressure': {
    en: 'Work waits for memory: {some} % of the last minute something waited, {full} % everything did',
    zh: '内存压力大：最近一分钟有 {some} % 的时间任务在等待内存，{full} % 的时间全部停顿',
  },
  'host.io-pressure': {
    en: 'Work waits for I/O: {full} % of the last minute everything waited',
    zh: 'I/O 压力大：最近一分钟有 {full} % 的时间全部任务在等待 I/O',
  },
  'host.load': {
    en: 'The load is {load} on {cpus} CPUs (average of 5 minutes)',
    zh: '系统负载 {load}，CPU 数 {cpus}（5 分钟平均值）',
  },
  'host.zombies': {
    en: '{count} processes ended, but their parent {name} does not take them off',
    zh: '有 {count} 个僵尸进程，其父进程 {name} 没有回收',
  },
  'host.unit-failed': { en: 'Unit {unit} failed', zh: '单元 {unit} 失败' },
  'host.unit-failed.result': { en: 'Unit {unit} failed ({result})', zh: '单元 {unit} 失败（{result}）' },
  'host.unit-failed.because': {
    en: 'Unit {unit} failed; its log says that {reason}',
    zh: '单元 {unit} 失败，日志显示{reason}',
  },
  'host.oom': {
    en: 'The kernel killed {process} for want of memory ({count}×, last {time})',
    zh: '内核因内存耗尽杀死了进程 {process}（{count} 次，最近 {time}）',
  },
  'host.oom-group': {
    en: 'The kernel killed {process} because its control group passed its memory limit ({count}×, last {time})',
    zh: '进程 {process} 因所在控制组超过内存限制被内核杀死（{count} 次，最近 {time}）',
  },
  'host.oom-count': {
    en: 'The kernel killed {count} processes for want of memory since boot; which ones cannot be seen',
    zh: '自启动以来内核因内存不足杀死过 {count} 个进程，无法看到是哪些',
  },
  'host.io-error': {
    en: 'The disk {device} reports I/O errors ({count}×, last {time})',
    zh: '磁盘 {device} 报告 I/O 错误（{count} 次，最近 {time}）',
  },
  'host.file-system-error': {
    en: 'The file system on {device} is damaged: {count} errors (last {time})',
    zh: '设备 {device} 上的文件系统有错误（{count} 次，最近 {time}）',
  },
  'host.read-only': {
    en: 'The kernel made the file system on {device} read-only after an error (last {time})',
    zh: '内核在出错后把设备 {device} 上的文件系统改为只读（最近 {time}）',
  },
  'host.hung-task': {
    en: 'Processes hang in the kernel: {process} ({count}×, last {time})',
    zh: '有进程在内核中挂起：{process}（{count} 次，最近 {time}）',
  },
  'host.lockup': {
    en: 'A CPU was stuck in the kernel ({count}×, last {time})',
    zh: 'CPU 在内核中卡死（{count} 次，最近 {time}）',
  },
  'host.segfault': {
    en: '{process} crashed with a segmentation fault ({count}×, last {time})',
    zh: '进程 {process} 发生段错误崩溃（{count} 次，最近 {time}）',
  },
  'host.hardware': {
    en: 'The hardware reports errors ({count}×, last {time})',
    zh: '硬件报告错误（{count} 次，最近 {time}）',
  },
  'host.conntrack': {
    en: 'The table of tracked connections is {percent} % full ({used} of {max})',
    zh: '连接跟踪表已使用 {percent} %（{used} / {max}）',
  },
  'host.conntrack-drops': {
    en: 'The kernel drops packets because the table of tracked connections is full ({count}×, last {time})',
    zh: '连接跟踪表已满，内核在丢弃数据包（{count} 次，最近 {time}）',
  },
  'host.open-files': {
    en: 'The machine has {percent} % of its open files in use ({used} of {max})',
    zh: '整机打开文件数已使用 {percent} %（{used} / {max}）',
  },
  'host.file-max': {
    en: 'The machine ran out of open files ({count}×, last {time})',
    zh: '整机打开文件数达到上限（{count} 次，最近 {time}）',
  },
  'host.process-files': {
    en: 'Process {pid} ({name}) has {count} files open, {percent} % of its limit of {limit}',
    zh: '进程 {pid}（{name}）打开了 {count} 个文件，达到其上限 {limit} 的 {percent} %',
  },
  'host.clock-unsynchronised': { en: 'The clock is not synchronised', zh: '系统时钟未同步' },
  'host.clock-off': { en: 'The clock is {seconds} s off', zh: '系统时钟偏差 {seconds} 秒' },
  'host.clock-jump': { en: 'The clock jumped', zh: '系统时钟发生跳变' },
  'host.clocksource': {
    en: 'The kernel gave up the clock source {name} (last {time})',
    zh: '内核弃用了时钟源 {name}（最近 {time}）',
  },
  'host.rebooted': { en: 'The machine booted {age} ago', zh: '机器在 {age} 前启动过' },
  'host.log': { en: 'The log of {from} says that {reason}', zh: '{from} 的日志显示{reason}' },

  // Causes and details
  'cause.load-io': {
    en: '{count} processes wait for I/O, so the disks and not the CPUs hold things up',
    zh: '有 {count} 个进程在等待 I/O，瓶颈在磁盘而不是 CPU',
  },
  'cause.load-cpu': { en: 'most CPU since their start: {processes}', zh: '自启动以来占用 CPU 最多的进程：{processes}' },
  'cause.memory': { en: 'most memory: {processes}', zh: '占用内存最多的进程：{processes}' },
  'cause.port': { en: '{name} already listens on port {port}', zh: '端口 {port} 已被 {name} 监听' },
  'cause.port-other': { en: 'something already listens on port {port}', zh: '端口 {port} 已被占用' },
  'detail.large-disk': { en: 'The disk is large, so this is still much room.', zh: '磁盘容量较大，剩余空间仍然不少。' },
  'detail.read-only-now': { en: 'It is mounted read-only now: {mount}.', zh: '目前以只读方式挂载：{mount}。' },
  'detail.group': { en: 'Control group: {group}.', zh: '控制组：{group}。' },
  'detail.restarts': { en: 'systemd restarted it {count} times.', zh: 'systemd 已重启它 {count} 次。' },
  'detail.old': { en: 'That was more than a day ago.', zh: '发生在一天以前。' },
  'detail.unreadable': {
    en: '{count} processes of other users could not be looked at.',
    zh: '有 {count} 个其他用户的进程无法查看。',
  },
  'time.unknown': { en: 'at an unknown time', zh: '时间未知' },

  // Steps
  'step.du': { en: 'See which folders take the space.', zh: '查看哪些目录占用空间。' },
  'step.deleted': {
    en: 'See deleted files that a process still holds open; they free space only when it ends.',
    zh: '查看已删除但仍被进程占用的文件，进程结束后才会释放空间。',
  },
  'step.du-inodes': { en: 'See which folders hold the most files.', zh: '查看哪些目录的文件数最多。' },
  'step.journal-size': { en: 'See how much the journal takes.', zh: '查看 systemd 日志占用的空间。' },
  'step.top-memory': { en: 'See which processes hold the memory.', zh: '查看哪些进程占用内存。' },
  'step.top-cpu': { en: 'See which processes use the CPU.', zh: '查看哪些进程占用 CPU。' },
  'step.waiting': { en: 'See which processes wait for I/O (state D).', zh: '查看哪些进程在等待 I/O（状态 D）。' },
  'step.unit-log': { en: 'Read the log of {unit}.', zh: '查看 {unit} 的日志。' },
  'step.unit-restart': { en: 'Restart it once the cause is gone.', zh: '排除原因后重启该单元。' },
  'step.port': { en: 'See who listens on port {port}.', zh: '查看谁在监听端口 {port}。' },
  'step.smart': { en: 'See what the disk itself reports.', zh: '查看磁盘自身的健康报告。' },
  'step.backup': {
    en: 'Make sure of a backup before anything else; check the file system only while it is not mounted.',
    zh: '首先确认有备份；只在未挂载时检查文件系统。',
  },
  'step.raise-limit': {
    en: 'See whether the group limit fits what the program needs, or whether the program leaks.',
    zh: '检查控制组内存上限是否与程序需要相符，或程序是否泄漏内存。',
  },
  'step.core': { en: 'See the crash that was recorded.', zh: '查看记录下来的崩溃。' },
  'step.files': {
    en: 'See what the process holds open; a growing number is a leak.',
    zh: '查看进程打开了哪些文件；数量持续增长说明有泄漏。',
  },
  'step.conntrack': {
    en: 'See who makes so many connections; raise net.netfilter.nf_conntrack_max only when they are legitimate.',
    zh: '查看连接来自哪里；确认正常后再提高 net.netfilter.nf_conntrack_max。',
  },
  'step.clock': {
    en: 'See whether the time service runs and reaches its servers.',
    zh: '检查时间同步服务是否运行、能否连到服务器。',
  },
  'step.history': { en: 'See past boots and their ends.', zh: '查看历次启动与关机记录。' },
  'step.parent': {
    en: 'Look at the parent {pid}; only it, or its end, takes them off.',
    zh: '检查父进程 {pid}；只有它或它结束才能回收。',
  },
  'step.hardware': {
    en: 'Read the kernel messages and tell whoever keeps the hardware.',
    zh: '查看内核消息，并联系硬件维护人员。',
  },

  // What could not be seen
  'gap.no-systemd': {
    en: 'systemd does not run this machine (a container, perhaps)',
    zh: '本机没有运行 systemd（可能是容器）',
  },
  'gap.no-systemd.hint': {
    en: 'units and their journal do not exist here; look at processes and log files',
    zh: '这里没有单元和 journal，请查看进程与日志文件',
  },
  'gap.no-clock': {
    en: 'nothing here says whether the clock is synchronised',
    zh: '无法得知系统时钟是否同步',
  },
  'gap.no-clock.hint': {
    en: 'a virtual machine or a container may get its time from below',
    zh: '虚拟机或容器的时间可能来自宿主机',
  },
  'gap.no-journal': { en: 'there is no journal, or nothing in it', zh: '没有 journal，或其中没有内容' },
  'gap.no-journal.hint': { en: 'look into the log files under /var/log', zh: '查看 /var/log 下的日志文件' },
  'gap.permission': { en: 'no permission', zh: '没有权限' },
  'gap.permission.hint': {
    en: 'run as root, or join the groups adm and systemd-journal',
    zh: '以 root 运行，或加入 adm、systemd-journal 组',
  },
  'gap.not-there': { en: 'this machine does not have it', zh: '本机没有提供' },
  'gap.not-there.hint': { en: 'nothing to do unless it should be there', zh: '除非本应提供，否则无需处理' },
  'gap.refused': { en: 'the call was not allowed', zh: '调用未获允许' },
  'gap.refused.hint': { en: 'allow it by policy or confirm it', zh: '通过策略允许或确认该调用' },
  'gap.timed-out': { en: 'no answer in time', zh: '响应超时' },
  'gap.timed-out.hint': { en: 'a device or a mount may hang', zh: '可能有设备或挂载点挂起' },
  'gap.unreadable': { en: 'its output could not be understood', zh: '无法识别其输出' },
  'gap.unreadable.hint': { en: 'look at the output of the call', zh: '请查看该调用的输出' },
  'gap.not-asked': { en: 'nobody asked for it', zh: '没有查询' },
  'gap.not-asked.hint': { en: 'call diagnose_host, which does', zh: '请使用 diagnose_host' },

  'host.this': { en: 'this machine', zh: '本机' },
} as const satisfies Readonly<Record<string, Text>>;

export type HostMessageKey = keyof typeof HOST_MESSAGES;

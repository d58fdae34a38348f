import { describe, expect, test } from 'vitest';
import type { JsonObject } from '../../src/domain/types.js';
import { leavesOutChange, planRequest } from '../../src/llm/offline/plan.js';
import { sayRefusal } from '../../src/llm/offline/say.js';
import { LOOKS, ORDERS, REFUSED } from './kubernetes-requests.js';
import { outcomeOf } from './outcome.js';
import { loadPacks } from './packs.js';

const tools = loadPacks('kubernetes', 'docker', 'prometheus', 'host');
const outcome = (request: string) => outcomeOf(tools, request);

describe('beside the tools of other systems, a request about Kubernetes stays what it is', () => {
  test.each(REFUSED)('refused: %s', (request, why) => {
    expect(outcome(request)).toBe(`refused: ${why}`);
  });
  test.each([...LOOKS, ...ORDERS])('%s', (request, name, args) => {
    expect(outcome(request)).toEqual([name, args]);
  });
});

test.each([
  ['do not restart container web', 'negated'],
  ['should I restart container web?', 'question'],
  ['restart container web and container db', 'unclear'],
  ['restart all containers', 'unclear'],
  ['重启所有容器', 'unclear'],
  ['restart unit nginx and unit redis', 'unclear'],
  ['restart unit nginx after the backup', 'conditional'],
  ['重启unit nginx吗', 'question'],
  // A container of a pod is not a container of Docker.
  ['restart container web in namespace shop', 'unclear'],
  ['restart container app of pod web-1', 'unclear'],
  ['stop the container app of deployment web', 'unknown'],
])('nothing is called for: %s', (request, why) => {
  expect(outcome(request)).toBe(`refused: ${why}`);
});

const en = { language: 'en' };
const zh = { language: 'zh' };
const web = { name: 'web' };
const POD = 'web-7d8f9b6c5-abc12';

test.each<[string, string, JsonObject]>([
  ['why does the container web restart', 'diagnose_container', { ...web, ...en }],
  ['why does container web restart?', 'diagnose_container', { ...web, ...en }],
  ['容器web为什么一直重启', 'diagnose_container', { ...web, ...zh }],
  ['web容器为什么一直重启', 'diagnose_container', { ...web, ...zh }],
  ['which containers are unhealthy', 'diagnose_docker', en],
  ['is docker healthy', 'diagnose_docker', en],
  ['docker有什么问题', 'diagnose_docker', zh],
  ['diagnose all containers', 'diagnose_docker', en],
  ['logs of container web', 'docker_logs', web],
  ['logs of container shop_web_1', 'docker_logs', { name: 'shop_web_1' }],
  ['show the last 50 lines of logs of container web', 'docker_logs', { ...web, tail: 50 }],
  ['查看容器web的日志', 'docker_logs', web],
  ['docker logs web', 'docker_logs', web],
  ['list containers', 'docker_ps', {}],
  ['restart container web', 'docker_restart', web],
  ['restart the container web', 'docker_restart', web],
  ['docker restart web', 'docker_restart', web],
  ['重启容器web', 'docker_restart', web],
  ['把容器web重启', 'docker_restart', web],
  ['what is firing', 'diagnose_metrics', en],
  ['现在有哪些告警', 'diagnose_metrics', zh],
  ['is this machine healthy', 'diagnose_host', en],
  ['why is this machine slow?', 'diagnose_host', en],
  ['check the server', 'diagnose_host', en],
  ['这台机器健康吗', 'diagnose_host', zh],
  ['服务器为什么很慢', 'diagnose_host', zh],
  ['disk full?', 'host_disk', {}],
  ['磁盘满了吗', 'host_disk', {}],
  ['内存还剩多少', 'host_memory', {}],
  ['show failed units', 'host_failed_units', {}],
  ['logs of unit nginx since 1h', 'host_unit_journal', { unit: 'nginx', since: '1h' }],
  ['status of unit nginx.service', 'host_unit_status', { unit: 'nginx.service' }],
  ['restart unit nginx', 'host_restart_unit', { unit: 'nginx' }],
  ['重启unit nginx', 'host_restart_unit', { unit: 'nginx' }],
  ['which process uses the memory', 'host_top_memory', {}],
  ['监听端口', 'host_listening', {}],
  ['what listens on port 22', 'host_listening', {}],
  ['what is listening on port 22', 'host_listening', {}],
  ['谁在监听22端口', 'host_listening', {}],
  ['22端口被谁占用', 'host_listening', {}],
  // What is named is not dropped.
  ['show the journal of cron', 'host_unit_journal', { unit: 'cron' }],
  ['show the journal of cron.service', 'host_unit_journal', { unit: 'cron.service' }],
  ['journal of unit cron.service', 'host_unit_journal', { unit: 'cron.service' }],
  ['show the journal of this machine', 'host_journal', {}],
  ['disk usage of this server', 'host_disk', {}],
  ['open files of process 42', 'host_process_files', { pid: 42 }],
  ['is cron running', 'host_unit_active', { unit: 'cron' }],
  ['is sshd.service active?', 'host_unit_active', { unit: 'sshd.service' }],
  ['查看syslog', 'host_syslog', {}],
  ['cron在运行吗', 'host_unit_active', { unit: 'cron' }],
  // A workload, as likely as not.
  ['is nginx running', 'diagnose_service', { name: 'nginx', ...en }],
  // Of Kubernetes, whatever they say of containers.
  [`logs of container app of pod ${POD}`, 'kubectl_logs', { pod_name: POD, container: 'app' }],
  [`logs of pod ${POD} all containers`, 'kubectl_logs', { pod_name: POD, all_containers: true }],
  ['which pods are not ready in production', 'diagnose_namespace', { namespace: 'production', ...en }],
  ['production 里哪些 pod 没就绪', 'diagnose_namespace', { namespace: 'production', ...zh }],
  ['what is wrong in production', 'diagnose_namespace', { namespace: 'production', ...en }],
  ['show warnings in production', 'kubectl_events', { namespace: 'production', warnings_only: true }],
])('%s', (request, name, args) => {
  expect(outcome(request)).toEqual([name, args]);
});

test.each([
  ['syslog for sshd', 'sshd', ['syslog', 'logs for unit sshd']],
  ['查看sshd的syslog', 'sshd', ['查看syslog', '查看unit sshd 的日志']],
  ['open files of nginx', 'nginx', ['open files', 'open files of process PID']],
  ['disk usage of /var', '/var', ['disk usage']],
  ['/var的磁盘使用率', '/var', ['磁盘使用率']],
])('%s: what is named is not dropped, and it is said what to write', (request, part, examples) => {
  const plan = planRequest(tools, request);
  if (plan.type !== 'refuse') throw new Error('a call was planned');
  expect(plan.why).toMatchObject({ type: 'whole-machine', part });
  const language = /\p{Script=Han}/u.test(request) ? 'zh' : 'en';
  const said = sayRefusal(plan.why, tools, request, language);
  expect(said).toContain(language === 'en' ? 'it answers for the whole machine' : '只能查看整台机器');
  expect([...said.matchAll(/^- `(.+)`$/gm)].map(([, example]) => example)).toEqual(examples);
  for (const example of examples) expect(planRequest(tools, example.replace('PID', '42')).type).toBe('call');
});

test('without the tool for one unit, its journal is refused, and any bare name is a unit where nothing else takes names', () => {
  const without = tools.filter((tool) => tool.name !== 'host_unit_journal');
  expect(outcomeOf(without, 'show the journal of cron')).toBe('refused: whole-machine');
  const hosts = tools.filter((tool) => tool.category === 'host');
  expect(outcomeOf(hosts, 'is nginx running')).toEqual(['host_unit_active', { unit: 'nginx' }]);
});

test.each(['journal of unit cron.service', 'status of unit cron.service', 'unit nginx的日志'])(
  '%s speaks of no change',
  (request) => {
    expect(leavesOutChange(tools, request)).toBe(false);
  },
);

test('an order that several systems know asks which of them is meant', () => {
  const plan = planRequest(tools, 'restart web');
  if (plan.type !== 'refuse') throw new Error('a call was planned');
  const said = sayRefusal(plan.why, tools, 'restart web', 'en');
  expect(said).toContain('was not run');
  for (const way of [
    'restart deployment web in namespace NAMESPACE',
    'restart statefulset web in namespace NAMESPACE',
    'docker restart web',
    'restart unit web',
  ]) {
    expect(said).toContain(way);
  }
});

test('two systems that fit alike are a question, not a guess', () => {
  const mine = tools
    .filter((tool) => tool.name === 'host_disk')
    .map((tool) => ({
      ...tool,
      name: 'my_disk',
      category: 'mine',
      intents: { phrases: ['disk of mine'], keywords: [] },
    }));
  expect(outcomeOf([...tools, ...mine], 'disk full?')).toEqual(['host_disk', {}]);
  const twin = mine.map((tool) => ({ ...tool, intents: { phrases: ['disk full'], keywords: [] } }));
  expect(outcomeOf([...tools, ...twin], 'disk full?')).toBe('refused: tie');
});

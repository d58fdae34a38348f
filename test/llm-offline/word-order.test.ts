import { expect, test } from 'vitest';
import { outcomeOf } from './outcome.js';
import { loadPacks } from './packs.js';

const tools = loadPacks('kubernetes', 'docker', 'prometheus', 'host', 'helm', 'git', 'ansible');

test.each([
  ['restart web deployment and api deployment in shop', 'unclear'],
  ['restart web deployment db1', 'unclear'],
  ['restart web', 'missing kind'],
  ['restart web in shop', 'missing kind'],
  ['restart web service in shop', 'missing kind'],
  ['container app ok?', 'unknown'],
  ['is app ok?', 'unknown'],
  ['memory of nginx', 'unknown'],
  ['memory of pod web-0 in namespace shop', 'unknown'],
  ['what would happen if I restart web deployment in shop', 'conditional'],
  ['do not restart web deployment in shop', 'negated'],
  ['should I restart web deployment in shop?', 'question'],
  ['who restarted web deployment in shop', 'unknown'],
  ['restart web deployment in shop tomorrow', 'conditional'],
  ['不要重启命名空间 shop 中的 deployment web', 'negated'],
  ['要不要重启命名空间 shop 中的 deployment web', 'question'],
  ['重启命名空间 shop 中的 deployment', 'unclear'],
  ['重启命名空间 shop', 'unclear'],
  ['重启命名空间 shop 中的所有 pod', 'unclear'],
  ['谁重启了命名空间 shop 中的 deployment web', 'unclear'],
  ['删除命名空间 shop 中的所有 pod', 'unclear'],
  ['pods in namespace shop restart', 'unclear'],
  ['delete pods in namespace shop', 'unclear'],
  ['删除命名空间 shop pod web-0', 'missing namespace'],
  ['命名空间 shop 的内存', 'unknown'],
  ['命名空间 shop 内存使用', 'unknown'],
  ['命名空间 shop 下线', 'unknown'],
  ['命名空间shop中断了', 'unknown'],
  ['pods in namespace shop and namespace db', 'unknown'],
  ['restart container web in shop', 'unplaced namespace'],
  ['重启命名空间 shop 里的 web', 'missing kind'],
  ['重启命名空间 shop 和 db 中的 deployment web', 'unclear'],
  ['重启命名空间 shop 中的 deployment web 和 api', 'unclear'],
])('nothing is called for: %s', (request, why) => {
  expect(outcomeOf(tools, request)).toBe(`refused: ${why}`);
});

test.each([
  [
    '重启命名空间 shop 中的 deployment web',
    'kubectl_rollout_restart',
    { kind: 'deployment', name: 'web', namespace: 'shop' },
  ],
  [
    '重启命名空间shop的deployment web',
    'kubectl_rollout_restart',
    { kind: 'deployment', name: 'web', namespace: 'shop' },
  ],
  [
    '重启 shop 命名空间中的 deployment web',
    'kubectl_rollout_restart',
    { kind: 'deployment', name: 'web', namespace: 'shop' },
  ],
  [
    '在命名空间 shop 中重启 deployment web',
    'kubectl_rollout_restart',
    { kind: 'deployment', name: 'web', namespace: 'shop' },
  ],
  ['删除命名空间 shop 中的 pod web-0', 'kubectl_delete_pod', { pod_name: 'web-0', namespace: 'shop' }],
  ['删除命名空间 shop', 'kubectl_delete', { kind: 'namespace', name: 'shop' }],
  [
    '把命名空间 shop 中的 deployment web 扩容到 3 个',
    'kubectl_scale',
    { kind: 'deployment', name: 'web', replicas: 3, namespace: 'shop' },
  ],
  ['restart web deployment in shop', 'kubectl_rollout_restart', { kind: 'deployment', name: 'web', namespace: 'shop' }],
  [
    'restart web deployment in namespace shop',
    'kubectl_rollout_restart',
    { kind: 'deployment', name: 'web', namespace: 'shop' },
  ],
  [
    'restart the web deployment in shop',
    'kubectl_rollout_restart',
    { kind: 'deployment', name: 'web', namespace: 'shop' },
  ],
  ['restart deployment web in db1', 'kubectl_rollout_restart', { kind: 'deployment', name: 'web', namespace: 'db1' }],
  [
    'restart deployment web in namespace db1',
    'kubectl_rollout_restart',
    { kind: 'deployment', name: 'web', namespace: 'db1' },
  ],
  [
    'scale web deployment to 3 in shop',
    'kubectl_scale',
    { kind: 'deployment', name: 'web', replicas: 3, namespace: 'shop' },
  ],
  ['重启 deployment web', 'kubectl_rollout_restart', { kind: 'deployment', name: 'web' }],
  ['重启容器 app', 'docker_restart', { name: 'app' }],
  ['把命名空间 shop 下的 pod web-0 删除', 'kubectl_delete_pod', { pod_name: 'web-0', namespace: 'shop' }],
])('an order in whatever order of words: %s', (request, name, args) => {
  expect(outcomeOf(tools, request)).toEqual([name, args]);
});

test.each([
  ['命名空间 shop 里的 pod 有什么问题', 'diagnose_namespace', { namespace: 'shop', language: 'zh' }],
  ['命名空间 shop 里的pod有什么问题', 'diagnose_namespace', { namespace: 'shop', language: 'zh' }],
  ['shop 命名空间里的 pod 有什么问题', 'diagnose_namespace', { namespace: 'shop', language: 'zh' }],
  ['命名空间 shop 有什么问题', 'diagnose_namespace', { namespace: 'shop', language: 'zh' }],
  [
    '命名空间 shop 里的 deployment web 有什么问题',
    'diagnose_service',
    { name: 'web', namespace: 'shop', language: 'zh' },
  ],
  ['查看命名空间 shop 中的 pod', 'kubectl_get_pods', { namespace: 'shop' }],
  ['pods in namespace shop', 'kubectl_get_pods', { namespace: 'shop' }],
  ['deployments in namespace shop', 'kubectl_get', { kind: 'deployments', namespace: 'shop' }],
  ['the pods in namespace shop', 'kubectl_get_pods', { namespace: 'shop' }],
  ['pods in shop', 'kubectl_get_pods', { namespace: 'shop' }],
  ['pods of namespace shop', 'kubectl_get_pods', { namespace: 'shop' }],
  ['services in all namespaces', 'kubectl_get', { kind: 'services', all_namespaces: true }],
  ['nodes', 'kubectl_get', { kind: 'nodes' }],
  ['is container app ok?', 'diagnose_container', { name: 'app', language: 'en' }],
  ['is container app ok', 'diagnose_container', { name: 'app', language: 'en' }],
  ['is the container app ok?', 'diagnose_container', { name: 'app', language: 'en' }],
  ['is container app healthy?', 'diagnose_container', { name: 'app', language: 'en' }],
  ['is pod web-0 ok?', 'diagnose_service', { name: 'web-0', language: 'en' }],
  ['is deployment web in namespace shop ok?', 'diagnose_service', { name: 'web', namespace: 'shop', language: 'en' }],
  ['容器 app 正常吗', 'diagnose_container', { name: 'app', language: 'zh' }],
  ['memory of container nginx', 'docker_stats', { name: 'nginx' }],
  ['cpu of container nginx', 'docker_stats', { name: 'nginx' }],
  ['memory usage of pods in namespace shop', 'kubectl_top_pods', { namespace: 'shop' }],
  ['pods', 'kubectl_get', { kind: 'pods', all_namespaces: true }],
  ['all pods', 'kubectl_get', { kind: 'pods', all_namespaces: true }],
  ['pods?', 'kubectl_get', { kind: 'pods', all_namespaces: true }],
  ['deployments', 'kubectl_get', { kind: 'deployments', all_namespaces: true }],
  ['is deployment web ok?', 'diagnose_service', { name: 'web', language: 'en' }],
  ['is the container web slow?', 'diagnose_container', { name: 'web', language: 'en' }],
  [
    '如果命名空间 shop 中的 deployment web 不正常就重启',
    'diagnose_service',
    { name: 'web', namespace: 'shop', language: 'zh' },
  ],
])('a look in whatever order of words: %s', (request, name, args) => {
  expect(outcomeOf(tools, request)).toEqual([name, args]);
});

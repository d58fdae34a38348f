import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { leavesOutChange, planRequest } from '../../src/llm/offline/plan.js';
import { sayRefusal } from '../../src/llm/offline/say.js';
import { changes } from '../../src/llm/offline/schema.js';
import { ALONE, LOOKED_INTO, NOT_ALONE } from './order-requests.js';
import { outcomeOf } from './outcome.js';
import { loadPacks } from './packs.js';

const tools = loadPacks('kubernetes', 'docker', 'prometheus', 'host');

describe.each(Object.entries(NOT_ALONE))('an order that is %s is refused', (_, requests) => {
  test.each(requests)('%s', (request) => {
    expect(outcomeOf(tools, request)).toMatch(/^refused: /);
  });
});

test.each(LOOKED_INTO)('another thing is at fault, and only looked into: %s', (request, name) => {
  expect(outcomeOf(tools, request)[0]).toBe(name);
  expect(leavesOutChange(tools, request)).toBe(true);
});

test.each([
  'list helm releases',
  '列出helm发布',
  'list docker containers',
  'why does the container web restart',
  'check this host',
])('a look that names a program, or begins like a rehearsal, speaks of no change: %s', (request) => {
  const every = loadPacks('kubernetes', 'docker', 'prometheus', 'host', 'helm', 'git', 'ansible');
  expect(leavesOutChange(every, request)).toBe(false);
});

test.each(ALONE)(
  'beside an order may stand politeness and what is wrong with its object: %s',
  (request, name, args) => {
    expect(outcomeOf(tools, request)).toEqual([name, args]);
  },
);

test.each([
  ['restart container web. Scratch that', 'en', 'type the order alone', '`restart the container <name>`'],
  ['重启容器web，算了', 'zh', '请只输入指令本身', '`重启容器 <name>`'],
] as const)('%s: the refusal says what to type', (request, language, told, example) => {
  const plan = planRequest(tools, request);
  if (plan.type !== 'refuse') throw new Error('a call was planned');
  expect(outcomeOf(tools, request)).toBe('refused: not-alone');
  const said = sayRefusal(plan.why, tools, request, language);
  expect(said).toContain(told);
  expect(said).toContain(example);
});

const ORDERS = [
  'restart container web',
  'docker restart web',
  'delete container web',
  'restart unit nginx',
  'restart deployment web in namespace shop',
  'scale deployment web to 0 in namespace shop',
  'delete pod web-0 in namespace shop',
  'delete namespace shop',
  'drain node-3',
  '重启容器web',
  '回滚 web 部署',
];
/** None of politeness, and no fault: of these no harmless part can be made. */
const WORDS = fc.constantFrom(
  ...'web api db1 nginx shop node-3 host bob boss ticket friday midnight wait hold scratch forget rejected kidding risky or and the that it on at in by with from all namespace container deployment unit pod said asks was is ran diagnose list restart delete 1 - ( ) 🙅'.split(
    ' ',
  ),
  ...'算了 驳回 等等 有人说 工单 老板 主机 机器 上 在 和 以及 其他 周五 半夜 所有 容器 重启 开玩笑'.split(' '),
);
const GLUE = fc.constantFrom(
  ', ',
  '. ',
  '; ',
  '! ',
  '，',
  '。',
  '、',
  '；',
  ' ',
  ' - ',
  ': ',
  '\n',
  ' (',
  ', please, ',
);

test('an order beside a part of other words changes nothing, before it or after it', () => {
  const part = fc.array(WORDS, { minLength: 1, maxLength: 5 }).map((words) => words.join(' '));
  fc.assert(
    fc.property(fc.constantFrom(...ORDERS), part, GLUE, fc.boolean(), (order, other, glue, isBefore) => {
      const plan = planRequest(tools, isBefore ? `${other}${glue}${order}` : `${order}${glue}${other}`);
      expect(plan.type === 'refuse' || !changes(plan.tool)).toBe(true);
    }),
    { numRuns: 400 },
  );
}, 60_000);

const COMMON = ['app', 'node', 'first', 'last', 'log', 'running', 'healthy', 'ok', 'second'];

test.each(COMMON)('the word behind container is its name: %s', (name) => {
  for (const request of [
    `why does the container ${name} restart`,
    `diagnose container ${name}`,
    `container ${name} is down`,
  ])
    expect(outcomeOf(tools, request)).toEqual(['diagnose_container', { name, language: 'en' }]);
  for (const request of [`容器${name}为什么一直重启`, `诊断容器 ${name}`])
    expect(outcomeOf(tools, request)).toEqual(['diagnose_container', { name, language: 'zh' }]);
  expect(outcomeOf(tools, `logs of container ${name}`)).toEqual(['docker_logs', { name }]);
});

test('an order takes such a word for the name only where it can mean nothing else, or in quotes', () => {
  expect(outcomeOf(tools, 'restart container app')).toEqual(['docker_restart', { name: 'app' }]);
  expect(outcomeOf(tools, '重启容器node')).toEqual(['docker_restart', { name: 'node' }]);
  expect(outcomeOf(tools, 'restart container first')).toBe('refused: unclear');
  expect(outcomeOf(tools, 'restart container "first"')).toEqual(['docker_restart', { name: 'first' }]);
});

test.each(['哪些抓取目标挂了', '哪些采集目标不可用', '哪些目标挂了'])('%s is asked of the metrics', (request) => {
  expect(outcomeOf(tools, request)).toEqual(['diagnose_metrics', { language: 'zh' }]);
});

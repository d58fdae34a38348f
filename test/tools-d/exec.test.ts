import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import { diagnoseBuiltins } from '../../src/diagnose/builtins.js';
import type { JsonObject } from '../../src/domain/types.js';
import { createExecutors } from '../../src/exec/index.js';
import { loadPolicies } from '../../src/policy/load.js';
import { assessRisk } from '../../src/policy/risk.js';
import { matches } from '../../src/policy/rules.js';
import { loadToolFiles } from '../../src/tools/load.js';
import { prepare } from '../../src/tools/prepare.js';
import { createRegistry } from '../../src/tools/registry.js';

const fileOf = (path: string) => ({ path, text: readFileSync(path, 'utf8') });
const executors = createExecutors(diagnoseBuiltins);
const planContext = {
  context: { kube_context: 'team/env', docker_host: 'unix:///run/user/1000/docker.sock' },
  env: {},
};

describe.each<[string, string, JsonObject]>([
  ['docker', 'docker_exec', { name: 'web' }],
  ['kubernetes', 'kubectl_exec', { pod_name: 'web-0', namespace: 'shop' }],
])('exec of %s', (system, name, where) => {
  const { tools } = loadToolFiles([fileOf(`tools.d/${system}.yaml`)], executors);
  const registry = createRegistry(tools);
  const rules = loadPolicies([fileOf(`policies/${system}.yaml`)]).rules;

  /** What a command comes to: denied, or its risk. */
  function judge(command: readonly string[]): string {
    const raw = { id: 'c1', name, rawArguments: JSON.stringify({ ...where, command }) };
    const prepared = prepare({ registry, executors, planContext }, raw);
    if (!prepared.ok) throw new Error(prepared.message);
    const { tokens } = prepared.call.action;
    const denied = rules.some((rule) => rule.effect === 'deny' && matches(rule, { tool: name, tokens }));
    return denied ? 'denied' : assessRisk(prepared.call).risk;
  }

  test.each([
    [['cat', '/run/lock/../secrets/db']],
    [['cat', '/run/lock/secrets/db']],
    [['cat', 'run/secrets/db']],
    [['cat', '/proc/1/root/etc/app.conf']],
    [['cat', '/proc/self/cwd/app.conf']],
    [['cat', '/dev/fd/../environ']],
    [['head', '-c', '100', '/proc/1/environ']],
    [['ls', '..']],
    [['env']],
    [['ps', '-o', 'environ']],
    [['sh', '-c', '--context=; printenv']],
    [['sh', '-c', '--host=;cat</run/secrets/db']],
  ])('%j is denied', (command) => {
    expect(judge(command)).toBe('denied');
  });

  test.each([
    [['cat', '/dev/fd/3']],
    [['cat', '/dev/core']],
    [['cat', '/proc/1/cmdline']],
    [['cat', '/run/app/config']],
    [['grep', '-r', '.', '/var/log']],
    [['grep', '-rn', 'x', '/app']],
    [['egrep', '--recursive', 'x']],
    [['grep', '-d', 'recurse', 'x', '/app']],
    [['ls', '/var/run/app']],
    [['cat', '/etc/shadow']],
    [['getent', 'shadow']],
    [['cat', '/app/.env']],
    [['cat', '/etc/kubernetes/admin.conf']],
    [['ps', 'auxe']],
    [['date', '-s', '2020-01-01']],
    [['hostname', 'other']],
    [['ss', '-K', 'dst', '10.0.0.1']],
    [['find', '/', '-delete']],
    [['tee', '/etc/hosts']],
    [['curl', 'http://169.254.169.254/']],
    [['./cat', '/etc/motd']],
    [['/bin/sh', '-c', 'id']],
  ])('%j is critical', (command) => {
    expect(judge(command)).toBe('critical');
  });

  test.each([
    [['cat', '/etc/resolv.conf']],
    [['/usr/bin/tail', '-n', '20', '/var/log/app/error.log']],
    [['grep', '-in', 'error', '/app/log/current.txt']],
    [['ls', '-l', '/opt/app/environment.md']],
    [['ps', '-ef']],
    [['ps', 'aux']],
    [['date', '-u', '+%s']],
    [['ss', '-ltn']],
    [['df', '-h']],
    [['head', '/dev/null']],
  ])('%j is high, and not more', (command) => {
    expect(judge(command)).toBe('high');
  });
});

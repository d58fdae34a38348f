import { execFileSync } from 'node:child_process';
import { readFileSync } from 'node:fs';
import { describe, expect, test } from 'vitest';
import type { JsonObject, ToolDefinition } from '../../src/domain/types.js';
import { createExecutors } from '../../src/exec/index.js';
import { compileSchema } from '../../src/lib/json-schema.js';
import { formatProblems } from '../../src/lib/problems.js';
import { loadToolFiles } from '../../src/tools/load.js';

const path = 'tools.d/host.yaml';
const executors = createExecutors(
  ['host_log_targets', 'host_diagnose'].map((name) => ({ name, run: async () => ({ status: 'ok' as const }) })),
);
const pack = loadToolFiles([{ path, text: readFileSync(path, 'utf8') }], executors);

function tool(name: string): ToolDefinition {
  const found = pack.tools.find((one) => one.name === name);
  if (!found) throw new Error(`the pack has no ${name}`);
  return found;
}

const properties = (one: ToolDefinition) => Object.entries(one.parameters.properties as JsonObject);

test('the pack loads without a problem or a warning, its examples included', () => {
  expect(formatProblems([...pack.problems, ...pack.warnings])).toBe('');
});

test('the only change is the restart of a unit, and it is verified', () => {
  const changes = pack.tools.filter((one) => one.riskLevel === 'high' || one.riskLevel === 'critical');
  expect(changes.map((one) => one.name)).toEqual(['host_restart_unit']);
  expect(changes[0]?.verify).toMatchObject({ tool: 'host_unit_active' });
});

test('command lines, which may hold passwords, take a tool of their own with a risk of its own', () => {
  const showing = pack.tools.filter((one) => /\bargs\b|cmdline|environ/.test(JSON.stringify(one.run)));
  expect(showing.map((one) => [one.name, one.riskLevel])).toEqual([['host_process_arguments', 'medium']]);
  expect(pack.tools.filter((one) => /Environment|ExecStart/.test(JSON.stringify([one.run, one.preview])))).toEqual([]);
});

describe('every tool', () => {
  const texts = pack.tools.filter((one) => one.run.kind === 'command');
  test.each(texts.map((one) => [one.name, one] as const))('%s takes no text that could become an option', (_, one) => {
    const free = properties(one).filter(([, schema]) => {
      const { type, enum: words } = schema as JsonObject;
      return type === 'string' && words === undefined;
    });
    for (const [name] of free) {
      for (const value of ['-H', '--force', 'a b', 'a\nb', '', 'x;reboot', '../x']) {
        const problems = compileSchema(one.parameters)({ [name]: value }).filter((p) => p.path[0] === name);
        expect([name, value, problems.length > 0]).toEqual([name, value, true]);
      }
    }
  });

  test.each(pack.tools.map((one) => [one.name, one] as const))('%s can be asked for in both languages', (name, one) => {
    const inside = ['host_log_targets', 'host_diagnose', 'host_kernel_journal'];
    const { phrases } = one.intents;
    const languages = [true, false].map((zh) => phrases.some((phrase) => /\p{Script=Han}/u.test(phrase) === zh));
    expect(languages.every(Boolean) || inside.includes(name) || name === 'host_syslog').toBe(true);
  });
});

const unitProblems = (unit: string) => compileSchema(tool('host_restart_unit').parameters)({ unit }).length;
const raised = (unit: string) =>
  tool('host_restart_unit')
    .raise.filter((rule) => compileSchema(rule.when)({ unit }).length === 0)
    .map((rule) => rule.riskLevel);

test.each(['reboot.target', 'multi-user.target', 'system.slice', 'session-1.scope', '-H', 'nginx redis', 'ng*'])(
  'a restart of "%s" is not possible',
  (unit) => {
    expect(unitProblems(unit)).toBeGreaterThan(0);
  },
);

test.each([
  'sshd',
  'ssh.service',
  'dbus',
  'systemd-networkd.service',
  'NetworkManager',
  'docker',
  'kubelet',
  'data.mount',
  'systemd-poweroff.service',
  ...`etcd cri-dockerd rke2-server k3s-agent k0scontroller snap.microk8s.daemon-kubelite microk8s dropbear teleport cloudflared
    wpa_supplicant@wlan0 dhcpcd keepalived frr strongswan-starter ipsec wg-quick@wg0 openvpn-server@a tailscaled named unbound
    dnsmasq sssd rpcbind nftables firewalld ufw multipathd iscsid lvm2-monitor drbd pacemaker corosync libvirtd virtqemud`.split(
    /\s+/,
  ),
])('a restart of %s is critical', (unit) => {
  expect([unitProblems(unit), raised(unit).includes('critical')]).toEqual([0, true]);
});

test.each([
  'nginx',
  'redis',
  'grafana-server',
  'getty-watch@tty1.service',
  'postgresql@15-main.service',
  'my_app.timer',
])('a restart of %s is high, and not more', (unit) => {
  expect([unitProblems(unit), raised(unit)]).toEqual([0, unit.startsWith('getty') ? ['critical'] : []]);
});

test('the script that counts open files runs in any POSIX shell and counts its own process', () => {
  const code = String(tool('host_open_files').run.code);
  const printed = execFileSync('sh', ['-eu', '-c', code], { encoding: 'utf8' });
  const [heading, ...lines] = printed.trimEnd().split('\n');
  expect(heading).toBe('PERMILLE FILES LIMIT PID NAME');
  expect(lines.at(-1)).toMatch(/^-1 unreadable \d+$/);
  expect(lines.length).toBeGreaterThan(1);
  expect(lines.slice(0, -1).every((line) => /^\d+ \d+ (?:\d+|unlimited) \d+ .*$/.test(line))).toBe(true);
});

import { execFileSync } from 'node:child_process';
import { chmodSync, existsSync, mkdtempSync, readFileSync, statSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { auditFile, type CliOptions, newHome, readAudit, runCli } from '../helpers/cli.js';
import { type Dockerd, dockerdMissing, IMAGE, startDockerd } from '../helpers/dockerd.js';

const SECRET = 'hunter2-not-for-your-eyes';
const FATAL = 'FATAL: password authentication failed for user "shop"';

const start = async (): Promise<Dockerd | string> => dockerdMissing() ?? startDockerd().catch(String);
const started = await start();
const why = typeof started === 'string' ? ` (skipped: ${started})` : '';

describe.skipIf(typeof started === 'string')(`a real Docker daemon${why}`, () => {
  const dockerd = started as Dockerd;
  const { docker } = dockerd;
  const run = (args: readonly string[], options: CliOptions = {}) =>
    runCli(args, { ...options, env: { DOCKER_HOST: dockerd.host, ...options.env } });
  const diagnose = (name: string, language = 'en') =>
    run(['tools', 'run', 'diagnose_container', '--arg', `name=${name}`, '--arg', `language=${language}`]);
  const state = (name: string, template: string): string =>
    docker('container', 'inspect', `--format=${template}`, name);
  const create = (name: string, ...args: readonly string[]) =>
    docker('run', '--detach', '--network=none', `--name=${name}`, ...args);
  let canLimitMemory = false;
  let ports: string | undefined;

  async function until(what: string, isSo: () => boolean): Promise<void> {
    for (let attempt = 0; !isSo(); attempt++) {
      if (attempt > 150) throw new Error(`never came: ${what}`);
      await sleep(200);
    }
  }

  beforeAll(async () => {
    const crash = `echo "web 1.4 starting" ; echo '${FATAL}' >&2; exit 1`;
    create('web', '--restart=always', `--env=DB_PASSWORD=${SECRET}`, '--env=DB_USER=shop', IMAGE, 'sh', '-c', crash);
    // The daemon remembers 256 events, three of each health check: with more checks the first would be gone.
    // A password on the command line, in the health check and in a label.
    create(
      'ok',
      `--label=token=${SECRET}`,
      `--health-cmd=true ${SECRET}`,
      '--health-interval=4s',
      IMAGE,
      'sh',
      '-c',
      `sleep 1000; : ${SECRET}`,
    );
    create('sick', '--health-cmd=cat /ready', '--health-interval=4s', '--health-retries=1', IMAGE, 'sleep', '1000');
    canLimitMemory = docker('info', '--format={{.MemoryLimit}}') === 'true';
    if (canLimitMemory) create('greedy', '--memory=16m', '--memory-swap=16m', IMAGE, 'tail', '/dev/zero');
    try {
      docker('network', 'create', 'opsagent-test');
      docker(
        'run',
        '--detach',
        '--network=opsagent-test',
        '--publish=127.0.0.1:0:80',
        '--name=first',
        IMAGE,
        'sleep',
        '1000',
      );
      ports = docker('port', 'first').split(':').at(-1);
    } catch (error) {
      process.stderr.write(`no bridge network here, so no port conflict: ${String(error)}\n`);
    }
    if (ports !== undefined) {
      docker(
        'create',
        '--network=opsagent-test',
        `--publish=127.0.0.1:${ports}:80`,
        '--name=second',
        IMAGE,
        'sleep',
        '1000',
      );
      expect(() => docker('start', 'second')).toThrow(/port is already allocated|address already in use/);
    }
    await until('restarts of web', () => Number(state('web', '{{.RestartCount}}')) >= 3);
    await until('sick unhealthy', () => state('sick', '{{.State.Health.Status}}') === 'unhealthy');
    await until('ok healthy', () => state('ok', '{{.State.Health.Status}}') === 'healthy');
    if (canLimitMemory) await until('greedy killed', () => state('greedy', '{{.State.Status}}') === 'exited');
  });

  afterAll(async () => {
    expect(await dockerd.stop()).toEqual([]);
    expect(existsSync(dockerd.dir)).toBe(false);
  });

  describe('that cannot be used', () => {
    test('a daemon that does not answer is unavailable, with the next step', async () => {
      const result = await run(['tools', 'run', 'diagnose_container', '--arg', 'name=web'], {
        env: { DOCKER_HOST: 'tcp://127.0.0.1:1' },
      });
      expect([result.code, result.stdout + result.stderr]).toEqual([
        6,
        expect.stringMatching(/Cannot connect to the Docker daemon at tcp:\/\/127\.0\.0\.1:1[\s\S]*DOCKER_HOST/),
      ]);
    });

    test('a socket that one may not use is unavailable, and the message says how to get the right', async () => {
      // Root may do everything, so the client runs without that privilege, on a socket of another user.
      const bin = mkdtempSync(join(tmpdir(), 'opsagent-bin-'));
      writeFileSync(
        join(bin, 'docker'),
        `#!/bin/sh\nPATH="\${PATH#*:}" exec setpriv --reuid=65534 --regid=65534 --clear-groups docker "$@"\n`,
      );
      chmodSync(join(bin, 'docker'), 0o755);
      chmodSync(bin, 0o755);
      chmodSync(dockerd.dir, 0o755);
      const result = await run(['tools', 'run', 'docker_ps'], { env: { PATH: `${bin}:${process.env.PATH}` } });
      expect([result.code, result.stdout + result.stderr]).toEqual([
        6,
        expect.stringMatching(/permission denied[\s\S]*usermod -aG docker/),
      ]);
    });

    test('a name that no container has is a usage error that offers the nearest', async () => {
      const result = await diagnose('wep');
      expect([result.code, result.stdout + result.stderr]).toEqual([
        2,
        expect.stringMatching(/no container "wep"[\s\S]*did you mean web\?/),
      ]);
    });
  });

  describe('diagnosed without a model', () => {
    test('a crash loop is put down to what the program said last', async () => {
      const result = await run(['ask', 'why does the container web restart']);
      expect(result.code).toBe(0);
      expect(result.stdout).toContain(
        'Container web keeps restarting because the database refuses the login (critical, confirmed)',
      );
      expect(result.stdout).toContain(FATAL);
      expect(result.stdout).toMatch(/restarts; exit code 1: the program reported an error/);
      expect(result.stdout).toContain('DB_PASSWORD DB_USER');
    });

    test('the same in Chinese', async () => {
      const result = await run(['ask', '容器web为什么一直重启']);
      expect([result.code, result.stdout]).toEqual([
        0,
        expect.stringContaining('容器 web 反复重启，原因是数据库拒绝登录'),
      ]);
    });

    test('an unhealthy container is told from a healthy one', async () => {
      const sick = await diagnose('sick');
      expect(sick.stdout).toMatch(/Container sick runs but fails its health check: .*\/ready.*\(high, confirmed\)/);
      const ok = await diagnose('ok');
      expect([ok.code, ok.stdout]).toEqual([0, expect.stringContaining('No problem was found.')]);
    });

    test('a kill for memory is named with the limit', async (context) => {
      if (!canLimitMemory) return context.skip('this kernel has no memory cgroups');
      const result = await diagnose('greedy');
      expect(result.stdout).toContain(
        'Container greedy was killed for using more memory than its limit (16m) (OOMKilled)',
      );
      expect((await diagnose('greedy', 'zh')).stdout).toContain('容器 greedy 因内存超过限制 (16m)被杀死');
    });

    test('a port conflict names the port and who holds it', async (context) => {
      if (ports === undefined) return context.skip('no bridge network can be made here');
      const result = await diagnose('second');
      expect(result.stdout).toContain(
        `Container second cannot be started: its host port ${ports} is taken by container first`,
      );
    });

    test('all containers at once: every faulty one and no other', async () => {
      const result = await run(['ask', 'which containers are unhealthy']);
      const headings = result.stdout.match(/^## .*$/gm)?.join('\n') ?? '';
      expect(result.code).toBe(0);
      expect(headings).toMatch(/Container web keeps restarting because the database refuses the login/);
      expect(headings).toMatch(/Container sick/);
      expect(headings).not.toMatch(/Container (?:ok|first) /);
      // The three worst are told in full, the others in a line each.
      if (canLimitMemory) expect(result.stdout).toMatch(/Container greedy was killed/);
    });
  });

  describe('read', () => {
    test('both streams of a log are shown, and no value of an environment variable ever is', async () => {
      const home = newHome();
      const log = await run(['tools', 'run', 'docker_logs', '--arg', 'name=web', '--arg', 'tail=2'], { home });
      expect(log.stdout.trim().split('\n').toSorted()).toEqual([FATAL, 'web 1.4 starting']);
      const inspected = await run(['tools', 'run', 'docker_inspect', '--arg', 'name=web'], { home });
      expect(JSON.parse(inspected.stdout)).toMatchObject({
        Name: '/web',
        EnvNames: expect.arrayContaining(['DB_PASSWORD', 'DB_USER']),
      });
      const spied = await run(['tools', 'run', 'docker_exec', '--args', '{"name":"ok","command":["env"]}', '--yes'], {
        home,
      });
      expect(spied.code).toBe(3);
      const seen = [log, inspected, spied].map((r) => r.stdout + r.stderr).join('') + JSON.stringify(readAudit(home));
      expect(seen).not.toContain(SECRET);
    });

    test.each([
      ['docker_ps', {}, /^NAMES +IMAGE/],
      ['docker_stats', { name: 'ok' }, /CPU %/],
      ['docker_top', { name: 'ok' }, /^PID[^\n]*COMMAND\n(?![\s\S]*1000)[\s\S]*sleep/],
      ['docker_images', {}, /shop\/base/],
      ['docker_inspect_image', { image: IMAGE }, /"Architecture":/],
      ['docker_df', {}, /Images +1/],
      ['docker_df', { verbose: true }, /image shop\/base:1 (?![\s\S]*1000)[\s\S]*container ok /],
      ['docker_inspect_network', { name: 'none' }, /"OptionNames":\[\],"LabelNames":\[\]/],
      ['docker_networks', {}, /none/],
      ['docker_volumes', {}, /VOLUME NAME/],
      ['docker_events', { name: 'web', events: ['die'] }, /container die .*exitCode=1/],
      ['docker_info', {}, /Storage Driver: vfs/],
    ])('%s %j', async (tool, args, output) => {
      const result = await run(['tools', 'run', tool, '--args', JSON.stringify(args)]);
      expect([result.code, result.stdout]).toEqual([0, expect.stringMatching(output)]);
    });

    test('no password of a command line, a health check or a label is shown', async () => {
      const home = newHome();
      docker('exec', 'ok', 'echo', SECRET);
      const calls: readonly [string, object][] = [
        ['docker_inspect', { name: 'ok' }],
        ['docker_events', { name: 'ok' }],
        ['docker_events', { name: 'ok', as_json: true }],
        ['docker_top', { name: 'ok' }],
        ['docker_ps', { as_json: true }],
        ['docker_df', { verbose: true }],
      ];
      const results = [];
      for (const [tool, args] of calls) {
        results.push(await run(['tools', 'run', tool, '--args', JSON.stringify(args)], { home }));
      }
      expect(results.map((r) => r.code)).toEqual(calls.map(() => 0));
      const [inspected, lines, objects] = results.map((r) => r.stdout);
      expect(JSON.parse(inspected ?? '')).toMatchObject({
        Path: 'sh',
        ArgCount: 2,
        Healthcheck: { Kind: 'CMD-SHELL', Program: null, ArgCount: 1 },
        Networks: { none: {} },
      });
      expect(lines).toMatch(/ container exec_create ok image=shop\/base:1\n/);
      expect(lines).toMatch(/ container health_status: healthy ok /);
      expect(objects).toMatch(/"Action":"exec_start","Actor":\{"ID":"[0-9a-f]{64}","Attributes":\{"name":"ok"/);
      expect(results.map((r) => r.stdout + r.stderr).join('') + JSON.stringify(readAudit(home))).not.toContain(SECRET);
    });

    test('the daemon is named in every call, from DOCKER_HOST or the current context', async () => {
      const home = newHome();
      const config = mkdtempSync(join(tmpdir(), 'opsagent-docker-'));
      const client = { PATH: process.env.PATH, DOCKER_CONFIG: config };
      execFileSync('docker', ['context', 'create', 'night', `--docker=host=${dockerd.host}`], {
        env: client,
        stdio: 'pipe',
      });
      execFileSync('docker', ['context', 'use', 'night'], { env: client, stdio: 'pipe' });
      const ps = (env: Record<string, string>) => runCli(['tools', 'run', 'docker_ps'], { home, env });
      const results = [await ps({ DOCKER_HOST: dockerd.host }), await ps({ DOCKER_CONFIG: config })];
      expect(results.map((r) => [r.code, r.stdout.includes('shop/base:1')])).toEqual([
        [0, true],
        [0, true],
      ]);
      const decided = readAudit(home).filter((r) => r.event === 'decided' && r.action?.tokens.includes('ps'));
      expect(decided.map((r) => r.action?.tokens.slice(0, 3))).toEqual([
        ['docker', `--host=${dockerd.host}`, 'ps'],
        ['docker', '--context=night', 'ps'],
      ]);
    });

    test('a client without the Compose plug-in says what to install', async (context) => {
      const result = await run(['tools', 'run', 'docker_compose_ls']);
      if (result.code === 0) return context.skip('the Compose plug-in is installed');
      expect([result.code, result.stdout + result.stderr]).toEqual([2, expect.stringContaining('Compose plug-in')]);
    });
  });

  describe('changed', () => {
    test('nothing happens when nobody can say yes', async () => {
      const before = state('ok', '{{.State.StartedAt}}');
      const result = await run(['tools', 'run', 'docker_restart', '--arg', 'name=ok']);
      expect([result.code, state('ok', '{{.State.StartedAt}}')]).toEqual([4, before]);
    });

    test('a restart that was allowed really happens, and is written down', async () => {
      const home = newHome();
      const before = state('ok', '{{.State.StartedAt}}');
      const result = await run(
        ['tools', 'run', 'docker_restart', '--args', '{"name":"ok","grace_seconds":1}', '--yes'],
        { home },
      );
      expect([result.code, result.stdout]).toEqual([
        0,
        expect.stringMatching(/^ok\nChecked \(i\d+\): docker_inspect\n$/),
      ]);
      expect(state('ok', '{{.State.StartedAt}}')).not.toBe(before);
      const records = readAudit(home).filter((r) => r.tool === 'docker_restart');
      expect(records.map((r) => [r.event, r.risk_level, r.approval?.by, r.status])).toEqual([
        ['decided', 'high', 'flag', undefined],
        ['finished', 'high', 'flag', 'ok'],
      ]);
    });

    test('a stop is undone by a start, and an undo by a stop', async () => {
      const home = newHome();
      const stopped = await run(['tools', 'run', 'docker_stop', '--args', '{"name":"ok","grace_seconds":1}', '--yes'], {
        home,
      });
      expect([stopped.code, state('ok', '{{.State.Running}}')]).toEqual([0, 'false']);
      expect([(await run(['undo'], { home })).code, state('ok', '{{.State.Running}}')]).toEqual([4, 'false']);
      const undone = await run(['undo', '--yes', '--output', 'json'], { home });
      expect([undone.code, state('ok', '{{.State.Running}}')]).toEqual([0, 'true']);
      const { session_id: session } = JSON.parse(undone.stdout) as { session_id: string };
      const again = await run(['undo', 'c1', '--session', session, '--yes'], { home });
      expect([again.code, state('ok', '{{.State.Running}}')]).toEqual([0, 'false']);
      expect((await run(['tools', 'run', 'docker_start', '--arg', 'name=ok', '--yes'], { home })).code).toBe(0);
    });

    test('a restart policy is put back', async () => {
      const home = newHome();
      const policy = () => state('ok', '{{.HostConfig.RestartPolicy.Name}}');
      const before = policy();
      const args = ['--args', '{"name":"ok","restart":"unless-stopped"}', '--yes'];
      expect([(await run(['tools', 'run', 'docker_update', ...args], { home })).code, policy()]).toEqual([
        0,
        'unless-stopped',
      ]);
      expect([(await run(['undo', '--yes'], { home })).code, policy()]).toEqual([0, before]);
    });

    test('a memory limit where there was none has no way back, and says so', async (context) => {
      const home = newHome();
      const args = ['--args', '{"name":"ok","memory":"256m"}', '--yes'];
      const updated = await run(['tools', 'run', 'docker_update', ...args], { home });
      if (updated.code !== 0) return context.skip('limits cannot be set with the cgroups of this machine');
      const { code, stderr } = await run(['undo', '--yes'], { home });
      expect([code, stderr]).toEqual([1, expect.stringContaining('memory was not set before, and cannot be unset')]);
    });

    test('what cannot be undone needs more than --yes', async () => {
      const args = ['tools', 'run', 'docker_rm', '--args', '{"name":"sick","force":true}'];
      expect([(await run([...args, '--yes'])).code, state('sick', '{{.State.Running}}')]).toEqual([4, 'true']);
    });
  });

  test('every call of a diagnosis is in the audit log, decided and finished', async () => {
    const { home } = await diagnose('web');
    const records = readAudit(home);
    const of = (event: string) => records.filter((r) => r.event === event).map((r) => r.call_id);
    expect(of('decided').toSorted()).toEqual(of('finished').toSorted());
    expect(new Set(of('finished')).size).toBe(of('finished').length);
    const tools = new Set(records.map((r) => r.tool));
    for (const tool of [
      'diagnose_container',
      'docker_ps',
      'docker_inspect',
      'docker_logs',
      'docker_events',
      'docker_diagnose',
    ])
      expect(tools).toContain(tool);
    expect(statSync(auditFile(home)).mode & 0o777).toBe(0o600);
  });
});

test('a context that is changed while a session runs moves none of its calls', async () => {
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-docker-'));
  const config = join(dir, 'config.json');
  writeFileSync(config, '{"currentContext":"night"}');
  // A client that does what another terminal may do at any time: docker context use day.
  const client = `#!/bin/sh\necho '{"currentContext":"day"}' > ${config}\necho '{"ID":"a1","Names":"web","State":"exited"}'\n`;
  writeFileSync(join(dir, 'docker'), client, { mode: 0o755 });
  const { home } = await runCli(['tools', 'run', 'diagnose_docker'], {
    env: { PATH: `${dir}:${process.env.PATH}`, DOCKER_CONFIG: dir },
  });
  const calls = readAudit(home).flatMap((r) =>
    r.event === 'decided' && r.action?.tokens[0] === 'docker' ? [r.action.tokens] : [],
  );
  const asked = calls.filter((tokens) => tokens[1] !== '--version');
  expect(asked.length).toBeGreaterThan(3);
  expect(new Set(asked.map((tokens) => tokens[1]))).toEqual(new Set(['--context=night']));
  expect(readFileSync(config, 'utf8')).toContain('day');
});

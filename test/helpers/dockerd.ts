import { type ChildProcess, execFileSync, spawn } from 'node:child_process';
import {
  cpSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  openSync,
  readdirSync,
  readFileSync,
  rmdirSync,
  rmSync,
  symlinkSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';

/** A Docker daemon of its own: its socket, data, state and cgroups lie in one temporary folder. */
export interface Dockerd {
  readonly dir: string;
  /** Value of DOCKER_HOST. */
  readonly host: string;
  /** Runs the client; throws when it fails. */
  docker(...args: readonly string[]): string;
  /** Ends everything and gives what was left behind, which should be nothing. */
  stop(): Promise<readonly string[]>;
}

export const IMAGE = 'shop/base:1';
const APPLETS = ['sh', 'cat', 'sleep', 'echo', 'tail', 'true', 'false', 'env', 'ls'];
const START_ATTEMPTS = 150;
const STOP_ATTEMPTS = 300;

const which = (program: string): string | undefined =>
  ['/usr/sbin', '/sbin', ...(process.env.PATH ?? '').split(':')]
    .map((folder) => join(folder, program))
    .find((path) => existsSync(path));

/** Why no daemon can be started here; undefined when it may be tried. */
export function dockerdMissing(): string | undefined {
  if (process.platform !== 'linux') return 'dockerd needs Linux';
  if (process.getuid?.() !== 0) return 'dockerd needs root';
  const absent = ['dockerd', 'docker', 'busybox'].filter((program) => which(program) === undefined);
  return absent.length === 0 ? undefined : `${absent.join(', ')} not installed (Debian: docker.io, busybox-static)`;
}

/** Starts a daemon with one image, made of busybox. @throws when it does not come up, with the end of its log. */
export async function startDockerd(): Promise<Dockerd> {
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-dockerd-'));
  const socket = join(dir, 'docker.sock');
  const host = `unix://${socket}`;
  const cgroup = dir.split('/').at(-1) ?? '';
  const log = join(dir, 'dockerd.log');
  // The machine's own daemon.json is not for this one.
  writeFileSync(join(dir, 'daemon.json'), '{}');
  const child = spawn(which('dockerd') ?? 'dockerd', flags(dir, host, cgroup), {
    detached: true,
    stdio: ['ignore', openSync(log, 'w'), openSync(log, 'a')],
  });
  const docker = (...args: readonly string[]): string =>
    execFileSync('docker', args, {
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: dir, DOCKER_HOST: host },
      stdio: ['ignore', 'pipe', 'pipe'],
    }).trim();
  const stop = () => stopDockerd({ dir, cgroup, child, docker });
  try {
    await answers(child, docker);
    importImage(dir, docker);
    return { dir, host, docker, stop };
  } catch (error) {
    const said = readFileSync(log, 'utf8').trim().split('\n').slice(-2).join(' ');
    await stop();
    throw new Error(`dockerd does not start here: ${String(error)}: ${said}`);
  }
}

/** No bridge and no firewall rule of the machine is touched; vfs needs no mounts. */
const flags = (dir: string, host: string, cgroup: string): string[] => [
  `--host=${host}`,
  `--data-root=${join(dir, 'data')}`,
  `--exec-root=${join(dir, 'exec')}`,
  `--pidfile=${join(dir, 'dockerd.pid')}`,
  `--config-file=${join(dir, 'daemon.json')}`,
  `--cgroup-parent=/${cgroup}`,
  '--exec-opt=native.cgroupdriver=cgroupfs',
  '--storage-driver=vfs',
  '--bridge=none',
  '--iptables=false',
  '--ip6tables=false',
  '--ip-forward=false',
  '--ip-masq=false',
];

async function answers(child: ChildProcess, docker: Dockerd['docker']): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    if (child.exitCode !== null) throw new Error(`it ended with exit code ${child.exitCode}`);
    try {
      docker('version');
      return;
    } catch (error) {
      if (attempt >= START_ATTEMPTS) throw error;
      await sleep(200);
    }
  }
}

function importImage(dir: string, docker: Dockerd['docker']): void {
  const root = join(dir, 'rootfs');
  mkdirSync(join(root, 'bin'), { recursive: true });
  cpSync(which('busybox') ?? '', join(root, 'bin/busybox'));
  for (const applet of APPLETS) symlinkSync('busybox', join(root, 'bin', applet));
  execFileSync('tar', ['-C', root, '-cf', join(dir, 'image.tar'), '.']);
  docker('import', join(dir, 'image.tar'), IMAGE);
}

interface Running {
  readonly dir: string;
  readonly cgroup: string;
  readonly child: ChildProcess;
  readonly docker: Dockerd['docker'];
}

async function stopDockerd({ dir, cgroup, child, docker }: Running): Promise<readonly string[]> {
  if (child.exitCode === null) {
    removeAll(docker);
    child.kill('SIGTERM');
  }
  for (let attempt = 0; attempt < STOP_ATTEMPTS && processesOf(dir).length > 0; attempt++) await sleep(100);
  const left = [...processesOf(dir).map((pid) => `process ${pid}`), ...mountsIn(dir).map((mount) => `mount ${mount}`)];
  for (const pid of processesOf(dir)) process.kill(pid, 'SIGKILL');
  for (const mount of mountsIn(dir)) execFileSync('umount', ['--lazy', mount]);
  const cgroups = cgroupsOf(cgroup).toReversed();
  for (const folder of cgroups) rmdirSync(folder);
  rmSync(dir, { recursive: true, force: true });
  return [...left, ...cgroupsOf(cgroup).map((folder) => `cgroup ${folder}`), ...(existsSync(dir) ? [dir] : [])];
}

/** A daemon that failed to start has nothing to remove. */
function removeAll(docker: Dockerd['docker']): void {
  try {
    const ids = docker('ps', '--all', '--quiet')
      .split('\n')
      .filter((id) => id !== '');
    if (ids.length > 0) docker('rm', '--force', '--volumes', ...ids);
    docker('network', 'prune', '--force');
  } catch (error) {
    process.stderr.write(`dockerd: ${String(error)}\n`);
  }
}

/** Every process that has the folder in its command line: dockerd, containerd, shims. */
function processesOf(dir: string): number[] {
  return readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name) && Number(name) !== process.pid)
    .filter((pid) => readable(`/proc/${pid}/cmdline`).includes(dir))
    .map(Number);
}

/** A process may end between the list and the look. */
function readable(path: string): string {
  try {
    return readFileSync(path, 'utf8');
  } catch {
    return '';
  }
}

const mountsIn = (dir: string): string[] =>
  readFileSync('/proc/mounts', 'utf8')
    .split('\n')
    .map((line) => line.split(' ')[1] ?? '')
    .filter((path) => path.startsWith(`${dir}/`))
    .toReversed();

/** The folder in every controller (version 1) or in the one hierarchy (version 2), parents first. */
function cgroupsOf(name: string): string[] {
  const root = '/sys/fs/cgroup';
  const tops = existsSync(root) ? [root, ...readdirSync(root).map((controller) => join(root, controller))] : [];
  return tops
    .map((top) => join(top, name))
    .filter((folder) => existsSync(folder))
    .flatMap((folder) => [
      folder,
      ...readdirSync(folder, { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isDirectory())
        .map((entry) => join(entry.parentPath, entry.name)),
    ]);
}

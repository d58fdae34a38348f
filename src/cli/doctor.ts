import { existsSync, statSync } from 'node:fs';
import { EXIT, type ExitName, messageOf, OpsError } from '../domain/errors.js';
import { openConfig } from '../lib/config.js';
import { auditPath } from '../lib/paths.js';
import { visible } from '../lib/visible.js';
import { findOnPath } from '../tools/requires.js';
import { startPlainUi } from '../ui/plain.js';
import { modelSettings } from './ask.js';
import { describeBudget } from './budget.js';
import type { Io } from './io.js';
import { probeModel } from './probe-model.js';
import { openSession, type Session } from './session.js';

interface Check {
  readonly name: string;
  /** `off`: not there, and not needed for everything. */
  readonly state: 'ok' | 'off' | 'broken';
  readonly found: string;
  readonly next?: string;
}

/** Columns before what a check found. */
const INDENT = 14;
const MARKS = { ok: '✔', off: '–', broken: '✖' };

export interface DoctorOptions {
  readonly json?: boolean;
  readonly context?: string;
  readonly cluster: boolean;
  /** Make one test call to the model. */
  readonly model?: boolean;
}

/** Looks at everything a diagnosis needs; exit 1 when something is broken. What is only absent says what it is for. */
export async function runDoctor(io: Io, options: DoctorOptions): Promise<ExitName> {
  const checks = [checkNode(), ...(await checkHome(io)), checkKubectl(io), checkKubeconfig(io)];
  // Without tools, policies and audit log nothing else can be asked; the message is above.
  const isSetUp = checks.every((check) => check.name !== 'set-up');
  if (isSetUp && options.cluster && checks.every((check) => check.name !== 'kubectl' || check.state === 'ok')) {
    checks.push(await checkCluster(io, options));
  }
  checks.push(...(isSetUp ? await checkSystems(io) : []), await (options.model ? tryModel(io) : checkModel(io)));
  const exit: ExitName = checks.some((check) => check.state === 'broken') ? 'failed' : 'ok';
  if (options.json) io.out(`${JSON.stringify({ exit_code: EXIT[exit], checks }, null, 2)}\n`);
  else io.out(await asLines(io, checks));
  return exit;
}

/** One paragraph a check, with its name before it; wrapped in a terminal. */
async function asLines({ outIsTerminal, width }: Io, checks: readonly Check[]): Promise<string> {
  const { wrapToWidth } = await import('../lib/width.js');
  const columns = outIsTerminal ? width - INDENT : Number.POSITIVE_INFINITY;
  const hang = (text: string, by: string) => wrapToWidth(visible(text).trim(), columns - by.length).join(`\n${by}`);
  const indent = ' '.repeat(INDENT);
  return checks
    .flatMap(({ name, state, found, next }) => [
      `${MARKS[state]} ${name.padEnd(INDENT - 3)} ${hang(found, '').replaceAll('\n', `\n${indent}`)}\n`,
      ...(next === undefined
        ? []
        : [`${indent}→ ${hang(next.replaceAll('\n', ' '), '  ').replaceAll('\n', `\n${indent}`)}\n`]),
    ])
    .join('');
}

const checkNode = (): Check => ({ name: 'node', state: 'ok', found: process.version });

/** Tools, policies, audit log: what every call needs. Opening a session proves all three. */
async function checkHome(io: Io): Promise<Check[]> {
  const log: Check = { name: 'audit log', state: 'ok', found: auditPath(io.paths) };
  return withSession(io, {}, async (session) => {
    const warned = session.toolbox.notices.map((notice): Check => ({ name: 'tools', state: 'off', found: notice }));
    const tools: Check = {
      name: 'tools',
      state: 'ok',
      found: `${session.registry.list().length} tools, policies loaded`,
    };
    const budget: Check = { name: 'budget', state: 'ok', found: await describeBudget(session.budgets) };
    return [tools, ...warned, log, budget];
  }).catch((error: unknown) => [broken('set-up', error)]);
}

function checkKubectl(io: Io): Check {
  const found = findOnPath('kubectl', io.env.PATH ?? '');
  if (found !== undefined) return { name: 'kubectl', state: 'ok', found };
  return {
    name: 'kubectl',
    state: 'off',
    found: 'not on PATH; needed for live clusters only',
    next: 'Install kubectl (Debian: apt-get install kubernetes-client), or work from a dump: opsagent ask "…" --dump DIR',
  };
}

function checkKubeconfig(io: Io): Check {
  const paths = io.kubeconfig;
  const missing = paths.filter((path) => !existsSync(path));
  if (missing.length === paths.length) {
    return {
      name: 'kubeconfig',
      state: 'off',
      found: `none at ${paths.join(', ')}`,
      next: 'Copy one from your cluster, or set KUBECONFIG.',
    };
  }
  const open = paths.find((path) => existsSync(path) && statSync(path).mode & 0o077);
  if (open !== undefined)
    return { name: 'kubeconfig', state: 'ok', found: `${open}, which others can read`, next: `chmod 600 ${open}` };
  return { name: 'kubeconfig', state: 'ok', found: paths.join(', ') };
}

/** One read through the same gate as every call. */
async function checkCluster(io: Io, options: DoctorOptions): Promise<Check> {
  const flags = options.context === undefined ? {} : { context: options.context };
  return withSession(io, flags, async (session): Promise<Check> => {
    const result = await session.call('kubectl_get', { kind: 'namespaces', output: 'name' });
    if (result.status === 'ok') {
      const count = result.text.split('\n').filter((line) => line.startsWith('namespace/')).length;
      return { name: 'cluster', state: 'ok', found: `reachable, ${count} namespaces` };
    }
    const next = result.error?.hint ?? 'Check the cluster address, your network and your rights.';
    return { name: 'cluster', state: 'off', found: result.error?.message ?? result.text, next };
  }).catch((error: unknown) => broken('cluster', error));
}

/** Every other system, by what its own tool file requires: its programs and addresses tried out, all at the same time. */
async function checkSystems(io: Io): Promise<Check[]> {
  return withSession(io, {}, async (session) => {
    const tools = session.registry.list().filter((tool) => tool.requires.length > 0 && tool.category !== 'kubernetes');
    const distinct = new Map(
      tools.toReversed().map((tool) => [`${tool.category} ${JSON.stringify(tool.requires)}`, tool]),
    );
    const checks = [...distinct.values()].map(async (tool): Promise<Check> => {
      const lack = await session.requirements.unmet(tool);
      const name = tool.category;
      if (lack) return { name, state: 'off', found: lack.reason };
      const needs = tool.requires.map(({ command, env, url }) => (url ? 'answers' : (command?.[0] ?? env)));
      return { name, state: 'ok', found: needs.join(' ') };
    });
    const docker = session.registry.get('docker_ps');
    const daemon = docker && !(await session.requirements.unmet(docker)) ? [await checkDaemon(session)] : [];
    return [...mergeFound(await Promise.all(checks)), ...daemon];
  }).catch((error: unknown) => [broken('systems', error)]);
}

/** What a system has on one line; what it lacks on one each. */
function mergeFound(checks: readonly Check[]): Check[] {
  const names = [...new Set(checks.map((check) => check.name))];
  return names.flatMap((name) => {
    const own = checks.filter((check) => check.name === name);
    const found = own.filter((check) => check.state === 'ok').map((check) => check.found);
    const merged: Check[] = found.length > 0 ? [{ name, state: 'ok', found: [...new Set(found)].join(', ') }] : [];
    const lacks = own.filter(({ state }) => state !== 'ok');
    // Tools that lack the same thing may require more or less beside it.
    return [...merged, ...new Map(lacks.map((check) => [check.found, check])).values()];
  });
}

/** The client says nothing of the daemon; one read does. */
async function checkDaemon(session: Session): Promise<Check> {
  const result = await session.call('docker_ps', {});
  if (result.status === 'ok') return { name: 'docker', state: 'ok', found: 'the daemon answers' };
  const next = result.error?.hint;
  return {
    name: 'docker',
    state: 'off',
    found: result.error?.message ?? result.text,
    ...(next !== undefined && { next }),
  };
}

async function tryModel(io: Io): Promise<Check> {
  try {
    const probe = await probeModel(io, await openConfig(io.paths.config));
    const can = (works: boolean, what: string) => `${what} ${works ? 'work' : 'DO NOT WORK'}`;
    const found = `${probe.model} at ${probe.host} answered in ${probe.seconds.toFixed(1)} s: ${can(probe.streaming, 'streams')}, ${can(probe.tools, 'tool calls')}, ${can(probe.parallelCalls, 'parallel calls')}`;
    if (probe.tools) return { name: 'model', state: 'ok', found };
    return {
      name: 'model',
      state: 'broken',
      found,
      next: 'Choose a model with function calling, or switch it on in the server; without it only --offline helps.',
    };
  } catch (error) {
    return broken('model', error);
  }
}

async function checkModel(io: Io): Promise<Check> {
  try {
    const settings = await modelSettings(io, await openConfig(io.paths.config), {});
    if (settings) {
      const key = settings.apiKey === undefined ? 'without a key' : 'with a key';
      return {
        name: 'model',
        state: 'ok',
        found: `${settings.model} at ${new URL(settings.baseUrl).host}, ${key} (not asked)`,
      };
    }
    return {
      name: 'model',
      state: 'off',
      found: 'none configured; the offline planner answers',
      next: 'opsagent config set model.name NAME; opsagent config set model.base_url URL; export OPSAGENT_API_KEY=…',
    };
  } catch (error) {
    return broken('model', error);
  }
}

async function withSession<T>(
  io: Io,
  flags: { readonly context?: string },
  work: (session: Session) => Promise<T>,
): Promise<T> {
  const silent = { ...startPlainUi({ write: () => undefined, color: false }), emit: () => undefined };
  const session = await openSession(io, { toolDirs: [], policyDirs: [], ...flags }, silent);
  try {
    return await work(session);
  } finally {
    session.close();
  }
}

function broken(name: string, error: unknown): Check {
  const hint = error instanceof OpsError ? error.hint : undefined;
  return { name, state: 'broken', found: messageOf(error), ...(hint !== undefined && { next: hint }) };
}

import type { CallError } from '../../domain/types.js';
import { nearest } from '../../lib/nearest.js';
import { quoteOf } from '../plain-text.js';
import type { Language } from '../types.js';
import type { Container, Row } from './container.js';

/** A workflow reads at most this many containers one by one. */
const MAX_CONTAINERS = 50;
const MAX_LOGS = 8;

export interface DockerTarget {
  readonly found: true;
  readonly names: readonly string[];
  /** Those of `names` that run. */
  readonly running: readonly string[];
  readonly images: readonly string[];
}

/** The containers that a name means: exact name, id, or service of a Compose project; all of them when it is ''. */
export function findContainers(
  rows: readonly Row[],
  name: string,
  language: Language,
): { readonly target: DockerTarget } | { readonly error: CallError } {
  const meant = name === '' ? rows.toSorted((a, b) => concern(b) - concern(a)) : named(rows, name);
  if (meant.length === 0 && name !== '') return { error: notFound(rows, name, language) };
  const projects = [...new Set(meant.map((row) => row.project))];
  if (name !== '' && projects.length > 1) return { error: ambiguous(meant, name, language) };
  const chosen = meant.slice(0, MAX_CONTAINERS);
  return {
    target: {
      found: true,
      names: chosen.map((row) => row.name),
      running: chosen.filter((row) => row.state === 'running').map((row) => row.name),
      images: [...new Set(chosen.map((row) => row.image))],
    },
  };
}

function named(rows: readonly Row[], name: string): readonly Row[] {
  const exact = rows.filter((row) => row.name === name);
  if (exact.length > 0) return exact;
  const ids = /^[0-9a-f]{4,64}$/.test(name) ? rows.filter((row) => row.id.startsWith(name)) : [];
  if (ids.length === 1) return ids;
  const same = (text: string): boolean => text.toLowerCase() === name.toLowerCase();
  const service = rows.filter((row) => same(row.service));
  return service.length > 0 ? service : rows.filter((row) => same(row.name));
}

/** What looks worst in the list comes first. */
function concern(row: Row): number {
  if (row.state === 'restarting' || row.state === 'dead') return 5;
  if (/\(unhealthy\)/.test(row.status)) return 4;
  if (row.state === 'created' || row.state === 'paused') return 3;
  if (row.state === 'exited') return /^Exited \(0\)/.test(row.status) ? 0 : 3;
  return 1;
}

function notFound(rows: readonly Row[], name: string, language: Language): CallError {
  const known = [...new Set(rows.flatMap((row) => [row.name, ...(row.service === '' ? [] : [row.service])]))];
  const contains = known.filter((other) => other.toLowerCase().includes(name.toLowerCase()));
  const near = [...new Set([...contains, ...nearest(name, known)])].slice(0, 5).map((other) => quoteOf(other, 80));
  const list = known.slice(0, 10).map((other) => quoteOf(other, 80));
  const en = language === 'en';
  const asked = quoteOf(name, 120);
  return {
    category: 'validation',
    exit: 'usage',
    message: en
      ? `there is no container "${asked}" among the ${rows.length} of this daemon`
      : `该守护进程的 ${rows.length} 个容器中没有 “${asked}”`,
    hint:
      near.length > 0
        ? en
          ? `did you mean ${near.join(', ')}?`
          : `是否指 ${near.join('、')}？`
        : list.length > 0
          ? en
            ? `there are ${list.join(', ')}${known.length > list.length ? ' …' : ''}`
            : `现有容器：${list.join('、')}${known.length > list.length ? '……' : ''}`
          : en
            ? 'the daemon has no containers; check DOCKER_HOST and the context (docker context ls)'
            : '该守护进程没有任何容器；请检查 DOCKER_HOST 与 context（docker context ls）',
  };
}

function ambiguous(rows: readonly Row[], name: string, language: Language): CallError {
  const names = rows.map((row) => quoteOf(row.name, 80));
  const en = language === 'en';
  return {
    category: 'validation',
    exit: 'usage',
    message: en
      ? `"${quoteOf(name, 120)}" is a service of several Compose projects`
      : `多个 Compose 项目都有服务 “${quoteOf(name, 120)}”`,
    hint: en ? `name the container: ${names.slice(0, 5).join(', ')}` : `请指明容器：${names.slice(0, 5).join('、')}`,
  };
}

/** The containers whose logs say most, at most 8: those that end, then those that are unhealthy. */
export function chooseLogs(containers: readonly Container[]): readonly string[] {
  const weight = (c: Container): number => {
    if (c.status === 'restarting' || (c.status === 'running' && c.restarts >= 3)) return 4;
    if (c.status === 'exited' && c.exitCode !== 0) return 3;
    if (c.health === 'unhealthy') return 2;
    return c.status === 'running' && c.restarts > 0 ? 1 : 0;
  };
  return containers
    .filter((c) => weight(c) > 0)
    .toSorted((a, b) => weight(b) - weight(a) || (b.finishedMs ?? 0) - (a.finishedMs ?? 0))
    .slice(0, MAX_LOGS)
    .map((c) => c.name);
}

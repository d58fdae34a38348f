import type { Classification } from '../../domain/types.js';
import { classifyAnsible, isAnsible } from './ansible.js';
import { classifyCompose, classifyDocker } from './docker.js';
import { classifyGit } from './git.js';
import { classifyHelm } from './helm.js';
import { classifyKubectl } from './kubectl.js';
import { classifyReader, isReader } from './readers.js';
import { classifySystemctl } from './systemctl.js';

/** Where programs of the system are; one elsewhere that has the same name may be anything. */
const FOLDERS = [
  '/bin',
  '/sbin',
  '/usr/bin',
  '/usr/sbin',
  '/usr/local/bin',
  '/usr/local/sbin',
  '/snap/bin',
  '/opt/homebrew/bin',
];

const PROGRAMS: Readonly<Record<string, (items: readonly string[]) => Classification>> = {
  kubectl: classifyKubectl,
  docker: classifyDocker,
  'docker-compose': (items) => classifyCompose(items),
  helm: classifyHelm,
  systemctl: classifySystemctl,
  git: classifyGit,
};

/**
 * What an argv does, read from the tables of its program. Undefined when no table knows the program: a name that is not there, one
 * in an unusual folder, or a program that runs another (sudo, env, xargs, sh, ssh). Pure; never throws.
 */
export function classify(tokens: readonly string[]): Classification | undefined {
  const [path = '', ...items] = tokens;
  const name = programName(path);
  if (name === undefined) return undefined;
  if (Object.hasOwn(PROGRAMS, name)) return PROGRAMS[name]?.(items);
  if (isAnsible(name)) return classifyAnsible(name, items);
  return isReader(name) ? classifyReader(name, items) : undefined;
}

function programName(path: string): string | undefined {
  const slash = path.lastIndexOf('/');
  return slash < 0 || FOLDERS.includes(path.slice(0, slash)) ? path.slice(slash + 1) : undefined;
}

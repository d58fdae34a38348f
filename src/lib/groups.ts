import { readFileSync } from 'node:fs';

/**
 * Groups of this process, as the kernel knows them; no variable can change them. By the names of /etc/group, `gid 1001` where it
 * has none: a directory service is not asked.
 */
export function groupNames(): string[] {
  const gids = new Set([...(process.getgroups?.() ?? []), ...(process.getegid ? [process.getegid()] : [])]);
  const names = namesByGid();
  return [...gids].map((gid) => names.get(gid) ?? `gid ${gid}`).sort();
}

function namesByGid(): Map<number, string> {
  try {
    const lines = [...readFileSync('/etc/group', 'utf8').matchAll(/^([^:\n]+):[^:\n]*:(\d+):/gm)];
    return new Map(lines.map(([, name = '', gid]) => [Number(gid), name]));
  } catch {
    return new Map();
  }
}

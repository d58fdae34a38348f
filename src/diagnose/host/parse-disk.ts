/** One file system as df shows it. */
export interface FileSystem {
  readonly device: string;
  /** Empty where df was not asked for it. */
  readonly type: string;
  readonly total: number;
  readonly used: number;
  readonly free: number;
  /** Percent in use. */
  readonly percent: number;
  readonly mount: string;
  /** The line, as evidence. */
  readonly line: string;
}

// From the back: device names and mount points may hold blanks, the numbers between do not.
const BLOCKS = /^(.+?)\s+(\S+)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\d+)%\s+(\/.*)$/;
const INODES = /^(.+?)\s+(\d+)\s+(\d+)\s+(-?\d+)\s+(\d+)%\s+(\/.*)$/;
/** A device name so long that df put the rest on the next line (old df without -P). */
const ALONE = /^\S{20,}$/;

/** `df -P -T -k`. Lines without numbers (pseudo file systems show `-`) are left out. */
export const parseDisks = (text: string): readonly FileSystem[] =>
  linesOf(text).flatMap((line) => {
    const found = BLOCKS.exec(line);
    if (!found) return [];
    const [, device = '', type = '', total, used, free, percent, mount = ''] = found;
    return [fileSystem(line, device, type, [total, used, free, percent], mount)];
  });

/** `df -P -i`. File systems without a fixed number of inodes (btrfs) show none and are left out. */
export const parseInodes = (text: string): readonly FileSystem[] =>
  linesOf(text).flatMap((line) => {
    const found = INODES.exec(line);
    if (!found) return [];
    const [, device = '', total, used, free, percent, mount = ''] = found;
    return Number(total) === 0 ? [] : [fileSystem(line, device, '', [total, used, free, percent], mount)];
  });

function fileSystem(
  line: string,
  device: string,
  type: string,
  [total, used, free, percent]: readonly (string | undefined)[],
  mount: string,
): FileSystem {
  return {
    device,
    type,
    total: Number(total),
    used: Number(used),
    free: Number(free),
    percent: Number(percent),
    mount: mount.trimEnd(),
    line,
  };
}

function linesOf(text: string): readonly string[] {
  const joined: string[] = [];
  for (const line of text.split('\n')) {
    const before = joined.at(-1);
    if (before !== undefined && ALONE.test(before) && /^\s+\S/.test(line)) joined[joined.length - 1] = before + line;
    else joined.push(line);
  }
  return joined;
}

/** What is mounted twice (bind mounts, the overlays of containers) is one file system: the same numbers, the shortest mount point. */
export function mergeMounts(all: readonly FileSystem[]): readonly { first: FileSystem; also: readonly FileSystem[] }[] {
  const groups = new Map<string, FileSystem[]>();
  for (const one of all) {
    const key = `${one.total}/${one.used}/${one.free}${one.type === 'tmpfs' || one.total < 1024 ? one.mount : ''}`;
    groups.set(key, [...(groups.get(key) ?? []), one]);
  }
  return [...groups.values()].flatMap((group) => {
    const [first, ...also] = group.toSorted((a, b) => a.mount.length - b.mount.length);
    return first === undefined ? [] : [{ first, also }];
  });
}

export interface Mount {
  readonly device: string;
  readonly mount: string;
  readonly type: string;
  readonly readOnly: boolean;
}

/** `/proc/self/mounts`; blanks in it are written as octal escapes. */
export const parseMounts = (text: string): readonly Mount[] =>
  text.split('\n').flatMap((line) => {
    const [device, mount, type, options] = line.split(' ');
    if (device === undefined || mount === undefined || type === undefined || options === undefined) return [];
    return [
      { device: unescapeOctal(device), mount: unescapeOctal(mount), type, readOnly: options.split(',').includes('ro') },
    ];
  });

const unescapeOctal = (text: string): string =>
  text.replaceAll(/\\([0-7]{3})/g, (_, octal: string) => String.fromCharCode(Number.parseInt(octal, 8)));

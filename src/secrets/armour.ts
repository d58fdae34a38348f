/** Private keys of many lines. */
export interface Armour {
  readonly isBusy: boolean;
  /** Takes the line; undefined when it is no part of a key. Gives the lines that can go on. */
  take(line: string): readonly string[] | undefined;
  end(): readonly string[];
}

const BEGIN = /^(.*?)-----BEGIN (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----\s*$/;
const END = /-----END (?:[A-Z0-9]+ )*PRIVATE KEY(?: BLOCK)?-----/;
/** Longest key that is put back as one, in characters. */
const MAX_KEY = 64 * 1024;
/** A line of a key, behind a time stamp or the name of a pod, say. */
const BODY = /^(.*?)([A-Za-z0-9+/=]{1,}|[A-Z][\w-]+: .*)(\s*)$/;

interface Open {
  readonly prefix: string;
  readonly lines: string[];
  size: number;
}

/**
 * Hides the body of a private key between its armour. One reference stands for the body when all lines begin alike; where each
 * has a time before it, each line is hidden for good. So is a key that does not end.
 */
export function createArmour(keep: (value: string) => string, lost: string): Armour {
  let open: Open | undefined;
  let isTooLong = false;
  const blot = (line: string) => line.replace(BODY, (_, prefix, _body, end) => `${prefix}${lost}${end}`);

  function close({ prefix, lines }: Open): string[] {
    open = undefined;
    if (lines.length === 0) return [];
    if (!lines.every((line) => line.startsWith(prefix))) return lines.map(blot);
    const end = /\r?\n$/.exec(lines[0] ?? '')?.[0] ?? '';
    const body = lines.map((line) => line.slice(prefix.length).trimEnd()).join('\n');
    return [`${prefix}${keep(body)}${end}`];
  }

  return {
    get isBusy() {
      return open !== undefined;
    },
    take(line) {
      if (!open) {
        const match = line.includes('-----BEGIN') ? BEGIN.exec(line) : null;
        if (!match) return undefined;
        open = { prefix: match[1] ?? '', lines: [], size: 0 };
        isTooLong = false;
        return [line];
      }
      if (END.test(line)) return [...close(open), line];
      // Something else speaks: the key was cut off.
      const isBody = BODY.test(line) || line.trim() === '' || line.trim() === open.prefix.trim();
      if (!isBody) return [...close(open), line];
      if (isTooLong) return [blot(line)];
      open.lines.push(line);
      open.size += line.length;
      isTooLong = open.size > MAX_KEY;
      return isTooLong ? open.lines.splice(0).map(blot) : [];
    },
    end: () => (open ? close(open) : []),
  };
}

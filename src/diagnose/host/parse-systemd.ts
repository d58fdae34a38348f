const UNIT =
  /^[●*\s]*([A-Za-z0-9_][\w@:.\\-]*\.(?:service|socket|timer|path|mount|automount|swap|device|scope|slice|target))\s+(\S+)\s+failed\s+(\S+)(?:\s+(.*))?$/;

export interface FailedUnit {
  readonly name: string;
  readonly description: string;
  readonly line: string;
}

/** `systemctl list-units --state=failed`, with or without its legend and bullets. */
export const parseFailedUnits = (text: string): readonly FailedUnit[] =>
  text.split('\n').flatMap((line) => {
    const [, name, , , description = ''] = UNIT.exec(line.trimEnd()) ?? [];
    return name === undefined ? [] : [{ name, description, line: line.trim().replaceAll(/\s+/g, ' ') }];
  });

/** `Key=value` lines of `systemctl show` and `timedatectl show`. */
export function parseProperties(text: string): ReadonlyMap<string, string> {
  const pairs = text.split('\n').flatMap((line) => {
    const at = line.indexOf('=');
    return at > 0 ? [[line.slice(0, at), line.slice(at + 1)] as const] : [];
  });
  return new Map(pairs);
}

export interface ClockState {
  /** Undefined when the source does not say. */
  readonly synchronised?: boolean;
  /** Whether something is meant to synchronise it. */
  readonly enabled?: boolean;
  /** Seconds that it is off, either way. */
  readonly offset?: number;
  readonly line: string;
}

/** `timedatectl show`. */
export function parseTimedatectl(text: string): ClockState | undefined {
  const properties = parseProperties(text);
  const synchronised = properties.get('NTPSynchronized');
  if (synchronised === undefined) return undefined;
  const enabled = properties.get('NTP');
  return {
    synchronised: synchronised === 'yes',
    ...(enabled === undefined ? {} : { enabled: enabled === 'yes' }),
    line: `NTP=${enabled ?? '?'} NTPSynchronized=${synchronised}`,
  };
}

/** `chronyc tracking`. */
export function parseChrony(text: string): ClockState | undefined {
  const leap = /^Leap status\s*:\s*(.+)$/m.exec(text)?.[1]?.trim();
  const time = /^System time\s*:\s*([\d.]+) seconds (?:slow|fast)/m.exec(text);
  if (leap === undefined || time === null) return undefined;
  return {
    synchronised: leap !== 'Not synchronised',
    enabled: true,
    offset: Number(time[1]),
    line: `${time[0].replaceAll(/\s+/g, ' ')}, leap status ${leap}`,
  };
}

/** Whether `journalctl` printed messages: without a journal it ends well and says so. */
export const hasJournal = (text: string, errorText: string): boolean =>
  !/No journal files were (?:found|opened)/.test(errorText) &&
  text.trim() !== '' &&
  !/^-- No entries --\s*$/.test(text);

/** The message of a journal or syslog line and who wrote it: `2024-05-01T10:00:00+0000 host nginx[12]: text`. */
export function parseJournalLine(line: string): { readonly from: string; readonly message: string } | undefined {
  const found =
    /^(?:\d{4}-\d\d-\d\dT\S+|[A-Z][a-z]{2} [ \d]\d \d\d:\d\d:\d\d) \S+ ([^\s[:]{1,80})(?:\[\d+\])?: (.*)$/.exec(
      line.slice(0, 2000),
    );
  return found ? { from: found[1] ?? '', message: found[2] ?? '' } : undefined;
}

/** Output of host_facilities: names with true or false. */
export const parseFacilities = (text: string): ReadonlyMap<string, boolean> =>
  new Map([...text.matchAll(/"(\w{1,30})":(true|false)/g)].map(([, name = '', value]) => [name, value === 'true']));

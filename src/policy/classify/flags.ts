/** How one option is written: `takesValue` is false for switches and for values that only `--name=value` can give. */
interface Flag {
  /** The long spelling where there is one: `--namespace`. */
  readonly name: string;
  readonly takesValue: boolean;
  /** It changes whom the program speaks to, as whom, or which program it starts. */
  readonly connects: boolean;
}

/** Options by each of their spellings. */
export type FlagTable = ReadonlyMap<string, Flag>;

/**
 * Reads a table such as `-n,--namespace= -A,--all-namespaces !--token=`: spellings with commas, the name last; `=` for an option
 * that takes the next item when it has no value of its own, `!` for one that changes the connection.
 */
export function flagTable(...specs: readonly string[]): FlagTable {
  const entries = specs.flatMap((spec) => spec.split(/\s+/).filter((word) => word !== ''));
  return new Map(
    entries.flatMap((entry) => {
      const spellings = entry.replace(/^!/, '').replace(/=$/, '').split(',');
      const flag = { name: spellings.at(-1) ?? '', takesValue: entry.endsWith('='), connects: entry.startsWith('!') };
      return spellings.map((spelling) => [spelling, flag] as const);
    }),
  );
}

/** What an argv says, before anything is concluded from it. */
export interface Parsed {
  /** Items that are neither options nor their values, up to `--`. */
  readonly words: readonly string[];
  /** Items after `--`. */
  readonly rest: readonly string[];
  /** Values of each option by its name, in order; a bare switch has the value `true`. */
  readonly flags: ReadonlyMap<string, readonly string[]>;
  /** Options that the table does not have, or whose value is missing or looks like an option, as they were written. */
  readonly unknown: readonly string[];
  /** Options that change the connection, as `--name=value` or `--name`. */
  readonly connection: readonly string[];
  /** How many items were read: all, or those before the first word. */
  readonly length: number;
}

/** Items, and what is found in them so far. */
class Reader {
  readonly words: string[] = [];
  rest: readonly string[] = [];
  readonly flags = new Map<string, string[]>();
  readonly unknown: string[] = [];
  readonly connection: string[] = [];
  length = 0;

  constructor(
    private readonly items: readonly string[],
    private readonly table: FlagTable,
  ) {}

  read(stopAtWord: boolean): this {
    while (this.length < this.items.length) {
      const item = this.items[this.length] as string;
      if (item === '--') return this.end();
      const isWord = !item.startsWith('-') || item === '-';
      if (isWord && stopAtWord) return this;
      this.length++;
      if (isWord) this.words.push(item);
      else if (item.startsWith('--')) this.readLong(item);
      else this.readShort(item);
    }
    return this;
  }

  private end(): this {
    this.rest = this.items.slice(this.length + 1);
    this.length = this.items.length;
    return this;
  }

  private readLong(item: string): void {
    const equals = item.indexOf('=');
    const name = equals < 0 ? item : item.slice(0, equals);
    const flag = this.table.get(name);
    if (!flag) this.addUnknown(item, name);
    else if (equals >= 0) this.add(flag, item.slice(equals + 1));
    else this.addNext(flag, item);
  }

  /** Some programs take a long option shortened, or with `_` for `-`: one that may mean a connection is one. */
  private addUnknown(item: string, name: string): void {
    this.unknown.push(item);
    const alike = name.replaceAll('_', '-');
    const connects = [...this.table].some(([spelling, flag]) => flag.connects && spelling.startsWith(alike));
    if (connects) this.connection.push(item);
  }

  /** `-it`, `-nprod`, `-n=prod`, and the long options with one hyphen that some programs have. */
  private readShort(item: string): void {
    let flag = this.table.get(item);
    let at = item.length - 1;
    if (!flag) {
      for (at = 1; ; at++) {
        flag = this.table.get(`-${item[at]}`);
        const isLast = at === item.length - 1 || item[at + 1] === '=' || !flag || flag.takesValue;
        if (isLast) break;
        if (flag) this.add(flag);
      }
    }
    const after = item.slice(at + 1);
    if (!flag) this.unknown.push(item);
    else if (after === '') this.addNext(flag, item);
    else this.add(flag, after.replace(/^=/, ''));
  }

  private addNext(flag: Flag, item: string): void {
    const value = flag.takesValue ? this.items[this.length] : undefined;
    // A value that looks like an option may be one that stands where the value was forgotten.
    if (flag.takesValue && (value === undefined || /^-[-A-Za-z]/.test(value))) this.unknown.push(value ?? item);
    if (value !== undefined) this.length++;
    this.add(flag, value ?? (flag.takesValue ? '' : undefined));
  }

  private add(flag: Flag, value?: string): void {
    this.flags.set(flag.name, [...(this.flags.get(flag.name) ?? []), value ?? 'true']);
    if (flag.connects) this.connection.push(value === undefined ? flag.name : `${flag.name}=${value}`);
  }
}

/** Reads items by a table, all of them or up to the first word. Never throws. */
export const parseFlags = (items: readonly string[], table: FlagTable, stopAtWord = false): Parsed =>
  new Reader(items, table).read(stopAtWord);

/** Whether a switch is on, or may be: any of its occurrences that does not say false. */
export const isOn = ({ flags }: Pick<Parsed, 'flags'>, ...names: readonly string[]): boolean =>
  names.some((name) => flags.get(name)?.some((value) => !/^(0|f|false|F|FALSE|False)$/.test(value)));

/** Every value of an option. */
export const valuesOf = ({ flags }: Pick<Parsed, 'flags'>, ...names: readonly string[]): readonly string[] =>
  names.flatMap((name) => flags.get(name) ?? []);

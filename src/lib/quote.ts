/** One argv as a line that a POSIX shell reads back as exactly these items. */
export const quoteArgv = (argv: readonly string[]): string => argv.map(quoteItem).join(' ');

const quoteItem = (item: string): string =>
  /^[\w./:=@%+,-]+$/.test(item) ? item : `'${item.replaceAll("'", `'\\''`)}'`;

type Env = Readonly<Record<string, string | undefined>>;

/** What every child gets: enough to find programs, its home and its language. */
const ALWAYS = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'];

/** Names that make a well-known program run another one; no tool file can pass them on. */
const NEVER =
  /^(LD_|DYLD_|BASH_ENV$|ENV$|NODE_OPTIONS$|PYTHONSTARTUP$|PYTHONPATH$|PERL5OPT$|RUBYOPT$|KUBECTL_EXTERNAL_DIFF$|KUBE_EDITOR$|EDITOR$|VISUAL$|PAGER$|GIT_(SSH|EXTERNAL|EDITOR|PAGER|CONFIG))/;

/** True when a tool file may not pass this variable to a child. */
export const isForbiddenEnv = (name: string): boolean => NEVER.test(name);

/** The environment of a child: the base names, the names its tool file lists, and `extra`; nothing else is inherited. */
export function childEnv(
  own: Env,
  names: readonly string[],
  extra: Readonly<Record<string, string>>,
): Record<string, string> {
  const passed = [...ALWAYS, ...names.filter((name) => !isForbiddenEnv(name))];
  const inherited = passed.flatMap((name) => (own[name] === undefined ? [] : [[name, own[name]] as const]));
  return { ...Object.fromEntries(inherited), ...extra };
}

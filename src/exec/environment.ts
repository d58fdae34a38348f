type Env = Readonly<Record<string, string | undefined>>;

/** What every child gets: enough to find programs, its home and its language. */
const ALWAYS = ['PATH', 'HOME', 'USER', 'LOGNAME', 'LANG', 'LC_ALL', 'LC_CTYPE', 'TZ', 'TMPDIR'];

/**
 * Names that make a well-known program run another one, or read code or configuration that can: the loader, interpreters, editors
 * and pagers, kubectl, helm, git, ssh, systemctl, docker, ansible and openssl. No tool file can pass them on. KUBECONFIG is not
 * here: its credential plug-ins are those of the person, whom the session acts for.
 */
const NEVER = new RegExp(
  `^(${[
    'LD_.*|DYLD_.*|GCONV_PATH|LESSOPEN|LESSCLOSE|MANPAGER|BROWSER|EDITOR|VISUAL|PAGER',
    'BASH_ENV|BASH_FUNC_.*|ENV|PS4|PROMPT_COMMAND|SHELLOPTS|BASHOPTS|IFS',
    'NODE_OPTIONS|NODE_PATH|PYTHON(STARTUP|PATH|HOME|INSPECT|BREAKPOINT)|PERL5(OPT|LIB|DB)|RUBY(OPT|LIB)|JAVA_TOOL_OPTIONS|_JAVA_OPTIONS|CLASSPATH',
    'KUBECTL_.*|KUBE_EDITOR|KUBERC|HELM_(PLUGINS|BIN|KUBE.*|REGISTRY_CONFIG|REPOSITORY_.*)',
    'GIT_(SSH|EXTERNAL|EDITOR|PAGER|CONFIG|SEQUENCE|ASKPASS|PROXY|EXEC|TEMPLATE|DIR|WORK_TREE|ALLOW_PROTOCOL).*|SSH_ASKPASS.*|SUDO_ASKPASS',
    'SYSTEMD_(EDITOR|PAGER.*|SSH|LESS)|DOCKER_CLI_.*|ANSIBLE_.*(PLUGIN|EXECUTABLE|ARGS|LIBRARY|CONFIG|INVENTORY|PASSWORD_FILE).*|OPENSSL_(CONF|ENGINES|MODULES)',
  ].join('|')})$`,
);

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

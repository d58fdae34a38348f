import type { Command } from 'commander';

/** What can follow one command path. */
interface Place {
  /** `''`, `tools`, `tools list` … */
  readonly path: string;
  readonly commands: readonly { readonly name: string; readonly description: string }[];
  readonly options: readonly {
    readonly flag: string;
    readonly description: string;
    readonly values: readonly string[];
  }[];
}

/** A completion script, made from the command line as it is. */
export function completionScript(shell: 'bash' | 'zsh' | 'fish', program: Command): string {
  const places = placesOf(program, []);
  if (shell === 'fish') return fish(places);
  // zsh understands bash's complete once bashcompinit is loaded.
  const head = shell === 'zsh' ? 'autoload -U +X bashcompinit && bashcompinit\n' : '';
  return head + bash(places);
}

function placesOf(command: Command, path: readonly string[]): Place[] {
  const help = { flag: '--help', description: 'show what is possible', values: [] };
  const options = command.options.map((option) => ({
    flag: option.long ?? option.short ?? '',
    description: option.description,
    values: option.argChoices ?? [],
  }));
  const commands = command.commands.map((sub) => ({ name: sub.name(), description: sub.description() }));
  const own = { path: path.join(' '), commands, options: [...options, help] };
  return [own, ...command.commands.flatMap((sub) => placesOf(sub, [...path, sub.name()]))];
}

function bash(places: readonly Place[]): string {
  const words = places.map((place) => {
    const list = [...place.commands.map((c) => c.name), ...place.options.map((o) => o.flag)].join(' ');
    return `    "${place.path}") words="${list}" ;;`;
  });
  const values = places.flatMap((place) =>
    place.options
      .filter((o) => o.values.length > 0)
      .map((o) => `    "${place.path} ${o.flag}") words="${o.values.join(' ')}" ;;`),
  );
  return `_opsagent() {
  local current="\${COMP_WORDS[COMP_CWORD]}" previous="\${COMP_WORDS[COMP_CWORD-1]}" place="" words="" word
  for word in "\${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
    case "$word" in -*) ;; *) place="\${place:+$place }$word" ;; esac
  done
  while :; do
    case "$place $previous" in
${values.join('\n')}
    esac
    [ -n "$words" ] || case "$place" in
${words.join('\n')}
    esac
    { [ -n "$words" ] || [ -z "$place" ]; } && break
    case "$place" in *" "*) place="\${place% *}" ;; *) place="" ;; esac
  done
  COMPREPLY=($(compgen -W "$words" -- "$current"))
  case "$previous" in --dump|--tools|--policies|dump|export|lint) COMPREPLY+=($(compgen -f -- "$current")) ;; esac
}
complete -F _opsagent opsagent
`;
}

function fish(places: readonly Place[]): string {
  const quote = (text: string) => `'${text.replaceAll('\\', '\\\\').replaceAll("'", "\\'")}'`;
  const lines = places.flatMap((place) => {
    const seen = place.path.split(' ').filter(Boolean);
    const deeper = place.commands.map((c) => c.name).join(' ');
    const inside = seen.map((word) => `__fish_seen_subcommand_from ${word}`);
    const conditions = [...inside, ...(deeper ? [`not __fish_seen_subcommand_from ${deeper}`] : [])];
    const when = conditions.length > 0 ? ` -n ${quote(conditions.join('; and '))}` : '';
    return [
      ...place.commands.map((c) => `complete -c opsagent -f${when} -a ${c.name} -d ${quote(c.description)}`),
      ...place.options
        .filter((o) => o.flag.startsWith('--'))
        .map(
          (o) =>
            `complete -c opsagent${when} -l ${o.flag.slice(2)} -d ${quote(o.description)}${o.values.length > 0 ? ` -x -a ${quote(o.values.join(' '))}` : ''}`,
        ),
    ];
  });
  return `${lines.join('\n')}\n`;
}

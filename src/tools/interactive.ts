/** Programs that need a terminal, and what to use instead. */
const PROGRAMS: Readonly<Record<string, string>> = {
  vi: 'Read the file with cat, or change it with a tool that takes the new content.',
  vim: 'Read the file with cat, or change it with a tool that takes the new content.',
  nano: 'Read the file with cat, or change it with a tool that takes the new content.',
  emacs: 'Read the file with cat, or change it with a tool that takes the new content.',
  less: 'Print the text with cat, head or tail.',
  more: 'Print the text with cat, head or tail.',
  htop: 'Use ps, or top -b -n 1.',
  watch: 'Run the command once, and again later.',
  screen: 'Run the command by itself.',
  tmux: 'Run the command by itself.',
};

interface Form {
  readonly program: string;
  /** First word that is no option: the verb. */
  readonly verb?: readonly string[];
  /** One of these options stands before `--`. */
  readonly option?: RegExp;
  /** None of these does. */
  readonly unless?: RegExp;
  readonly advice: string;
}

/** Calls of other programs that wait for a person, or never end. */
const FORMS: readonly Form[] = [
  { program: 'kubectl', verb: ['edit'], advice: 'Get the object, and apply the changed manifest with kubectl_apply.' },
  {
    program: 'kubectl',
    verb: ['attach', 'port-forward', 'proxy'],
    advice: 'It runs until it is stopped. Use logs, exec with a command, or get --raw.',
  },
  {
    program: 'kubectl',
    verb: ['exec', 'run', 'debug'],
    option: /^(-[a-z]*[it][a-z]*|--(stdin|tty)(=true)?)$/,
    advice: 'Run one command without -i and -t.',
  },
  {
    program: 'kubectl',
    verb: ['get', 'events'],
    option: /^(-w|--watch(-only)?(=true)?)$/,
    advice: 'Leave the watch out, and ask again later.',
  },
  {
    program: 'kubectl',
    verb: ['logs'],
    option: /^(-f|--follow(=true)?)$/,
    advice: 'Leave -f out; use --since or --tail.',
  },
  { program: 'docker', verb: ['attach'], advice: 'Use docker logs, or exec with a command.' },
  {
    program: 'docker',
    verb: ['exec', 'run'],
    option: /^(-[a-z]*[it][a-z]*|--(interactive|tty)(=true)?)$/,
    advice: 'Run one command without -i and -t.',
  },
  {
    program: 'docker',
    verb: ['logs'],
    option: /^(-f|--follow(=true)?)$/,
    advice: 'Leave -f out; use --since or --tail.',
  },
  { program: 'docker', verb: ['stats'], unless: /^--no-stream(=true)?$/, advice: 'Add --no-stream.' },
  { program: 'journalctl', option: /^(-f|--follow)$/, advice: 'Leave -f out; use --since.' },
  { program: 'tail', option: /^(-f|-F|--follow.*|--retry)$/, advice: 'Leave -f out, and ask again later.' },
];

/** Why an argv would wait for a person or never end, with what to do instead; undefined when it would not. */
export function interactiveAdvice(argv: readonly string[]): string | undefined {
  const program = argv[0]?.split('/').at(-1) ?? '';
  const own = Object.hasOwn(PROGRAMS, program) ? PROGRAMS[program] : undefined;
  if (own !== undefined) return `${program} needs a terminal, and calls have none. ${own}`;
  const end = argv.indexOf('--');
  const words = argv.slice(1, end < 0 ? undefined : end);
  const verb = words.find((word) => !word.startsWith('-')) ?? '';
  const options = ownWords(program, words, verb).filter((word) => word.startsWith('-'));
  const form = FORMS.find(
    (one) => one.program === program && (!one.verb || one.verb.includes(verb)) && hasOption(one, options),
  );
  const called = form?.verb ? `${program} ${verb}` : program;
  return form && `${called} in this form waits for a person or never ends. ${form.advice}`;
}

/** docker takes no options of its own after the name of a container: they belong to the program inside. */
function ownWords(program: string, words: readonly string[], verb: string): readonly string[] {
  if (program !== 'docker' || !['exec', 'run'].includes(verb)) return words;
  const afterVerb = words.indexOf(verb) + 1;
  const name = words.findIndex((word, index) => index >= afterVerb && !word.startsWith('-'));
  return name < 0 ? words : words.slice(0, name);
}

const hasOption = ({ option, unless }: Form, options: readonly string[]): boolean =>
  (option === undefined || options.some((text) => option.test(text))) &&
  (unless === undefined || !options.some((text) => unless.test(text)));

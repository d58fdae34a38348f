import type { Classification } from '../../domain/types.js';
import { flagTable, isOn, type Parsed, parseFlags, valuesOf } from './flags.js';
import { conclude, critical, high, low, type Mark, medium, worst } from './verdict.js';

/** Options that the programs share. Accounts, keys, plug-ins and inventories decide whom it speaks to, as whom, and what it starts. */
const COMMON = `-h,--help --version -v,--verbose -vv -vvv -vvvv !-i,--inventory-file,--inventory= -l,--limit= --flush-cache
  !-M,--module-path= !--playbook-dir= !--vault-id= !--vault-pass-file,--vault-password-file= -J,--ask-vault-password,--ask-vault-pass`;
const REMOTE = `!--key-file,--private-key= !-u,--user= !-c,--connection= -T,--timeout= !--ssh-common-args= !--sftp-extra-args= !--scp-extra-args=
  !--ssh-extra-args= -k,--ask-pass !--conn-pass-file,--connection-password-file= -b,--become !--become-method= !--become-user= -K,--ask-become-pass
  !--become-pass-file,--become-password-file= -C,--check -D,--diff -e,--extra-vars= -f,--forks= --list-hosts`;

const TABLES = {
  ansible: flagTable(
    COMMON,
    REMOTE,
    '-m,--module-name= -a,--args= -o,--one-line -t,--tree= -B,--background= -P,--poll= --task-timeout=',
  ),
  'ansible-playbook': flagTable(
    COMMON,
    REMOTE,
    '--list-tasks --list-tags --syntax-check -t,--tags= --skip-tags= --step --start-at-task= --force-handlers',
  ),
  'ansible-inventory': flagTable(
    COMMON,
    '-e,--extra-vars= --list --host= --graph --vars -y,--yaml --toml --export --output=',
  ),
  'ansible-doc': flagTable(
    COMMON,
    '-t,--type= -j,--json -r,--roles-path= -e,--entry-point= -s,--snippet -F,--list_files -l,--list --metadata-dump --no-fail-on-errors',
  ),
  'ansible-config': flagTable(COMMON, '!-c,--config= -t,--type= --only-changed --changed-only -f,--format= --disabled'),
  'ansible-galaxy': flagTable(
    COMMON,
    '!-s,--server= !--token,--api-key= !-c,--ignore-certs -p,--roles-path,--collections-path= -r,--role-file,--requirements-file= -f,--force --format= --offline',
  ),
} as const;

/** The programs of Ansible. */
export type AnsibleProgram = keyof typeof TABLES;

export const isAnsible = (program: string): program is AnsibleProgram => Object.hasOwn(TABLES, program);

/** Modules that change nothing on the hosts. */
const READING_MODULES =
  /^(ansible\.builtin\.)?(ping|setup|gather_facts|stat|debug|service_facts|package_facts|slurp|win_ping)$/;
const RUNS_ANYTHING = /^(ansible\.builtin\.)?(command|shell|raw|script|win_command|win_shell|expect)$/;

/** Reads an argv of one of the programs of Ansible, without the program. */
export function classifyAnsible(program: AnsibleProgram, items: readonly string[]): Classification {
  const parsed = parseFlags(items, TABLES[program]);
  const [first = ''] = parsed.words;
  const named = [...valuesOf(parsed, '--limit'), ...(program === 'ansible' ? parsed.words.slice(0, 1) : parsed.words)];
  const isEverything = program === 'ansible' && /^(all|\*)$/.test(first) && valuesOf(parsed, '--limit').length === 0;
  const code = items.find((item) => /\{[{%]/.test(item));
  const mark = worst(
    MARKS[program](parsed),
    code !== undefined && high('a template among its arguments can run any program on this machine'),
    valuesOf(parsed, '--args').some((text) => /\bfact_path\b/.test(text)) &&
      high('it runs the programs of a folder on every host that is named'),
  );
  const reaches = program === 'ansible' || program === 'ansible-playbook';
  const variables = valuesOf(parsed, '--extra-vars').filter((text) => /ansible_|^@/.test(text));
  const verb =
    program === 'ansible'
      ? (valuesOf(parsed, '--module-name').at(-1) ?? 'command')
      : program === 'ansible-galaxy' || program === 'ansible-config'
        ? parsed.words.slice(0, 2).join(' ')
        : '';
  return conclude(items, {
    program,
    verb,
    mark,
    targets: named,
    scope: isEverything ? 'all' : reaches ? 'unknown' : 'none',
    reversible: mark.risk === 'low' || mark.risk === 'medium',
    parsed: [parsed],
    connection: variables.map((text) => `--extra-vars=${text}`),
  });
}

/** What only looks at the files here, without a connection to any host. */
const isLook = (call: Parsed): boolean =>
  isOn(call, '--list-hosts', '--list-tasks', '--list-tags', '--syntax-check', '--help', '--version');

const MARKS: Readonly<Record<AnsibleProgram, (call: Parsed) => Mark>> = {
  ansible: adHoc,
  'ansible-playbook': (call) => {
    if (isLook(call)) return low('it lists what it would do, and connects to no host');
    return high(
      isOn(call, '--check')
        ? 'a check, though tasks may run in spite of it'
        : 'it runs whatever the playbook says, on every host that it names',
    );
  },
  'ansible-inventory': (call) =>
    worst(
      medium('variables of hosts may hold passwords'),
      valuesOf(call, '--output').length > 0 && high('it writes a file'),
    ),
  'ansible-doc': () => low(),
  'ansible-config': ({ words: [verb] }) =>
    verb === 'list' || verb === 'dump' || verb === 'view' || verb === 'validate'
      ? medium('the configuration may hold passwords')
      : high('it writes a configuration'),
  'ansible-galaxy': ({ words }) => {
    const verb = words.find((word) => word !== 'role' && word !== 'collection');
    return /^(list|info|search|verify)$/.test(verb ?? '')
      ? low()
      : high('it changes which roles and collections are installed');
  },
};

function adHoc(call: Parsed): Mark {
  if (isLook(call)) return low('it lists hosts, and connects to none');
  const modules = valuesOf(call, '--module-name');
  const writes = valuesOf(call, '--tree').length > 0 && high('it writes files on this machine');
  const raised = isOn(call, '--become') && high('it acts with the rights of another account');
  if (modules.length > 0 && modules.every((module) => READING_MODULES.test(module))) {
    return worst(medium('it runs a module that only reads, on every host that is named'), writes, raised);
  }
  const runs = modules.length === 0 || modules.some((module) => RUNS_ANYTHING.test(module));
  const isEverywhere = /^(all|\*)$/.test(call.words[0] ?? '') && valuesOf(call, '--limit').length === 0;
  return worst(
    high(runs ? 'it runs a command on hosts; what that does is not known here' : 'it changes hosts'),
    isEverywhere && critical('it changes every host of the inventory'),
  );
}

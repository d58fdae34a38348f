import type { Classification } from '../../domain/types.js';
import { flagTable, isOn, type Parsed, valuesOf } from './flags.js';
import { changes, draftOf, type Extra, entryOf, reads, splitVerb, UNDO, type Verb } from './verbs.js';
import { conclude, critical, high, low, medium } from './verdict.js';

/** They stand before the verb. Whoever names another folder or configuration names the programs that it starts. */
const GLOBALS =
  flagTable(`!-C= !-c= !--config-env= !--exec-path !--git-dir= !--work-tree= !--namespace= !--super-prefix= --html-path --man-path
  --info-path -p,--paginate -P,--no-pager --no-replace-objects --no-lazy-fetch --no-optional-locks --no-advice --bare --literal-pathspecs
  --glob-pathspecs --noglob-pathspecs --icase-pathspecs --list-cmds= --attr-source= -v,--version -h,--help`);

/** Settings that make git start less than it would: whoever says these does not change what it speaks to. */
const SWITCHES_OFF: ReadonlySet<string> = new Set(
  `core.fsmonitor=false core.hooksPath=/dev/null log.showSignature=false safe.bareRepository=explicit protocol.ext.allow=never
  protocol.file.allow=never protocol.ssh.allow=never protocol.git.allow=never protocol.http.allow=never protocol.https.allow=never`
    .split(/\s+/)
    .map((setting) => `-c=${setting}`),
);

const PROGRAMS = '!--upload-pack= !--receive-pack= !--exec= !--ext-diff !--textconv';
const SHOW = `${PROGRAMS} --oneline --graph --stat --shortstat --numstat --name-only --name-status --patch -p -u --no-patch -s --raw --summary
  --decorate --no-decorate --all --branches --tags --remotes -n,--max-count= --skip= --since= --after= --until= --before= --author= --committer=
  --grep= -i -E -F -P --follow --first-parent --merges --no-merges --reverse --date= --format= --pretty --abbrev --abbrev-commit
  --no-abbrev-commit --color --no-color -U,--unified= --word-diff --ignore-all-space -w -b --ignore-space-change --cached --staged
  --merge-base --diff-filter= -S= -G= -L= -M,--find-renames -C,--find-copies --no-renames --exit-code --quiet -q --check --no-ext-diff
  --no-textconv --ignore-submodules= --full-index --binary --minimal --patience --histogram --left-right --cherry-pick --topo-order --date-order -z --no-prefix
  --show-signature --no-index --text -a --relative --submodule --dirstat --compact-summary -1 -2 -3 -4 -5 -6 -7 -8 -9 -0 --output=`;
const PLAIN = `-q,--quiet -v,--verbose --porcelain -s,--short -b,--branch -z --long --ignored -u,--untracked-files --show-stash --column --no-column
  --ahead-behind --no-ahead-behind --renames --no-renames --abbrev --abbrev-ref --symbolic-full-name --show-toplevel --verify --git-dir
  --is-inside-work-tree --short --all --tags --heads --refs --symref --sort= --format= --contains= --points-at= --merged --no-merged --count
  --always --dirty --long --match= --exact-match --cached --others --exclude-standard --stage -t -r -l -e -p -w -L= -C -M --name-only
  --full-tree --full-name --deleted --modified --exit-code --get-url --left-right --max-count= -n= --since= --until= --author= -c -i -E -F
  -P --line-number -h --and --or --not --count --files-with-matches --heading --break -A= -B= -W --show-function --untracked --numbered
  --summary --email --no-textconv --ignore-submodules= ${PROGRAMS}`;

const writesFile: Extra = (call) => [valuesOf(call, '--output').length > 0 && high('--output writes a file')];
const asks: Extra = () => [medium('it asks the remote')];

const NET = `${PROGRAMS} --all -a,--append --depth= --dry-run -f,--force -k,--keep -n,--no-tags -p,--prune -q,--quiet -t,--tags -v,--verbose
  --progress --recurse-submodules --no-recurse-submodules --rebase --no-rebase --ff-only --no-ff --ff --autostash --unshallow -j,--jobs=`;
const PUSH = `${PROGRAMS} --all --branches --mirror --tags --follow-tags --atomic -n,--dry-run -f,--force --force-with-lease --force-if-includes
  -d,--delete --prune -u,--set-upstream --repo= -o,--push-option= --no-verify --verify --signed --thin --no-thin -q,--quiet -v,--verbose --progress --porcelain`;

const pushMarks: Extra = (call) => [
  isOn(call, '--force', '--force-with-lease', '--mirror', '--delete', '--prune') &&
    critical('it throws away what the remote has'),
  call.words.slice(1).some((ref) => /^[+:]/.test(ref)) && critical('it throws away what the remote has'),
];

/** Forms of these verbs that list: the first item after the verb, and every further one. Other forms change something. */
const LISTS: Readonly<Record<string, readonly [RegExp, RegExp]>> = {
  branch: [
    /^(|-[arvl]|-vv|--(list|all|remotes|show-current|verbose|no-color))$/,
    /^(-[arv]|-vv|--(all|remotes|verbose|no-color))$/,
  ],
  tag: [/^(|-l|--list|-n\d*)$/, /^(-n\d*|v?[\d.*]+)$/],
  remote: [/^(show|get-url)$/, /^(--all|--push|[A-Za-z0-9][\w./-]*)$/],
  stash: [/^(list|show)$/, /^(-p|--stat|-u|stash@\{\d+\}|\d+)$/],
  reflog: [/^(|show)$/, /^(-n|-?\d+|--all|--oneline|[A-Za-z][\w./@{}-]*)$/],
  worktree: [/^list$/, /^(--porcelain|-v|-z)$/],
  submodule: [/^(|status|summary)$/, /^--(recursive|cached)$/],
  notes: [/^(|list|show)$/, /^[A-Za-z0-9]\w*$/],
  bisect: [/^(log|view)$/, /^$/],
};

/** Whether what follows a verb only lists. `git remote NAME` is no form at all, `git branch NAME` makes one. */
const lists = (verb: string, [first = '', ...more]: readonly string[]): boolean => {
  // What follows -v is a verb: `git remote -v remove origin`.
  if (verb === 'remote' && /^(|-v|--verbose)$/.test(first)) return more.length === 0;
  const [start, further] = entryOf(LISTS, verb) ?? [];
  return start?.test(first) === true && more.every((item) => further?.test(item));
};

const discards = 'it throws away changes that are committed nowhere';
const some =
  '-q,--quiet -v,--verbose -f,--force -n -a,--all -m,--message= -p,--patch --no-edit --no-verify -u --amend -C= -c= -F= -i -e';
const rewrites = (reason: string, marks: Extra = () => []): Verb => changes('all', reason, some, marks);

const VERBS: Readonly<Record<string, Verb>> = {
  status: reads('all', PLAIN),
  log: reads('all', SHOW, writesFile),
  show: reads('all', SHOW, writesFile),
  diff: reads('all', SHOW, writesFile),
  shortlog: reads('all', PLAIN),
  blame: reads('all', PLAIN),
  grep: reads('all', PLAIN),
  'ls-files': reads('all', PLAIN),
  'ls-tree': reads('all', PLAIN),
  'ls-remote': reads('all', `${PLAIN} -q,--quiet`, asks),
  'rev-parse': reads('all', PLAIN),
  'rev-list': reads('all', SHOW, writesFile),
  'cat-file': reads('all', PLAIN),
  describe: reads('all', PLAIN),
  'for-each-ref': reads('all', PLAIN),
  'show-ref': reads('all', PLAIN),
  'merge-base': reads('all', '--all --is-ancestor --fork-point -a'),
  'count-objects': reads('all', '-v,--verbose -H,--human-readable'),
  version: reads('none', '--build-options'),
  help: reads('all', '-a -g'),
  fetch: changes('all', 'it fetches from the remote', NET, undefined, UNDO),
  pull: changes('all', 'it fetches and merges', NET),
  clone: changes(
    'all',
    'it writes a copy of a repository',
    `${PROGRAMS} -b,--branch= --depth= --single-branch !-u= !--template= !--config= -q,--quiet --mirror -o,--origin=`,
  ),
  add: changes(
    'all',
    'it changes what will be committed',
    '-A,--all -n,--dry-run -f,--force -u,--update -p,--patch -v,--verbose -N',
    undefined,
    UNDO,
  ),
  commit: changes('all', 'it makes a commit', `${some} --author= --date= -s,--signoff --allow-empty`, undefined, UNDO),
  push: changes('all', 'it changes the remote', PUSH, pushMarks),
  reset: changes('all', 'it moves the branch', '--soft --mixed --hard --merge --keep -q,--quiet -p,--patch', (call) => [
    isOn(call, '--hard', '--merge') && critical(discards),
  ]),
  clean: changes('all', 'it deletes files', '-d -f,--force -i -n,--dry-run -q,--quiet -x -X -e,--exclude=', () => [
    critical('it deletes files that are committed nowhere'),
  ]),
  checkout: changes(
    'all',
    'it changes the files here',
    '-q,--quiet -f,--force -b= -B= -t,--track --no-track --detach -m,--merge --ours --theirs -p,--patch --orphan=',
    (call) => [
      (isOn(call, '--force') || call.rest.length > 0 || call.words.includes('.')) && critical(discards),
      valuesOf(call, '-B').length > 0 && critical('it moves a branch that may exist'),
    ],
  ),
  switch: changes(
    'all',
    'it changes the files here',
    '-q,--quiet -f,--force -c,--create= -C,--force-create= -d,--detach --discard-changes -m,--merge -t,--track',
    (call) => [isOn(call, '--force', '--discard-changes') && critical(discards)],
  ),
  restore: changes(
    'all',
    'it changes the files here',
    '-s,--source= -S,--staged -W,--worktree -q,--quiet -p,--patch',
    (call) => [(!isOn(call, '--staged') || isOn(call, '--worktree')) && critical(discards)],
  ),
  branch: changes(
    'all',
    'it changes branches',
    '-d,--delete -D -f,--force -m,--move -M -c,--copy -C -q,--quiet -u,--set-upstream-to= --unset-upstream -t,--track --no-track --edit-description',
    (call) => [isOn(call, '-D', '--force', '-M', '-C') && critical('commits that only this branch has are lost')],
  ),
  tag: changes(
    'all',
    'it changes tags',
    '-a,--annotate -s,--sign -f,--force -d,--delete -m,--message= -F= -u=',
    (call) => [isOn(call, '--force', '--delete') && critical('it throws a tag away')],
  ),
  stash: changes(
    'all',
    'it moves changes aside or back',
    `${some} -k,--keep-index --include-untracked --index -S,--staged`,
    (call) => [/^(drop|clear)$/.test(call.words[0] ?? '') && critical(discards)],
  ),
  reflog: rewrites('it changes what can be recovered', () => [critical('what it deletes cannot be recovered')]),
  gc: changes('none', 'it tidies the repository', '--prune --aggressive --auto -q,--quiet --force', (call) => [
    isOn(call, '--prune') && critical('what it deletes cannot be recovered'),
  ]),
  prune: rewrites('it deletes objects', () => [critical('what it deletes cannot be recovered')]),
  'filter-branch': rewrites('it rewrites history', () => [critical('it rewrites all commits')]),
  'filter-repo': rewrites('it rewrites history', () => [critical('it rewrites all commits')]),
  'update-ref': rewrites('it moves a reference', () => [critical('commits that only this reference has are lost')]),
  rebase: rewrites('it rewrites commits'),
  merge: rewrites('it merges'),
  revert: rewrites('it makes a commit that takes others back'),
  'cherry-pick': rewrites('it copies commits'),
  rm: rewrites('it removes files', (call) => [isOn(call, '--force') && critical(discards)]),
  mv: rewrites('it moves files'),
};

/** git runs the program of a transport such as `ext::sh -c …`, and ssh with options from an address that begins with "-". */
const isTransport = (item: string): boolean => /^[a-z0-9+.-]+::|^ssh:\/\/-|^-oProxyCommand/i.test(item);

/** Reads an argv of git, without the program. */
export function classifyGit(items: readonly string[]): Classification {
  const { before, word: verb, after } = splitVerb(items, GLOBALS);
  const draft = lists(verb, after)
    ? draftOf(reads('none', ''), verb, [])
    : (configOf(verb, after) ?? draftOf(entryOf(VERBS, verb), verb, after));
  const [parsed] = draft.parsed as [Parsed];
  const isDry = ['push', 'clean', 'add', 'fetch'].includes(verb) && isOn(parsed, '--dry-run');
  return conclude(items, {
    ...draft,
    program: 'git',
    mark: isDry ? low('a dry run: nothing changes') : draft.mark,
    parsed: [{ ...before, connection: before.connection.filter((item) => !SWITCHES_OFF.has(item)) }, parsed],
    connection: after.filter(isTransport),
  });
}

/** `git config` reads with --get or --list, and otherwise changes what git will start. */
function configOf(verb: string, after: readonly string[]): ReturnType<typeof draftOf> | undefined {
  if (verb !== 'config') return undefined;
  const isRead =
    /^((--(global|local|system|worktree|show-origin|show-scope|null|name-only|type=\S+) )*)(-l|--list|list|get|--get|--get-all|--get-regexp)( [^-\s]\S*)*$/.test(
      after.join(' '),
    );
  const exposes = reads('none', '', () => [medium('the configuration may hold passwords')]);
  const sets = changes('none', 'it changes the configuration, which names programs that git starts', '');
  return isRead ? draftOf(exposes, verb, []) : draftOf(sets, verb, after);
}

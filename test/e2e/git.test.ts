import { execFileSync } from 'node:child_process';
import {
  chmodSync,
  existsSync,
  mkdirSync,
  mkdtempSync,
  readFileSync,
  rmSync,
  utimesSync,
  writeFileSync,
} from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { runCli } from '../helpers/cli.js';
import { runCalls } from '../helpers/cli-calls.js';

const who = (name: string, at: string) => ({
  GIT_AUTHOR_NAME: name,
  GIT_AUTHOR_EMAIL: `${name.toLowerCase()}@example.com`,
  GIT_COMMITTER_NAME: name,
  GIT_COMMITTER_EMAIL: `${name.toLowerCase()}@example.com`,
  GIT_AUTHOR_DATE: at,
  GIT_COMMITTER_DATE: at,
});

function newRepository() {
  const dir = mkdtempSync(join(tmpdir(), 'opsagent-git-'));
  const git = (args: readonly string[], env = {}) =>
    execFileSync('git', args, {
      cwd: dir,
      encoding: 'utf8',
      env: { PATH: process.env.PATH, HOME: dir, GIT_CONFIG_NOSYSTEM: '1', ...env },
    }).trim();
  const commit = (name: string, at: string, message: string) => {
    git(['add', '--all']);
    git(['commit', '--quiet', '--message', message], who(name, at));
  };
  git(['init', '--quiet', '--initial-branch=main']);
  return { dir, git, commit };
}

/** A history of three commits: the pool is made smaller by the second, a note is added by the third. */
function shop() {
  const repository = newRepository();
  const { dir, git, commit } = repository;
  writeFileSync(join(dir, 'web.yaml'), 'replicas: 3\nmax_connections: 100\n');
  commit('Ada', '2026-01-30T09:00:00Z', 'First version');
  git(['tag', 'v1.0']);
  writeFileSync(join(dir, 'web.yaml'), 'replicas: 3\nmax_connections: 5\n');
  commit('Bo', '2026-01-31T09:30:00Z', 'Smaller pool');
  writeFileSync(join(dir, 'notes.txt'), 'call Ada\n');
  commit('Ada', '2026-02-02T12:00:00Z', 'Notes');
  return repository;
}

describe('a real repository', () => {
  const { dir, git } = shop();
  const short = (revision: string) => git(['rev-parse', '--short', revision]);
  let answers: Awaited<ReturnType<typeof runCalls>>['answers'] = [];

  beforeAll(async () => {
    writeFileSync(join(dir, 'web.yaml'), 'replicas: 3\nmax_connections: 7\n');
    ({ answers } = await runCalls(
      [
        ['git_what_changed', { since: '2026-01-31T08:00:00Z', until: '2026-01-31T10:00:00Z' }],
        ['git_log', { author: 'Ada' }],
        ['git_log', { text: 'max_connections: 5', path: 'web.yaml' }],
        ['git_show', { revision: 'HEAD~1' }],
        ['git_show_file', { revision: 'v1.0', path: 'web.yaml' }],
        ['git_diff', { from: 'v1.0', summary: true }],
        ['git_blame', { path: 'web.yaml', from_line: 2, lines: 1 }],
        ['git_status', {}],
        ['git_uncommitted', { path: 'web.yaml' }],
        ['git_log', { since: 'the day of the incident' }],
        ['git_log', { repository: '/nowhere' }],
        ['git_show', { revision: '--output=/tmp/x' }],
      ].map(([name, args]) => ({ name: name as string, arguments: args as object })),
      [],
      { cwd: dir },
    ));
  }, 60_000);

  const outputOf = (at: number) => answers[at]?.text.replaceAll(/^<\/?output[^>]*>$\n?/gm, '').trim();

  test('what changed in a window is the commit in it, with its files', () => {
    expect(outputOf(0)).toContain(`${short('HEAD~1')} 2026-01-31T09:30:00+00:00 Bo: Smaller pool`);
    expect(outputOf(0)).toContain('M\tweb.yaml');
    expect(outputOf(0)).not.toContain('Notes');
  });

  test('commits are found by author, and by the text that they add', () => {
    expect(outputOf(1)).toMatch(/Ada: Notes.*\n.*Ada: First version/);
    expect(outputOf(1)).not.toContain('Bo');
    expect(outputOf(2)).toContain('Smaller pool');
    expect(outputOf(2)).not.toContain('First version');
  });

  test('a commit, a file of a tag, a comparison and the last change of a line', () => {
    expect(outputOf(3)).toContain('-max_connections: 100\n+max_connections: 5');
    expect(outputOf(4)).toContain('replicas: 3\nmax_connections: 100');
    expect(outputOf(5)).toContain('2 files changed');
    expect(outputOf(6)).toMatch(/\(Bo\s+2026-01-31 09:30:00 \+0000 2\) max_connections: 5/);
  });

  test('what is not committed yet', () => {
    expect(outputOf(7)).toContain('## main\n M web.yaml');
    expect(outputOf(8)).toContain('-max_connections: 5\n+max_connections: 7');
  });

  test('a time that git would take for now, a folder that is not there and an option are refused', () => {
    expect(answers.slice(9).map(({ status }) => status)).toEqual(['invalid-arguments', 'failed', 'invalid-arguments']);
    expect(answers[10]?.text).toContain('there is no folder /nowhere');
  });
});

describe('a repository whose configuration names programs', () => {
  const { dir, git, commit } = newRepository();
  const marks = mkdtempSync(join(tmpdir(), 'opsagent-marks-'));
  const mark = join(marks, 'ran');

  /** Every way to start a program that git has for a reader, each of them leaving a mark. */
  function arm(): void {
    const program = join(marks, 'program.sh');
    writeFileSync(program, `#!/bin/sh\necho "$0 $*" >> ${mark}\ncat "$1" 2>/dev/null || true\n`);
    chmodSync(program, 0o755);
    for (const hook of ['post-index-change', 'post-checkout', 'reference-transaction']) {
      writeFileSync(join(dir, '.git/hooks', hook), readFileSync(program, 'utf8'), { mode: 0o755 });
    }
    writeFileSync(join(dir, '.gitattributes'), '*.txt diff=evil filter=evil\n');
    const write = (name: string, text: string) => writeFileSync(join(dir, name), text);
    write('a.txt', 'one\n');
    write('b.txt', 'one\n1\n');
    commit('Ada', '2026-01-30T09:00:00Z', 'One');
    write('b.txt', 'two\n');
    commit('Ada', '2026-01-31T09:00:00Z', 'Two');
    write('a.txt', 'three\n');
    commit('Ada', '2026-02-01T09:00:00Z', 'Three');
    // An object that is missing is fetched from a promisor, by a program if its address says so.
    const gone = git(['rev-parse', 'HEAD~2:b.txt']);
    rmSync(join(dir, '.git/objects', gone.slice(0, 2), gone.slice(2)));
    write('a.txt', 'changed\n');
    const settings = {
      'core.fsmonitor': program,
      'core.pager': program,
      'pager.log': 'true',
      'diff.external': program,
      'diff.evil.command': program,
      'diff.evil.textconv': program,
      'filter.evil.clean': program,
      'filter.evil.smudge': program,
      'log.showSignature': 'true',
      'gpg.program': program,
      'core.repositoryFormatVersion': '1',
      'extensions.partialClone': 'origin',
      'remote.origin.promisor': 'true',
      'remote.origin.url': `ext::${program} %S`,
      'remote.origin.fetch': '+refs/heads/*:refs/remotes/origin/*',
      'protocol.ext.allow': 'always',
    };
    for (const [key, value] of Object.entries(settings)) git(['config', key, value]);
    rmSync(mark, { force: true });
  }

  test('no read of its commits starts one, and a look at its working folder is asked for', async () => {
    arm();
    // A tree with a signature, which log.showSignature would have checked.
    const signed = git(['cat-file', 'commit', 'HEAD']).replace(
      '\n\n',
      '\ngpgsig -----BEGIN PGP SIGNATURE-----\n \n -----END PGP SIGNATURE-----\n\n',
    );
    const id = execFileSync('git', ['hash-object', '-t', 'commit', '-w', '--stdin'], {
      cwd: dir,
      input: `${signed}\n`,
      encoding: 'utf8',
    }).trim();
    rmSync(mark, { force: true });
    const { answers } = await runCalls(
      [
        ['git_log', { revision: id }],
        ['git_log', { text: '1' }],
        ['git_what_changed', { since: '2026-01-01' }],
        ['git_show', { revision: id }],
        ['git_show_file', { revision: 'HEAD', path: 'a.txt' }],
        ['git_show_file', { revision: 'HEAD~2', path: 'b.txt' }],
        ['git_diff', { from: 'HEAD~1' }],
        ['git_blame', { path: 'a.txt' }],
        ['git_status', {}],
        ['git_uncommitted', {}],
      ].map(([name, args]) => ({ name: name as string, arguments: { ...(args as object), repository: dir } })),
      [],
      {},
    );
    expect(existsSync(mark) ? readFileSync(mark, 'utf8') : '').toBe('');
    // The missing object cannot be read; nothing was fetched for it.
    expect(answers.map(({ status }) => status)).toEqual([
      'ok',
      'failed',
      'ok',
      'ok',
      'ok',
      'failed',
      'ok',
      'ok',
      'rejected',
      'rejected',
    ]);
    expect(answers[3]?.text).toContain('Three');
  }, 60_000);

  test('in the folder of the session, a look at the files starts neither monitor nor hook', async () => {
    git(['config', '--unset', 'filter.evil.clean']);
    // Its time differs from that of the index, which git would like to write anew.
    utimesSync(join(dir, 'b.txt'), 1, 1);
    rmSync(mark, { force: true });
    const calls = ['git_status', 'git_uncommitted'].map((name) => ({ name, arguments: {} }));
    const { answers } = await runCalls(calls, [], { cwd: dir });
    expect(answers.map(({ status }) => status)).toEqual(['ok', 'ok']);
    expect(existsSync(mark) ? readFileSync(mark, 'utf8') : '').toBe('');
  }, 30_000);

  test('git itself would have started them', () => {
    rmSync(mark, { force: true });
    for (const args of [['status'], ['diff', 'HEAD'], ['show', 'HEAD~2:b.txt']]) {
      try {
        git(args);
      } catch {
        // What it ran is what counts.
      }
    }
    expect(readFileSync(mark, 'utf8').split('\n').length).toBeGreaterThan(3);
  });

  test('a bare repository that lies in a folder of files is not taken for one', async () => {
    const inner = join(newRepository().dir, 'docs');
    mkdirSync(inner);
    execFileSync('git', ['clone', '--quiet', '--bare', '--no-local', shop().dir, inner]);
    const run = await runCli(['tools', 'run', 'git_log', '--arg', `repository=${inner}`]);
    expect([run.code, run.stdout + run.stderr]).toEqual([1, expect.stringContaining('safe.bareRepository')]);
  }, 30_000);
});

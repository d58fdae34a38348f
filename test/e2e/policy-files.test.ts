import { execFileSync } from 'node:child_process';
import { mkdirSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { newHome, runCli } from '../helpers/cli.js';

const FREEZE = {
  version: 1,
  rules: [
    {
      ...{ id: 'mine.freeze', effect: 'deny', reason: 'Frozen.', tokens: ['kubectl', 'get'] },
      examples: { match: [['kubectl', 'get', 'pods']] },
    },
  ],
};

function world() {
  const home = newHome();
  const folder = join(home, '.config/opsagent/policies');
  mkdirSync(folder, { recursive: true });
  const check = async () => {
    const { code, stderr } = await runCli(['policy', 'check', '--', 'kubectl', 'get', 'pods'], { home });
    return { code, stderr };
  };
  return { home, folder, check };
}

test('a policy that is a link counts, as in a folder that Kubernetes mounts', async () => {
  const { home, folder, check } = world();
  expect((await check()).code).toBe(0);
  writeFileSync(join(home, 'freeze.yaml'), JSON.stringify(FREEZE));
  symlinkSync(join(home, 'freeze.yaml'), join(folder, 'freeze.yaml'));
  expect((await check()).code).toBe(3);
});

test.each(['rules.yaml', 'tools.rego'])(
  'a FIFO %s in a policy folder stops everything, and holds nothing up',
  async (name) => {
    const { folder, check } = world();
    execFileSync('mkfifo', [join(folder, name)]);
    const { code, stderr } = await check();
    expect([code, stderr.includes(`${join(folder, name)} is not a regular file.`)]).toEqual([2, true]);
  },
);

test('a link that leads nowhere in a policy folder stops everything', async () => {
  const { home, folder, check } = world();
  symlinkSync(join(home, 'gone.yaml'), join(folder, 'rules.yaml'));
  expect((await check()).code).toBe(2);
});

test('the module of an adapter that is a FIFO holds nothing up', async () => {
  const { home } = world();
  const folder = join(home, '.config/opsagent/tools.d');
  mkdirSync(folder);
  const rows = { get: { operationId: 'rows', responses: { 200: { description: 'ok' } } } };
  const spec = { openapi: '3.1.0', info: { title: 'R', version: '1' }, paths: { '/rows': rows } };
  const sources = [{ kind: 'openapi', spec, base_url: 'http://127.0.0.1:9', adapter: 'v' }];
  writeFileSync(join(folder, 'a.yaml'), JSON.stringify({ sources, adapters: { v: { file: './v.mjs' } } }));
  execFileSync('mkfifo', [join(folder, 'v.mjs')]);
  const run = await runCli(['tools', 'run', 'rows'], { home });
  expect([run.code, `${run.stdout}${run.stderr}`.includes('v.mjs is not a regular file.')]).toEqual([2, true]);
});

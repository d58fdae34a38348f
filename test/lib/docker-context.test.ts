import { mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { currentDockerHost } from '../../src/lib/docker-context.js';

/** A home whose docker configuration holds this text. */
function homeWith(config?: string): string {
  const home = mkdtempSync(join(tmpdir(), 'opsagent-home-'));
  mkdirSync(join(home, '.docker'));
  if (config !== undefined) writeFileSync(join(home, '.docker', 'config.json'), config);
  return home;
}
const night = homeWith('{ "auths": {}, "currentContext": "night" }');

test.each([
  [{ DOCKER_HOST: 'tcp://10.0.0.7:2375', DOCKER_CONTEXT: 'day' }, { host: 'tcp://10.0.0.7:2375' }],
  [{ DOCKER_CONTEXT: 'day' }, { context: 'day' }],
  [{ DOCKER_HOST: '', DOCKER_CONTEXT: '' }, { context: 'night' }],
  [{ DOCKER_CONFIG: join(homeWith('{"currentContext":"dusk"}'), '.docker') }, { context: 'dusk' }],
])('%j chooses %j before the configuration of the home', (env, target) => {
  expect(currentDockerHost(env, night)).toEqual(target);
});

test.each([
  [undefined],
  ['{'],
  ['[]'],
  ['null'],
  ['{}'],
  ['{"currentContext":7}'],
  ['{"currentContext":"default"}'],
  [`${' '.repeat(6_000_000)}{"currentContext":"big"}`],
])(
  'a configuration that names no context (%#) means the context "default", which is pinned like any other',
  (config) => {
    expect(currentDockerHost({}, homeWith(config))).toEqual({ context: 'default' });
  },
);

test.each([
  ['unix:///run/user/1000/docker.sock', 'unix:///run/user/1000/docker.sock'],
  ['ssh://ops@db-1:2222', 'ssh://ops@db-1:2222'],
  ['ssh://ops:s3cret@db-1/run/docker.sock', 'ssh://ops@db-1/run/docker.sock'],
  ['tcp://ops:s3cret@10.0.0.7:2376/v1?token=s3cret#s3cret', 'tcp://10.0.0.7:2376/v1'],
  ['https://s3cret@db-1', 'https://db-1'],
  ['tcp://ops:s3@cret@db-1:2376', 'tcp://db-1:2376'],
  ['TCP://ops:s3cret@[::1]:2375', 'TCP://[::1]:2375'],
  ['ops:s3cret@db-1:2375', 'db-1:2375'],
  ['tcp://ops:s3\ncret@db-1', 'tcp://db-1'],
])('of the address %j only %j becomes part of a command line', (host, shown) => {
  expect(currentDockerHost({ DOCKER_HOST: host }, night)).toEqual({ host: shown });
});

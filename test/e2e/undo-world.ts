import { setTimeout as pause } from 'node:timers/promises';
import type { TestContext } from 'vitest';
import { runKubectl } from '../helpers/api-server/kubectl.js';
import { at, textAt } from '../helpers/api-server/objects.js';
import { type ApiServer, type ApiServerOptions, startApiServer } from '../helpers/api-server/start.js';
import { type CliRun, kubeEnv, newHome, readAudit, runCli } from '../helpers/cli.js';

export const shop = { kind: 'Namespace', metadata: { name: 'shop' } };
/** The manifest of `web` with this image. */
export const deployment = (image: string) =>
  JSON.stringify({
    apiVersion: 'apps/v1',
    kind: 'Deployment',
    metadata: { name: 'web', namespace: 'shop', labels: { app: 'web' } },
    spec: {
      replicas: 2,
      selector: { matchLabels: { app: 'web' } },
      template: {
        metadata: { labels: { app: 'web' } },
        spec: { containers: [{ name: 'app', image, env: [{ name: 'DB_PASSWORD', value: 'hunter2-in-env' }] }] },
      },
    },
  });
/** The arguments that name it. */
export const WEB = { kind: 'deployment', name: 'web', namespace: 'shop' };

/** A cluster with the deployment `web`, and the program in a home of its own. */
export async function start({ onTestFinished }: TestContext, options: ApiServerOptions = {}) {
  const server = await startApiServer({ objects: [shop], ...options });
  onTestFinished(server.close);
  await runKubectl(server, ['apply', '--filename=-'], deployment('web:1'));
  await until(() => server.objects('Pod', 'shop').length === 2);
  const home = newHome();
  const cli = (...args: readonly string[]): Promise<CliRun> => runCli(args, { home, env: kubeEnv(server) });
  const tool = (name: string, args: object, ...more: readonly string[]) =>
    cli('tools', 'run', name, '--args', JSON.stringify(args), ...more);
  return { server, home, cli, tool };
}

export const until = async (isTrue: () => boolean): Promise<void> => {
  while (!isTrue()) await pause(20);
};
export const web = (server: ApiServer) =>
  server.objects('Deployment', 'shop').find(({ metadata }) => metadata.name === 'web');
export const replicasOf = (server: ApiServer) => at(web(server), 'spec', 'replicas');
export const imageOf = (server: ApiServer) =>
  textAt(at(web(server), 'spec', 'template', 'spec', 'containers', 0), 'image');
/** How the calls of this tool ended, by the audit log. */
export const changesOf = (home: string, tool: string) =>
  readAudit(home)
    .filter((record) => record.tool === tool && record.event === 'finished')
    .map((record) => [record.status, record.risk_level, record.action?.tokens.slice(0, 2).join(' ')]);

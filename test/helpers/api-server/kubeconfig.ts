import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

/** The files that kubectl needs for one test server. */
export interface Kubeconfig {
  readonly path: string;
  readonly text: string;
  /** KUBECONFIG, HOME and KUBECACHEDIR: all below the temporary directory, so that no discovery cache outlives the server. */
  readonly env: Readonly<Record<string, string>>;
  remove(): void;
}

/**
 * Writes a kubeconfig (0600, JSON, which is YAML) with the contexts `test` (current, namespace default) and
 * `other` (namespace other), both at this server with this token.
 */
export function writeKubeconfig(options: { url: string; ca: string; token: string; user: string }): Kubeconfig {
  const directory = mkdtempSync(join(tmpdir(), 'opsagent-kube-'));
  const path = join(directory, 'config');
  const cluster = { server: options.url, 'certificate-authority-data': Buffer.from(options.ca).toString('base64') };
  const context = (cluster: string, namespace: string) => ({ cluster, user: options.user, namespace });
  const text = JSON.stringify(
    {
      apiVersion: 'v1',
      kind: 'Config',
      clusters: [
        { name: 'test-cluster', cluster },
        { name: 'other-cluster', cluster },
      ],
      users: [{ name: options.user, user: { token: options.token } }],
      contexts: [
        { name: 'test', context: context('test-cluster', 'default') },
        { name: 'other', context: context('other-cluster', 'other') },
      ],
      'current-context': 'test',
    },
    null,
    2,
  );
  writeFileSync(path, text, { mode: 0o600 });
  return {
    path,
    text,
    env: { KUBECONFIG: path, HOME: directory, KUBECACHEDIR: join(directory, 'cache') },
    remove: () => rmSync(directory, { recursive: true, force: true }),
  };
}

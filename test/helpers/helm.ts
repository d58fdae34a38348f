import { existsSync, mkdirSync, mkdtempSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { gzipSync } from 'node:zlib';
import { ROOT } from './cli.js';

/** Where `.ci/run` puts the helm that an npm package carries; a helm on PATH goes before it. */
const FETCHED = join(ROOT, 'node_modules/.cache/helm');

/** The folder with a helm program, or why there is none. */
export function helmFolder(): { readonly folder: string } | { readonly why: string } {
  const folder = [...(process.env.PATH ?? '').split(':'), FETCHED].find((one) => existsSync(join(one, 'helm')));
  return folder === undefined ? { why: `there is no helm on PATH and none in ${FETCHED}` } : { folder };
}

export interface Revision {
  readonly name: string;
  readonly namespace: string;
  readonly revision: number;
  readonly status: string;
  readonly replicas: number;
  readonly values?: object;
}

/** The Secret in which helm keeps one revision of a release: JSON, packed with gzip, in base64 twice. */
export function releaseSecret({ name, namespace, revision, status, replicas, values = {} }: Revision): object {
  const at = `2026-01-${String(revision + 10)}T09:00:00Z`;
  const manifest = `---\n# Source: ${name}/templates/web.yaml\napiVersion: v1\nkind: ConfigMap\nmetadata:\n  name: ${name}\n  namespace: ${namespace}\ndata:\n  replicas: "${replicas}"\n`;
  const release = {
    name,
    namespace,
    version: revision,
    config: values,
    manifest,
    hooks: [],
    info: {
      first_deployed: at,
      last_deployed: at,
      deleted: '',
      description: 'Upgrade complete',
      status,
      notes: `Open ${name}.`,
    },
    chart: {
      metadata: { apiVersion: 'v2', name, version: `1.${revision}.0`, appVersion: '1.0' },
      templates: [],
      values: {},
      lock: null,
      schema: null,
      files: null,
    },
  };
  const packed = gzipSync(JSON.stringify(release)).toString('base64');
  return {
    apiVersion: 'v1',
    kind: 'Secret',
    type: 'helm.sh/release.v1',
    metadata: {
      name: `sh.helm.release.v1.${name}.v${revision}`,
      namespace,
      labels: { owner: 'helm', name, status, version: String(revision) },
    },
    data: { release: Buffer.from(packed).toString('base64') },
  };
}

const TEMPLATE = `apiVersion: apps/v1
kind: Deployment
metadata: { name: {{ .Release.Name }} }
spec:
  replicas: {{ .Values.replicas }}
  selector: { matchLabels: { app: web } }
  template:
    metadata: { labels: { app: web } }
    spec: { containers: [{ name: app, image: "web:{{ .Values.tag }}" }] }
---
apiVersion: v1
kind: Secret
metadata: { name: {{ .Release.Name }}-key }
stringData: { key: chart-key-5gT7uQz1 }
{{- if .Values.extra }}
---
apiVersion: v1
kind: ConfigMap
metadata: { name: {{ .Release.Name }}-extra }
data: { extra: "yes" }
{{- end }}
`;

/** Writes the chart `web`: a deployment, a Secret, and with the value `extra` a ConfigMap. Gives its folder. */
export function writeChart(): string {
  const folder = join(mkdtempSync(join(tmpdir(), 'opsagent-chart-')), 'web');
  mkdirSync(join(folder, 'templates'), { recursive: true });
  writeFileSync(join(folder, 'Chart.yaml'), 'apiVersion: v2\nname: web\nversion: 1.0.0\n');
  writeFileSync(join(folder, 'values.yaml'), 'replicas: 2\ntag: "1"\nextra: false\n');
  writeFileSync(join(folder, 'templates/web.yaml'), TEMPLATE);
  return folder;
}

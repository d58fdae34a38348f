import { createServer } from 'node:https';
import type { AddressInfo } from 'node:net';
import type { TLSSocket } from 'node:tls';
import { type Certificate, certificate } from './certificate.js';
import type { Cluster, ExecHandler, ForbidRule } from './cluster.js';
import { completeObject } from './complete.js';
import { type ControllerOptions, startControllers } from './controller.js';
import { emptyLogs, type LogTexts, loadDump } from './dump.js';
import { receiveUpgrade } from './exec-stream.js';
import { writeKubeconfig } from './kubeconfig.js';
import { fieldsAt, type KubeObject, listAt, textAt } from './objects.js';
import { BUILT_IN_TYPES } from './resources.js';
import { type Fault, type Reception, type RecordedRequest, receive } from './server.js';
import { createStore, type Store } from './store.js';

export interface ApiServerOptions {
  /** Objects, also incomplete ones (kind and metadata.name are enough); later ones replace those of the dump. */
  readonly objects?: readonly object[];
  /** A directory of `kubectl cluster-info dump --output json`. */
  readonly dumpDir?: string;
  /** Log texts by `namespace/pod/container`, or `namespace/pod/*` for all its containers. */
  readonly logs?: Readonly<Record<string, string>>;
  readonly previousLogs?: Readonly<Record<string, string>>;
  /** The token that the server accepts; the kubeconfig carries it. */
  readonly token?: string;
  /** The user of 403 messages. */
  readonly user?: string;
  readonly forbid?: readonly ForbidRule[];
  /** Waits this long before every answer. */
  readonly latencyMs?: number;
  /** Kept by reference: a test may push and remove faults while the server runs. */
  readonly faults?: readonly Fault[];
  /** false: nothing reacts to changes. Else how pods that the controllers start turn out; ready by default. */
  readonly controllers?: false | Partial<ControllerOptions>;
  readonly podGraceMs?: number;
  readonly gitVersion?: string;
  /** false: only /openapi/v2 is served, as kubectl before 1.27 uses it. */
  readonly openApiV3?: boolean;
  /** true: the kubeconfig trusts another certificate than the server's. */
  readonly untrusted?: boolean;
  /** Answers `kubectl exec` (kubectl 1.31 and newer); without it, exec is refused with 501. */
  readonly exec?: ExecHandler;
}

export interface ApiServer {
  readonly url: string;
  readonly kubeconfigPath: string;
  readonly kubeconfig: string;
  /** KUBECONFIG, HOME and KUBECACHEDIR for programs that shall use this server and nothing of the user. */
  readonly env: Readonly<Record<string, string>>;
  /** Every request so far, refused ones too. */
  readonly requests: readonly RecordedRequest[];
  /** The requests that wanted to change something: no reads, no dry runs, no access reviews. */
  changes(): RecordedRequest[];
  /** The present objects of a kind (`Pod`, any case), sorted by namespace and name. */
  objects(kind: string, namespace?: string): KubeObject[];
  /** Puts an object into the cluster, as somebody else would; watchers see it. */
  put(object: object): void;
  /** Stops listening and cuts all connections, but keeps the kubeconfig: from now on the cluster is unreachable. */
  disconnect(): Promise<void>;
  /** `disconnect`, and removes the kubeconfig. May be called twice. */
  close(): Promise<void>;
  [Symbol.asyncDispose](): Promise<void>;
}

function fill(store: Store, options: ApiServerOptions): LogTexts {
  const dump = options.dumpDir === undefined ? undefined : loadDump(options.dumpDir);
  const given = (options.objects ?? []).map((object) => completeObject(object, {}));
  const objects = [...(dump?.objects ?? []), ...given];
  const namespaces = new Set([
    'default',
    'kube-system',
    ...objects.map((item) => item.metadata.namespace ?? 'default'),
  ]);
  for (const name of namespaces) {
    const labels = { 'kubernetes.io/metadata.name': name };
    const namespace = { kind: 'Namespace', metadata: { name, labels }, status: { phase: 'Active' } };
    store.load(completeObject(namespace, {}));
  }
  for (const object of objects) store.load(object);
  for (const event of store.list(store.type('', 'events'))) store.load(withInvolvedUid(store, event));
  const logs = dump?.logs ?? emptyLogs();
  for (const [key, text] of Object.entries(options.logs ?? {})) logs.current.set(key, text);
  for (const [key, text] of Object.entries(options.previousLogs ?? {})) logs.previous.set(key, text);
  return logs;
}

/** Gives an event the uid of the object it is about, which `kubectl describe` selects by, unless it has one. */
function withInvolvedUid(store: Store, event: KubeObject): KubeObject {
  const involved = fieldsAt(event, 'involvedObject');
  const kind = textAt(involved, 'kind');
  const type = store.types().find((item) => item.kind === kind);
  if (type === undefined || textAt(involved, 'uid') !== '') return event;
  const object = store.get(type, textAt(involved, 'namespace'), textAt(involved, 'name'));
  return object === undefined ? event : { ...event, involvedObject: { ...involved, uid: object.metadata.uid } };
}

/** A dry run says so in its query, a deletion in its body. */
const isChange = ({ method, query, path, body }: RecordedRequest): boolean =>
  method !== 'GET' &&
  query.dryRun === undefined &&
  !listAt(body, 'dryRun').includes('All') &&
  !path.endsWith('/selfsubjectaccessreviews');

function clusterOf(store: Store, logs: LogTexts, user: string, options: ApiServerOptions): Cluster {
  const metrics = ['nodes', 'pods'].flatMap((plural) => store.list(store.type('metrics.k8s.io', plural)));
  return {
    store,
    logs,
    user,
    forbid: options.forbid ?? [],
    gitVersion: options.gitVersion ?? 'v1.32.0',
    podGraceMs: options.podGraceMs ?? 50,
    hasMetrics: metrics.length > 0,
    openApiV3: options.openApiV3 ?? true,
    exec: options.exec,
  };
}

/** Starts listening on a free port. `stop` cuts all connections, also upgraded ones. */
async function listen(reception: Reception, pem: Certificate): Promise<{ url: string; stop(): Promise<void> }> {
  const server = createServer(pem);
  const sockets = new Set<TLSSocket>();
  server.on('secureConnection', (socket) => {
    sockets.add(socket);
    socket.once('close', () => sockets.delete(socket));
  });
  server.on('request', (request, response) => void receive(reception, request, response));
  if (reception.cluster.exec !== undefined) {
    server.on('upgrade', (request, socket) => receiveUpgrade(reception, request, socket));
  }
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `https://127.0.0.1:${portOf(server.address())}`,
    async stop() {
      if (!server.listening) return;
      const closed = new Promise<void>((resolve) => server.close(() => resolve()));
      for (const socket of sockets) socket.destroy();
      await closed;
    },
  };
}

function portOf(address: string | AddressInfo | null): number {
  if (address === null || typeof address === 'string') throw new Error('the test API server has no port');
  return address.port;
}

/**
 * Starts a small Kubernetes API server on 127.0.0.1 and a free port, over HTTPS, for the real kubectl.
 * Use with `await using`, or call `close()`. Throws when the dump is not readable or `openssl` is missing.
 */
export async function startApiServer(options: ApiServerOptions = {}): Promise<ApiServer> {
  const store = createStore(BUILT_IN_TYPES);
  const user = options.user ?? 'oncall';
  const token = options.token ?? 'test-token';
  const requests: RecordedRequest[] = [];
  const cluster = clusterOf(store, fill(store, options), user, options);
  const reception = { cluster, token, latencyMs: options.latencyMs ?? 0, faults: options.faults ?? [], requests };
  const pem = certificate();
  const { url, stop } = await listen(reception, pem);
  const ca = options.untrusted === true ? certificate('somebody-else').cert : pem.cert;
  const kubeconfig = writeKubeconfig({ url, ca, token, user });
  const stopControllers =
    options.controllers === false
      ? () => undefined
      : startControllers(store, { delayMs: 30, outcome: () => 'ready', ...options.controllers });

  const disconnect = async (): Promise<void> => {
    stopControllers();
    await stop();
  };
  const close = async (): Promise<void> => {
    await disconnect();
    kubeconfig.remove();
  };
  return {
    url,
    kubeconfigPath: kubeconfig.path,
    kubeconfig: kubeconfig.text,
    env: kubeconfig.env,
    requests,
    changes: () => requests.filter(isChange),
    objects: (kind, namespace) => objectsOf(store, kind, namespace),
    put: (object) => store.load(completeObject(object, {})),
    disconnect,
    close,
    [Symbol.asyncDispose]: close,
  };
}

function objectsOf(store: Store, kind: string, namespace: string | undefined): KubeObject[] {
  const type = store.types().find((item) => item.kind.toLowerCase() === kind.toLowerCase());
  return type === undefined ? [] : store.list(type, namespace);
}

import { createHash } from 'node:crypto';
import type { IncomingMessage } from 'node:http';
import type { Duplex } from 'node:stream';
import type { Cluster, ExecResult, Target } from './cluster.js';
import { ApiFailure, badRequest, noSuchPath, statusBody, unauthorized } from './failures.js';
import { listAt, textAt } from './objects.js';
import { existing } from './reading.js';
import { targetOf } from './router.js';
import { type Reception, recordRequest } from './server.js';
import { authorizeRequest } from './subresources.js';

const STDOUT = 1;
const STDERR = 2;
const STATUS = 3;
const PROTOCOLS = ['v5.channel.k8s.io', 'v4.channel.k8s.io'];
const WEBSOCKET_GUID = '258EAFA5-E914-47DA-95CA-C5AB0DC85B11';

/** One unmasked binary WebSocket frame; its first byte is the channel. */
function frame(channel: number, text: string): Buffer {
  const payload = Buffer.concat([Buffer.from([channel]), Buffer.from(text)]);
  const head = Buffer.alloc(payload.length < 126 ? 2 : payload.length < 65_536 ? 4 : 10);
  head[0] = 0x82;
  if (head.length === 2) head[1] = payload.length;
  else if (head.length === 4) {
    head[1] = 126;
    head.writeUInt16BE(payload.length, 2);
  } else {
    head[1] = 127;
    head.writeBigUInt64BE(BigInt(payload.length), 2);
  }
  return Buffer.concat([head, payload]);
}

const CLOSE_FRAME = Buffer.from([0x88, 0x02, 0x03, 0xe8]);

/** What the status channel says about the end of a command. */
function endStatus(exitCode: number): object {
  if (exitCode === 0) return { metadata: {}, status: 'Success' };
  return {
    metadata: {},
    status: 'Failure',
    reason: 'NonZeroExitCode',
    message: `command terminated with non-zero exit code: exit status ${exitCode}`,
    details: { causes: [{ reason: 'ExitCode', message: String(exitCode) }] },
  };
}

function runCommand(cluster: Cluster, target: Target, query: URLSearchParams): ExecResult {
  const pod = existing(cluster, target);
  const containers = listAt(pod, 'spec', 'containers').map((item) => textAt(item, 'name'));
  const container = query.get('container') ?? containers[0] ?? '';
  if (!containers.includes(container)) throw badRequest(`container ${container} is not valid for pod ${target.name}`);
  const call = { namespace: target.namespace, pod: target.name, container, command: query.getAll('command') };
  const result = cluster.exec?.(call);
  if (result === undefined) throw new ApiFailure(500, 'InternalError', `container not found ("${container}")`);
  return result;
}

function accept(socket: Duplex, incoming: IncomingMessage, protocol: string): void {
  const key = incoming.headers['sec-websocket-key'] ?? '';
  const proof = createHash('sha1').update(`${key}${WEBSOCKET_GUID}`).digest('base64');
  socket.write(
    `HTTP/1.1 101 Switching Protocols\r\nUpgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Accept: ${proof}\r\nSec-WebSocket-Protocol: ${protocol}\r\n\r\n`,
  );
}

function refuse(socket: Duplex, failure: ApiFailure): void {
  const body = JSON.stringify(statusBody(failure));
  const length = Buffer.byteLength(body);
  socket.end(
    `HTTP/1.1 ${failure.code} ${failure.reason}\r\nContent-Type: application/json\r\nContent-Length: ${length}\r\nConnection: close\r\n\r\n${body}`,
  );
}

/**
 * Serves `kubectl exec` over WebSocket (kubectl 1.31 and newer). The handler of the test answers the command at once;
 * standard input is not read. The older SPDY protocol is refused with 501.
 */
export function receiveUpgrade(reception: Reception, incoming: IncomingMessage, socket: Duplex): void {
  socket.on('error', () => socket.destroy());
  // Nobody reads what the client sends, but its end must be seen.
  socket.resume();
  try {
    const request = recordRequest(reception, incoming, undefined);
    if (incoming.headers.authorization !== `Bearer ${reception.token}`) throw unauthorized();
    const target = targetOf(reception.cluster, request.path);
    if (target.subresource !== 'exec') throw noSuchPath();
    authorizeRequest(reception.cluster, request, target);
    const offered = (incoming.headers['sec-websocket-protocol'] ?? '').split(',').map((item) => item.trim());
    const protocol = PROTOCOLS.find((name) => offered.includes(name));
    if (incoming.headers.upgrade?.toLowerCase() !== 'websocket' || protocol === undefined) {
      throw new ApiFailure(501, 'NotImplemented', 'the test API server serves exec over WebSocket only');
    }
    const result = runCommand(reception.cluster, target, request.query);
    accept(socket, incoming, protocol);
    if (result.stdout !== undefined) socket.write(frame(STDOUT, result.stdout));
    if (result.stderr !== undefined) socket.write(frame(STDERR, result.stderr));
    socket.write(frame(STATUS, JSON.stringify(endStatus(result.exitCode ?? 0))));
    socket.end(CLOSE_FRAME);
  } catch (error) {
    refuse(socket, error instanceof ApiFailure ? error : new ApiFailure(500, 'InternalError', String(error)));
  }
}

import type { AddressInfo } from 'node:net';
import { createServer, type Server, type Socket } from 'node:net';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { sendRequest } from '../../src/lib/http.js';

const sockets = new Set<Socket>();
let server: Server;
let port = 0;

/** Accepts, and answers half a body to whoever speaks HTTP; to TLS it says nothing. */
beforeAll(async () => {
  server = createServer((socket) => {
    sockets.add(socket);
    socket.on('error', () => undefined);
    socket.on('data', (data) => {
      if (data.toString().startsWith('GET')) socket.write('HTTP/1.1 200 OK\r\ncontent-length: 100\r\n\r\nhalf');
    });
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  port = (server.address() as AddressInfo).port;
});
afterAll(() => {
  for (const socket of sockets) socket.destroy();
  server.close();
});

const send = (scheme: string, limits: { connectMs: number; idleMs: number; totalMs: number }) =>
  sendRequest({
    method: 'GET',
    url: `${scheme}://127.0.0.1:${port}/`,
    headers: {},
    signal: new AbortController().signal,
    limits: { ...limits, maxBytes: 1000 },
    mayVisit: () => true,
    onData: () => true,
  });

test('a connection that does not come about ends after its own time', async () => {
  const end = await send('https', { connectMs: 200, idleMs: 20_000, totalMs: 20_000 });
  expect(end).toEqual({ type: 'late', phase: 'connect', afterMs: 200, bytes: 0, url: `https://127.0.0.1:${port}/` });
});

test('a body that stops ends after its own time', async () => {
  const end = await send('http', { connectMs: 20_000, idleMs: 300, totalMs: 20_000 });
  expect(end).toEqual({ type: 'late', phase: 'idle', afterMs: 300, bytes: 4, url: `http://127.0.0.1:${port}/` });
});

test('all of it ends after the whole time', async () => {
  const end = await send('http', { connectMs: 20_000, idleMs: 20_000, totalMs: 300 });
  expect(end).toEqual({ type: 'late', phase: 'body', afterMs: 300, bytes: 4, url: `http://127.0.0.1:${port}/` });
});
